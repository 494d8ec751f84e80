#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"

#include <algorithm>
#include <stdexcept>

#include "device/growing.hpp"

namespace warpbench::similarity {

void DevicePairSink::prepare(SetSimilarityJoin::Output output, Measure measure, Stream& stream) {
  output_ = output;
  measure_ = measure;
  totals_ = Buffer<Total>(3, stream);
  host_totals_ = PinnedBuffer<Total>(3);
  pairs_.reset();
}

void DevicePairSink::reset(Stream& stream) {
  totals_.fill(0, stream);
  before_ = {};
}

PairSinkView DevicePairSink::view(bool is_second_try) {
  return {output_, measure_, totals_.view(), pairs_.view(), is_second_try};
}

void DevicePairSink::take(const std::function<void(const PairSinkView&)>& join, Stream& stream) {
  join(view(false));
  if (output_ != SetSimilarityJoin::Output::pairs) return;
  const auto count_pairs = [&] {
    totals_.download(host_totals_.span(), stream);
    stream.synchronize();
    return static_cast<std::int64_t>(host_totals_[2]);
  };
  if (const std::int64_t wanted = count_pairs(); wanted > pairs_.size()) {
    grow(pairs_, wanted, stream, Contents::kept);
    totals_.upload(before_, stream);
    join(view(true));
    if (count_pairs() > pairs_.size()) throw std::logic_error("set_similarity_join: a join found more pairs again");
  }
  std::ranges::copy(host_totals_.span(), before_.begin());
}

void DevicePairSink::download(SetSimilarityJoin::Answer& answer, Stream& stream) {
  totals_.download(host_totals_.span(), stream);
  stream.synchronize();
  answer = {};
  answer.count = host_totals_[0];
  if (output_ == SetSimilarityJoin::Output::digest) answer.pair_digest = host_totals_[1];
  if (output_ != SetSimilarityJoin::Output::pairs) return;
  const auto count = static_cast<std::int64_t>(host_totals_[2]);
  grow(host_pairs_, count);
  answer.pairs = host_pairs_.span().first(static_cast<std::size_t>(count));
  pairs_.download(answer.pairs, stream);
  stream.synchronize();
}

}  // namespace warpbench::similarity
