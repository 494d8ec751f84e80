#include "algorithms/subgraph_matching/gsi/filter.hpp"

#include <algorithm>
#include <span>

#include "device/bits.cuh"
#include "device/block.cuh"
#include "device/device.hpp"
#include "device/growing.hpp"
#include "device/kernel.hpp"
#include "device/segments.cuh"

namespace warpbench::matching::gsi {
namespace {

struct FilterTuning {
  static constexpr int kThreads = 256;
  static constexpr int kBlocksPerMultiprocessor = 8;
};
constexpr int kThreads = FilterTuning::kThreads;

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
  const View<const Label> labels = segment(data.label_offsets, data.labels, v);
  for (const Label wanted : segment(query.label_offsets, query.labels, u)) {
    if (!binary_search(labels, wanted)) return false;
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

/// The words of a bitset that this block looks after, in both kernels.
__device__ Extent<std::int64_t> words_of_block(std::int64_t bit_words) {
  const std::int64_t per_block = ceil_div(bit_words, grid::blocks());
  const std::int64_t first = block::index() * per_block;
  const std::int64_t last = first + per_block;
  return {first < bit_words ? first : bit_words, last < bit_words ? last : bit_words};
}

/// Tests 32 data vertices, a lane each, for all query vertices: a word of each bitset. Adds to each counts[u].
template <bool kHashed>
__device__ void test_word(const DataSignatures& data, const QuerySignatures& query, std::int64_t word,
                          std::int64_t bit_words, View<std::uint32_t> bits, std::uint32_t* counts) {
  const std::int64_t v = word * kBitsPerWord + warp::lane();
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

/// A thread a data vertex, so that a warp reads the same word of 32 signatures at once and has a word of each bitset.
template <bool kHashed>
__global__ void __launch_bounds__(kThreads)
    gsi_filter_kernel(DataSignatures data, QuerySignatures query, std::int64_t bit_words, View<std::uint32_t> bits,
                      View<std::uint32_t> counts_of_blocks) {
  std::uint32_t* const counts = dynamic_shared<std::uint32_t>();
  for (const int u : block::strided<kThreads>(query.vertices)) counts[u] = 0;
  __syncthreads();
  for (const std::int64_t word : block::per_warp<kThreads>(words_of_block(bit_words))) {
    test_word<kHashed>(data, query, word, bit_words, bits, counts);
  }
  __syncthreads();
  for (const int u : block::strided<kThreads>(query.vertices)) {
    counts_of_blocks[u * grid::blocks() + block::index()] = counts[u];
  }
}

/// A block a query vertex u: turns what each of the filter's blocks counted for u into the number that those before it
/// counted, and adds all up in sizes[u].
__global__ void __launch_bounds__(kThreads)
    candidates_before_kernel(std::int64_t blocks, View<std::uint32_t> counts_of_blocks, View<std::uint32_t> sizes) {
  const View<std::uint32_t> of_blocks = counts_of_blocks.subview(block::index() * blocks, blocks);
  std::uint32_t before = 0;
  for (const auto [b, inside] : block::rounds<kThreads>(Extent<std::int64_t>{0, blocks})) {
    std::uint32_t total = 0;
    const std::uint32_t place = block::exclusive_scan(inside ? of_blocks[b] : 0, total);
    if (inside) of_blocks[b] = before + place;
    before += total;
  }
  if (block::rank() == 0) sizes[block::index()] = before;
}

/// The same blocks and words as in the filter: a thread a word, whose vertices go where the block's before end.
__global__ void __launch_bounds__(kThreads)
    candidate_list_kernel(View<const std::uint32_t> bits, View<const std::uint32_t> before_blocks, View<Vertex> list) {
  std::int64_t written = before_blocks[block::index()];
  for (const auto [word, inside] : block::rounds<kThreads>(words_of_block(bits.size()))) {
    const std::uint32_t members = inside ? bits[word] : 0;
    int total = 0;
    std::int64_t at = written + block::exclusive_scan(__popc(members), total);
    for (const int bit : set_bits(members)) list[at++] = static_cast<Vertex>(word * kBitsPerWord + bit);
    written += total;
  }
}

}  // namespace

Filter::Filter(const Graph& data, int bits)
    : scheme_{bits / kBitsPerWord, !data.single_labels()},
      vertices_(data.vertices()),
      bit_words_(words_for(data.vertices())) {
  table_.pin(signature_table(scheme_, data));
  if (!scheme_.hashed_labels) return;
  label_offsets_.pin(data.label_offsets);
  labels_.pin(data.labels);
}

void Filter::upload(Stream& stream) {
  resident_blocks_ = std::int64_t{current_device().multiprocessors} * FilterTuning::kBlocksPerMultiprocessor;
  table_.upload(stream);
  label_offsets_.upload(stream);
  labels_.upload(stream);
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

CandidateBitsets Filter::candidates(const Graph& query, bool injective, std::int64_t max_blocks, Stream& stream) {
  const std::int64_t vertices = query.vertices();
  const std::int64_t blocks =
      std::clamp<std::int64_t>(ceil_div(bit_words_, kThreads / kWarpSize), 1, std::min(max_blocks, resident_blocks_));
  upload_query(query, injective, stream);
  grow(bits_, vertices * bit_words_, stream);
  grow(before_blocks_, vertices * blocks, stream);
  grow(sizes_, vertices, stream);
  grow(host_sizes_, vertices);
  const DataSignatures data{table_.view(), vertices_, label_offsets_.view(), labels_.view()};
  const std::int64_t signatures = vertices * scheme_.words;
  const View<const std::uint32_t> given = query_.view();
  const QuerySignatures asked{given.first(signatures), given.subview(signatures, vertices + 1),
                              given.subview(signatures + vertices + 1, static_cast<std::int64_t>(query.labels.size())),
                              scheme_.words, static_cast<int>(vertices)};
  const Grid grid{blocks, kThreads, static_cast<std::size_t>(vertices) * sizeof(std::uint32_t)};
  launch(scheme_.hashed_labels ? gsi_filter_kernel<true> : gsi_filter_kernel<false>, grid, stream, data, asked,
         bit_words_, bits_.view(), before_blocks_.view());
  launch(candidates_before_kernel, Grid{vertices, kThreads}, stream, blocks, before_blocks_.view(), sizes_.view());
  const auto sizes = host_sizes_.span().first(static_cast<std::size_t>(vertices));
  sizes_.download(sizes, stream);
  stream.synchronize();
  return {bits_.view(), before_blocks_.view(), bit_words_, blocks, {sizes.begin(), sizes.end()}};
}

void CandidateBitsets::list(Vertex u, View<Vertex> list, Stream& stream) const {
  launch(candidate_list_kernel, Grid{blocks, kThreads}, stream, bits(u),
         before_blocks.subview(std::int64_t{u} * blocks, blocks), list);
}

}  // namespace warpbench::matching::gsi
