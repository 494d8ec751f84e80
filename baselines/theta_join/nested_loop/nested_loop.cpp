// nested-loop: the nested loops of bellas2022, Alg. 3.3: R is cut into as many parts as there are threads, and each
// thread tries every tuple of its part with every tuple of S. What differs from the document: vector instructions
// (`simd: none` leaves them out); and for the sum each thread counts with how many tuples of its part a tuple of S
// satisfies θ, and then adds S.x that many times: counts of 32 bits cannot overflow, where sums could.
//
// Rows in memory lie in one array, without gaps: a first pass counts those of each part, a second one writes them. Rows
// for a digest or a file are made in one pass, a buffer a thread at a time. The array stays for the next solve.
#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "baselines/theta_join/nested_loop/loops.hpp"
#include "problems/first_failure.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"
#include "solvers/theta_join/row_file.hpp"
#include "solvers/threads.hpp"

namespace warpbench::nested_loop {
namespace {

using datasets::Relation;
using theta::Comparison;
using theta::Condition;
using theta::Row;
using Query = ThetaJoin::Query;
using Output = ThetaJoin::Output;

/// Rows that a thread collects before they go to a file or into the digest.
constexpr std::size_t kBuffer = std::size_t{1} << 17;

/// Where vectors may be loaded from; room for whole tiles.
class Column {
 public:
  /// Of each of the values what `shaped` makes of it.
  template <typename Shaped>
  Column(std::span<const std::int32_t> values, const Shaped& shaped) : size_(values.size()) {
    const std::size_t room = std::max<std::size_t>(1, tiles()) * kTile;
    values_ = hwy::AllocateAligned<std::int32_t>(room);
    if (values_ == nullptr) throw std::bad_alloc();
    std::int32_t* const rest = std::ranges::transform(values, values_.get(), shaped).out;
    std::fill(rest, values_.get() + room, 0);
  }

  [[nodiscard]] const std::int32_t* data() const { return values_.get(); }
  [[nodiscard]] std::span<const std::int32_t> span() const { return {values_.get(), size_}; }
  [[nodiscard]] std::size_t tiles() const { return (size_ + kTile - 1) / kTile; }

 private:
  std::size_t size_;
  hwy::AlignedFreeUniquePtr<std::int32_t[]> values_;
};

Test test_of(Comparison comparison) {
  const bool is_equality = comparison == Comparison::equal || comparison == Comparison::not_equal;
  const bool is_inverted = comparison == Comparison::greater_equal || comparison == Comparison::less_equal ||
                           comparison == Comparison::not_equal;
  return {is_equality, is_inverted};
}

/// The keys of both relations that a condition compares, as test_of() needs them.
struct Keys {
  Column r;
  Column s;
};
Keys keys_of(const datasets::Relations& relations, const Condition& condition) {
  const bool complements =
      condition.comparison == Comparison::greater || condition.comparison == Comparison::less_equal;
  const auto shaped = [complements](std::int32_t key) { return complements ? ~key : key; };
  const auto column = [&](const Relation& relation, theta::Column which) {
    return Column(which == theta::Column::a ? relation.a.span() : relation.x.span(), shaped);
  };
  return {column(relations.r, condition.r), column(relations.s, condition.s)};
}

/// What both loops read.
class Tables {
 public:
  explicit Tables(const ThetaJoin::Input& input)
      : relations_(input.relations),
        tests_{{test_of(input.predicate.first.comparison), test_of(input.predicate.second.comparison)},
               input.predicate.is_conjunction},
        first_(keys_of(*relations_, input.predicate.first)),
        s_a_(relations_->s.a.span(), std::identity()),
        s_x_(relations_->s.x.span(), std::identity()) {
    if (tests_.is_conjunction) second_.emplace(keys_of(*relations_, input.predicate.second));
  }

  [[nodiscard]] const Tests& tests() const { return tests_; }
  [[nodiscard]] std::size_t tiles() const { return first_.s.tiles(); }
  [[nodiscard]] std::size_t size_of(std::size_t tile) const {
    return std::min(kTile, first_.s.span().size() - tile * kTile);
  }
  [[nodiscard]] KeysOfR keys_of_r(std::size_t begin, std::size_t end) const {
    const auto part = [&](const Column& column) { return column.span().subspan(begin, end - begin); };
    return {part(first_.r), part(second().r)};
  }
  [[nodiscard]] TileOfS keys_of_s(std::size_t tile) const {
    return {first_.s.data() + tile * kTile, second().s.data() + tile * kTile};
  }
  [[nodiscard]] std::int32_t r_a(std::size_t i) const { return relations_->r.a[i]; }
  [[nodiscard]] const std::int32_t* s_a(std::size_t tile) const { return s_a_.data() + tile * kTile; }
  [[nodiscard]] const std::int32_t* s_x(std::size_t tile) const { return s_x_.data() + tile * kTile; }

 private:
  [[nodiscard]] const Keys& second() const { return second_ ? *second_ : first_; }

  const datasets::Relations* relations_;
  Tests tests_;
  Keys first_;
  std::optional<Keys> second_;
  Column s_a_;
  Column s_x_;
};

/// Tuples [begin, end) of R, of one thread.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
  theta::Int128 sum = 0;
  std::uint64_t count = 0;
  std::uint64_t digest = 0;
};

class NestedLoop final : public Solver<ThetaJoin> {
 public:
  explicit NestedLoop(const Parameters& parameters) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    parameters_ = parameters;
    loops_ = loops_for(simd_from(parameters.text("simd")));
  }

  void prepare(const ThetaJoin::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("prepare");
    input_ = &input;
    tables_ = std::make_unique<Tables>(input);
    if (input.query == Query::select && input.output == Output::file) file_ = std::make_unique<theta::RowFile>();
  }

  void solve(Phases& phases) override {
    cut();
    if (input_->query == Query::aggregate || input_->output == Output::count) {
      const auto scope = phases.cpu("count");
      each_part([this](Part& part) { count(part); });
    } else if (input_->output == Output::rows) {
      solve_in_memory(phases);
    } else {
      const auto scope = phases.cpu("select");
      if (file_) file_->start_over();
      each_part([this](Part& part) { stream(part); });
    }
  }

  void forget() override {
    for (Part& part : parts_) part = {part.begin, part.end};
  }

  void download(ThetaJoin::Answer& answer, Phases& /*phases*/) override {
    answer = {};
    Part all;
    for (const Part& part : parts_) {
      all.sum += part.sum;
      all.count += part.count;
      all.digest += part.digest;
    }
    if (input_->query == Query::aggregate) {
      answer.sum = theta::sum_of(all.sum);
      return;
    }
    answer.count = all.count;
    answer.row_digest = all.digest;
    if (input_->output == Output::rows) answer.rows = {rows_.get(), all.count};
    if (input_->output == Output::file) answer.file = file_->path();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", static_cast<double>(parts_.size())}};
  }

 private:
  void cut() {
    const auto tuples = static_cast<std::size_t>(input_->relations->r.count());
    const auto threads = static_cast<std::size_t>(threads_of(parameters_, input_->relations->r.count()));
    parts_.assign(threads, {});
    for (std::size_t i = 0; i < threads; ++i) {
      parts_[i].begin = tuples * i / threads;
      parts_[i].end = tuples * (i + 1) / threads;
    }
  }

  /// One thread a part.
  template <typename Body>
  void each_part(const Body& body) {
    FirstFailure failure;
    const int threads = static_cast<int>(parts_.size());
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int i = 0; i < threads; ++i) failure.guard([&] { body(parts_[static_cast<std::size_t>(i)]); });
    failure.rethrow();
  }

  void count(Part& part) const {
    std::array<std::uint32_t, kTile> counts;
    theta::Int128 sum = 0;
    std::uint64_t all = 0;
    const KeysOfR keys = tables_->keys_of_r(part.begin, part.end);
    for (std::size_t tile = 0; tile < tables_->tiles(); ++tile) {
      const std::size_t size = tables_->size_of(tile);
      loops_.count(tables_->tests(), keys, tables_->keys_of_s(tile), size, counts.data());
      const std::int32_t* const x = tables_->s_x(tile);
      for (std::size_t j = 0; j < size; ++j) {
        sum += static_cast<std::int64_t>(x[j]) * counts[j];
        all += counts[j];
      }
    }
    part.sum = sum;
    part.count = all;
  }

  /// consume(r_a, matches, count) for the rows of the part, at most kTile at a time.
  template <typename Consume>
  void select(const Part& part, const Consume& consume) const {
    const auto matches = std::make_unique_for_overwrite<Matches>();
    const KeysOfR keys = tables_->keys_of_r(part.begin, part.end);
    for (std::size_t i = 0; i < keys.first.size(); ++i) {
      for (std::size_t tile = 0; tile < tables_->tiles(); ++tile) {
        const std::size_t found = loops_.select(tables_->tests(), keys, i, tables_->keys_of_s(tile), tables_->s_a(tile),
                                                tables_->s_x(tile), tables_->size_of(tile), *matches);
        consume(tables_->r_a(part.begin + i), *matches, found);
      }
    }
  }

  void solve_in_memory(Phases& phases) {
    {
      const auto scope = phases.cpu("count");
      each_part([this](Part& part) { count(part); });
    }
    const auto scope = phases.cpu("select");
    std::uint64_t all = 0;
    for (const Part& part : parts_) all += part.count;
    if (all > room_) {
      rows_.reset();
      room_ = 0;
      rows_ = std::make_unique_for_overwrite<Row[]>(all);
      room_ = all;
    }
    std::vector<std::uint64_t> places;
    places.reserve(parts_.size());
    std::uint64_t place = 0;
    for (const Part& part : parts_) places.push_back(std::exchange(place, place + part.count));
    each_part([&](const Part& part) {
      Row* next = rows_.get() + places[static_cast<std::size_t>(&part - parts_.data())];
      select(part, [&](std::int32_t r_a, const Matches& matches, std::size_t found) {
        loops_.write(r_a, matches, found, next);
        next += found;
      });
    });
  }

  /// To the file or into the digest.
  void stream(Part& part) {
    const auto buffer = std::make_unique_for_overwrite<Row[]>(kBuffer);
    std::size_t used = 0;
    const auto flush = [&] {
      const std::span<const Row> rows(buffer.get(), used);
      part.count += used;
      if (file_) {
        file_->append(rows);
      } else {
        std::uint64_t digest = 0;
        for (const Row& row : rows) digest += theta::digest_of_row(row);
        part.digest += digest;
      }
      used = 0;
    };
    select(part, [&](std::int32_t r_a, const Matches& matches, std::size_t found) {
      if (used + found > kBuffer) flush();
      loops_.write(r_a, matches, found, buffer.get() + used);
      used += found;
    });
    flush();
  }

  Parameters parameters_;
  Loops loops_;
  const ThetaJoin::Input* input_ = nullptr;
  std::unique_ptr<Tables> tables_;
  std::vector<Part> parts_;
  std::unique_ptr<Row[]> rows_;
  std::uint64_t room_ = 0;  ///< of rows_
  std::unique_ptr<theta::RowFile> file_;
};

WARPBENCH_SOLVER(ThetaJoin, NestedLoop,
                 {.id = "nested-loop",
                  .title = "Nested loops, a part of R for each thread",
                  .source = "bellas2022, Alg. 3.3, §3.3.4",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(), simd_parameter("instruction set of the inner loop")},
                  .smoke = {{"threads", 2}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::nested_loop
