// GSI's joining phase (gsi2020 §V, Algorithms 2 to 4): an intermediate table of partial matches, to which each step
// joins one query vertex, and the two ways to write its results: Prealloc-Combine, or the two-step output scheme, in
// which each set operation is done once to count, and again to write.
//
// Its memory is kept from query to query and grows, until it holds more than is left. Offsets have 64 bits (the
// document's 32).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/gsi/filter.hpp"
#include "algorithms/subgraph_matching/gsi/join_kernels.cuh"
#include "algorithms/subgraph_matching/gsi/join_order.hpp"
#include "algorithms/subgraph_matching/gsi/neighbor_store.hpp"
#include "device/buffer.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::gsi {

struct JoinOptions {
  bool preallocate = true;  ///< Prealloc-Combine; else two-step
  bool fused = true;        ///< GPU-friendly set operations; else a kernel each
  Techniques techniques{};
  int threads = 1024;            ///< of a block
  std::int64_t most_blocks = 0;  ///< of any kernel
};

/// What is wanted of a query's last table.
struct Wanted {
  bool injective = true;
  bool rows = false;           ///< the matches themselves; else their number
  std::int64_t most_rows = 0;  ///< so many of them
};

class Join {
 public:
  Join(const NeighborStore& neighbors, const Filter& filter, std::int64_t longest_list, Stream& stream);

  void configure(const JoinOptions& options) { options_ = options; }
  /// The number of matches; nothing once `deadline` has passed. `candidates`: |C(u)| of each query vertex.
  [[nodiscard]] std::optional<std::uint64_t> run(std::span<const JoinStep> steps,
                                                 std::span<const std::int64_t> candidates, const Wanted& wanted,
                                                 const Deadline& deadline);
  /// The last run's matches, their vertices in the order of the steps.
  [[nodiscard]] Table table() const { return {tables_[current_].view(), rows_, width_}; }
  [[nodiscard]] std::vector<Vertex> matches();
  [[nodiscard]] std::uint64_t digest(std::span<const JoinStep> steps);

  /// Of the last run, summed over its steps: rows of the tables; bytes of the rows' buffers (GBA), and of the tables.
  struct Work {
    double rows = 0;
    double buffer_bytes = 0;
    double table_bytes = 0;
  };
  [[nodiscard]] const Work& work() const { return work_; }

 private:
  /// buf_i of all rows (the document's GBA), where each begins, and how much it holds.
  struct Buffers {
    Buffer<Vertex> data;
    Buffer<std::uint64_t> offsets;
    Buffer<std::uint32_t> counts;

    [[nodiscard]] RowBuffers view() const { return {data.view(), offsets.view(), counts.view()}; }
  };
  /// A set operation of a step.
  struct Operation {
    enum class Kind { first_edge, candidates, further_edge } kind;
    LinkingEdge link;
  };

  void start(const JoinStep& step, std::int64_t candidates);
  void list_candidates(const JoinStep& step, std::int64_t candidates);
  std::optional<std::uint64_t> join(const JoinStep& step, const Wanted& wanted, bool last, const Deadline& deadline);
  std::optional<std::uint64_t> join_preallocated(std::span<const Operation> operations, const Deadline& deadline);
  std::optional<std::uint64_t> join_twice(std::span<const Operation> operations, const Deadline& deadline);
  void preallocate(const LinkingEdge& first_edge);
  void run_operation(const Operation& operation, const RowBuffers& from, const Output& output);
  template <template <typename> typename Edge, typename Neighbors>
  void launch_edge(const Neighbors& neighbors, const Link& link);
  [[nodiscard]] LongTasks long_tasks();
  [[nodiscard]] std::uint64_t scan(Buffer<std::uint32_t>& counts, Buffer<std::uint64_t>& offsets);
  [[nodiscard]] std::uint64_t sum(const Buffer<std::uint32_t>& counts);
  [[nodiscard]] Output next_rows(std::uint64_t found, const Buffer<std::uint64_t>& offsets);
  void take_next_table();
  [[nodiscard]] int warps() const;
  [[nodiscard]] Grid grid(std::size_t shared_bytes) const;
  void release_large_memory();

  const NeighborStore& neighbors_;
  const Filter& filter_;
  std::int64_t longest_list_;  ///< no N(v, l) is longer
  Stream& stream_;
  JoinOptions options_;

  // The step at hand.
  Vertex vertex_ = 0;
  std::int64_t candidate_count_ = 0;
  bool injective_ = true;
  bool only_count_ = false;
  std::int64_t most_rows_ = 0;

  std::array<Buffer<Vertex>, 2> tables_;
  std::size_t current_ = 0;
  std::int64_t rows_ = 0;
  int width_ = 0;
  std::int64_t next_row_count_ = 0;
  std::array<Buffers, 2> buffers_;
  Buffer<std::uint32_t> sizes_;
  Buffer<Vertex> candidate_list_;
  Buffer<std::uint64_t> long_rows_;
  Buffer<unsigned long long> number_;
  Buffer<std::uint64_t> total_;
  PinnedBuffer<std::uint64_t> host_number_;
  Work work_;
};

}  // namespace warpbench::matching::gsi
