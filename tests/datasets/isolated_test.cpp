// A library that reads a file in a child process: what it writes, and how it may fail.
#include "datasets/io/isolated.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>

#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kAmple{60'000};

std::string refusal_of(milliseconds limit, const std::function<void(int)>& work) {
  const auto error = error_of([&] { static_cast<void>(isolated("a.hdf5", "the library", limit, work)); });
  return error ? error->what() : "nothing was refused";
}

TEST(Isolated, GivesWhatTheChildWrote) {
  const std::string words = "some words";
  const auto bytes = isolated("a.hdf5", "the library", kAmple,
                              [&](int descriptor) { write_whole(descriptor, std::as_bytes(std::span(words))); });
  EXPECT_EQ(bytes->text(), words);
}

TEST(Isolated, AFileThatTheLibraryNeverEndsOnIsRefused) {
  const auto loop = [](int /*descriptor*/) {
    const volatile bool forever = true;
    while (forever) {
    }
  };
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal_of(milliseconds(200), loop),
            "a.hdf5: expected a sound file, found damage that keeps the library busy for more than 0.2 s (fetch the "
            "file again)");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Isolated, TheLimitHoldsWhereAlarmsAreBlockedOrIgnored) {
  sigset_t alarm;
  sigset_t before;
  ::sigemptyset(&alarm);
  ::sigaddset(&alarm, SIGALRM);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &alarm, &before), 0);
  const auto disposition = std::signal(SIGALRM, SIG_IGN);
  const std::string refusal = refusal_of(milliseconds(50), [](int /*descriptor*/) { ::pause(); });
  EXPECT_NE(std::signal(SIGALRM, disposition), SIG_ERR);
  EXPECT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_NE(refusal.find("more than 0.05 s"), std::string::npos) << refusal;
}

TEST(Isolated, AFileThatCrashesTheLibraryIsRefused) {
  const std::string refusal = refusal_of(kAmple, [](int /*descriptor*/) { static_cast<void>(std::raise(SIGSEGV)); });
  EXPECT_NE(refusal.find("a.hdf5: expected a sound file, found damage that crashes the library"), std::string::npos)
      << refusal;
}

}  // namespace
}  // namespace warpbench::datasets::testing
