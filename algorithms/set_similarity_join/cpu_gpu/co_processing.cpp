#include "algorithms/set_similarity_join/cpu_gpu/co_processing.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "device/device.hpp"
#include "device/integers.hpp"
#include "solvers/threads.hpp"

namespace warpbench::similarity {
namespace {

using Clock = std::chrono::steady_clock;
using warpbench::seconds_between;

/// Probing sets that one of several threads takes at a time.
constexpr std::int64_t kProbesAtOnce = 32;

double seconds_between(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

}  // namespace

std::vector<ParameterSpec> co_processing_parameters() {
  std::vector<ParameterSpec> all = verification_parameters();
  all.push_back(parameter("filter", "allpairs")
                    .one_of({"allpairs", "ppjoin", "groupjoin"})
                    .means("how the CPU finds candidates"));
  all.push_back(parameter("chunk_memory", std::int64_t{4} << 30)
                    .range(5, static_cast<double>(std::int64_t{1} << 40))
                    .in("B")
                    .means("device memory for candidates and flags, M_c; less where the join needs less or the device "
                           "has less; threads that filter share it"));
  all.push_back(parameter("serialization", "arrays")
                    .one_of({"arrays", "vector", "reserved", "map"})
                    .means("where candidates wait for a full chunk: in arrays, a growing vector, one with reserved "
                           "memory, or a map of vectors"));
  all.push_back(
      parameter("groups", "arrays")
          .one_of({"arrays", "map", "first_phase", "whole"})
          .document({"arrays", "map", "first_phase"})
          .means("of GroupJoin: pairs of groups on the device and those they expand to on the CPU; all on the "
                 "device, through a map; as arrays without the second phase, where no group has two sets; or all on "
                 "the device, ordered by probing set without a map"));
  all.push_back(threads_parameter(1).document({1}));
  return all;
}

CoProcessing::Setup CoProcessing::setup() const {
  return {parameters_.integer("chunk_memory"),
          choice().needs_map() ? Serialization::map : serialization_from(parameters_.text("serialization")), choice(),
          threads()};
}

int CoProcessing::threads() const {
  return threads_of(parameters_, ceil_div(sets_->count(), kProbesAtOnce));
}

void CoProcessing::prepare(const OrderedSets& sets, const SetSimilarityJoin::Input& input, Stream& stream) {
  input_ = input;
  sets_ = &sets;
  bounds_ = bounds_of(input);
  most_candidates_ = most_candidates(sets, bounds_);
  setup_.reset();
  take_memory(stream);
}

void CoProcessing::take_memory(Stream& stream) {
  const Setup wanted = setup();
  if (setup_ == wanted) return;
  setup_.reset();
  filters_.clear();
  sinks_.clear();
  chunks_.clear();
  device_chunk_ = {};

  // An eighth is left to the temporary memory of primitives and to the alignment of allocations.
  constexpr std::int64_t kProbeBytes = sizeof(ProbeEntry) + sizeof(std::uint64_t);
  const std::int64_t free = free_memory() / 8 * 7 - sets_->count() * kProbeBytes;
  plan_ = ChunkPlan::of(std::min(wanted.chunk_memory / wanted.threads, free), most_candidates_, sets_->count(),
                        wants_flags());
  device_chunk_ = DeviceChunk(plan_, stream);
  const auto threads = static_cast<std::size_t>(wanted.threads);
  while (chunks_.size() < threads + (wants_flags() ? 2 : 1)) chunks_.emplace_back(plan_, wanted.serialization);
  sinks_.assign(threads + 1, PairSink(*sets_, input_));
  for (std::size_t i = 0; i < threads; ++i) filters_.emplace_back(*sets_, bounds_, wanted.choice, sinks_[i]);
  setup_ = wanted;
}

void CoProcessing::begin(Stream& stream) {
  take_memory(stream);
  for (PairSink& sink : sinks_) sink.clear();
  for (FilterThread& filter : filters_) static_cast<void>(filter.take_work());
  work_ = {};
}

void CoProcessing::join(const FilterIndex& index, const Groups& probing, SetRange probes, const SetsView& sets,
                        Stream& stream) {
  const Verification how = verification_of(parameters_, *sets_, bounds_);
  next_probe_ = probes.begin;
  PipelineRoles roles;
  roles.fill = [&](std::size_t rank, const ChunkExchange& exchange) { filter(rank, index, probing, probes, exchange); };
  roles.verify = [&](Chunk& chunk) { verify(chunk, how, sets, stream); };
  if (wants_flags()) roles.post_process = [&](const Chunk& chunk) { post_process(chunk); };
  const PipelineTimes times = run_pipeline(chunks_, filters_.size(), roles, team_);
  work_.after_filtering_seconds += std::max(0.0, seconds_between(times.filled, times.verified));
}

/// H0.
void CoProcessing::filter(std::size_t rank, const FilterIndex& index, const Groups& probing, SetRange probes,
                          const ChunkExchange& exchange) {
  const auto writer = make_writer(setup_->serialization, plan_, exchange);
  const std::int64_t at_once = filters_.size() == 1 ? std::max<std::int64_t>(1, probes.count()) : kProbesAtOnce;
  for (;;) {
    const std::int64_t begin = next_probe_.fetch_add(at_once);
    if (begin >= probes.end || writer->has_stopped()) break;
    filters_[rank].run(index, probing, {begin, std::min(begin + at_once, probes.end)}, *writer);
  }
  writer->finish();
}

/// H1.
void CoProcessing::verify(Chunk& chunk, const Verification& how, const SetsView& sets, Stream& stream) {
  const auto record = [&stream] {
    Event event;
    event.record(stream);
    return event;
  };
  const Event begin = record();
  device_chunk_.load(chunk, stream);
  const Event loaded = record();
  device_chunk_.verify(how, sets, chunk, stream);
  const Event end = record();
  stream.synchronize();
  ++work_.chunks;
  work_.copy_seconds += seconds_between(begin, loaded);
  work_.verify_seconds += seconds_between(loaded, end);
  if (!wants_flags()) work_.similar_pairs += device_chunk_.count();
}

/// H2.
void CoProcessing::post_process(const Chunk& chunk) {
  const Clock::time_point begin = Clock::now();
  PairSink& sink = sinks_.back();
  const std::span<const std::uint32_t> candidates = chunk.candidates();
  const std::uint8_t* const flags = chunk.flags.span().data();
  std::size_t place = 0;
  for (const ProbeEntry& entry : chunk.entries()) {
    for (; place < entry.end; ++place) {
      const void* const flag = std::memchr(flags + place, 1, entry.end - place);
      if (flag == nullptr) break;
      place = static_cast<std::size_t>(static_cast<const std::uint8_t*>(flag) - flags);
      std::uint32_t overlap = 1;  // enough, where nobody asks for all of it
      if (sink.wants_overlap()) {
        overlap = verified_overlap(sets_->sets.set(entry.probe), sets_->sets.set(candidates[place]), {}, 1, true);
      }
      sink.add(entry.probe, candidates[place], overlap);
    }
    place = entry.end;
  }
  work_.post_process_seconds += seconds_between(begin, Clock::now());
}

void CoProcessing::finish(Phases& phases) {
  pairs_.clear();
  if (input_.output == SetSimilarityJoin::Output::pairs) {
    const Clock::time_point begin = Clock::now();
    for (const PairSink& sink : sinks_) pairs_.insert(pairs_.end(), sink.pairs().begin(), sink.pairs().end());
    work_.post_process_seconds += seconds_between(begin, Clock::now());
  }
  FilterWork filtering;
  for (FilterThread& filter : filters_) filtering += filter.take_work();
  const auto threads = static_cast<double>(filters_.size());
  phases.add("filtering", filtering.filter_seconds / threads);
  phases.add("serialization", filtering.serialize_seconds / threads);
  if (setup_->choice.is_group_join()) phases.add("expansion", filtering.expand_seconds / threads);
  phases.add("copy", work_.copy_seconds);
  phases.add("verification", work_.verify_seconds);
  if (wants_flags()) phases.add("post_processing", work_.post_process_seconds);

  const double exposed = filtering.wait_seconds / threads + work_.after_filtering_seconds;
  const double hidden = work_.verify_seconds > 0 ? 1 - exposed / work_.verify_seconds : 0;
  counters_ = {{"chunks", static_cast<double>(work_.chunks)},
               {"candidates", static_cast<double>(filtering.candidates)},
               {"candidate_bytes", static_cast<double>(filtering.candidates * sizeof(std::uint32_t))},
               {"expansion_candidates", static_cast<double>(filtering.expanded)},
               {"hidden_share", std::clamp(hidden, 0.0, 1.0)}};
}

void CoProcessing::forget() {
  work_.similar_pairs = 0;
  for (PairSink& sink : sinks_) sink.clear();
  pairs_.clear();
}

void CoProcessing::download(SetSimilarityJoin::Answer& answer) {
  answer = {};
  answer.count = work_.similar_pairs;
  for (const PairSink& sink : sinks_) {
    answer.count += sink.count();
    answer.pair_digest += sink.digest();
  }
  answer.pairs = pairs_;
}

}  // namespace warpbench::similarity
