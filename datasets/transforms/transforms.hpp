// The transforms by name: what is done to a dataset between its source and its use. Each is a plain
// function too, for solvers that relabel inside their preparation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

struct TransformEntry {
  std::string name;
  std::string meaning;  // one line
  std::vector<ParameterDeclaration> parameters;
  Kind gives;  // None: the kind it was given
  Content (*apply)(Content&& content, const Properties& resolved, int threads);
};

/// All transforms, sorted by name.
[[nodiscard]] std::span<const TransformEntry> transforms();

/// The transform of that name; InputError(where) with the nearest name otherwise.
[[nodiscard]] const TransformEntry& transform_named(const std::string& where, const std::string& name);

/// Resolves `parameters` and applies. Throws InputError; also where the data are of a kind it is not for.
[[nodiscard]] Content transform(Content content, const std::string& name, const Properties& parameters = {},
                                int threads = 0);

}  // namespace warpbench::datasets
