#include "baselines/matrix_factorization/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>

#include "solvers/external/own_program.hpp"

namespace warpbench::matrix_factorization {
namespace {

using Json = nlohmann::json;

constexpr const char* kPFile = "p.f32";
constexpr const char* kQFile = "q.f32";

/// How far the last RMSE that a program reports may be from that of its factors: a share for its arithmetic, and what
/// is lost in print, which is four decimals of LIBMF.
constexpr double kTolerance = 1e-3;
constexpr double kPrintTolerance = 5e-5;

void write_list(const ExternalSession& session, const std::string& name, const datasets::RatingList& list) {
  session.write(name + "_users.u32", list.users);
  session.write(name + "_items.u32", list.items);
  session.write(name + "_values.f32", list.values);
}

Json task_of(const MatrixFactorization::Input& input) {
  return {{"k", input.k},         {"lambda_p", input.lambda_p},     {"lambda_q", input.lambda_q},
          {"gamma", input.gamma}, {"iterations", input.iterations}, {"seed", input.seed}};
}

[[maybe_unused]] const bool kRegisteredOwnProgram = register_own_program<MatrixFactorization, ExternalFactorization>();

}  // namespace

void ExternalFactorization::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  p_.resize(static_cast<std::size_t>(input.users() * input.k));
  q_.resize(static_cast<std::size_t>(input.items() * input.k));
  start(phases);
  const auto scope = phases.cpu("write");
  write_list(session(), "train", input.ratings->train);
  write_list(session(), "test", input.ratings->test);
}

void ExternalFactorization::solve(Phases& phases) {
  seconds_.clear();
  {
    // So that no factors of an earlier request are taken for those of this one.
    const auto scope = phases.untimed("program");
    for (const char* file : {kPFile, kQFile}) std::filesystem::remove(session().file(file));
  }
  const Json request{{"users", input_->users()}, {"items", input_->items()}, {"task", task_of(*input_)}};
  seconds_ = session().solve("matrix_factorization", request, parameters(), "train", phases);
  const auto scope = phases.untimed("program");
  rmse_ = session().program().answered_numbers("rmse");
  const bool filled_p = read_factors(kPFile, 0, p_);
  const bool filled_q = read_factors(kQFile, 1, q_);
  refine_last_rmse(filled_p || filled_q);
}

void ExternalFactorization::refine_last_rmse(bool rows_were_filled) {
  const bool left_out = std::ssize(rmse_) == input_->iterations - 1;
  if (!left_out && (rmse_.empty() || !std::isfinite(rmse_.back()))) return;
  const double rmse = rmse_of(input_->ratings->test, p_, q_, input_->k);
  if (left_out) {
    rmse_.push_back(rmse);
    return;
  }
  // A program predicts in its own way where it has no factors.
  const bool same = rows_were_filled || std::abs(rmse - rmse_.back()) <= kTolerance * rmse + kPrintTolerance;
  if (same) rmse_.back() = rmse;  // else the judge finds the difference
}

void ExternalFactorization::download(Answer& answer, Phases& /*phases*/) {
  answer = {p_, q_, rmse_, seconds_};
}

bool ExternalFactorization::read_factors(const char* file, int matrix, std::vector<float>& factors) const {
  const std::filesystem::path path = session().file(file);
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  const auto wanted = static_cast<std::streamsize>(factors.size() * sizeof(float));
  if (const std::streamoff found = stream ? std::streamoff{stream.tellg()} : 0; found != wanted) {
    throw std::runtime_error(fmt::format("expected {} bytes of factors from {} in {}, found {}", wanted,
                                         session().program().title(), path.string(), found));
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

}  // namespace warpbench::matrix_factorization
