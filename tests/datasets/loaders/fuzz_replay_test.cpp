// Runs the fuzzers' bodies over the bad files, their prefixes and random mutations: a short form, in every build, of
// the hours that libFuzzer runs (tests/fuzz).
#include <iostream>
#include <random>
#include <string_view>
#include <unordered_set>

#include "tests/datasets/support.hpp"
#include "tests/fuzz/parse_any.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::datasets::testing {
namespace {

std::vector<std::string> seeds() {
  std::vector<std::string> all;
  for (const char* const folder : {"bad_graphs", "bad_vectors", "bad_sets", "bad_ratings", "bad_relations"}) {
    for (const auto& file : std::filesystem::directory_iterator(source_dir() / "tests" / "data" / folder)) {
      const bool small = file.file_size() <= 1024;  // small files: parse every prefix
      if (file.path().extension() != ".tsv" && small) all.push_back(read_file(file.path()));
    }
  }
  return all;
}

void parse_all_ways(std::string_view bytes) {
  fuzz::fuzz_snap(bytes);
  fuzz::fuzz_matrix_market(bytes);
  fuzz::fuzz_graph(bytes);
  fuzz::fuzz_igraph(bytes);
  fuzz::fuzz_triples(bytes);
  fuzz::fuzz_ntriples(bytes);
  fuzz::fuzz_texmex(bytes);
  fuzz::fuzz_idx(bytes);
  fuzz::fuzz_vectors_text(bytes);
  fuzz::fuzz_transactions(bytes);
  fuzz::fuzz_spmf(bytes);
  fuzz::fuzz_bag_of_words(bytes);
  fuzz::fuzz_sets_binary(bytes);
  fuzz::fuzz_text_lines(bytes);
  fuzz::fuzz_movielens(bytes);
  fuzz::fuzz_netflix(bytes);
  fuzz::fuzz_libmf(bytes);
  fuzz::fuzz_csv(bytes);
}

TEST(FuzzReplay, BadFilesAndTheirPrefixes) {
  const auto all = seeds();
  ASSERT_GE(all.size(), 100u);
  std::unordered_set<std::string_view> prefixes;  // many files begin alike
  for (const std::string& bytes : all) {
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
      const std::string_view prefix = std::string_view(bytes).substr(0, length);
      if (prefixes.insert(prefix).second) parse_all_ways(prefix);
    }
  }
  warpbench::testing::print_figure(std::to_string(prefixes.size()) +
                                   " different prefixes of malformed files, each by every parser");
}

TEST(FuzzReplay, RandomMutations) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::cout << "seed " << seed << '\n';
  std::mt19937_64 random(seed);
  const auto all = seeds();
  constexpr std::string_view kLetters = "0123456789 \t\n\r,-.#%tve{}x<>\"\\u@^_:";
  const std::uint64_t rounds = warpbench::testing::usual_or_thorough(6'000, 20'000);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::string bytes = all[random() % all.size()];
    for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % (bytes.size() + 1);
      switch (random() % 3) {
        case 0:
          bytes.insert(at, 1, kLetters[random() % kLetters.size()]);
          break;
        case 1:
          bytes.erase(at, 1 + random() % 3);
          break;
        default:
          bytes.replace(at, 1, 1, static_cast<char>(random()));
          break;
      }
    }
    parse_all_ways(bytes);
  }
  warpbench::testing::print_figure(std::to_string(rounds) + " random mutations, each by every parser");
}

}  // namespace
}  // namespace warpbench::datasets::testing
