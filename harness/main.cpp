// The program `warpbench`. Everything is in harness/, where tests reach it.
#include "harness/cli/cli.hpp"

int main(int argc, char** argv) {
  return warpbench::harness::command_line(argc, argv);
}
