// Fixture of the tests that load a source from files of their own.
#pragma once

#include <string>
#include <utility>

#include "datasets/source.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {

/// A source whose files and cache lie in a temporary folder.
class SourceFixture : public ::testing::Test {
 protected:
  SourceFixture(std::string name, FileSource from) {
    source_.name = std::move(name);
    source_.from = std::move(from);
    options_.data_dir = folder_.path();
    options_.cache_dir = folder_ / "cache";
  }

  /// Why load() refuses the source; fails where it does not.
  std::string refusal() {
    const auto error = error_of([&] { return load(source_, options_); });
    return error ? std::string(error->what()) : "";
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

  TemporaryFolder folder_;
  Source source_;
  LoadOptions options_;
};

}  // namespace warpbench::datasets::testing
