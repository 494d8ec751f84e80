// The command line: `warpbench COMMAND …`.
#pragma once

namespace warpbench::harness {

/// Parses the arguments and runs the command. Never throws; returns the exit code.
int command_line(int argc, const char* const* argv);

}  // namespace warpbench::harness
