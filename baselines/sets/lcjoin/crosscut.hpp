// List crosscutting on a prefix tree: the heart of LCJoin (bellas2022 §6.1.4, after Deng et al.).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "baselines/sets/lcjoin/prefix_tree.hpp"
#include "device/integers.hpp"
#include "solvers/gallop.hpp"

namespace warpbench::cpu_sets {

/// For each set r of a tree all sets s that hold its tokens, one s after the other, ascending. A node looks for s in
/// the inverted lists of its tokens. Where a list has no s, the whole subtree is skipped until the next number in that
/// list. Every list has a cursor that only moves forwards.
class Crosscut {
 public:
  /// `lists` has a list of numbers, ascending, for each token of each node, node after node.
  Crosscut(const PrefixTree& tree, std::vector<std::span<const std::uint32_t>> lists)
      : tree_(tree), lists_(std::move(lists)), cursors_(lists_.size()), wanted_(tree.nodes().size()) {
    first_list_.reserve(tree.nodes().size());
    std::size_t first = 0;
    for (const PrefixNode& node : tree.nodes()) {
      first_list_.push_back(first);
      first += node.end - node.begin;
    }
  }

  /// Calls found(node, s) for each set s and each node where sets end and whose prefix s holds.
  template <typename Found>
  void operator()(const Found& found) {
    for (std::uint64_t number = 0; number != kNone<std::uint64_t>; number = visit_root(number, found)) {
    }
  }
  /// Searches in lists, the work that was done.
  [[nodiscard]] std::uint64_t searches() const { return searches_; }

 private:
  /// A node that has `number`, with its children before `child` visited; `next` is the least that is wanted next.
  struct Frame {
    std::uint32_t node;
    std::uint32_t child;
    std::uint64_t next;
  };

  /// The next number worth a visit, kNone<std::uint64_t> where there is none. The path is on a stack of our own: chains
  /// of sets each in the next are as deep as they are long.
  template <typename Found>
  std::uint64_t visit_root(std::uint64_t number, const Found& found) {
    std::uint64_t result = enter(0, number, found);
    while (!path_.empty()) {
      Frame& frame = path_.back();
      const PrefixNode& node = tree_.nodes()[frame.node];
      if (frame.child == node.last_child) {
        result = frame.next;
        path_.pop_back();
        if (!path_.empty()) leave_child(result);
      } else if (wanted_[frame.child] > number) {
        leave_child(wanted_[frame.child]);
      } else {
        const std::size_t depth = path_.size();
        const std::uint64_t skipped_to = enter(frame.child, number, found);
        if (path_.size() == depth) leave_child(skipped_to);
      }
    }
    return result;
  }

  /// The innermost node's current child wants `next`: on to the one after it.
  void leave_child(std::uint64_t next) {
    Frame& frame = path_.back();
    wanted_[frame.child++] = next;
    frame.next = std::min(frame.next, next);
  }

  /// Puts the node on the path where all its lists have `number`; else returns the next number that they may have.
  template <typename Found>
  std::uint64_t enter(std::uint32_t at, std::uint64_t number, const Found& found) {
    const PrefixNode& node = tree_.nodes()[at];
    for (std::size_t i = first_list_[at]; i < first_list_[at] + (node.end - node.begin); ++i) {
      ++searches_;
      cursors_[i] = gallop(lists_[i], cursors_[i], static_cast<std::uint32_t>(number));
      if (cursors_[i] == lists_[i].size()) return kNone<std::uint64_t>;
      if (lists_[i][cursors_[i]] != number) return lists_[i][cursors_[i]];
    }
    const bool ends = node.first_ending != node.last_ending;
    if (ends) found(node, static_cast<std::uint32_t>(number));
    path_.push_back({at, node.first_child, ends ? number + 1 : kNone<std::uint64_t>});
    return kNone<std::uint64_t>;
  }

  const PrefixTree& tree_;
  std::vector<std::span<const std::uint32_t>> lists_;
  std::vector<std::size_t> first_list_;
  std::vector<std::size_t> cursors_;
  std::vector<std::uint64_t> wanted_;  ///< by node: the least number worth a visit
  std::vector<Frame> path_;
  std::uint64_t searches_ = 0;
};

}  // namespace warpbench::cpu_sets
