// RowFile: where a solver of theta_join puts rows that are to go to a file. It lies in the folder for temporary files
// (TMPDIR) and goes with the object or, where the process was killed, with the next one that makes such a folder.
//
//   RowFile file;
//   file.start_over();
//   file.append(rows);               // from any thread
//   answer.file = file.path();
//
// A row is in the file once append() has given it to the operating system: nothing waits for the disk. So a file of
// rows that fit into memory may be written at memory's speed, and a larger one at the disk's.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>

#include "datasets/io/descriptor.hpp"
#include "problems/theta_join/rows.hpp"
#include "solvers/external/temporary_folder.hpp"

namespace warpbench::theta {

class RowFile {
 public:
  /// An empty file. Throws std::system_error.
  RowFile();

  /// Empties the file. Throws std::system_error.
  void start_over();
  /// Adds the rows, in one piece. Threads may call it at once; their pieces come in any order. Where there is no room
  /// for them it throws Unsupported, on other errors std::system_error; the file is then empty until start_over().
  void append(std::span<const Row> rows);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::uint64_t count() const { return bytes_ / kRowBytes; }

 private:
  void write(std::span<const std::byte> bytes, std::uint64_t at);
  [[noreturn]] void give_up(int error);

  TemporaryFolder folder_;
  std::filesystem::path path_;
  datasets::Descriptor file_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<int> error_ = 0;  ///< why a piece could not be written
};

}  // namespace warpbench::theta
