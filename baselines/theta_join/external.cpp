#include "baselines/theta_join/external.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "solvers/external/own_program.hpp"

namespace warpbench::theta {
namespace {

using Json = nlohmann::json;
using Query = ThetaJoin::Query;
using Output = ThetaJoin::Output;

constexpr const char* kProblem = "theta_join";
constexpr const char* kRowFile = "rows.i32";
constexpr Uint128 kLargestSum = ~Uint128{0} >> 1U;

const char* name_of(Output output) {
  if (output == Output::count) return "count";
  if (output == Output::rows) return "rows";
  return output == Output::file ? "file" : "digest";
}

Json task_of(const ThetaJoin::Input& input) {
  return {{"theta", to_string(input.predicate)},
          {"query", input.query == Query::aggregate ? "aggregate" : "select"},
          {"output", name_of(input.output)}};
}

/// Of an integer in digits, with or without a sign.
Sum sum_from(std::string_view digits) {
  const bool is_negative = digits.starts_with('-');
  if (is_negative) digits.remove_prefix(1);
  Uint128 value = 0;
  for (const char digit : digits) {
    const bool fits = value <= kLargestSum / 10;
    value = value * 10 + static_cast<Uint128>(digit - '0');
    if (!fits || value > kLargestSum) {
      throw std::runtime_error(fmt::format("expected a sum of at most 127 bits, found {}", digits));
    }
  }
  return sum_of(static_cast<Int128>(is_negative ? -value : value));
}

std::vector<Row> read_rows(const std::filesystem::path& path, std::uint64_t count) {
  std::vector<Row> rows(count);
  std::ifstream stream(path, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(rows.data()), static_cast<std::streamsize>(count * kRowBytes))) {
    throw std::runtime_error(fmt::format("cannot read {} rows from {}", count, path.string()));
  }
  return rows;
}

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<ThetaJoin, ExternalJoin>();

}  // namespace

void ExternalJoin::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  start(phases);
  const datasets::Relations& relations = *input.relations;
  {
    const auto scope = phases.cpu("write");
    session().write("r_a.i32", relations.r.a);
    session().write("r_x.i32", relations.r.x);
    session().write("s_a.i32", relations.s.a);
    session().write("s_x.i32", relations.s.x);
  }
  session().prepare(kProblem, {{"r_tuples", relations.r.count()}, {"s_tuples", relations.s.count()}}, parameters(),
                    phases);
}

void ExternalJoin::solve(Phases& phases) {
  answer_ = {};
  rows_ = {};
  session().solve_in_one_turn(kProblem, {{"task", task_of(*input_)}}, parameters(), "query", kRowFile, phases);
  const auto scope = phases.untimed("program");
  answer_ = input_->query == Query::aggregate ? aggregated() : selected();
}

ThetaJoin::Answer ExternalJoin::aggregated() const {
  Answer answer;
  answer.sum = sum_from(session().program().answered_integer("sum"));
  return answer;
}

ThetaJoin::Answer ExternalJoin::selected() {
  Answer answer;
  answer.count = session().program().answered_count("count");
  if (input_->output == Output::count) return answer;
  const std::filesystem::path path = session().file(kRowFile);
  std::error_code error;
  if (const std::uintmax_t bytes = std::filesystem::file_size(path, error);
      error || bytes != answer.count * kRowBytes) {
    throw std::runtime_error(fmt::format("expected {} rows of {} bytes from {} in {}, found {}", answer.count,
                                         kRowBytes, session().program().title(), path.string(),
                                         error ? error.message() : fmt::format("{} bytes", bytes)));
  }
  if (input_->output == Output::file) answer.file = path;
  if (input_->output == Output::digest) answer.row_digest = digest_of_file(path).digest;
  if (input_->output == Output::rows) {
    rows_ = read_rows(path, answer.count);
    answer.rows = rows_;
  }
  if (input_->output != Output::file) std::filesystem::remove(path);
  return answer;
}

void ExternalJoin::download(Answer& answer, Phases& /*phases*/) {
  answer = answer_;
}

}  // namespace warpbench::theta
