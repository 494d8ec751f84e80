// Blocks and grids: indexing in up to three dimensions, barriers, static and dynamic shared memory, atomics.
#include <cmath>

#include "device/kernel.hpp"
#include "tests/device/support.hpp"

namespace warpbench {
namespace {

using testing::under_all_orders;
using Blocks = testing::DeviceTest;

__global__ void index_kernel(View<int> hits, View<int> shape) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  atomicAdd(&hits[block * threads + thread], 1);
  if (block == 0 && thread == 0) {
    shape[0] = static_cast<int>(gridDim.x * 100 + gridDim.y * 10 + gridDim.z);
    shape[1] = static_cast<int>(blockDim.x * 100 + blockDim.y * 10 + blockDim.z);
    shape[2] = warpSize;
  }
}

TEST_F(Blocks, EveryIndexOfAThreeDimensionalGridComesOnce) {
  under_all_orders([&] {
    Buffer<int> hits(3 * 4 * 2 * 5 * 2 * 7, stream());
    Buffer<int> shape(3, stream());
    hits.fill(0, stream());
    launch(index_kernel, Grid{{3, 4, 2}, {5, 2, 7}}, stream(), hits.view(), shape.view());
    for (const int count : hits.to_vector(stream())) EXPECT_EQ(count, 1);
    EXPECT_EQ(shape.to_vector(stream()), (std::vector<int>{342, 527, 32}));
  });
}

__global__ void lanes_in_a_plane_kernel(View<unsigned> out) {
  // A warp is 32 neighbours in x, then y: here 8 x 4 threads.
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  out[thread] = __shfl_sync(kFullMask, threadIdx.y * 10 + threadIdx.x, 9);
}

TEST_F(Blocks, WarpsFollowTheLinearThreadIndex) {
  Buffer<unsigned> out(64, stream());
  launch(lanes_in_a_plane_kernel, Grid{1, {8, 8}}, stream(), out.view());
  const std::vector<unsigned> values = out.to_vector(stream());
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(values[i], i < 32 ? 11U : 51U) << i;
}

__global__ void reverse_kernel(View<int> data) {
  __shared__ int staged[1024];
  const unsigned tid = threadIdx.x;
  const unsigned base = blockIdx.x * blockDim.x;
  staged[tid] = data[base + tid];
  __syncthreads();
  data[base + tid] = staged[blockDim.x - 1 - tid];
}

TEST_F(Blocks, BarrierOrdersStaticSharedMemory) {
  for (const int threads : {1, 31, 32, 33, 100, 1024}) {
    under_all_orders([&] {
      SCOPED_TRACE(threads);
      const std::vector<int> host = testing::random_values<int>(5 * threads, -1000, 1000, 3);
      Buffer<int> data(host, stream());
      launch(reverse_kernel, Grid{5, threads}, stream(), data.view());
      const std::vector<int> values = data.to_vector(stream());
      for (int i = 0; i < 5 * threads; ++i) {
        const int from = i / threads * threads + threads - 1 - i % threads;
        ASSERT_EQ(values[static_cast<std::size_t>(i)], host[static_cast<std::size_t>(from)]) << i;
      }
    });
  }
}

__global__ void ping_pong_kernel(View<int> out, int rounds) {
  // Every round reads a neighbour's value of the round before: any barrier too few or too many shows.
  int* values = dynamic_shared<int>();
  int* next = dynamic_shared<int>(blockDim.x * sizeof(int));
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    next[threadIdx.x] = values[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    int* spare = values;
    values = next;
    next = spare;
  }
  out[threadIdx.x] = values[threadIdx.x];
}

TEST_F(Blocks, BarriersInALoopOverDynamicSharedMemory) {
  under_all_orders([&] {
    Buffer<int> out(200, stream());
    launch(ping_pong_kernel, Grid{1, 200, 2 * 200 * sizeof(int)}, stream(), out.view(), 50);
    const std::vector<int> values = out.to_vector(stream());
    for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(values[i], static_cast<int>((i + 50) % 200)) << i;
  });
}

__global__ void large_shared_kernel(View<long long> out, int count) {
  auto* data = dynamic_shared<int>();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    long long sum = 0;
    for (int i = 0; i < count; ++i) sum += data[i];
    out[blockIdx.x] = sum;
  }
}

TEST_F(Blocks, DynamicSharedMemoryUpToTheOptInLimit) {
  const std::int64_t bytes = current_device().shared_bytes_per_block;
  ASSERT_GE(bytes, 48 * 1024);
  Buffer<long long> out(2, stream());
  launch(large_shared_kernel, Grid{2, 128, static_cast<std::size_t>(bytes)}, stream(), out.view(), bytes / 4);
  const long long count = bytes / 4;
  EXPECT_EQ(out.to_vector(stream()), (std::vector<long long>(2, count * (count - 1) / 2)));
  EXPECT_TRUE(testing::holds(
      testing::error_of([&] {
        launch(large_shared_kernel, Grid{2, 128, static_cast<std::size_t>(bytes) + 1}, stream(), out.view(), 1);
      }),
      {"large_shared_kernel", "shared memory"}));
}

__global__ void vote_barrier_kernel(View<int> out) {
  const int tid = static_cast<int>(threadIdx.x);
  const int all = __syncthreads_and(tid >= 0);
  const int not_all = __syncthreads_and(tid != 70);
  const int any = __syncthreads_or(tid == 70);
  const int none = __syncthreads_or(tid < 0);
  const int count = __syncthreads_count(tid % 3 == 0);
  out[tid] =
      (all != 0 ? 10000 : 0) + (not_all != 0 ? 20000 : 0) + (any != 0 ? 1000 : 0) + (none != 0 ? 2000 : 0) + count;
}

TEST_F(Blocks, BarriersThatVote) {
  under_all_orders([&] {
    Buffer<int> out(100, stream());
    launch(vote_barrier_kernel, Grid{1, 100}, stream(), out.view());
    for (const int value : out.to_vector(stream())) EXPECT_EQ(value, 11034);
  });
}

__global__ void contended_kernel(View<int> ints, View<unsigned> words, View<unsigned long long> longs,
                                 View<float> floats, View<double> doubles) {
  const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const auto word = static_cast<unsigned>(id);
  atomicAdd(&ints[0], 1);
  atomicSub(&ints[1], 2);
  atomicMin(&ints[2], -id);
  atomicMax(&ints[3], id);
  atomicAnd(&words[0], ~(1U << (word % 31)));
  atomicOr(&words[1], 1U << (word % 31));
  atomicXor(&words[2], word);
  atomicInc(&words[3], 99U);
  atomicDec(&words[4], 49U);
  atomicAdd(&longs[0], 1ULL << 33);
  atomicMax(&longs[1], static_cast<unsigned long long>(id) << 40);
  atomicMin(&longs[2], (1ULL << 60) - static_cast<unsigned long long>(id));
  atomicAdd(&floats[0], 0.5F);
  atomicAdd(&doubles[0], 0.25);
  atomicAdd_block(&ints[4], 3);
}

TEST_F(Blocks, AtomicsOfEveryKindUnderContention) {
  under_all_orders([&] {
    Buffer<int> ints(5, stream());
    Buffer<unsigned> words(std::vector<unsigned>{~0U, 0, 0, 0, 0}, stream());
    Buffer<unsigned long long> longs(std::vector<unsigned long long>{0, 0, ~0ULL}, stream());
    Buffer<float> floats(1, stream());
    Buffer<double> doubles(1, stream());
    ints.fill(0, stream());
    floats.fill(0, stream());
    doubles.fill(0, stream());
    launch(contended_kernel, Grid{16, 64}, stream(), ints.view(), words.view(), longs.view(), floats.view(),
           doubles.view());
    unsigned folded = 0;
    for (unsigned id = 0; id < 1024; ++id) folded ^= id;
    EXPECT_EQ(ints.to_vector(stream()), (std::vector<int>{1024, -2048, -1023, 1023, 3072}));
    // 1024 steps of counters that wrap after 100 and 50.
    EXPECT_EQ(words.to_vector(stream()), (std::vector<unsigned>{0x80000000U, 0x7fffffffU, folded, 24, 26}));
    EXPECT_EQ(longs.to_vector(stream()),
              (std::vector<unsigned long long>{1024ULL << 33, 1023ULL << 40, (1ULL << 60) - 1023}));
    EXPECT_EQ(floats.to_vector(stream())[0], 512.0F);
    EXPECT_EQ(doubles.to_vector(stream())[0], 256.0);
  });
}

__global__ void ticket_kernel(View<int> counter, View<int> owner_of, View<int> swapped) {
  const int id = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int ticket = atomicAdd(&counter[0], 1);
  owner_of[ticket] = id;
  // Exchanges pass each value on exactly once.
  swapped[id] = atomicExch(&counter[1], id);
}

TEST_F(Blocks, AtomicsReturnThePreviousValue) {
  under_all_orders([&] {
    Buffer<int> counter(std::vector<int>{0, -1}, stream());
    Buffer<int> owner_of(500, stream());
    Buffer<int> swapped(500, stream());
    launch(ticket_kernel, Grid{5, 100}, stream(), counter.view(), owner_of.view(), swapped.view());
    std::vector<int> owners = owner_of.to_vector(stream());
    std::vector<int> passed = swapped.to_vector(stream());
    passed.push_back(counter.to_vector(stream())[1]);
    std::sort(owners.begin(), owners.end());
    std::sort(passed.begin(), passed.end());
    for (int i = 0; i < 500; ++i) EXPECT_EQ(owners[static_cast<std::size_t>(i)], i);
    for (int i = 0; i < 501; ++i) EXPECT_EQ(passed[static_cast<std::size_t>(i)], i - 1);
  });
}

__global__ void spin_lock_kernel(int* lock, View<int> guarded) {
  // Threads of a block take the lock one after the other; the value is read and written apart.
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      const int value = atomicAdd(&guarded[0], 0);
      atomicExch(&guarded[0], value + 1);
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

TEST_F(Blocks, SpinLocksEndAndExclude) {
  under_all_orders([&] {
    Buffer<int> lock(1, stream());
    Buffer<int> guarded(1, stream());
    lock.fill(0, stream());
    guarded.fill(0, stream());
    launch(spin_lock_kernel, Grid{4, 48}, stream(), lock.data(), guarded.view());
    EXPECT_EQ(guarded.to_vector(stream())[0], 4 * 48);
  });
}

__device__ int file_scope_counter = 0;
__constant__ int file_scope_table[4] = {2, 3, 5, 7};

__global__ void globals_kernel(View<int> out) {
  out[threadIdx.x] = file_scope_table[threadIdx.x];
  atomicAdd(&file_scope_counter, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[4] = atomicExch(&file_scope_counter, 0);
}

TEST_F(Blocks, VariablesOfAFile) {
  Buffer<int> out(5, stream());
  launch(globals_kernel, Grid{1, 4}, stream(), out.view());
  EXPECT_EQ(out.to_vector(stream()), (std::vector<int>{2, 3, 5, 7, 4}));
}

struct Particle {
  float4 position;
  int2 cell;
};

__global__ void vector_types_kernel(View<const float4> in, View<Particle> out) {
  const float4 v = in[threadIdx.x];
  const Particle particle{make_float4(v.w, v.z, v.y, v.x), make_int2(static_cast<int>(v.x), -1)};
  out[threadIdx.x] = particle;
}

TEST_F(Blocks, VectorTypesPassThroughBuffers) {
  const std::vector<float4> host{make_float4(1, 2, 3, 4), make_float4(5, 6, 7, 8)};
  const Buffer<float4> in(host, stream());
  Buffer<Particle> out(2, stream());
  launch(vector_types_kernel, Grid{1, 2}, stream(), in.view(), out.view());
  const std::vector<Particle> values = out.to_vector(stream());
  EXPECT_EQ(values[1].position.x, 8.0F);
  EXPECT_EQ(values[1].position.w, 5.0F);
  EXPECT_EQ(values[1].cell.x, 5);
  EXPECT_EQ(values[0].cell.y, -1);
}

__global__ void nothing_kernel() {}

TEST_F(Blocks, LaunchesThatCannotBeAreRefusedAtOnce) {
  launch(nothing_kernel, Grid{0, 32}, stream());  // no blocks: nothing to do
  EXPECT_NE(testing::error_of([&] { launch(nothing_kernel, Grid{1, 0}, stream()); }), "");
  EXPECT_NE(testing::error_of([&] { launch(nothing_kernel, Grid{1, 1025}, stream()); }), "");
  EXPECT_NE(testing::error_of([&] { launch(nothing_kernel, Grid{1, {1, 1, 65}}, stream()); }), "");
  EXPECT_NE(testing::error_of([&] { launch(nothing_kernel, Grid{{1, 65536}, 32}, stream()); }), "");
  EXPECT_NE(testing::error_of([&] { launch(nothing_kernel, Grid{std::int64_t{1} << 31, 32}, stream()); }), "");
  launch(nothing_kernel, Grid{1, 1024}, stream());
  stream().synchronize();
}

__global__ void parameters_kernel(View<long long> out, int narrow, float real, std::uint64_t wide) {
  out[0] = narrow + static_cast<long long>(real) + static_cast<long long>(wide);
}

TEST_F(Blocks, ArgumentsAreConvertedAndNeverWrap) {
  Buffer<long long> out(1, stream());
  launch(parameters_kernel, Grid{1, 1}, stream(), out.view(), std::int64_t{-5}, 2.75, 40U);
  EXPECT_EQ(out.to_vector(stream())[0], 37);
  EXPECT_TRUE(testing::holds(testing::error_of([&] {
                               launch(parameters_kernel, Grid{1, 1}, stream(), out.view(), std::int64_t{1} << 31, 0, 0);
                             }),
                             {"2147483648", "does not fit"}));
  EXPECT_NE(testing::error_of([&] { launch(parameters_kernel, Grid{1, 1}, stream(), out.view(), 0, 0, -1); }), "");
}

__global__ void grid_barrier_kernel(unsigned* arrived, View<int> out) {
  // All resident blocks wait for each other: legal up to max_resident_blocks.
  if (threadIdx.x == 0) {
    out[blockIdx.x] = static_cast<int>(blockIdx.x);
    __threadfence();
    atomicAdd(arrived, 1U);
    while (atomicAdd(arrived, 0U) < gridDim.x) __nanosleep(100);
  }
}

TEST_F(Blocks, AsManyBlocksAsAreResidentCanWaitForEachOther) {
  const std::int64_t blocks = max_resident_blocks(grid_barrier_kernel, 64);
  ASSERT_GE(blocks, 1);
  Buffer<unsigned> arrived(1, stream());
  Buffer<int> out(blocks, stream());
  arrived.fill(0, stream());
  launch(grid_barrier_kernel, Grid{blocks, 64}, stream(), arrived.data(), out.view());
  EXPECT_EQ(arrived.to_vector(stream())[0], static_cast<unsigned>(blocks));
}

}  // namespace
}  // namespace warpbench
