// fetch() over file:// URLs: whole, resumed, altered, refused.
#include "datasets/io/fetch.hpp"

#include "datasets/io/digest.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

class Fetch : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has_fetch() || !has_sha256()) GTEST_SKIP() << "built without libcurl or OpenSSL";
    write_file(folder_ / "origin", std::string(100'000, 'a') + "end");
    url_ = "file://" + (folder_ / "origin").string();
    sha256_ = sha256_file(folder_ / "origin");
  }

  TemporaryFolder folder_;
  std::string url_;
  std::string sha256_;
};

TEST_F(Fetch, DownloadsVerifiesAndRenames) {
  EXPECT_EQ(fetch(url_, folder_ / "new" / "file", sha256_), sha256_);
  EXPECT_EQ(read_file(folder_ / "new" / "file"), read_file(folder_ / "origin"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "new" / "file.part"));
}

TEST_F(Fetch, ResumesAPartAndNoticesAnAlteredOne) {
  write_file(folder_ / "file.part", std::string(70'000, 'a'));
  EXPECT_EQ(fetch(url_, folder_ / "file", sha256_), sha256_);
  write_file(folder_ / "file2.part", std::string(70'000, 'b'));
  const auto error = error_of([&] { return fetch(url_, folder_ / "file2", sha256_); });
  ASSERT_TRUE(error) << "a part that does not belong is found by the digest";
  EXPECT_FALSE(std::filesystem::exists(folder_ / "file2.part"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "file2"));
  EXPECT_EQ(fetch(url_, folder_ / "file2", sha256_), sha256_);
}

TEST_F(Fetch, StartsAfreshWhenThePartIsTooLong) {
  write_file(folder_ / "file.part", std::string(200'000, 'a'));
  EXPECT_EQ(fetch(url_, folder_ / "file", sha256_), sha256_);
}

TEST_F(Fetch, RefusesOtherSchemesAndMissingFiles) {
  EXPECT_THROW(static_cast<void>(fetch("http://example.org/x", folder_ / "file", "")), InputError);
  EXPECT_THROW(static_cast<void>(fetch("ftp://example.org/x", folder_ / "file", "")), InputError);
  EXPECT_THROW(static_cast<void>(fetch(url_ + ".not", folder_ / "file", "")), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "file"));
}

}  // namespace
}  // namespace warpbench::datasets::testing
