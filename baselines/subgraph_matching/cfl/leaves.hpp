// The leaf matching of CFL-Match: once core and forest are matched, the ways to match the leaves are counted, not
// listed. Leaves of one parent, edge and labels stand for each other; leaves that have no candidate in common do not
// hinder each other, so that their ways multiply. The publication tells the latter apart by label; here it is the
// candidates themselves, which also serves vertices of several labels.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "baselines/subgraph_matching/cfl/candidates.hpp"

namespace warpbench::matching::cfl {

/// A number of ways; nothing: more than 64 bits hold.
using Ways = std::optional<std::uint64_t>;

/// Leaves that stand for each other.
struct LeafKind {
  Vertex leaf;                  ///< one of them
  std::uint64_t leaves;         ///< how many
  std::vector<bool> contested;  ///< of each candidate: whether a later kind of the group may take it too
};
/// Kinds that share candidates, directly or by others.
using LeafGroup = std::vector<LeafKind>;

/// The groups of a query's leaves, those of a single kind first.
[[nodiscard]] std::vector<LeafGroup> leaf_groups(const IndexedQuery& query, const CompactPathIndex& index,
                                                 std::int64_t data_vertices);

/// A count of ways to match all leaves, for one thread.
class LeafMatching {
 public:
  /// used[v] is set for data vertices that are taken; all arguments outlive this.
  LeafMatching(const IndexedQuery& query, const CompactPathIndex& index, std::span<const LeafGroup> groups,
               std::vector<std::uint8_t>& used, const std::function<bool()>& alive);

  /// places[u]: where among u's candidates the image of u is, for every u that is no leaf.
  [[nodiscard]] Ways count(std::span<const std::uint32_t> places);

 private:
  struct Free {
    std::uint64_t alone = 0;        // free candidates that no later kind may take
    std::vector<Vertex> contested;  // the other free ones
  };
  [[nodiscard]] Ways homomorphisms(const LeafGroup& group) const;
  [[nodiscard]] Ways from(const LeafGroup& group, std::size_t kind);
  [[nodiscard]] Ways choose(const LeafGroup& group, std::size_t kind, const Free& free, std::size_t next,
                            std::uint64_t chosen);
  [[nodiscard]] Free free_of(const LeafKind& kind) const;
  [[nodiscard]] std::span<const std::uint32_t> below(Vertex leaf) const;

  const IndexedQuery& query_;
  const CompactPathIndex& index_;
  std::span<const LeafGroup> groups_;
  std::vector<std::uint8_t>& used_;
  const std::function<bool()>& alive_;
  std::span<const std::uint32_t> places_;
};

}  // namespace warpbench::matching::cfl
