#include "solvers/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <latch>
#include <set>
#include <thread>
#include <vector>

namespace warpbench {
namespace {

TEST(ThreadTeam, WorksOnAllAtOnce) {
  ThreadTeam team;
  std::latch all(5);  // ends only if four threads and this one are there together
  std::vector<int> done(4);
  team.start(4, [&](std::size_t i) {
    all.arrive_and_wait();
    ++done[i];
  });
  all.arrive_and_wait();
  team.wait();
  EXPECT_EQ(done, std::vector<int>({1, 1, 1, 1}));
}

TEST(ThreadTeam, KeepsItsThreads) {
  ThreadTeam team;
  std::vector<std::set<std::thread::id>> threads(3);
  for (const std::size_t count : {1U, 3U, 2U, 0U, 3U}) {
    team.start(count, [&](std::size_t i) { threads[i].insert(std::this_thread::get_id()); });
    team.wait();
  }
  for (const auto& ids : threads) EXPECT_EQ(ids.size(), 1U);
  EXPECT_NE(threads[0], threads[1]);
}

TEST(ThreadTeam, WaitsForEveryTurn) {
  ThreadTeam team;
  std::atomic<int> done = 0;
  for (int turn = 1; turn <= 2000; ++turn) {
    team.start(3, [&](std::size_t) { ++done; });
    team.wait();
    ASSERT_EQ(done, 3 * turn);
  }
}

TEST(ThreadTeam, EndsWithoutWork) {
  ThreadTeam none;
  none.wait();
  ThreadTeam one;
  one.start(1, [](std::size_t) {});
}

}  // namespace
}  // namespace warpbench
