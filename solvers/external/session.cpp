#include "solvers/external/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <variant>

namespace warpbench {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
using Said = ExternalProgram::Event;

Json json_of(const Parameters& parameters) {
  Json json = Json::object();
  for (const auto& [name, value] : parameters.values()) {
    json[name] = std::visit([](const auto& held) { return Json(held); },
                            static_cast<const std::variant<bool, std::int64_t, double, std::string>&>(value));
  }
  return json;
}

}  // namespace

ExternalProgram ExternalSession::start(const std::string& command, Phases& phases) {
  const auto scope = phases.cpu("start");
  return ExternalProgram(command);
}

ExternalSession::ExternalSession(const std::string& command, Phases& phases) : program_(start(command, phases)) {}

void ExternalSession::write_bytes(const std::string& file_name, std::span<const std::byte> bytes) const {
  const std::filesystem::path path = file(file_name);
  std::ofstream stream(path, std::ios::binary);
  stream.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream)
    throw std::runtime_error(fmt::format("cannot write {}: set TMPDIR to a folder with room", path.string()));
}

void ExternalSession::prepare(const char* problem, Json request, const Parameters& parameters, Phases& phases) {
  const auto start = Clock::now();
  request["problem"] = problem;
  request["folder"] = folder_.path().string();
  request["parameters"] = json_of(parameters);
  const double build = program_.prepare(request);
  if (build > 0) phases.add("build", build);
  phases.add("load", std::chrono::duration<double>(Clock::now() - start).count() - build);
}

std::vector<double> ExternalSession::solve(const char* problem, Json request, const Parameters& parameters,
                                           const char* phase, Phases& phases) {
  request["problem"] = problem;
  request["folder"] = folder_.path().string();
  request["parameters"] = json_of(parameters);
  Said event = Said::answered;
  {
    const auto scope = phases.untimed("program");
    program_.ask(request);
    event = program_.next();
  }
  const auto refuse_turn = [this] {
    throw std::runtime_error(
        fmt::format("expected {} to start and stop the clock in turn, and then to answer", program_.title()));
  };
  std::vector<double> ends;
  double seconds = 0;
  while (event == Said::clock_starts) {
    {
      const auto scope = phases.cpu(phase);
      const auto start = Clock::now();
      program_.confirm_clock(true);
      event = program_.next();
      seconds += std::chrono::duration<double>(Clock::now() - start).count();
    }
    if (event != Said::clock_stops) refuse_turn();
    ends.push_back(seconds);
    const auto scope = phases.untimed("program");
    program_.confirm_clock(false);
    event = program_.next();
  }
  if (event != Said::answered) refuse_turn();
  return ends;
}

void ExternalSession::solve_in_one_turn(const char* problem, Json request, const Parameters& parameters,
                                        const char* phase, const char* answer_file, Phases& phases) {
  {
    const auto scope = phases.untimed("program");
    std::filesystem::remove(file(answer_file));
  }
  const std::vector<double> ends = solve(problem, std::move(request), parameters, phase, phases);
  if (ends.size() != 1) {
    throw std::runtime_error(
        fmt::format("expected {} to run the clock once, found {} times", program_.title(), ends.size()));
  }
}

void ExternalSession::solve_once(const char* problem, Json request, const Parameters& parameters, const char* phase,
                                 const char* answer_file, std::span<std::uint32_t> values, Phases& phases) {
  solve_in_one_turn(problem, std::move(request), parameters, phase, answer_file, phases);
  const auto scope = phases.untimed("program");
  check_size(answer_file, values.size(), sizeof(std::uint32_t));
  read_bytes(answer_file, std::as_writable_bytes(values));
}

void ExternalSession::check_size(const std::string& name, std::uint64_t count, std::size_t size) const {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file(name), error);
  if (error || bytes % size != 0 || bytes / size != count) {
    throw std::runtime_error(fmt::format("expected {} numbers of {} bytes from {} in {}, found {}", count, size,
                                         program_.title(), file(name).string(),
                                         error ? error.message() : fmt::format("{} bytes", bytes)));
  }
}

void ExternalSession::read_bytes(const std::string& name, std::span<std::byte> bytes) const {
  std::ifstream stream(file(name), std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
    throw std::runtime_error(fmt::format("cannot read {} bytes from {}", bytes.size(), file(name).string()));
  }
  stream.close();
  std::filesystem::remove(file(name));
}

}  // namespace warpbench
