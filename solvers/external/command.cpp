#include "solvers/external/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "datasets/io/digest.hpp"

namespace warpbench {
namespace {

bool is_executable(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// The file that would be executed under this name; empty if there is none.
std::filesystem::path found_program(const std::string& name) {
  if (name.find('/') != std::string::npos)
    return is_executable(name) ? std::filesystem::path(name) : std::filesystem::path();
  const char* const folders = std::getenv("PATH");
  std::istringstream stream(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (std::filesystem::path path = std::filesystem::path(folder) / name; is_executable(path)) return path;
  }
  return {};
}

}  // namespace

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string program_of(const std::string& command) {
  const std::vector<std::string> words = words_of(command);
  return words.empty() ? "" : words.front();
}

bool is_program(const std::string& name) {
  return !found_program(name).empty();
}

std::string digests_of(const std::string& command) {
  if (!datasets::has_sha256()) return "";
  std::string text;
  const std::vector<std::string> words = words_of(command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::filesystem::path file = i == 0 ? found_program(words[i]) : std::filesystem::path(words[i]);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) continue;
    try {
      const std::string digest = datasets::sha256_file(file);
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", file.filename().string(), digest);
    } catch (const std::runtime_error&) {
      continue;  // not readable, or gone meanwhile: the record is without it
    }
  }
  return text;
}

}  // namespace warpbench
