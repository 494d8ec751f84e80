#include "problems/problem.hpp"

#include <algorithm>

namespace warpbench {
namespace {

std::vector<ProblemEntry>& registered() {
  static std::vector<ProblemEntry> entries;
  return entries;
}

}  // namespace

const std::vector<ProblemEntry>& problems() {
  return registered();
}

const ProblemEntry* find_problem(const std::string& id) {
  const auto found = std::ranges::find_if(registered(), [&](const ProblemEntry& entry) { return entry.info.id == id; });
  return found == registered().end() ? nullptr : &*found;
}

bool detail::register_problem(ProblemEntry entry) {
  std::vector<ProblemEntry>& entries = registered();
  entries.push_back(std::move(entry));
  std::ranges::sort(entries, {}, [](const ProblemEntry& e) { return e.info.id; });
  return true;
}

}  // namespace warpbench
