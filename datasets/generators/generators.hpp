// The generators by name: synthetic datasets, and stand-ins for published ones that are not available.
//
// A generator's result depends on its parameters and seed alone: it is the same on any number of threads and any
// machine (random.hpp, fixed_math.hpp). Every generator has `scale`, the share of the full size to make: vertices,
// edges and hub degrees shrink in proportion; max_degree, the cut-off of a power law, shrinks by scale^(1 / (exponent -
// 1)).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/array_room.hpp"
#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

struct Generator {
  std::string name;
  Kind kind;
  std::string meaning;  // one line
  std::vector<ParameterDeclaration> parameters;
  Content (*generate)(const Properties& resolved, std::uint64_t seed, int threads);
  /// The same, with large arrays in room of the caller; none: it makes its own.
  Content (*generate_into)(const Properties& resolved, std::uint64_t seed, int threads,
                           const MakeRoom& make_room) = nullptr;
};

/// Part of the cache key of generated data: raise it whenever a generator's output changes.
inline constexpr std::uint64_t kGeneratorVersion = 1;

/// All generators, sorted by name.
[[nodiscard]] std::span<const Generator> generators();

/// The generator of that name; otherwise throws InputError(where) with the nearest name.
[[nodiscard]] const Generator& generator_named(const std::string& where, const std::string& name);

/// Resolves `parameters` and generates. Throws InputError.
[[nodiscard]] Content generate(const std::string& generator, const Properties& parameters, std::uint64_t seed = 1,
                               int threads = 0);

}  // namespace warpbench::datasets
