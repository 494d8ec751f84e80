#include "algorithms/set_similarity_join/dense/dense_join.cuh"

#include <algorithm>

namespace warpbench::similarity {

void DenseJoin::prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) {
  bounds_ = bounds;
  probing_.prepare(sets, bounds, stream);
  indexed_.prepare(sets, bounds, stream);
  lists_.prepare(indexed_.most_tokens(block_size), sets.distinct_tokens, stream);
  counter_.prepare(probing_.most_tokens(block_size), stream);
  counters_.prepare(stream);
  cells_.reset();
  const std::int64_t side = std::min(block_size, sets.count());
  cells_ = Buffer<std::uint32_t>(side * CountMatrix::pitch(side), stream);
}

void DenseJoin::begin(const SetsView& sets, Stream& stream, Phases& phases) {
  const auto scope = phases.gpu("index", stream);
  probing_.compute(sets, stream);
  indexed_.compute(sets, stream);
  in_lists_.reset();
  bytes_cleared_ = 0;
  counters_.reset(stream);
}

void DenseJoin::join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
                     Phases& phases) {
  if (in_lists_ != pair.larger) {
    const auto scope = phases.gpu("index", stream);
    lists_.build(sets, pair.larger, indexed_, stream);
    in_lists_ = pair.larger;
  }
  const std::int64_t cells = pair.smaller.count() * CountMatrix::pitch(pair.larger.count());
  const CountMatrix counts{
      cells_.view().first(cells), {pair.smaller.begin, pair.smaller.end}, {pair.larger.begin, pair.larger.end}};
  {
    const auto scope = phases.gpu("clear", stream);
    cells_.fill_bytes(0, stream);
    if (!sink.is_second_try) bytes_cleared_ += cells_.bytes();
  }
  {
    const auto scope = phases.gpu("filter", stream);
    counter_.count(sets, pair.smaller, probing_, lists_.view(), counts, shape_, stream);
  }
  const auto scope = phases.gpu("verify", stream);
  select(counts, sets, sink, counters_.view(), stream);
  counters_.download(stream);
}

std::map<std::string, double> DenseJoin::counters() const {
  std::map<std::string, double> counters = counters_.values();
  counters["bytes_cleared"] = static_cast<double>(bytes_cleared_);
  counters["matrix_bytes"] = static_cast<double>(cells_.bytes());
  counters["index_bytes"] = static_cast<double>(lists_.bytes());
  return counters;
}

}  // namespace warpbench::similarity
