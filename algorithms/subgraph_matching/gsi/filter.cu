#include "algorithms/subgraph_matching/gsi/filter.hpp"

#include <algorithm>

#include "algorithms/subgraph_matching/gsi/memory.hpp"
#include "algorithms/subgraph_matching/keep_on_device.hpp"
#include "device/block.cuh"
#include "device/device.hpp"
#include "device/kernel.hpp"

namespace warpbench::matching::gsi {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksPerMultiprocessor = 8;

struct DataSignatures {
  View<const std::uint32_t> table;  // column first
  std::int64_t vertices;
  View<const std::uint64_t> label_offsets;
  View<const Label> labels;

  __device__ std::uint32_t word(int w, std::int64_t v) const { return table[w * vertices + v]; }
};

struct QuerySignatures {
  View<const std::uint32_t> signatures;  // row first
  View<const std::uint32_t> label_offsets;
  View<const Label> labels;
  int words;
  int vertices;

  __device__ std::uint32_t word(int u, int w) const { return signatures[std::int64_t{u} * words + w]; }
};

/// Whether all labels of query vertex u are data vertex v's: what hashing cannot promise (§VII-B).
__device__ bool labels_contained(const QuerySignatures& query, int u, const DataSignatures& data, std::int64_t v) {
  const auto first = static_cast<std::int64_t>(data.label_offsets[v]);
  const View<const Label> labels =
      data.labels.subview(first, static_cast<std::int64_t>(data.label_offsets[v + 1]) - first);
  for (std::uint32_t i = query.label_offsets[u]; i < query.label_offsets[u + 1]; ++i) {
    if (!binary_search(labels, query.labels[i])) return false;
  }
  return true;
}

/// S(v) & S(u) = S(u), and the labels, of one word hashed or the same.
template <bool kHashed>
__device__ bool is_candidate(const QuerySignatures& query, int u, const DataSignatures& data, std::int64_t v,
                             std::uint32_t label_word) {
  const std::uint32_t wanted_labels = query.word(u, 0);
  if (kHashed ? (label_word & wanted_labels) != wanted_labels : label_word != wanted_labels) return false;
  for (int w = 1; w < query.words; ++w) {
    const std::uint32_t wanted = query.word(u, w);
    if (wanted != 0 && (data.word(w, v) & wanted) != wanted) return false;
  }
  return !kHashed || labels_contained(query, u, data, v);
}

/// A thread a data vertex, so that a warp reads the same word of 32 signatures at once and has a word of each bitset.
template <bool kHashed>
__global__ void __launch_bounds__(kThreads)
    gsi_filter_kernel(DataSignatures data, QuerySignatures query, std::int64_t words_of_block, std::int64_t bit_words,
                      View<std::uint32_t> bits, View<std::uint32_t> block_counts) {
  std::uint32_t* const counts = dynamic_shared<std::uint32_t>();
  for (int u = static_cast<int>(threadIdx.x); u < query.vertices; u += kThreads) counts[u] = 0;
  __syncthreads();
  const std::int64_t first = blockIdx.x * words_of_block;
  const std::int64_t last = first + words_of_block < bit_words ? first + words_of_block : bit_words;
  for (std::int64_t word = first + warp::rank(); word < last; word += kThreads / kWarpSize) {
    const std::int64_t v = word * kWarpSize + warp::lane();
    const bool exists = v < data.vertices;
    const std::uint32_t label_word = exists ? data.word(0, v) : 0;
    for (int u = 0; u < query.vertices; ++u) {
      const bool candidate = exists && is_candidate<kHashed>(query, u, data, v, label_word);
      const unsigned found = __ballot_sync(kFullMask, candidate ? 1 : 0);
      if (warp::lane() != 0) continue;
      bits[u * bit_words + word] = found;
      if (found != 0) atomicAdd(&counts[u], static_cast<unsigned>(__popc(found)));
    }
  }
  __syncthreads();
  for (int u = static_cast<int>(threadIdx.x); u < query.vertices; u += kThreads) {
    block_counts[std::int64_t{u} * gridDim.x + blockIdx.x] = counts[u];
  }
}

/// Candidates that the blocks before this one found, in all threads.
__device__ std::uint64_t candidates_before(View<const std::uint32_t> block_counts) {
  std::uint64_t sum = 0;
  for (std::int64_t b = threadIdx.x; b < std::int64_t{blockIdx.x}; b += kThreads) sum += block_counts[b];
  return block::reduce_sum(sum);
}

/// The same blocks and words as in the filter: a thread a word, whose vertices go where the block's before end.
__global__ void __launch_bounds__(kThreads)
    candidate_list_kernel(View<const std::uint32_t> bits, View<const std::uint32_t> block_counts,
                          std::int64_t words_of_block, View<Vertex> list) {
  std::uint64_t written = candidates_before(block_counts);
  const std::int64_t first = blockIdx.x * words_of_block;
  const std::int64_t last = first + words_of_block < bits.size() ? first + words_of_block : bits.size();
  for (std::int64_t base = first; base < last; base += kThreads) {
    const std::int64_t word = base + threadIdx.x;
    std::uint32_t left = word < last ? bits[word] : 0;
    std::uint32_t total = 0;
    std::uint64_t at = written + block::exclusive_scan(static_cast<std::uint32_t>(__popc(left)), total);
    for (; left != 0; left &= left - 1) {
      list[static_cast<std::int64_t>(at++)] = static_cast<Vertex>(word * 32 + __ffs(static_cast<int>(left)) - 1);
    }
    written += total;
  }
}

}  // namespace

Filter::Filter(const Graph& data, int bits)
    : data_(&data),
      scheme_{bits / 32, !data.single_labels()},
      table_(signature_table(scheme_, data)),
      bit_words_((data.vertices() + 31) / 32) {}

void Filter::upload(Stream& stream) {
  resident_blocks_ = std::int64_t{current_device().multiprocessors} * kBlocksPerMultiprocessor;
  keep_on_device(device_table_, table_, stream);
  if (!scheme_.hashed_labels) return;
  keep_on_device(label_offsets_, data_->label_offsets, stream);
  keep_on_device(labels_, data_->labels, stream);
}

void Filter::upload_query(const Graph& query, bool injective, Stream& stream) {
  const auto vertices = static_cast<std::size_t>(query.vertices());
  const auto words = static_cast<std::size_t>(scheme_.words);
  const std::size_t size = vertices * words + vertices + 1 + query.labels.size();
  grow(host_query_, static_cast<std::int64_t>(size));
  const std::span<std::uint32_t> host = host_query_.span().first(size);
  for (std::size_t u = 0; u < vertices; ++u) {
    encode(scheme_, query, static_cast<Vertex>(u), !injective, host.subspan(u * words, words));
  }
  const std::span<std::uint32_t> label_offsets = host.subspan(vertices * words, vertices + 1);
  for (std::size_t u = 0; u <= vertices; ++u) label_offsets[u] = static_cast<std::uint32_t>(query.label_offsets[u]);
  std::ranges::copy(query.labels, host.subspan(vertices * words + vertices + 1).begin());
  grow(query_, static_cast<std::int64_t>(size), stream);
  query_.upload(host, stream);
}

std::vector<std::int64_t> Filter::candidates(const Graph& query, bool injective, std::int64_t most_blocks,
                                             Stream& stream) {
  const std::int64_t vertices = query.vertices();
  const std::int64_t warps = kThreads / kWarpSize;
  blocks_ = std::clamp<std::int64_t>((bit_words_ + warps - 1) / warps, 1, std::min(most_blocks, resident_blocks_));
  upload_query(query, injective, stream);
  grow(bits_, vertices * bit_words_, stream);
  grow(block_counts_, vertices * blocks_, stream);
  grow(host_block_counts_, vertices * blocks_);
  const DataSignatures data{device_table_.view(), data_->vertices(), label_offsets_.view(), labels_.view()};
  const std::int64_t signatures = vertices * scheme_.words;
  const View<const std::uint32_t> given = query_.view();
  const QuerySignatures asked{given.first(signatures), given.subview(signatures, vertices + 1),
                              given.subview(signatures + vertices + 1, static_cast<std::int64_t>(query.labels.size())),
                              scheme_.words, static_cast<int>(vertices)};
  const Grid grid{blocks_, kThreads, static_cast<std::size_t>(vertices) * sizeof(std::uint32_t)};
  launch(scheme_.hashed_labels ? gsi_filter_kernel<true> : gsi_filter_kernel<false>, grid, stream, data, asked,
         words_of_block(), bit_words_, bits_.view(), block_counts_.view());
  const auto counts = host_block_counts_.span().first(static_cast<std::size_t>(vertices * blocks_));
  block_counts_.download(counts, stream);
  stream.synchronize();
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(vertices), 0);
  for (std::size_t i = 0; i < counts.size(); ++i) sizes[i / static_cast<std::size_t>(blocks_)] += counts[i];
  return sizes;
}

View<const std::uint32_t> Filter::bits(Vertex u) const {
  return bits_.view().subview(std::int64_t{u} * bit_words_, bit_words_);
}

void Filter::list(Vertex u, View<Vertex> list, Stream& stream) const {
  launch(candidate_list_kernel, Grid{blocks_, kThreads}, stream, bits(u),
         block_counts_.view().subview(std::int64_t{u} * blocks_, blocks_), words_of_block(), list);
}

}  // namespace warpbench::matching::gsi
