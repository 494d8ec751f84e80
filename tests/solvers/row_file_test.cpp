// The file of theta_join's rows: what threads append is there, whole rows; it goes with its object; and one for which
// there is no room leaves nothing.
#include "solvers/theta_join/row_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "solvers/registry.hpp"
#include "tests/problems/support/file_size_limit.hpp"

namespace warpbench::theta {
namespace {

std::vector<Row> some_rows(std::int32_t first, std::int32_t count) {
  std::vector<Row> rows;
  for (std::int32_t i = first; i < first + count; ++i) rows.push_back({i, -i, 3 * i});
  return rows;
}

TEST(RowFile, HoldsWhatThreadsAppend) {
  constexpr std::int32_t kThreads = 4;
  constexpr std::int32_t kPieces = 50;
  constexpr std::int32_t kRows = 101;
  RowFile file;
  file.append(some_rows(0, 7));
  file.start_over();
  std::vector<std::thread> threads;
  for (std::int32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&file, t] {
      for (std::int32_t p = 0; p < kPieces; ++p) file.append(some_rows((t * kPieces + p) * kRows, kRows));
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::vector<Row> all = some_rows(0, kThreads * kPieces * kRows);
  const FileDigest found = digest_of_file(file.path());
  EXPECT_EQ(found.bytes, all.size() * kRowBytes);
  EXPECT_EQ(found.digest, digest_of_rows(all));
  EXPECT_EQ(file.count(), all.size());
}

TEST(RowFile, GoesWithItsObject) {
  std::filesystem::path left;
  {
    RowFile file;
    file.append(some_rows(0, 3));
    left = file.path();
    EXPECT_EQ(std::filesystem::file_size(left), 3 * kRowBytes);
  }
  EXPECT_FALSE(std::filesystem::exists(left.parent_path()));
}

TEST(RowFile, LeavesNothingHalfWrittenWhereThereIsNoRoom) {
  RowFile file;
  const std::vector<Row> rows = some_rows(0, 1000);
  const testing::FileSizeLimit limit(rows.size() * kRowBytes + 100);
  file.append(rows);
  std::string said;
  try {
    file.append(rows);
  } catch (const Unsupported& error) {
    said = error.what();
  }
  EXPECT_NE(said.find("expected room for a file of 24000 bytes"), std::string::npos) << said;
  EXPECT_NE(said.find("TMPDIR"), std::string::npos) << said;
  EXPECT_EQ(std::filesystem::file_size(file.path()), 0U);
  EXPECT_THROW(file.append(some_rows(0, 1)), Unsupported);
  EXPECT_EQ(std::filesystem::file_size(file.path()), 0U);
  file.start_over();
  file.append(rows);
  EXPECT_EQ(digest_of_file(file.path()).digest, digest_of_rows(rows));
}

}  // namespace
}  // namespace warpbench::theta
