// SelectSolver: the select query on a GPU around a RowMaker: relations up, rows a part at a time, and rows down.
//
// One part stays on the device until download(). Of several, the rows of one go down on a stream of their own while the
// next one's are made (bellas2022 §3.2.3). Where rows go to depends on the task's output:
//
//   count    nowhere
//   digest   nowhere; they are digested on the device, outside the time
//   rows     to one array in pinned memory, which prepare() takes by the number of rows that it counts
//   file     through two pinned pieces, of which one is written to the file while the next one comes
//
// The device memory for rows is taken at the first solve, the warm-up, and stays.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "algorithms/theta_join/select/row_maker.hpp"
#include "device/buffer.hpp"
#include "solvers/solver.hpp"
#include "solvers/theta_join/row_file.hpp"

namespace warpbench::theta {

class SelectSolver final : public Solver<ThetaJoin> {
 public:
  explicit SelectSolver(std::unique_ptr<RowMaker> maker) : maker_(std::move(maker)) {}

  void configure(const Parameters& parameters) override { maker_->configure(parameters); }
  void prepare(const Input& input, Phases& phases) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override { solve(phases, Rows::stay); }
  void download(Answer& answer, Phases& phases) override;
  void forget() override {
    row_count_ = rows_down_ = 0;
    row_digest_ = 0;
  }
  void solve_with_transfers(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  using Output = ThetaJoin::Output;
  enum class Rows { stay, go_down };

  void solve(Phases& phases, Rows rows);
  void take_memory();
  /// Enqueues a part and the way of its number of rows to the host.
  void enqueue(std::int64_t part, Phases& phases);
  /// Waits until a part is made, and counts its rows; they go down or are digested unless they stay.
  void finish(std::int64_t part, Phases& phases);
  void digest(std::int64_t part, std::int64_t rows, Phases& phases);
  /// From the first free place of the output on.
  void bring_down(std::int64_t part, std::int64_t rows, Phases& phases);
  void write_file(const Buffer<Row>& from, std::int64_t rows);

  std::unique_ptr<RowMaker> maker_;
  Output output_ = Output::digest;
  std::int64_t budget_ = 0;  ///< bytes of device memory for a solve
  RowPlan plan_;
  bool stays_ = false;  ///< the only part's rows are on the device alone

  std::array<Buffer<Row>, 2> rows_;  ///< of parts in turn
  std::array<Buffer<DigestWord>, 2> counts_;
  PinnedBuffer<DigestWord> host_counts_;
  Buffer<DigestWord> digest_;
  std::array<Event, 2> made_;
  std::array<Event, 2> copied_;

  PinnedBuffer<Row> host_rows_;  ///< Output::rows: all; Output::file: two pieces in turn
  std::optional<RowFile> file_;
  std::int64_t row_count_ = 0;
  std::int64_t rows_down_ = 0;  ///< on their way to the host, or there
  std::uint64_t row_digest_ = 0;

  Stream stream_;  ///< the streams last, so that they wait for their copies before host memory is freed
  Stream copies_;
};

}  // namespace warpbench::theta
