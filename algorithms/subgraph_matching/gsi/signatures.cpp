#include "algorithms/subgraph_matching/gsi/signatures.hpp"

#include <algorithm>

#include "device/mix64.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::matching::gsi {
namespace {

constexpr std::uint32_t kGroupsPerWord = 16;

/// One pair more for its group: 00 -> 01 -> 11.
void add_pair(const SignatureScheme& scheme, std::uint64_t pair, std::span<std::uint32_t> signature) {
  const std::uint32_t groups = static_cast<std::uint32_t>(scheme.words - 1) * kGroupsPerWord;
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a signature has two words at least
  const auto group = static_cast<std::uint32_t>(mix64(pair) % groups);
  std::uint32_t& word = signature[1 + group / kGroupsPerWord];
  const std::uint32_t one = std::uint32_t{1} << (group % kGroupsPerWord * 2);
  word |= (word & one) == 0 ? one : one << 1U;
}

std::uint32_t label_word(const SignatureScheme& scheme, std::span<const Label> labels) {
  if (!scheme.hashed_labels) return labels[0];
  std::uint32_t word = 0;
  for (const Label label : labels) word |= std::uint32_t{1} << (mix64(label) % 32);
  return word;
}

}  // namespace

void encode(const SignatureScheme& scheme, const Graph& graph, Vertex v, bool each_pair_once,
            std::span<std::uint32_t> signature) {
  std::ranges::fill(signature, 0U);
  signature[0] = label_word(scheme, graph.labels_of(v));
  const auto row = graph.row(v);
  const auto edge_labels = graph.row_labels(v);
  std::vector<std::uint64_t> seen;
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (const Label label : graph.labels_of(row[i])) {
      const std::uint64_t pair = std::uint64_t{edge_labels[i]} << 32 | label;
      if (each_pair_once) {
        if (std::ranges::find(seen, pair) != seen.end()) continue;
        seen.push_back(pair);
      }
      add_pair(scheme, pair, signature);
    }
  }
}

std::vector<std::uint32_t> signature_table(const SignatureScheme& scheme, const Graph& graph) {
  const std::int64_t vertices = graph.vertices();
  const auto words = static_cast<std::size_t>(scheme.words);
  std::vector<std::uint32_t> table(words * static_cast<std::size_t>(vertices));
  FirstFailure failure;
#pragma omp parallel
  {
    std::vector<std::uint32_t> signature;
    failure.guard([&] { signature.resize(words); });
#pragma omp for schedule(dynamic, 1024)
    for (std::int64_t v = 0; v < vertices; ++v) {
      failure.guard([&] {
        encode(scheme, graph, static_cast<Vertex>(v), false, signature);
        for (std::size_t w = 0; w < words; ++w) {
          table[w * static_cast<std::size_t>(vertices) + static_cast<std::size_t>(v)] = signature[w];
        }
      });
    }
  }
  failure.rethrow();
  return table;
}

}  // namespace warpbench::matching::gsi
