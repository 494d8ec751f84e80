#include "baselines/set_similarity_join/join.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <tuple>

#include "device/integers.hpp"
#include "problems/first_failure.hpp"
#include "solvers/threads.hpp"

namespace warpbench::similarity {
namespace {

using Output = SetSimilarityJoin::Output;

/// Probing sets that a thread takes at a time from a shared join.
constexpr std::int64_t kChunk = 64;

}  // namespace

/// What one thread has.
struct PrefixJoin::Worker {
  Worker(const PrefixJoin& join, const Signatures* signatures) : sink(join.sets_, *join.input_) {
    if (join.is_grouped()) {
      groups.emplace(join.sets_, join.bounds_);
    } else {
      const Filter filter = join.method_ == Method::allpairs ? Filter::allpairs : Filter::ppjoin;
      sets.emplace(join.sets_, join.bounds_, filter, signatures);
    }
  }

  void clear() {
    sink.clear();
    index_bytes = 0;
    if (sets) sets->clear();
    if (groups) groups->clear();
  }
  void join(const Indexed& indexed, const Groups& probing, SetRange probes) {
    if (sets) sets->join(indexed.index, probes, sink);
    if (groups) groups->join(indexed.index, indexed.groups, probing, probes, sink);
  }
  [[nodiscard]] const JoinWork& work() const { return sets ? sets->work() : groups->work(); }

  std::optional<RangeJoin> sets;
  std::optional<GroupJoin> groups;
  PairSink sink;
  Indexed own;    // a partition
  Groups probed;  // groups of another
  std::int64_t index_bytes = 0;
};

std::vector<ParameterSpec> PrefixJoin::parameters(Method method) {
  std::vector<ParameterSpec> all{
      threads_parameter(1),
      parameter("sharing", "partitions")
          .one_of({"partitions", "index"})
          .document({"partitions"})
          .means("how threads share the join: partitions with indexes of their own, or one index of all sets")};
  if (method != Method::groupjoin) {
    all.push_back(parameter("signatures", false)
                      .document({false})
                      .means("whether 64 to 256 parity bits of each set are one more filter"));
  }
  return all;
}

std::map<std::string, Value> PrefixJoin::best(Method method) {
  std::map<std::string, Value> best{{"threads", "all"}, {"sharing", "index"}};
  if (method != Method::groupjoin) best.emplace("signatures", true);
  return best;
}

PrefixJoin::PrefixJoin(Method method, const Parameters& parameters) : method_(method), parameters_(parameters) {}
PrefixJoin::~PrefixJoin() = default;

void PrefixJoin::prepare(const SetSimilarityJoin::Input& input, Phases& phases) {
  const auto scope = phases.cpu("prepare");
  input_ = &input;
  sets_ = ordered(input);
  bounds_ = bounds_of(input);
  take_memory();
}

void PrefixJoin::configure(const Parameters& parameters) {
  parameters_ = parameters;
  if (input_ != nullptr) take_memory();
}

/// A first index and first signatures leave theirs to all later ones.
void PrefixJoin::take_memory() {
  threads_ = threads_of(parameters_, sets_.count());
  shares_index_ = threads_ == 1 || parameters_.text("sharing") == "index";
  has_signatures_ = !is_grouped() && parameters_.flag("signatures");
  if (has_signatures_ && signatures_.bits.empty()) build_signatures();
  if (shares_index_ && shared_.index.build == 0) build(shared_, all(), threads_);
  workers_.clear();
  for (int i = 0; i < threads_; ++i) {
    workers_.push_back(std::make_unique<Worker>(*this, has_signatures_ ? &signatures_ : nullptr));
  }
}

void PrefixJoin::build(Indexed& indexed, SetRange range, int threads) const {
  if (is_grouped()) {
    rebuild(indexed.groups, sets_, bounds_, range, threads);
    rebuild(indexed.index, sets_, bounds_, indexed.groups, threads);
  } else {
    rebuild(indexed.index, sets_, bounds_, range, threads);
  }
}

void PrefixJoin::build_signatures() {
  rebuild(signatures_, sets_, words_for(sets_, bounds_), threads_);
}

void PrefixJoin::solve(Phases& phases) {
  const ThreadLimit limit(threads_);
  for (const auto& worker : workers_) worker->clear();
  {
    const auto scope = phases.cpu("index");
    if (has_signatures_) build_signatures();
    if (shares_index_) build(shared_, all(), threads_);
  }
  if (threads_ == 1) {
    workers_.front()->join(shared_, shared_.groups, all());
    phases.add("filter", workers_.front()->work().filter_seconds);
    phases.add("verify", workers_.front()->work().verify_seconds);
  } else {
    const auto scope = phases.cpu("join");
    shares_index_ ? join_by_index() : join_by_partitions();
  }
  if (input_->output == Output::pairs && threads_ > 1) {
    const auto scope = phases.cpu("gather");
    gather();
  }
}

void PrefixJoin::join_by_index() {
  std::atomic<std::int64_t> next = 0;
  FirstFailure failure;
#pragma omp parallel num_threads(threads_)
  failure.guard([&] {
    Worker& worker = *workers_[static_cast<std::size_t>(omp_get_thread_num())];
    for (std::int64_t begin = 0; (begin = next.fetch_add(kChunk)) < sets_.count() && !failure.has_failed();) {
      worker.join(shared_, shared_.groups, {begin, std::min(begin + kChunk, sets_.count())});
    }
  });
  failure.rethrow();
}

void PrefixJoin::join_by_partitions() {
  std::vector<BlockPair> joins =
      block_pairs(sets_, bounds_, std::max<std::int64_t>(1, ceil_div(sets_.count(), threads_)));
  std::ranges::sort(joins, {}, [](const BlockPair& join) { return std::tuple(join.smaller.begin, join.larger.begin); });
  FirstFailure failure;
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
  for (int i = 0; i < threads_; ++i) {
    const auto worker = static_cast<std::size_t>(i);
    const std::size_t begin = joins.size() * worker / workers_.size();
    const std::size_t end = joins.size() * (worker + 1) / workers_.size();
    failure.guard([&] { join_partitions(*workers_[worker], std::span(joins).subspan(begin, end - begin)); });
  }
  failure.rethrow();
}

void PrefixJoin::join_partitions(Worker& worker, std::span<const BlockPair> joins) const {
  const BlockPair* before = nullptr;
  for (const BlockPair& join : joins) {
    if (before == nullptr || before->smaller != join.smaller) build(worker.own, join.smaller, 1);
    before = &join;
    worker.index_bytes = std::max(worker.index_bytes, worker.own.index.bytes());
    if (is_grouped() && !join.is_diagonal()) rebuild(worker.probed, sets_, bounds_, join.larger, 1);
    worker.join(worker.own, join.is_diagonal() ? worker.own.groups : worker.probed, join.larger);
  }
}

void PrefixJoin::gather() {
  std::vector<std::size_t> places{0};
  for (const auto& worker : workers_) places.push_back(places.back() + worker->sink.pairs().size());
  if (places.back() > room_) {
    pairs_.reset();
    pairs_ = std::make_unique_for_overwrite<Pair[]>(places.back());
    room_ = places.back();
  }
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
  for (int i = 0; i < threads_; ++i) {
    const auto worker = static_cast<std::size_t>(i);
    std::ranges::copy(workers_[worker]->sink.pairs(), pairs_.get() + places[worker]);
  }
}

void PrefixJoin::download(SetSimilarityJoin::Answer& answer, Phases& /*phases*/) {
  answer = {};
  for (const auto& worker : workers_) {
    answer.count += worker->sink.count();
    answer.pair_digest += worker->sink.digest();
  }
  if (input_->output != Output::pairs) return;
  answer.pairs =
      threads_ == 1 ? workers_.front()->sink.pairs() : std::span(pairs_.get(), static_cast<std::size_t>(answer.count));
}

void PrefixJoin::forget() {
  for (const auto& worker : workers_) worker->sink.clear();
}

std::map<std::string, double> PrefixJoin::counters() const {
  JoinWork work;
  std::uint64_t pairs = 0;
  std::int64_t index_bytes = shares_index_ ? shared_.index.bytes() : 0;
  for (const auto& worker : workers_) {
    work += worker->work();
    pairs += worker->sink.count();
    index_bytes += worker->index_bytes;
  }
  std::map<std::string, double> all{{"threads", threads_},
                                    {"candidates", static_cast<double>(work.candidates)},
                                    {"similar_pairs", static_cast<double>(pairs)},
                                    {"index_bytes", static_cast<double>(index_bytes)}};
  if (is_grouped()) all["expansion_candidates"] = static_cast<double>(work.expansion_candidates);
  if (is_grouped() && shares_index_) all["groups"] = static_cast<double>(shared_.groups.count());
  if (has_signatures_) all["signature_bits"] = 64.0 * signatures_.words;
  if (threads_ > 1) {
    all["filter_thread_seconds"] = work.filter_seconds;
    all["verify_thread_seconds"] = work.verify_seconds;
  }
  return all;
}

}  // namespace warpbench::similarity
