#include "harness/record/status.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace warpbench::harness {
namespace {

constexpr std::array<std::pair<Status, const char*>, 12> kStatuses{{{Status::ok, "ok"},
                                                                    {Status::wrong, "wrong"},
                                                                    {Status::unverified, "unverified"},
                                                                    {Status::oom_host, "oom_host"},
                                                                    {Status::oom_device, "oom_device"},
                                                                    {Status::timeout, "timeout"},
                                                                    {Status::crash, "crash"},
                                                                    {Status::gpu_error, "gpu_error"},
                                                                    {Status::bad_input, "bad_input"},
                                                                    {Status::unsupported, "unsupported"},
                                                                    {Status::no_device, "no_device"},
                                                                    {Status::interrupted, "interrupted"}}};

}  // namespace

const char* to_string(Status status) {
  return std::ranges::find(kStatuses, status, &std::pair<Status, const char*>::first)->second;
}

Status status_from(const std::string& text) {
  std::string known;
  for (const auto& [status, name] : kStatuses) {
    if (text == name) return status;
    known += known.empty() ? name : std::string(", ") + name;
  }
  throw std::invalid_argument("unknown status '" + text + "'; known are " + known);
}

}  // namespace warpbench::harness
