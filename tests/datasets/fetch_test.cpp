// fetch() over file:// URLs: whole, resumed, altered, refused.
#include "datasets/io/fetch.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include "datasets/io/descriptor.hpp"
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

TEST_F(Fetch, RefusesASecondDownloadOfTheSameFile) {
  write_file(folder_ / "file.part", std::string(70'000, 'a'));
  const Descriptor other(::open((folder_ / "file.part").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  try {
    static_cast<void>(fetch(url_, folder_ / "file", sha256_));
    ADD_FAILURE() << "two downloads wrote to one file";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("another program is downloading"), std::string::npos) << error.what();
  }
  EXPECT_EQ(read_file(folder_ / "file.part").size(), 70'000U);
  ASSERT_EQ(::flock(other.get(), LOCK_UN), 0);
  EXPECT_EQ(fetch(url_, folder_ / "file", sha256_), sha256_);
}

TEST_F(Fetch, APartThatIsALinkIsNotWrittenThrough) {
  write_file(folder_ / "victim", "precious");
  std::filesystem::create_symlink(folder_ / "victim", folder_ / "file.part");
  EXPECT_THROW(static_cast<void>(fetch(url_, folder_ / "file", sha256_)), std::runtime_error);
  EXPECT_EQ(read_file(folder_ / "victim"), "precious");
}

}  // namespace
}  // namespace warpbench::datasets::testing
