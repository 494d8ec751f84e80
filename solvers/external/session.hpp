// ExternalSession: what solvers that are programs of their own share, whatever their problem: the program, the folder
// of files that both sides see, and the clock that runs while the program says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "problems/parameters.hpp"
#include "solvers/external/program.hpp"
#include "solvers/external/temporary_folder.hpp"
#include "solvers/phases.hpp"

namespace warpbench {

class ExternalSession {
 public:
  /// Starts `command`, phase `start`. Throws Unsupported where the program cannot be had.
  ExternalSession(const std::string& command, Phases& phases);

  /// Writes the values into a file of the folder, without a header. Throws std::runtime_error where there is no room.
  template <typename Values>
  void write(const std::string& file, const Values& values) const {
    write_bytes(file, std::as_bytes(std::span(values.begin(), values.end())));
  }
  /// Reads the values of an answer's file, and removes it. Throws std::runtime_error where they are not so many.
  template <typename Value>
  [[nodiscard]] std::vector<Value> read(const std::string& file, std::uint64_t count) const {
    check_size(file, count, sizeof(Value));
    std::vector<Value> values(count);
    read_bytes(file, std::as_writable_bytes(std::span(values)));
    return values;
  }
  [[nodiscard]] std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

  /// Has the program prepare itself for requests of `problem`: {problem, folder, request…, parameters}. Phase `load`,
  /// but for the time that the program's clock runs: phase `build`.
  void prepare(const char* problem, nlohmann::json request, const Parameters& parameters, Phases& phases);
  /// Sends {problem, folder, request…, parameters} and waits for the answer. The time is this process's clock while the
  /// program says that it works, under the name `phase`; all else is untimed, as `program`. Returns the seconds at the
  /// end of each turn of the clock, from the first on. Throws as ExternalProgram::next().
  std::vector<double> solve(const char* problem, nlohmann::json request, const Parameters& parameters,
                            const char* phase, Phases& phases);

  /// The same where the clock runs once, and the program may leave `answer_file`, which is removed before the request
  /// so that none of an earlier one is taken for this one's. Throws where the clock does not run exactly once.
  void solve_in_one_turn(const char* problem, nlohmann::json request, const Parameters& parameters, const char* phase,
                         const char* answer_file, Phases& phases);
  /// The same for an answer that is a file of `values`, as many as there are. Throws where the file has another size.
  void solve_once(const char* problem, nlohmann::json request, const Parameters& parameters, const char* phase,
                  const char* answer_file, std::span<std::uint32_t> values, Phases& phases);

  [[nodiscard]] const ExternalProgram& program() const { return program_; }

 private:
  [[nodiscard]] static ExternalProgram start(const std::string& command, Phases& phases);
  void write_bytes(const std::string& file, std::span<const std::byte> bytes) const;
  void check_size(const std::string& file, std::uint64_t count, std::size_t size) const;
  void read_bytes(const std::string& file, std::span<std::byte> bytes) const;

  TemporaryFolder folder_;  // outlives the program, which may still write to it
  ExternalProgram program_;
};

}  // namespace warpbench
