// GSI's joining phase (gsi2020 §V, Algorithms 2 to 4): each step joins one query vertex to a table of partial matches.
// There are two ways to write its results: Prealloc-Combine, and the two-step output scheme, which does each set
// operation once to count and again to write. Offsets have 64 bits (the document's 32).
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
#include "algorithms/subgraph_matching/match_table.hpp"
#include "device/buffer.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::gsi {

struct JoinOptions {
  bool preallocate = true;  ///< Prealloc-Combine; else two-step
  bool fused = true;        ///< GPU-friendly set operations; else a kernel each
  Techniques techniques{};
  int threads = 1024;           ///< of a block
  std::int64_t max_blocks = 0;  ///< of any kernel
};

/// The answer that is asked for, read from a query's last table.
struct MatchRequest {
  bool injective = true;
  bool rows = false;          ///< the matches themselves; else their number
  std::int64_t max_rows = 0;  ///< so many of them
};

/// Device memory of the join, kept from query to query; it grows until it holds more than is left.
struct JoinMemory {
  /// buf_i of all rows (the document's GBA), where each begins, and how much it holds.
  struct Buffers {
    Buffer<Vertex> data;
    Buffer<std::uint64_t> offsets;
    Buffer<std::uint32_t> counts;

    [[nodiscard]] RowBuffers view() const { return {data.view(), offsets.view(), counts.view()}; }
  };

  explicit JoinMemory(Stream& stream) : number(1, stream), total(1, stream), host_number(1) {}
  /// Releases buffers that an earlier query grew, where they would leave the next one too little memory.
  void release_large();

  std::array<Buffer<Vertex>, 2> tables;
  std::array<Buffers, 2> buffers;
  Buffer<std::uint32_t> sizes;
  Buffer<Vertex> candidate_list;
  Buffer<std::uint64_t> long_rows;
  Buffer<unsigned long long> number;
  Buffer<std::uint64_t> total;
  PinnedBuffer<std::uint64_t> host_number;
};

/// The join of one query.
class VertexJoin {
 public:
  VertexJoin(const NeighborStore& neighbors, const CandidateBitsets& candidates, const JoinOptions& options,
             JoinMemory& memory, Stream& stream)
      : neighbors_(neighbors), candidates_(candidates), options_(options), memory_(memory), stream_(stream) {}

  /// The number of matches; nothing once `deadline` has passed.
  [[nodiscard]] std::optional<std::uint64_t> run(std::span<const JoinStep> steps, const MatchRequest& request,
                                                 const Deadline& deadline);
  /// After run(): the matches, their vertices in the order of the query's. False once `deadline` has passed.
  [[nodiscard]] bool append_matches(std::span<const JoinStep> steps, std::vector<Vertex>& matches,
                                    const Deadline& deadline) const;
  /// After run(): nothing once `deadline` has passed.
  [[nodiscard]] std::optional<std::uint64_t> digest(std::span<const JoinStep> steps, const Deadline& deadline);

  /// Summed over the steps: rows of the tables; bytes of the rows' buffers (GBA), and of the tables; launched kernels
  /// of set operations.
  struct Work {
    double rows = 0;
    double buffer_bytes = 0;
    double table_bytes = 0;
    double set_operation_kernels = 0;
  };
  [[nodiscard]] const Work& work() const { return work_; }

 private:
  /// A step, and what is asked of its table.
  struct StepRequest {
    const JoinStep& step;
    bool injective;
    bool only_count;
    std::int64_t max_rows;
  };
  /// A set operation of a step.
  struct Operation {
    enum class Kind { first_edge, candidates, further_edge } kind;
    LinkingEdge link;
  };

  [[nodiscard]] MatchTable table() const { return {memory_.tables[current_].view(), rows_, width_}; }
  [[nodiscard]] std::int64_t candidate_count(Vertex u) const { return candidates_.sizes[u]; }
  void start(Vertex u);
  std::optional<std::uint64_t> join(const StepRequest& request, const Deadline& deadline);
  std::optional<std::uint64_t> join_preallocated(const StepRequest& request, std::span<const Operation> operations,
                                                 const Deadline& deadline);
  std::optional<std::uint64_t> join_twice(const StepRequest& request, std::span<const Operation> operations,
                                          const Deadline& deadline);
  /// Calls launch_slice(Extent) for slices of the table's rows. False where the time is up, here and below.
  template <typename LaunchSlice>
  [[nodiscard]] bool in_slices_of_rows(const Deadline& deadline, const LaunchSlice& launch_slice) {
    return in_slices(rows_, slices_of_lists(neighbors_.longest_row()), deadline, stream_,
                     [&](std::int64_t first, std::int64_t last) {
                       launch_slice(Extent<std::int64_t>{first, last});
                     });
  }
  [[nodiscard]] bool preallocate(const LinkingEdge& first_edge, const Deadline& deadline);
  [[nodiscard]] bool run_operation(const StepRequest& request, const Operation& operation, const RowBuffers& from,
                                   const JoinOutput& output, const Deadline& deadline);
  template <template <typename> typename Edge, typename Neighbors>
  void launch_fused(const Neighbors& neighbors, const Link& link);
  template <template <typename> typename Edge, typename Neighbors>
  [[nodiscard]] bool launch_naive(const Neighbors& neighbors, const Link& link, const Deadline& deadline);
  [[nodiscard]] LongTasks long_tasks();
  [[nodiscard]] std::uint64_t scan(Buffer<std::uint32_t>& counts, Buffer<std::uint64_t>& offsets);
  [[nodiscard]] std::uint64_t sum(const Buffer<std::uint32_t>& counts);
  [[nodiscard]] std::optional<JoinOutput> next_rows(std::uint64_t found, std::int64_t max_rows,
                                                    const Buffer<std::uint64_t>& offsets, const Deadline& deadline);
  void take_next_table(std::int64_t rows);
  [[nodiscard]] int warps() const;
  [[nodiscard]] Grid grid(std::int64_t rows, std::size_t shared_bytes) const;

  const NeighborStore& neighbors_;
  const CandidateBitsets& candidates_;
  const JoinOptions& options_;
  JoinMemory& memory_;
  Stream& stream_;

  // The intermediate table.
  std::size_t current_ = 0;
  std::int64_t rows_ = 0;
  int width_ = 0;
  Work work_;
};

}  // namespace warpbench::matching::gsi
