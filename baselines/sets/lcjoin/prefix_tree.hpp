// The prefix tree of LCJoin's left side, with paths that have no branch as one node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/sets/set_lists.hpp"

namespace warpbench::cpu_sets {

/// A node stands for the tokens [begin, end) of any of the sets below it, which share them and all before.
struct PrefixNode {
  std::uint32_t set;           ///< one of those sets
  std::uint32_t begin;         ///< the first of its tokens that the node stands for
  std::uint32_t end;           ///< one past the last
  std::uint32_t first_ending;  ///< of PrefixTree::order(): sets that end here, all equal
  std::uint32_t last_ending;
  std::uint32_t first_child;  ///< of PrefixTree::nodes(): children stand together
  std::uint32_t last_child;
};

/// Of sets that have at least their first token in common. O(sets × (log sets + common prefix)).
class PrefixTree {
 public:
  /// `order`, the sets' numbers sorted by their tokens, lexicographically, is theirs; it outlives the tree.
  PrefixTree(const SetCollection& sets, std::span<const std::uint32_t> order);

  /// The root is the first.
  [[nodiscard]] std::span<const PrefixNode> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }

 private:
  std::span<const std::uint32_t> order_;
  std::vector<PrefixNode> nodes_;
};

}  // namespace warpbench::cpu_sets
