// Real collections of sets for the tests of solvers, where their files are here.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "datasets/source.hpp"
#include "datasets/transforms/sets.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::testing {

struct RealSets {
  std::string path;
  std::string format;

  [[nodiscard]] std::string name() const { return path.substr(0, path.find_first_of(".-")); }
};

inline void PrintTo(const RealSets& one, std::ostream* out) {
  *out << one.path;
}

inline const RealSets kRealSets[] = {{"retail.dat.gz", "transactions"},
                                     {"docword.kos.txt.gz", "bag_of_words"},
                                     {"mushroom.dat", "transactions"},
                                     {"BMS-WebView-1.dat", "transactions"}};

/// The `count` largest sets, in their order.
inline datasets::SetCollection largest(const datasets::SetCollection& sets, std::int64_t count) {
  return datasets::take_sets(sets, datasets::largest_sets(sets, count));
}

/// The `count` largest sets of a file; nothing where it is not under $WARPBENCH_DATA.
inline std::optional<datasets::SetCollection> largest_of(const RealSets& file, std::int64_t count) {
  const auto data = datasets::testing::data_dir();
  if (!data) return std::nullopt;
  datasets::Source source;
  source.name = file.path;
  source.from = datasets::FileSource{"sets/" + file.path, file.format, "", "", "", {}};
  datasets::LoadOptions options;
  options.data_dir = *data;
  if (!datasets::is_available(source, options)) return std::nullopt;
  return largest(datasets::load(source, options).as<datasets::SetCollection>(), count);
}

}  // namespace warpbench::testing
