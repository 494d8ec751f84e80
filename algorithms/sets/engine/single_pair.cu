#include "algorithms/sets/engine/single_pair.hpp"

#include <algorithm>

#include "device/primitives.hpp"

namespace warpbench::sets {

void SinglePair::prepare(const Input& input, Phases& phases) {
  as_set_ = input.as_set;
  sizes_[0] = input.sets->size(0);
  sizes_[1] = input.sets->size(1);
  const std::int64_t max_tokens = as_set_ ? std::min(sizes_[0], sizes_[1]) : 0;
  {
    const auto scope = phases.cpu("pin");
    sets_.prepare(*input.sets, stream_);
  }
  const auto scope = phases.cpu("take_memory");
  technique_->require_single_pairs();
  technique_->prepare(*input.sets, stream_);
  common_ = Buffer<DigestWord>(1, stream_);
  found_ = Buffer<std::uint8_t>(max_tokens, stream_);
  common_tokens_ = Buffer<std::uint32_t>(max_tokens, stream_);
  common_size_ = Buffer<std::int64_t>(1, stream_);
  host_common_ = PinnedBuffer<DigestWord>(1);
  host_tokens_ = PinnedBuffer<std::uint32_t>(max_tokens);
  stream_.synchronize();
}

void SinglePair::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  sets_.upload(stream_);
}

SingleTask SinglePair::task() {
  const View<const std::uint32_t> tokens = sets_.view().tokens;
  SingleTask task{tokens.first(sizes_[0]), tokens.subview(sizes_[0], sizes_[1]), common_.view(), found_.view()};
  if (task.smaller.size() > task.larger.size()) std::swap(task.smaller, task.larger);
  return task;
}

void SinglePair::solve(Phases& phases) {
  const SingleTask pair = task();
  {
    const auto scope = phases.gpu("intersect", stream_);
    common_.fill(0, stream_);
    found_.fill(0, stream_);
    if (!pair.smaller.empty()) technique_->intersect(pair, stream_, phases);
  }
  if (as_set_) {
    const auto scope = phases.gpu("select", stream_);
    select_flagged(pair.smaller, std::as_const(found_).view(), common_tokens_.view(), common_size_.view(), stream_);
  }
  stream_.synchronize();
}

void SinglePair::download(Answer& answer, Phases& phases) {
  {
    const auto scope = phases.gpu("download", stream_);
    common_.download(host_common_.span(), stream_);
    if (as_set_) {
      stream_.synchronize();  // the number of tokens is known only now
      common_tokens_.download(host_tokens_.span().first(host_common_[0]), stream_);
    }
  }
  stream_.synchronize();
  answer = {{}, host_common_[0], as_set_ ? host_tokens_.span().first(host_common_[0]) : std::span<std::uint32_t>{}};
}

std::map<std::string, double> SinglePair::counters() const {
  std::map<std::string, double> counters = technique_->counters();
  counters["upload_bytes"] = static_cast<double>(sets_.bytes());
  return counters;
}

}  // namespace warpbench::sets
