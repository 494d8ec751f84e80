#include "algorithms/set_similarity_join/hyset/device_side.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/set_similarity_join/cpu_gpu/co_processing.hpp"
#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "algorithms/set_similarity_join/engine/techniques.hpp"

namespace warpbench::similarity {
namespace {

constexpr const char* kCoProcessing = "cpu-gpu";

class TechniqueSide final : public DeviceSide {
 public:
  TechniqueSide(std::unique_ptr<BlockJoin> technique, const OrderedSets& sets, const SetSimilarityJoin::Input& input,
                std::int64_t block_size, Stream& stream)
      : technique_(std::move(technique)), block_size_(block_size) {
    sink_.prepare(input.output, input.measure, stream);
    if (sets.count() > 0) technique_->prepare(sets, bounds_of(input), block_size, stream);
  }

  void begin(const SetsView& sets, Stream& stream, Phases& phases) override {
    sink_.reset(stream);
    joins_ = 0;
    if (sets.count() > 0) technique_->begin(sets, stream, phases);
  }
  void join(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& phases) override {
    Event& joined = joined_[joins_++ % 2];
    joined.synchronize();
    enqueue(pair, sets, stream, phases);
    joined.record(stream);
  }
  void join_probes(SetRange /*probes*/, std::span<const BlockPair> pairs, const SetsView& sets, Stream& stream,
                   Phases& phases) override {
    for (const BlockPair& pair : pairs) enqueue(pair, sets, stream, phases);
  }
  [[nodiscard]] std::int64_t fair_sample() const override { return block_size_; }
  [[nodiscard]] bool works_by_pairs() const override { return true; }
  void finish(Stream& stream, Phases& /*phases*/) override { stream.synchronize(); }
  void download(SetSimilarityJoin::Answer& answer, Stream& stream) override { sink_.download(answer, stream); }
  [[nodiscard]] std::map<std::string, double> counters() const override { return technique_->counters(); }

 private:
  void enqueue(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& phases) {
    sink_.take([&](const PairSinkView& sink) { technique_->join(pair, sets, sink, stream, phases); }, stream);
  }

  std::unique_ptr<BlockJoin> technique_;
  std::int64_t block_size_;
  DevicePairSink sink_;
  std::array<Event, 2> joined_;
  std::size_t joins_ = 0;
};

class CoProcessingSide final : public DeviceSide {
 public:
  CoProcessingSide(const Parameters& parameters, const OrderedSets& sets, const SetSimilarityJoin::Input& input,
                   Stream& stream)
      : sets_(&sets), bounds_(bounds_of(input)), join_(parameters) {
    join_.prepare(sets, input, stream);
  }

  void begin(const SetsView& /*sets*/, Stream& stream, Phases& /*phases*/) override {
    indexes_.clear();
    join_.begin(stream);
  }
  void join(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& /*phases*/) override {
    const FilterIndex& smaller = index_of(pair.smaller);
    join_.join(smaller, smaller.groups, pair.larger, sets, stream);  // no filter of HySet's makes groups
  }
  void join_probes(SetRange probes, std::span<const BlockPair> /*pairs*/, const SetsView& sets, Stream& stream,
                   Phases& /*phases*/) override {
    const FilterIndex& all = index_of({0, sets_->count()});
    join_.join(all, all.groups, probes, sets, stream);
  }
  /// So many that waking threads and a chunk's round trip are a small part.
  [[nodiscard]] std::int64_t fair_sample() const override {
    constexpr std::int64_t kFewest = 1024;
    constexpr std::int64_t kMost = 16'384;
    constexpr std::int64_t kParts = 48;
    return std::clamp(sets_->count() / kParts, kFewest, kMost);
  }
  [[nodiscard]] bool works_by_pairs() const override { return false; }
  void finish(Stream& /*stream*/, Phases& phases) override { join_.finish(phases); }
  void download(SetSimilarityJoin::Answer& answer, Stream& /*stream*/) override { join_.download(answer); }
  void forget() override { join_.forget(); }
  [[nodiscard]] std::map<std::string, double> counters() const override { return join_.counters(); }

 private:
  /// Built when it is first asked for in a solve.
  [[nodiscard]] const FilterIndex& index_of(SetRange range) {
    const auto [found, is_new] = indexes_.try_emplace({range.begin, range.end});
    if (is_new) found->second.build(*sets_, bounds_, range, join_.choice(), join_.threads());
    return found->second;
  }

  const OrderedSets* sets_;
  Bounds bounds_;
  CoProcessing join_;
  std::map<std::pair<std::int64_t, std::int64_t>, FilterIndex> indexes_;
};

/// Those of `given` that `declared` has, over `values`.
std::map<std::string, Value> known(std::map<std::string, Value> values, const std::map<std::string, Value>& given,
                                   const std::vector<ParameterSpec>& declared) {
  for (const ParameterSpec& spec : declared) {
    if (const auto found = given.find(spec.name); found != given.end()) values[spec.name] = found->second;
  }
  return values;
}

constexpr std::int64_t kAllBlocks = 0;  ///< `blocks: all`

}  // namespace

std::map<std::string, Value> technique_values(const std::string& gpu, const std::string& techniques,
                                              const std::map<std::string, Value>& given) {
  const SolverInfo& info = technique(gpu).info;
  std::map<std::string, Value> values;
  if (techniques == "best") values = info.best;
  if (techniques == "all-blocks") values = known(std::move(values), {{"blocks", kAllBlocks}}, info.parameters);
  return known(std::move(values), given, info.parameters);
}

std::unique_ptr<DeviceSide> make_device_side(const std::string& gpu, const std::string& techniques,
                                             const std::map<std::string, Value>& given, const OrderedSets& sets,
                                             const SetSimilarityJoin::Input& input, std::int64_t block_size,
                                             Stream& stream) {
  if (gpu == kCoProcessing) {
    const std::vector<ParameterSpec> declared = co_processing_parameters();
    return std::make_unique<CoProcessingSide>(Parameters(declared, known({}, given, declared)), sets, input, stream);
  }
  return std::make_unique<TechniqueSide>(make_technique(gpu, technique_values(gpu, techniques, given)), sets, input,
                                         block_size, stream);
}

}  // namespace warpbench::similarity
