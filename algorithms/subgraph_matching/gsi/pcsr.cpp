#include "algorithms/subgraph_matching/gsi/pcsr.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "problems/first_failure.hpp"

namespace warpbench::matching::gsi {
namespace {

/// Builds one partition's groups; its arrays serve one partition after the other.
class GroupBuilder {
 public:
  GroupBuilder(const Graph& graph, const LabelPartitions& partitions, int gpn, Pcsr& pcsr)
      : graph_(graph), partitions_(partitions), keys_(static_cast<std::uint32_t>(gpn - 1)), pcsr_(pcsr) {}

  void build(Label label) {
    label_ = label;
    groups_ = static_cast<std::uint32_t>(partitions_.size(label));
    hash_vertices();
    chain_overflows();
    fill_groups();
  }

  [[nodiscard]] std::uint32_t longest_conflict() const { return longest_conflict_; }
  [[nodiscard]] std::uint64_t overflows() const { return overflows_; }

 private:
  [[nodiscard]] std::uint64_t first() const { return partitions_.vertex_offsets[label_]; }

  /// members_[starts_[g] .. starts_[g + 1]): the partition's vertices hashed to g, by their place in it.
  void hash_vertices() {
    starts_.assign(std::size_t{groups_} + 1, 0);
    members_.resize(groups_);
    const auto group = [&](std::uint32_t i) { return group_of(partitions_.vertices[first() + i], groups_); };
    for (std::uint32_t i = 0; i < groups_; ++i) ++starts_[group(i) + std::size_t{1}];
    for (std::uint32_t g = 0; g < groups_; ++g) {
      longest_conflict_ = std::max(longest_conflict_, starts_[g + std::size_t{1}]);
      starts_[g + std::size_t{1}] += starts_[g];
    }
    for (std::uint32_t i = 0; i < groups_; ++i) members_[starts_[group(i)]++] = i;
    std::shift_right(starts_.begin(), starts_.end(), 1);  // each start is now the next one's
    starts_[0] = 0;
  }

  [[nodiscard]] std::uint32_t hashed_to(std::uint32_t group) const {
    return starts_[group + std::size_t{1}] - starts_[group];
  }

  /// Gives the keys beyond a group's room to empty groups, of which there are always enough (Claim 1).
  void chain_overflows() {
    holds_.assign(groups_, {});
    std::uint32_t empty = 0;
    for (std::uint32_t g = 0; g < groups_; ++g) {
      if (hashed_to(g) == 0) continue;
      std::uint32_t at = g;
      std::uint32_t key = starts_[g];
      while (true) {
        const std::uint32_t end = std::min(key + keys_, starts_[g + std::size_t{1}]);
        holds_[at] = {key, end, kNone<std::uint32_t>};
        key = end;
        if (key == starts_[g + std::size_t{1}]) break;
        while (hashed_to(empty) != 0) ++empty;
        holds_[at].next = empty;
        at = empty++;
        ++overflows_;
      }
    }
  }

  /// Neighbours group by group, in the order of the groups, with each key's offset and each group's END.
  void fill_groups() {
    const std::uint64_t base = partitions_.slot_offsets[label_];
    const std::size_t words = 2 * (std::size_t{keys_} + 1);
    std::uint32_t position = 0;
    for (std::uint32_t g = 0; g < groups_; ++g) {
      const std::span<std::uint32_t> pairs = std::span(pcsr_.pairs).subspan((first() + g) * words, words);
      for (std::uint32_t k = 0; k < keys_; ++k) {
        const std::uint32_t member = holds_[g].begin + k;
        const bool used = member < holds_[g].end;
        const std::uint64_t row = used ? first() + members_[member] : 0;
        pairs[2 * std::size_t{k}] = used ? partitions_.vertices[row] : kNone<Vertex>;
        pairs[2 * std::size_t{k} + 1] = position;
        if (!used) continue;
        std::copy_n(graph_.neighbors.begin() + static_cast<std::ptrdiff_t>(partitions_.first_slots[row]),
                    partitions_.sizes[row], pcsr_.column_index.begin() + static_cast<std::ptrdiff_t>(base + position));
        position += partitions_.sizes[row];
      }
      pairs[words - 2] = holds_[g].next;
      pairs[words - 1] = position;
    }
  }

  /// The keys of a group, as a range of members_, and where the rest of its chain is.
  struct Held {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t next = kNone<std::uint32_t>;
  };

  const Graph& graph_;
  const LabelPartitions& partitions_;
  std::uint32_t keys_;
  Pcsr& pcsr_;
  Label label_ = 0;
  std::uint32_t groups_ = 0;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> members_;
  std::vector<Held> holds_;
  std::uint32_t longest_conflict_ = 0;
  std::uint64_t overflows_ = 0;
};

}  // namespace

Pcsr build_pcsr(const Graph& graph, const LabelPartitions& partitions, int gpn) {
  Pcsr pcsr;
  pcsr.pairs.resize(partitions.vertices.size() * 2 * static_cast<std::size_t>(gpn));
  pcsr.column_index.resize(graph.neighbors.size());
  FirstFailure failure;
#pragma omp parallel
  {
    GroupBuilder builder(graph, partitions, gpn, pcsr);
#pragma omp for schedule(dynamic, 1) nowait
    for (std::size_t l = 0; l < partitions.labels(); ++l) {
      failure.guard([&] { builder.build(static_cast<Label>(l)); });
    }
#pragma omp critical(build_pcsr)
    {
      pcsr.longest_conflict = std::max(pcsr.longest_conflict, builder.longest_conflict());
      pcsr.overflows += builder.overflows();
    }
  }
  failure.rethrow();
  return pcsr;
}

}  // namespace warpbench::matching::gsi
