#include "algorithms/set_similarity_join/hyset/device_side.hpp"

#include <utility>

namespace warpbench::similarity {

void DeviceSide::prepare(std::unique_ptr<BlockJoin> technique, const OrderedSets& sets,
                         const SetSimilarityJoin::Input& input, std::int64_t block_size, Stream& stream) {
  technique_ = std::move(technique);
  sink_.prepare(input.output, input.measure, stream);
  if (sets.count() > 0) technique_->prepare(sets, bounds_of(input), block_size, stream);
}

void DeviceSide::begin(const SetsView& sets, Stream& stream, Phases& phases) {
  sink_.reset(stream);
  joins_ = 0;
  if (sets.count() > 0) technique_->begin(sets, stream, phases);
}

void DeviceSide::join(const BlockPair& pair, const SetsView& sets, Stream& stream, Phases& phases) {
  Event& joined = joined_[static_cast<std::size_t>(joins_++ % 2)];
  joined.synchronize();
  sink_.take([&](const PairSinkView& sink) { technique_->join(pair, sets, sink, stream, phases); }, stream);
  joined.record(stream);
}

}  // namespace warpbench::similarity
