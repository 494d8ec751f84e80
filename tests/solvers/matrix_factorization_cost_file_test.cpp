// The file of cost models: what is written is read, and what is not a file of cost models is refused by line.
#include "solvers/matrix_factorization/cost_file.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "datasets/input_error.hpp"

namespace warpbench::matrix_factorization {
namespace {

namespace fs = std::filesystem;

CostModels some_models() {
  CostModels models;
  models.cpu_parts = {{1e-7, 0}, 0.01};
  models.cpu_prefix = {{1.25e-7, 3e-4}, 0.02};
  models.gpu_parts = {{5e-9, 0}, 0.03};
  models.copy_in = {{Growth::sqrt_log, 1e6, 2e9, 1e8, 3e8, {2e-11, 1e-5}}, 0.04};
  models.copy_out = {{Growth::sqrt_log, 2e6, 3e9, 2e8, 4e8, {1.0 / 3, 2e-5}}, 0.05};
  models.kernel = {{Growth::log, 4e5, 1e8, -3e8, 1e6, {1e-9, 0}}, 0.06};
  return models;
}

class CostFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("cost-file-" + std::to_string(::getpid()));
    file_ = folder_ / "deep" / "models.txt";
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& text) {
    fs::create_directories(file_.parent_path());
    std::ofstream(file_) << text;
  }
  /// What the reader says to a text.
  std::string refusal(const std::string& text) {
    write(text);
    try {
      (void)read_cost_models(file_);
    } catch (const datasets::InputError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
  fs::path file_;
};

TEST_F(CostFile, IsReadAsItWasWritten) {
  write_cost_models(file_, some_models(), "an H200");
  const CostModels read = read_cost_models(file_);
  EXPECT_EQ(to_text(read, "an H200"), to_text(some_models(), "an H200"));
  EXPECT_EQ(read.copy_out.pieces.above.a, 1.0 / 3);
  EXPECT_EQ(read.kernel.pieces.seconds(1e5), some_models().kernel.pieces.seconds(1e5));
  EXPECT_EQ(read.copy_in.pieces.seconds(1e5), some_models().copy_in.pieces.seconds(1e5));
  EXPECT_EQ(std::distance(fs::directory_iterator(file_.parent_path()), fs::directory_iterator()), 1)
      << "a file beside it is left";
}

TEST_F(CostFile, IsRefusedByLineWhereItIsBad) {
  const std::string good = to_text(some_models(), "an H200");
  EXPECT_EQ(refusal(good), "");
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return refusal(text);
  };
  const std::string place = file_.string();
  const std::string fix = " (delete the file, it is then measured anew)";
  EXPECT_EQ(with("models 3", "models 2"),
            place + ":1: expected 'warpbench cost models 3', found 'warpbench cost models 2'" + fix);
  EXPECT_EQ(with("kernel ", "kernal "),
            place + ":11: expected the name of a cost model that is not there yet, found 'kernal'" + fix);
  EXPECT_EQ(with("cpu_parts 1e-07 0 ", "cpu_parts 1e-07 "),
            place + ":6: expected cpu_parts and 3 finite numbers, found 'cpu_parts 1e-07 0.01'" + fix);
  EXPECT_NE(with("cpu_parts 1e-07", "cpu_parts nan"), "");
  EXPECT_NE(with("cpu_parts 1e-07", "cpu_parts 3 1e-07"), "");
  EXPECT_NE(with("\ncpu_prefix ", "\ncpu_parts "), "") << "a line twice";
  EXPECT_EQ(refusal(good.substr(0, good.find("kernel "))), place + ": expected a line 'kernel …', found none" + fix);
  EXPECT_NE(refusal(""), "");
}

/// They would tell that work takes no time, or less the more there is.
TEST_F(CostFile, IsRefusedWhereAModelCannotBeOneOfTimes) {
  const auto refused = [&](const auto& spoil) {
    CostModels models = some_models();
    spoil(models);
    return refusal(to_text(models, "an H200"));
  };
  EXPECT_EQ(refused([](CostModels& m) { m.cpu_prefix.line.a = -1; }),
            file_.string() +
                ":7: expected cpu_prefix with a slope above 0, then an intercept and a residual of at least 0, found "
                "'cpu_prefix -1 0.0003 0.02' (delete the file, it is then measured anew)");
  EXPECT_NE(refused([](CostModels& m) { m.gpu_parts = {}; }), "") << "all zeros";
  EXPECT_NE(refused([](CostModels& m) { m.cpu_parts.line.b = -1e-9; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.cpu_parts.residual = -1; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.kernel = {}; }), "") << "all zeros";
  EXPECT_NE(refused([](CostModels& m) { m.kernel.pieces.tau = -1; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.kernel.pieces.least_rate = 0; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.copy_in.pieces.above.a = 0; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.copy_in.pieces.above.b = -1; }), "");
  EXPECT_NE(refused([](CostModels& m) { m.copy_out.residual = -1; }), "");
  EXPECT_EQ(refused([](CostModels& m) { m.kernel.pieces.a = -1; }), "") << "a rate may fall; never below the least";
}

TEST_F(CostFile, LeavesNothingWhereItCannotBeWritten) {
  fs::create_directories(file_ / "in the way");  // a folder of the file's name
  EXPECT_THROW(write_cost_models(file_, some_models(), "an H200"), std::system_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(file_.parent_path()), fs::directory_iterator()), 1)
      << "a file beside it is left";
}

TEST_F(CostFile, LiesInTheUsersCache) {
  ASSERT_EQ(::setenv("WARPBENCH_CACHE", "/a/cache", 1), 0);
  const fs::path file = cost_file("NVIDIA H200", "k128 fp16 128 workers AVX3");
  ASSERT_EQ(::unsetenv("WARPBENCH_CACHE"), 0);
  EXPECT_EQ(file.parent_path(), "/a/cache/cost-models");
  EXPECT_TRUE(file.filename().string().ends_with(std::to_string(omp_get_max_threads()) +
                                                 "-cores-nvidia-h200-k128-fp16-128-workers-avx3-version-3.txt"))
      << file;
}

TEST(CostModels, AreMeasuredOnceMoreWhereTheyFitBadly) {
  int calls = 0;
  const auto measured = [&](double first, double second) {
    calls = 0;
    return measured_well([&] {
      CostModels models = some_models();
      models.kernel.residual = ++calls == 1 ? first : second;
      models.copy_out.residual = calls == 1 ? 0.1 : 0.2;
      return models;
    });
  };
  EXPECT_EQ(largest_residual(measured(0.5, 0.1)), 0.5);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(largest_residual(measured(0.6, 0.1)), 0.1) << "each model is the better of two";
  EXPECT_EQ(calls, 2);
  const CostModels stays = measured(0.6, 0.7);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(largest_residual(stays), 0.6);
  EXPECT_EQ(largest_residual(stays, CostModel::tailored), 0.6);
  EXPECT_EQ(largest_residual(stays, CostModel::qilin), 0.03);
}

/// By hand: 10 columns; a block is 1e5 ratings at a share of 1.
TEST(CostModels, TellTheTimesOfBothSides) {
  CostModels models;
  models.cpu_parts.line = {2e-7, 0};
  models.cpu_prefix.line = {1e-7, 1e-3};
  models.gpu_parts.line = {1e-8, 0};
  models.kernel.pieces = {Growth::log, 0, 0, 0, 0, {1e-9, 1e-5}};
  models.copy_in.pieces = {Growth::sqrt_log, 0, 0, 0, 0, {1e-10, 0}};
  IterationWork work{1e6, 4, 10, 1e5, 0};
  EXPECT_NEAR(cpu_seconds(models, CostModel::qilin, work, 0.5), 0.1 / 4, 1e-12);
  EXPECT_NEAR(cpu_seconds(models, CostModel::tailored, work, 0.5), (0.05 + 1e-3) / 4, 1e-12);
  EXPECT_NEAR(gpu_seconds(models, CostModel::qilin, work, 0.5), 5e-3, 1e-12);
  EXPECT_NEAR(gpu_seconds(models, CostModel::tailored, work, 1), 10 * (1e-4 + 1e-5), 1e-12) << "the kernel";
  work.bytes_a_rating = 12;
  EXPECT_NEAR(gpu_seconds(models, CostModel::tailored, work, 1), 10 * (1.2e6 + 1e5) * 1e-10, 1e-12) << "the copies";
  EXPECT_EQ(gpu_seconds(models, CostModel::tailored, work, 0), 0);
  EXPECT_EQ(cpu_seconds(models, CostModel::tailored, work, 0), 0);
}

}  // namespace
}  // namespace warpbench::matrix_factorization
