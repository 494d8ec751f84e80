// The generators by name: synthetic datasets, and the stand-ins for published ones that cannot be had.
//
// A generator's result is a function of its parameters and seed alone: the same on any number of
// threads and any machine (random.hpp, fixed_math.hpp). Every generator has `scale`, the share of the
// full size that is made: vertices, edges and hub degrees shrink in proportion, max_degree as the cut-off of
// a power law does, by scale^(1 / (exponent - 1)).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

struct Generator {
  std::string name;
  Kind kind;
  std::string meaning;  // one line
  std::vector<ParameterDeclaration> parameters;
  Content (*generate)(const Properties& resolved, std::uint64_t seed, int threads);
};

/// Part of the cache key of generated data: raise it with any change to what a generator makes.
inline constexpr std::uint64_t kGeneratorVersion = 1;

/// All generators, sorted by name.
[[nodiscard]] std::span<const Generator> generators();

/// The generator of that name; InputError(where) with the nearest name otherwise.
[[nodiscard]] const Generator& generator_named(const std::string& where, const std::string& name);

/// Resolves `parameters` and generates. Throws InputError.
[[nodiscard]] Content generate(const std::string& generator, const Properties& parameters, std::uint64_t seed = 1,
                               int threads = 0);

}  // namespace warpbench::datasets
