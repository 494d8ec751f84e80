#include "baselines/nearest_neighbors/external.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <system_error>

#include "solvers/nearest_neighbors/float_space.hpp"

namespace warpbench::nearest_neighbors {
namespace {

constexpr const char* kProblem = "nearest_neighbors";
constexpr const char* kNeighborFile = "neighbors.u32";

std::span<const float> values_of(const VectorBlock& block) {
  return {block.values, static_cast<std::size_t>(block.count * block.dimension)};
}

}  // namespace

void ExternalSearch::prepare(const Input& input, Phases& phases) {
  input_ = &input;
  neighbors_.assign(static_cast<std::size_t>(input.queries() * input.k), kNone<std::uint32_t>);
  start(phases);
  const FloatSpace space(input);
  {
    const auto scope = phases.cpu("write");
    session().write("points.f32", values_of(space.points()));
    session().write("queries.f32", values_of(space.queries()));
  }
  session().prepare(kProblem,
                    {{"points", input.points()},
                     {"queries", input.queries()},
                     {"dimension", input.dimension()},
                     {"metric", space.form() == Form::inner_product ? "inner_product" : "euclidean"}},
                    parameters(), phases);
}

void ExternalSearch::solve(Phases& phases) {
  const std::filesystem::path path = session().file(kNeighborFile);
  {
    // So that no answer to an earlier request is taken for one to this.
    const auto scope = phases.untimed("program");
    std::filesystem::remove(path);
  }
  const std::vector<double> ends =
      session().solve(kProblem, {{"task", {{"k", input_->k}}}}, parameters(), "search", phases);
  const auto scope = phases.untimed("program");
  if (ends.size() != 1) {
    throw std::runtime_error(fmt::format("expected {} to run the clock once, for its search, found {} times",
                                         session().program().title(), ends.size()));
  }
  const std::size_t bytes = neighbors_.size() * sizeof(std::uint32_t);
  std::error_code error;
  if (const std::uintmax_t found = std::filesystem::file_size(path, error); error || found != bytes) {
    throw std::runtime_error(fmt::format("expected {} x {} ids of 4 bytes from {} in {}, found {}", input_->queries(),
                                         input_->k, session().program().title(), path.string(),
                                         error ? error.message() : fmt::format("{} bytes", found)));
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(neighbors_.data()), static_cast<std::streamsize>(bytes)))
    throw std::runtime_error(fmt::format("cannot read {}", path.string()));
}

void ExternalSearch::download(Answer& answer, Phases& /*phases*/) {
  answer.neighbors = neighbors_;
}

}  // namespace warpbench::nearest_neighbors
