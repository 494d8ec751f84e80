#include "algorithms/theta_join/aggregate/aggregate_solver.hpp"

namespace warpbench::theta {

void AggregateSolver::prepare(const Input& input, Phases& phases) {
  if (input.query != ThetaJoin::Query::aggregate) {
    throw Unsupported(
        "this solver answers `query: aggregate` alone, as in the document; naive, sliding-window and "
        "sort-scan answer select");
  }
  predicate_ = input.predicate;
  const auto scope = phases.cpu("pin");
  pin(input);
}

void AggregateSolver::pin(const Input& input) {
  Fields s = keys_of_s(*input.relations, predicate_);
  s.x = input.relations->s.x.span();
  pin_both(keys_of_r(*input.relations, predicate_), s);
}

void AggregateSolver::pin_both(const Fields& r, const Fields& s) {
  r_.pin(r, layout_);
  s_.pin(s, layout_);
}

void AggregateSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  r_.upload(stream_);
  s_.upload(stream_);
  if (total_.empty()) total_ = Buffer<SumWord>(2, stream_);
}

void AggregateSolver::solve(Phases& phases) {
  total_.fill(0, stream_);
  if (r_.size() > 0 && s_.size() > 0) add_up(total_.view(), phases);
  stream_.synchronize();
}

void AggregateSolver::download(Answer& answer, Phases& phases) {
  std::array<SumWord, 2> words{};
  {
    const auto scope = phases.gpu("download", stream_);
    total_.download(words, stream_);
  }
  stream_.synchronize();
  answer = {};  // the fields of select have their defaults
  answer.sum = {words[0], static_cast<std::int64_t>(words[1])};
}

std::map<std::string, double> AggregateSolver::counters() const {
  return {{"input_bytes", static_cast<double>(r_.bytes() + s_.bytes())}};
}

}  // namespace warpbench::theta
