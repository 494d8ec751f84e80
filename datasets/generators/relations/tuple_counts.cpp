#include "datasets/generators/relations/tuple_counts.hpp"

#include <cmath>

#include "datasets/input_error.hpp"
#include "datasets/relations.hpp"

namespace warpbench::datasets {

std::vector<ParameterDeclaration> tuple_parameters() {
  constexpr auto kMost = static_cast<double>(kMaxTuples);
  return {{"r_tuples", 0, 0, kMost, "tuples of R at scale 1", true},
          {"s_tuples", 0, 0, kMost, "tuples of S at scale 1", true}};
}

TupleCounts scaled_tuples(const std::string& where, const Properties& values) {
  const auto scaled = [&](const char* name) {
    const std::int64_t tuples = std::llround(static_cast<double>(integer(values, name)) * real(values, "scale"));
    if (tuples > kMaxTuples) {
      throw InputError(where, 0, "at most " + std::to_string(kMaxTuples) + " tuples after scaling",
                       std::string(name) + ": " + std::to_string(tuples));
    }
    return tuples;
  };
  return {scaled("r_tuples"), scaled("s_tuples")};
}

}  // namespace warpbench::datasets
