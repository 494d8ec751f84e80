// CandidateWriter: writes candidates to chunks as filtering finds them, and sends full ones on (bellas2022 §4.3.1).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/pipeline.hpp"
#include "solvers/set_similarity_join/prober.hpp"

namespace warpbench::similarity {

class CandidateWriter {
 public:
  explicit CandidateWriter(ChunkExchange exchange) : exchange_(std::move(exchange)) {}
  CandidateWriter(const CandidateWriter&) = delete;
  CandidateWriter& operator=(const CandidateWriter&) = delete;
  virtual ~CandidateWriter() = default;

  /// Candidates of a probing set: all of them, or some where the writer takes_any_order().
  virtual void add(std::uint32_t probe, std::span<const Candidate> candidates) = 0;
  /// Sends what the last chunk holds.
  virtual void finish() = 0;
  /// Whether a probing set's candidates may come apart.
  [[nodiscard]] virtual bool takes_any_order() const { return false; }

  /// The join has failed elsewhere: what is added is lost.
  [[nodiscard]] bool has_stopped() const { return has_stopped_; }
  /// Spent on waiting for empty chunks.
  [[nodiscard]] double waited_seconds() const { return waited_seconds_; }
  [[nodiscard]] std::uint64_t candidates() const { return candidates_; }

 protected:
  /// The chunk that is being filled; nullptr once the join has failed.
  [[nodiscard]] Chunk* chunk();
  void send();
  void count(std::size_t candidates) { candidates_ += candidates; }

 private:
  ChunkExchange exchange_;
  Chunk* chunk_ = nullptr;
  bool has_stopped_ = false;
  double waited_seconds_ = 0;
  std::uint64_t candidates_ = 0;
};

[[nodiscard]] std::unique_ptr<CandidateWriter> make_writer(Serialization serialization, const ChunkPlan& plan,
                                                           ChunkExchange exchange);

}  // namespace warpbench::similarity
