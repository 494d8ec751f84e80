#include "problems/theta_join/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "problems/theta_join/reference.hpp"

namespace warpbench {
namespace {

using Input = ThetaJoin::Input;
using Output = ThetaJoin::Output;
using Query = ThetaJoin::Query;

Output output_of(const std::string& name) {
  if (name == "count") return Output::count;
  if (name == "rows") return Output::rows;
  return name == "file" ? Output::file : Output::digest;
}

bool needs_digest(const Input& input) {
  return input.query == Query::select && input.output != Output::count;
}

/// The digest of an answer's rows, wherever they are.
struct RowDigest {
  std::uint64_t value = 0;
  std::string fault = {};  ///< "" where there are as many rows as the answer says
};

RowDigest digest_of_rows_in(const ThetaJoin::Answer& answer, Output output) {
  if (output == Output::digest) return {answer.row_digest};
  if (output == Output::rows) {
    if (answer.rows.size() == answer.count) return {theta::digest_of_rows(answer.rows)};
    return {0, fmt::format("expected {} rows in memory, found {}", answer.count, answer.rows.size())};
  }
  try {
    const theta::FileDigest file = theta::digest_of_file(answer.file);
    if (file.bytes == answer.count * theta::kRowBytes) return {file.digest};
    return {0, fmt::format("{}: expected {} rows of {} bytes, found {} bytes", answer.file.string(), answer.count,
                           theta::kRowBytes, file.bytes)};
  } catch (const std::system_error& error) {
    return {0, fmt::format("expected a file of {} rows, found none that can be read: {}", answer.count, error.what())};
  }
}

/// Of the file's rows; kPoison where it cannot be read.
std::uint64_t digest_of(const std::filesystem::path& file) {
  try {
    const theta::FileDigest found = theta::digest_of_file(file);
    return mix64(found.bytes, found.digest);
  } catch (const std::system_error&) {
    return kPoison;
  }
}

}  // namespace

ProblemInfo ThetaJoin::info() {
  ProblemInfo info;
  info.id = "theta_join";
  info.title = "Theta join: the pairs of tuples of two relations that satisfy a predicate";
  info.source = "bellas2022, §3";
  info.task = {
      parameter("theta", "R.a > S.a")
          .written_as([](const std::string& text) { return theta::to_string(theta::parse(text)); })
          .means("comparison of column a or x of R with one of S (<, <=, >, >=, =, !=), or two joined by `and`"),
      parameter("query", "aggregate")
          .one_of({"aggregate", "select"})
          .means("aggregate: the sum of S.x over all pairs; select: R.a, S.a, S.x of each pair"),
      parameter("output", "digest")
          .one_of({"count", "digest", "rows", "file"})
          .means("query: select: the number of rows; or a digest, too; or the rows in memory, or in a file")};
  info.accepts = {datasets::Kind::Relation};
  info.work_unit = "pairs";
  info.validate = [](const Parameters& task) {
    const std::string output = task.text("output");
    if (task.text("query") == "aggregate" && output != "digest")
      throw ParameterError(
          "output",
          fmt::format("expected no output of an aggregate, which has a sum alone, found {}; it is for query: select",
                      output));
  };
  return info;
}

std::map<std::string, double> Input::work() const {
  return {{"pairs", static_cast<double>(pairs())},
          {"tuples", static_cast<double>(relations->r.count()) + static_cast<double>(relations->s.count())}};
}

std::uint64_t ThetaJoin::Answer::digest() const {
  std::uint64_t all = mix64(mix64(sum.low, static_cast<std::uint64_t>(sum.high)), mix64(count, row_digest));
  all = mix64(all, mix64(rows.size(), theta::digest_of_rows(rows)));
  return file.empty() ? all : mix64(all, digest_of(file));
}

void ThetaJoin::Answer::poison() {
  constexpr auto kValue = static_cast<std::int32_t>(kPoison);
  sum = {kPoison, kValue};
  count = kPoison;
  row_digest = kPoison;
  std::ranges::fill(rows, theta::Row{kValue, kValue, kValue});
  if (std::filesystem::exists(file)) std::filesystem::resize_file(file, 0);
}

Input ThetaJoin::input(const datasets::Dataset& dataset, const Parameters& task) {
  Input input;
  input.relations = &dataset.as<datasets::Relations>();
  input.predicate = theta::parse(task.text("theta"));
  input.query = task.text("query") == "select" ? Query::select : Query::aggregate;
  input.output = output_of(task.text("output"));
  return input;
}

ThetaJoin::Reference ThetaJoin::reference(const Input& input) {
  const theta::Join join{input.relations, input.predicate};
  const bool is_looped = input.pairs() <= input.limits.looped_pairs;
  const auto found = [&](bool with_digest) {
    return is_looped ? theta::by_nested_loops(join, with_digest) : theta::by_sorting(join, with_digest);
  };
  const theta::Found all = found(is_looped && needs_digest(input));
  Reference reference{theta::sum_of(all.sum), all.count, 0};
  if (needs_digest(input) && all.count <= input.limits.digested_rows) {
    reference.row_digest = is_looped ? all.digest : found(true).digest;
  }
  return reference;
}

Judgement ThetaJoin::judge(const Input& input, const Answer& answer, const Reference& reference) {
  Judgement judgement;
  judgement.verdict = Verdict::exact;
  const auto rows = static_cast<double>(reference.count);
  if (input.pairs() > 0) judgement.metrics["selectivity"] = rows / static_cast<double>(input.pairs());
  if (input.query == Query::aggregate) {
    if (answer.sum == reference.sum) return judgement;
    return wrong(
        fmt::format("expected the sum {}, found {}", theta::value_of(reference.sum), theta::value_of(answer.sum)));
  }
  judgement.metrics["rows"] = rows;
  if (answer.count != reference.count) {
    return wrong(fmt::format("expected {} rows, found {}", reference.count, answer.count));
  }
  if (input.output == Output::count) return judgement;
  const RowDigest digest = digest_of_rows_in(answer, input.output);
  if (!digest.fault.empty()) return wrong(digest.fault);
  if (reference.count > input.limits.digested_rows) {
    judgement.verdict = Verdict::unverified;
    judgement.difference = fmt::format("the number of rows is right; the reference digests at most {} rows, not {}",
                                       input.limits.digested_rows, reference.count);
    judgement.metrics["unverified_row_digest"] = static_cast<double>(digest.value >> 11U);  // as many bits as it holds
  } else if (digest.value != reference.row_digest) {
    return wrong(fmt::format("expected {} rows of digest {:016x}, found as many of digest {:016x}", reference.count,
                             reference.row_digest, digest.value));
  }
  return judgement;
}

ThetaJoin::Reference ThetaJoin::read_reference(const Input& input, ReferenceReader& stored) {
  Reference reference;
  reference.sum.low = stored.take<std::uint64_t>(1)[0];
  reference.sum.high = stored.take<std::int64_t>(1)[0];
  reference.count = stored.take<std::uint64_t>(1)[0];
  reference.row_digest = stored.take<std::uint64_t>(1)[0];
  if (reference.count > input.pairs()) {
    stored.refuse(fmt::format("{} rows of {} pairs", reference.count, input.pairs()));
  }
  return reference;
}

WARPBENCH_PROBLEM(ThetaJoin)

}  // namespace warpbench
