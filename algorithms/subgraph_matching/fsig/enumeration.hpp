// The enumeration of fsig (yu2023 Algorithm 8) and its pipeline (§5.3.3): breadth-first, a table of partial matches a
// level, until an extension would not fit; then the table is split into blocks, the first goes on to the end, depth
// first, while the others wait.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/subgraph_matching/fsig/auxiliary.hpp"
#include "algorithms/subgraph_matching/fsig/memory.hpp"
#include "algorithms/subgraph_matching/fsig/order.hpp"
#include "algorithms/subgraph_matching/fsig/steps.hpp"
#include "algorithms/subgraph_matching/fsig/tables.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::fsig {

enum class OutputScheme { two_phase, prealloc_combine, one_star };

struct EnumerationOptions {
  OutputScheme scheme = OutputScheme::one_star;
  bool pipeline = true;           ///< false: an extension that does not fit is out of device memory
  double alpha = 0.6;             ///< rows of M_i for each element of the lists joined, as estimated
  bool multiply_leaves = true;    ///< counts: of all independent leaves, not only of the last one
  std::int64_t table_memory = 0;  ///< bytes; 0: what is left
};

/// What a query's enumeration reads.
struct EnumerationInput {
  const MatchingOrder& order;
  std::span<const DeviceLevel> levels;
  View<const DeviceLevel> device_levels;
  View<const Vertex> device_order;  ///< the query vertex of a column
  Auxiliary auxiliary;
  View<Vertex> first;  ///< C(φ[1])
};

class Enumeration {
 public:
  using QueryAnswer = SubgraphMatching::QueryAnswer;
  using Output = SubgraphMatching::Output;

  explicit Enumeration(Stream& stream) : stream_(stream), read_(1) {}

  /// Sets answer.solved unless `deadline` passes. Throws OutOfDeviceMemory, std::overflow_error.
  void run(const EnumerationInput& input, const EnumerationOptions& options, Output output, std::uint64_t first,
           QueryMemory& memory, const Deadline& deadline, QueryAnswer& answer);

  /// Of the last run.
  struct Counters {
    std::int64_t rows = 0;           ///< of all tables after the first
    std::int64_t bytes_written = 0;  ///< to these tables
    std::int64_t res_bytes = 0;      ///< allotted to res, over all extensions: what Eq. 5.5 bounds
    std::int64_t leaf_nodes = 0;     ///< blocks that went to the end
    std::int64_t parked_blocks = 0;
    std::int64_t host_bytes = 0;  ///< that went to main memory to wait
    std::int64_t peak_bytes = 0;  ///< of tables, bounds, res, cnt and waiting blocks on the device
  };
  [[nodiscard]] const Counters& counters() const { return counters_; }

 private:
  /// What is made of the rows of the last table.
  enum class Finish { rows, leaves, join };

  /// A block's `last` where it is to be extended by all list elements, whose number only the device knows so far.
  static constexpr std::int64_t kUnread = -1;

  /// Rows in one of the parts, to be extended by list elements [first, last).
  struct Block {
    std::size_t part;
    Table table;
    std::int64_t last = kUnread;
    std::int64_t first = 0;
  };
  /// Rows that wait. `release`: with these the parked rows from there on are done with.
  struct Waiting {
    const Vertex* rows;
    bool on_device;
    std::int64_t count;
    std::int64_t columns;
    std::int64_t first;
    std::int64_t last = kUnread;
    std::optional<ParkedRows::Mark> release;
  };

  void plan(Output output);
  void push_first();
  Block pop();
  [[nodiscard]] bool advance(Block& block);
  void split(Block& block, std::int64_t most);
  [[nodiscard]] std::int64_t join_what_fits(Block& block);
  [[nodiscard]] std::int64_t join(const Block& block);
  void write(const Block& block, const Table& next);
  [[nodiscard]] std::int64_t most_elements(const Block& block) const;
  [[nodiscard]] Join join_of(const Block& block) const;
  void finish(const Block& block);
  void count_last(const Block& block);
  void take_rows(const Table& table);
  void read_totals();
  [[nodiscard]] std::int64_t read(View<const std::int64_t> value);
  void note_use(const Block& block, std::int64_t next_rows);
  [[nodiscard]] bool out_of_time();
  [[nodiscard]] bool enough() const;

  Stream& stream_;
  PinnedBuffer<std::int64_t> read_;
  Tables tables_;
  std::vector<Waiting> waiting_;
  Counters counters_;

  // Of the run under way.
  const EnumerationInput* input_ = nullptr;
  const Deadline* deadline_ = nullptr;
  QueryAnswer* answer_ = nullptr;
  EnumerationOptions options_;
  Output output_ = Output::count;
  std::uint64_t wanted_rows_ = 0;
  Finish finish_ = Finish::rows;
  std::int64_t last_columns_ = 0;  ///< of the last table
  bool timed_out_ = false;
  Totals totals_;
};

}  // namespace warpbench::matching::fsig
