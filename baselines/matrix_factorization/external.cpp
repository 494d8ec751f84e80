#include "baselines/matrix_factorization/external.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

namespace warpbench::matrix_factorization {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Event = ExternalProgram::Event;

constexpr const char* kPFile = "p.f32";
constexpr const char* kQFile = "q.f32";

/// How far the last RMSE that a program reports may be from that of its factors: a share for its arithmetic, and what
/// is lost in print, which is four decimals of LIBMF.
constexpr double kTolerance = 1e-3;
constexpr double kPrintTolerance = 5e-5;

template <typename Values>
void write_array(const std::filesystem::path& path, const Values& values) {
  const auto bytes = std::as_bytes(std::span(values.begin(), values.end()));
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write {}: set TMPDIR to a folder with room", path.string()));
}

void write_list(const std::filesystem::path& folder, const std::string& name, const datasets::RatingList& list) {
  write_array(folder / (name + "_users.u32"), list.users);
  write_array(folder / (name + "_items.u32"), list.items);
  write_array(folder / (name + "_values.f32"), list.values);
}

Json json_of(const Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters.values()) {
    json[name] = std::visit([](const auto& held) { return Json(held); },
                            static_cast<const std::variant<bool, std::int64_t, double, std::string>&>(value));
  }
  return json;
}

Json task_of(const MatrixFactorization::Input& input) {
  return {{"k", input.k},         {"lambda_p", input.lambda_p},     {"lambda_q", input.lambda_q},
          {"gamma", input.gamma}, {"iterations", input.iterations}, {"seed", input.seed}};
}

}  // namespace

void ExternalSolver::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  p_.resize(static_cast<std::size_t>(input.users() * input.k));
  q_.resize(static_cast<std::size_t>(input.items() * input.k));
  {
    const auto scope = phases.cpu("start");
    program_ = std::make_unique<ExternalProgram>(command_);
  }
  const auto scope = phases.cpu("write");
  folder_ = std::make_unique<TemporaryFolder>();
  write_list(folder_->path(), "train", input.ratings->train);
  write_list(folder_->path(), "test", input.ratings->test);
}

void ExternalSolver::solve(Phases& phases) {
  seconds_.clear();
  // So that no factors of an earlier request are taken for those of this one.
  for (const char* file : {kPFile, kQFile}) std::filesystem::remove(folder_->path() / file);
  Event event = Event::answered;
  {
    const auto scope = phases.untimed("program");
    program_->ask({{"problem", "matrix_factorization"},
                   {"folder", folder_->path().string()},
                   {"users", input_->users()},
                   {"items", input_->items()},
                   {"task", task_of(*input_)},
                   {"parameters", json_of(parameters_)}});
    event = program_->next();
  }
  const auto refuse_turn = [this] {
    throw std::runtime_error(
        fmt::format("expected {} to start and stop the clock in turn, and then to answer", program_->title()));
  };
  double seconds = 0;
  while (event == Event::clock_starts) {
    {
      const auto scope = phases.cpu("train");
      const auto start = Clock::now();
      event = program_->next();
      seconds += std::chrono::duration<double>(Clock::now() - start).count();
    }
    if (event != Event::clock_stops) refuse_turn();
    seconds_.push_back(seconds);
    const auto scope = phases.untimed("program");
    event = program_->next();
  }
  if (event != Event::answered) refuse_turn();
  const auto scope = phases.untimed("program");
  rmse_ = program_->answered_numbers("rmse");
  const bool filled_p = read_factors(kPFile, 0, p_);
  const bool filled_q = read_factors(kQFile, 1, q_);
  refine_last_rmse(filled_p || filled_q);
}

void ExternalSolver::refine_last_rmse(bool rows_were_filled) {
  if (rmse_.empty() || !std::isfinite(rmse_.back())) return;
  const double rmse = rmse_of(input_->ratings->test, p_, q_, input_->k);
  // A program predicts in its own way where it has no factors.
  const bool same = rows_were_filled || std::abs(rmse - rmse_.back()) <= kTolerance * rmse + kPrintTolerance;
  if (same) rmse_.back() = rmse;  // else the judge finds the difference
}

void ExternalSolver::download(Answer& answer, Phases& /*phases*/) {
  answer = {p_, q_, rmse_, seconds_};
}

bool ExternalSolver::read_factors(const char* file, int matrix, std::vector<float>& factors) const {
  const std::filesystem::path path = folder_->path() / file;
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const auto wanted = static_cast<std::streamsize>(factors.size() * sizeof(float));
  if (const std::streamoff found = stream ? std::streamoff{stream.tellg()} : 0; found != wanted) {
    throw std::runtime_error(fmt::format("expected {} bytes of factors from {} in {}, found {}", wanted,
                                         program_->title(), path.string(), found));
  }
  stream.seekg(0);
  if (!stream.read(reinterpret_cast<char*>(factors.data()), wanted)) {
    throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  }
  const auto k = static_cast<std::size_t>(input_->k);
  bool filled = false;
  for (std::size_t row = 0; row < factors.size(); row += k) {
    const std::span<float> own = std::span(factors).subspan(row, k);
    if (!std::ranges::all_of(own, [](float factor) { return std::isnan(factor); })) continue;
    for (std::size_t f = 0; f < k; ++f) own[f] = initial_factor(*input_, matrix, row + f);
    filled = true;
  }
  return filled;
}

std::string external_command(const char* variable) {
  const char* const command = std::getenv(variable);
  return command == nullptr ? "" : command;
}

std::string why_unavailable(const char* variable, const std::string& needs) {
  const std::string program = program_of(external_command(variable));
  if (program.empty()) return needs;
  if (is_program(program)) return "";
  return fmt::format("{} names {}, which is no program here: correct its path", variable, program);
}

}  // namespace warpbench::matrix_factorization
