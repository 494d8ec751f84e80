#include "solvers/matrix_factorization/cost_file.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <span>
#include <sstream>
#include <system_error>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/io/temporary.hpp"

namespace warpbench::matrix_factorization {
namespace {

namespace fs = std::filesystem;
using datasets::InputError;

/// Of how costs are measured and kept. It is part of a file's name, so that an older file is not looked at.
constexpr int kVersion = 3;
const std::string kFirstLine = fmt::format("warpbench cost models {}", kVersion);
constexpr const char* kFix = "delete the file, it is then measured anew";

/// A line of the file: its name and where its numbers are.
struct Entry {
  std::string name;
  std::vector<double*> numbers;
  std::vector<const double*> positive;      ///< those that are above 0
  std::vector<const double*> not_negative;  ///< those that are 0 or above
  const char* demand;                       ///< the same in words
};

std::vector<Entry> entries_of(CostModels& models) {
  const auto line = [](const char* name, LineModel& model) {
    Line& own = model.line;
    return Entry{name,
                 {&own.a, &own.b, &model.residual},
                 {&own.a},
                 {&own.b, &model.residual},
                 "a slope above 0, then an intercept and a residual of at least 0"};
  };
  const auto pieces = [](const char* name, TwoPieceModel& model) {
    TwoPieces& p = model.pieces;
    return Entry{name,
                 {&p.tau, &p.a, &p.b, &p.least_rate, &p.above.a, &p.above.b, &model.residual},
                 {&p.least_rate, &p.above.a},
                 {&p.tau, &p.above.b, &model.residual},
                 "a least rate and a slope above 0, and tau, the line's intercept and the residual of at least 0"};
  };
  return {line("cpu_parts", models.cpu_parts), line("cpu_prefix", models.cpu_prefix),
          line("gpu_parts", models.gpu_parts), pieces("copy_in", models.copy_in),
          pieces("copy_out", models.copy_out), pieces("kernel", models.kernel)};
}

std::string environment_or(const char* name, const std::string& fallback) {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 1);
  }
  return "cpu";
}

/// Letters, digits and single dashes.
std::string as_file_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

/// Exactly as many finite numbers as wanted.
bool read_numbers(std::istringstream& from, const std::vector<double*>& numbers) {
  for (double* const number : numbers) {
    if (!(from >> *number) || !std::isfinite(*number)) return false;
  }
  std::string rest;
  return !(from >> rest);
}

}  // namespace

double cpu_seconds(const CostModels& models, CostModel which, const IterationWork& work, double share) {
  const double ratings = share * work.ratings;
  if (ratings <= 0) return 0;
  const LineModel& model = which == CostModel::qilin ? models.cpu_parts : models.cpu_prefix;
  return model.line.seconds(ratings) / work.threads;
}

double gpu_seconds(const CostModels& models, CostModel which, const IterationWork& work, double share) {
  const double ratings = share * work.ratings;
  if (ratings <= 0) return 0;
  if (which == CostModel::qilin) return models.gpu_parts.line.seconds(ratings);
  const double block = ratings / work.columns;
  const double copy_in = models.copy_in.pieces.seconds(block * work.bytes_a_rating + work.segment_bytes);
  return work.columns * std::max(copy_in, models.kernel.pieces.seconds(block));
}

double largest_residual(const CostModels& models, CostModel which) {
  if (which == CostModel::qilin) return std::max(models.cpu_parts.residual, models.gpu_parts.residual);
  return std::max({models.cpu_prefix.residual, models.copy_in.residual, models.kernel.residual});
}

double largest_residual(const CostModels& models) {
  return std::max({largest_residual(models, CostModel::qilin), largest_residual(models, CostModel::tailored),
                   models.copy_out.residual});
}

CostModels measured_well(const std::function<CostModels()>& measure) {
  CostModels models = measure();
  if (largest_residual(models) <= kTolerableResidual) return models;
  const CostModels again = measure();
  const auto take_better = [](auto& model, const auto& other) {
    if (other.residual < model.residual) model = other;
  };
  take_better(models.cpu_parts, again.cpu_parts);
  take_better(models.cpu_prefix, again.cpu_prefix);
  take_better(models.gpu_parts, again.gpu_parts);
  take_better(models.copy_in, again.copy_in);
  take_better(models.copy_out, again.copy_out);
  take_better(models.kernel, again.kernel);
  return models;
}

std::string to_text(const CostModels& models, const std::string& about) {
  CostModels copy = models;
  std::string text = fmt::format(
      "{}\n"
      "# {}\n"
      "# Seconds for a number of ratings, copies: of bytes. The last number of a line is the relative residual.\n"
      "# cpu_parts, cpu_prefix, gpu_parts: a b of a size + b. The others: tau, a b of size / (a growth(size) + b) up\n"
      "# to tau, the least rate, a b of the line above tau; growth is log for the kernel, its square root for "
      "copies.\n",
      kFirstLine, about);
  for (const Entry& entry : entries_of(copy)) {
    text += entry.name;
    for (const double* const number : entry.numbers) text += fmt::format(" {}", *number);
    text += '\n';
  }
  return text;
}

CostModels read_cost_models(const fs::path& file) {
  std::ifstream in(file);
  if (!in) throw InputError(file.string(), 0, "a file of cost models", "one that cannot be read", kFix);
  CostModels models;
  models.copy_in.pieces.growth = models.copy_out.pieces.growth = Growth::sqrt_log;
  std::vector<Entry> missing = entries_of(models);
  std::uint64_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (number == 1 && line != kFirstLine) {
      throw InputError(file.string(), 1, fmt::format("'{}'", kFirstLine), fmt::format("'{}'", line), kFix);
    }
    if (number == 1 || line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto entry = std::ranges::find(missing, name, &Entry::name);
    if (entry == missing.end()) {
      throw InputError(file.string(), number, "the name of a cost model that is not there yet",
                       fmt::format("'{}'", name), kFix);
    }
    if (!read_numbers(words, entry->numbers)) {
      throw InputError(file.string(), number, fmt::format("{} and {} finite numbers", name, entry->numbers.size()),
                       fmt::format("'{}'", line), kFix);
    }
    const auto is_positive = [](const double* value) { return *value > 0; };
    const auto is_not_negative = [](const double* value) { return *value >= 0; };
    if (!std::ranges::all_of(entry->positive, is_positive) ||
        !std::ranges::all_of(entry->not_negative, is_not_negative)) {
      throw InputError(file.string(), number, fmt::format("{} with {}", name, entry->demand), fmt::format("'{}'", line),
                       kFix);
    }
    missing.erase(entry);
  }
  if (!missing.empty()) {
    throw InputError(file.string(), 0, fmt::format("a line '{} …'", missing.front().name), "none", kFix);
  }
  return models;
}

void write_cost_models(const fs::path& file, const CostModels& models, const std::string& about) {
  fs::create_directories(file.parent_path());
  fs::path made;
  if (!datasets::create_temporary(file, made).open()) {
    throw std::system_error(errno, std::generic_category(), "cannot create " + made.string());
  }
  try {
    std::ofstream out(made);
    out << to_text(models, about);
    out.close();
    if (!out) throw std::system_error(std::make_error_code(std::errc::io_error), "cannot write " + made.string());
    fs::rename(made, file);
  } catch (const std::system_error&) {
    std::error_code ignored;  // the first failure is the one to report
    fs::remove(made, ignored);
    throw;
  }
}

fs::path cost_file(const std::string& device, const std::string& key) {
  const std::string home = environment_or("HOME", "/tmp");
  const fs::path cache =
      environment_or("WARPBENCH_CACHE", environment_or("XDG_CACHE_HOME", home + "/.cache") + "/warpbench");
  return cache / "cost-models" /
         (as_file_name(
              fmt::format("{} {} cores {} {} version {}", cpu_name(), omp_get_max_threads(), device, key, kVersion)) +
          ".txt");
}

}  // namespace warpbench::matrix_factorization
