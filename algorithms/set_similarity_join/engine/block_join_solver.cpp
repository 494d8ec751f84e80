#include "algorithms/set_similarity_join/engine/block_join_solver.hpp"

#include <algorithm>

#include "device/integers.hpp"

namespace warpbench::similarity {

void BlockJoinSolver::prepare(const Input& input, Phases& phases) {
  const Bounds bounds = bounds_of(input);
  {
    const auto scope = phases.cpu("order");
    sets_ = ordered(input);
  }
  // A block takes no more than its sets need.
  const std::int64_t block_size = std::clamp<std::int64_t>(sets_.count(), 1, block_size_);
  pairs_ = block_pairs(sets_, bounds, block_size);
  const std::int64_t blocks = ceil_div(sets_.count(), block_size);
  skipped_pairs_ = blocks * (blocks + 1) / 2 - static_cast<std::int64_t>(pairs_.size());
  {
    const auto scope = phases.cpu("pin");
    device_sets_.prepare(sets_, stream_);
  }
  const auto scope = phases.cpu("take_memory");
  sink_.prepare(input.output, input.measure, stream_);
  if (sets_.count() > 0) technique_->prepare(sets_, bounds, block_size, stream_);
  stream_.synchronize();
}

void BlockJoinSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  device_sets_.upload(stream_);
}

void BlockJoinSolver::solve(Phases& phases) {
  const SetsView sets = device_sets_.view();
  sink_.reset(stream_);
  if (!pairs_.empty()) technique_->begin(sets, stream_, phases);
  for (const BlockPair& pair : pairs_) {
    sink_.take([&](const PairSinkView& sink) { technique_->join(pair, sets, sink, stream_, phases); }, stream_);
  }
  stream_.synchronize();
}

void BlockJoinSolver::download(Answer& answer, Phases& phases) {
  const auto scope = phases.gpu("download", stream_);
  sink_.download(answer, stream_);
}

std::map<std::string, double> BlockJoinSolver::counters() const {
  std::map<std::string, double> counters = technique_->counters();
  counters["block_pairs"] = static_cast<double>(pairs_.size());
  counters["skipped_block_pairs"] = static_cast<double>(skipped_pairs_);
  counters["upload_bytes"] = static_cast<double>(device_sets_.bytes());
  return counters;
}

}  // namespace warpbench::similarity
