#include "algorithms/set_similarity_join/cpu_gpu/candidate_writer.hpp"

#include <algorithm>
#include <chrono>
#include <unordered_map>
#include <utility>

namespace warpbench::similarity {

Chunk* CandidateWriter::chunk() {
  if (chunk_ != nullptr || has_stopped_) return chunk_;
  const auto begin = std::chrono::steady_clock::now();
  chunk_ = exchange_.take();
  waited_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  has_stopped_ = chunk_ == nullptr;
  return chunk_;
}

void CandidateWriter::send() {
  if (chunk_ != nullptr) exchange_.send(std::exchange(chunk_, nullptr));
}

namespace {

/// To arrays that the device copies from.
struct ToArray {
  static void begin(Chunk& chunk) { chunk.candidate_count = 0; }
  static std::int64_t size(const Chunk& chunk) { return chunk.candidate_count; }
  static void append(Chunk& chunk, std::span<const Candidate> candidates) {
    std::uint32_t* const to = chunk.array.span().data() + chunk.candidate_count;
    for (std::size_t i = 0; i < candidates.size(); ++i) to[i] = candidates[i].set;
    chunk.candidate_count += std::ssize(candidates);
  }
};

/// To a vector: with its memory from before, or from none.
template <bool kReserved>
struct ToVector {
  static void begin(Chunk& chunk) {
    if (!kReserved) chunk.vector = {};
    chunk.vector.clear();
  }
  static std::int64_t size(const Chunk& chunk) { return std::ssize(chunk.vector); }
  static void append(Chunk& chunk, std::span<const Candidate> candidates) {
    for (const Candidate& candidate : candidates) chunk.vector.push_back(candidate.set);
  }
};

/// A probing set's candidates follow each other, in one chunk or, where that is full, in several.
template <typename To>
class SequenceWriter final : public CandidateWriter {
 public:
  SequenceWriter(const ChunkPlan& plan, ChunkExchange exchange) : CandidateWriter(std::move(exchange)), plan_(plan) {}

  void add(std::uint32_t probe, std::span<const Candidate> candidates) override {
    count(candidates.size());
    while (!candidates.empty()) {
      Chunk* const to = open();
      if (to == nullptr) return;
      const auto room = static_cast<std::size_t>(plan_.candidates - To::size(*to));
      const std::span<const Candidate> piece = candidates.first(std::min(room, candidates.size()));
      To::append(*to, piece);
      to->probes[to->probe_count++] = {probe, static_cast<std::uint32_t>(To::size(*to))};
      if (piece.size() == room) finish();
      candidates = candidates.subspan(piece.size());
    }
  }
  void finish() override {
    send();
    is_open_ = false;
  }

 private:
  Chunk* open() {
    Chunk* const to = chunk();
    if (to == nullptr || is_open_) return to;
    To::begin(*to);
    to->probe_count = 0;
    is_open_ = true;
    return to;
  }

  ChunkPlan plan_;
  bool is_open_ = false;
};

class MapWriter final : public CandidateWriter {
 public:
  MapWriter(const ChunkPlan& plan, ChunkExchange exchange) : CandidateWriter(std::move(exchange)), plan_(plan) {}

  void add(std::uint32_t probe, std::span<const Candidate> candidates) override {
    count(candidates.size());
    while (!candidates.empty()) {
      const auto room = static_cast<std::size_t>(plan_.candidates - held_);
      const std::span<const Candidate> piece = candidates.first(std::min(room, candidates.size()));
      std::vector<std::uint32_t>& of_probe = map_[probe];
      for (const Candidate& candidate : piece) of_probe.push_back(candidate.set);
      held_ += std::ssize(piece);
      if (piece.size() == room) finish();
      candidates = candidates.subspan(piece.size());
    }
  }
  void finish() override {
    Chunk* const to = held_ == 0 ? nullptr : chunk();
    if (to != nullptr) {
      to->candidate_count = 0;
      to->probe_count = 0;
      for (const auto& [probe, sets] : map_) {
        std::ranges::copy(sets, to->array.span().begin() + to->candidate_count);
        to->candidate_count += std::ssize(sets);
        to->probes[to->probe_count++] = {probe, static_cast<std::uint32_t>(to->candidate_count)};
      }
      send();
    }
    map_.clear();
    held_ = 0;
  }
  [[nodiscard]] bool takes_any_order() const override { return true; }

 private:
  ChunkPlan plan_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> map_;
  std::int64_t held_ = 0;
};

}  // namespace

std::unique_ptr<CandidateWriter> make_writer(Serialization serialization, const ChunkPlan& plan,
                                             ChunkExchange exchange) {
  switch (serialization) {
    case Serialization::vector:
      return std::make_unique<SequenceWriter<ToVector<false>>>(plan, std::move(exchange));
    case Serialization::reserved:
      return std::make_unique<SequenceWriter<ToVector<true>>>(plan, std::move(exchange));
    case Serialization::map:
      return std::make_unique<MapWriter>(plan, std::move(exchange));
    case Serialization::arrays:
      break;
  }
  return std::make_unique<SequenceWriter<ToArray>>(plan, std::move(exchange));
}

}  // namespace warpbench::similarity
