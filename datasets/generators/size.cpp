#include "datasets/generators/size.hpp"

#include <algorithm>
#include <cmath>

#include "datasets/graphs/csr.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {

ParameterDeclaration scale_parameter() {
  return {"scale", 1.0, 1e-7, 16.0, "share of the full size that is made", false};
}

std::vector<ParameterDeclaration> size_parameters() {
  return {{"vertices", 0, 2, static_cast<double>(kMaxVertex + 1), "vertices at scale 1", true},
          {"edges", 0, 1, 1e12, "undirected edges at scale 1", true},
          scale_parameter()};
}

std::vector<ParameterDeclaration> degree_parameters() {
  return {{"exponent", 2.5, 1.5, 10.0, "exponent of the degrees' power law, P(degree = d) ~ d^-exponent", false},
          {"max_degree", 0, 2, 1e7, "largest expected degree at scale 1", true}};
}

GraphSize scaled_size(const std::string& where, const Properties& values) {
  const double scale = real(values, "scale");
  const auto scaled = [&](const char* name) {
    return static_cast<std::int64_t>(std::llround(static_cast<double>(integer(values, name)) * scale));
  };
  const GraphSize size{scaled("vertices"), scaled("edges")};
  if (size.vertices < 2 || static_cast<std::uint64_t>(size.vertices) > kMaxVertex + 1) {
    throw InputError(where, 0, "2 to " + std::to_string(kMaxVertex + 1) + " vertices after scaling",
                     std::to_string(size.vertices));
  }
  const double most = static_cast<double>(size.vertices) * static_cast<double>(size.vertices - 1) / 4.0;
  if (static_cast<double>(size.edges) > most) {
    throw InputError(where, 0,
                     "edges for at most half of all pairs, " + std::to_string(static_cast<std::int64_t>(most)),
                     std::to_string(size.edges));
  }
  return size;
}

double scaled_max_degree(const Properties& values, const GraphSize& size) {
  const double cutoff = std::pow(real(values, "scale"), 1.0 / (real(values, "exponent") - 1.0));
  const double wanted = std::round(static_cast<double>(integer(values, "max_degree")) * cutoff);
  const auto n = static_cast<double>(size.vertices);
  const double average = 2.0 * static_cast<double>(size.edges) / n;
  return std::min(std::max(wanted, std::ceil(4.0 * average)), n - 1.0);
}

}  // namespace warpbench::datasets
