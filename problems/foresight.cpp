#include "problems/foresight.hpp"

#include <map>
#include <utility>

namespace warpbench {
namespace {

std::map<std::string, Foresight>& foresights() {
  static std::map<std::string, Foresight> registered;
  return registered;
}

}  // namespace

bool register_foresight(const std::string& problem, Foresight foresight) {
  return foresights().emplace(problem, std::move(foresight)).second;
}

std::string foreseen_refusal(const std::string& problem, const datasets::Outline& outline, const Parameters& task) {
  const auto found = foresights().find(problem);
  return found == foresights().end() ? "" : found->second(outline, task);
}

}  // namespace warpbench
