// libFuzzer on the igraph loader. Build and run (from the project root):
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -I. tests/fuzz/igraph_fuzzer.cpp
//   $(tests/fuzz/sources.sh) -lz -o /tmp/igraph_fuzzer /tmp/igraph_fuzzer -timeout=5 -rss_limit_mb=2048
//   CORPUS tests/data/bad_graphs
#include "tests/fuzz/parse_any.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  warpbench::datasets::fuzz::fuzz_igraph({reinterpret_cast<const char*>(data), size});
  return 0;
}
