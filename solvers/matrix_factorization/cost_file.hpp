// The cost models of a machine and their file: HSGD* measures once and keeps what it found (yu2023 §3.2.3, offline
// phase). The file is text, one model a line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "solvers/matrix_factorization/cost_model.hpp"

namespace warpbench::matrix_factorization {

/// A line and how far it is from what was measured (relative_error()).
struct LineModel {
  Line line;
  double residual = 0;
};
struct TwoPieceModel {
  TwoPieces pieces;
  double residual = 0;
};

/// Seconds for ratings, or for bytes that are copied.
struct CostModels {
  LineModel cpu_parts;    ///< a thread beside all others, parts of one size (Qilin)
  LineModel cpu_prefix;   ///< a thread beside all others, growing prefixes
  LineModel gpu_parts;    ///< whole blocks of one size (Qilin): copies in, kernel and copy out, one after the other
  TwoPieceModel copy_in;  ///< of bytes
  TwoPieceModel copy_out;
  TwoPieceModel kernel;
};

/// What an iteration has to do.
struct IterationWork {
  double ratings = 0;
  double threads = 1;         ///< n_c
  double columns = 1;         ///< blocks in which a GPU takes its share
  double segment_bytes = 0;   ///< of Q, which come with each block
  double bytes_a_rating = 0;  ///< which come with it; 0 where ratings stay on the device
};

/// Which models tell the times: Qilin's lines, or those made for the problem.
enum class CostModel { qilin, tailored };

/// T_c(share) / n_c: seconds of all threads for a share of the ratings.
[[nodiscard]] double cpu_seconds(const CostModels& models, CostModel which, const IterationWork& work, double share);
/// T_g(share) of one GPU: by Qilin's line, or for each block the longer of its copy in and its kernel (Eq. 3.9).
[[nodiscard]] double gpu_seconds(const CostModels& models, CostModel which, const IterationWork& work, double share);

/// A model with a larger residual tells no times: something else kept the machine busy meanwhile.
inline constexpr double kTolerableResidual = 0.5;
[[nodiscard]] double largest_residual(const CostModels& models);
/// The largest residual of those models that tell the times.
[[nodiscard]] double largest_residual(const CostModels& models, CostModel which);
/// What measure() finds; where a residual is not tolerable it measures once more, and each model is the better of two.
[[nodiscard]] CostModels measured_well(const std::function<CostModels()>& measure);

/// A file's text; `about` (one line) says what was measured.
[[nodiscard]] std::string to_text(const CostModels& models, const std::string& about);
/// Throws InputError with the line where the file is not as to_text() wrote it, or where a model cannot be one of
/// times.
[[nodiscard]] CostModels read_cost_models(const std::filesystem::path& file);
/// Makes the folder, too; readers see the whole file or none. Throws std::system_error, and leaves nothing then.
void write_cost_models(const std::filesystem::path& file, const CostModels& models, const std::string& about);

/// The file for this machine's CPU and number of cores, `device`, and what else times depend on (`key`), in the user's
/// cache: $WARPBENCH_CACHE, else warpbench in $XDG_CACHE_HOME or ~/.cache.
[[nodiscard]] std::filesystem::path cost_file(const std::string& device, const std::string& key);

}  // namespace warpbench::matrix_factorization
