// Reads a file with a library that a damaged file can crash, or keep busy for ever.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "datasets/io/mapped_file.hpp"

namespace warpbench::datasets {

/// Runs `work` in a forked child process and returns the bytes that it wrote to the descriptor it is given. Only the
/// child ends if it crashes, or is not done after `limit`, which is above 0: then throws InputError for `file`, whose
/// damage crashed `library` or kept it busy. An InputError without a line that `work` throws is thrown here, too; if
/// the child lacks memory, throws std::bad_alloc. `work` must start no threads, and must not use a GPU.
[[nodiscard]] std::shared_ptr<const MappedFile> isolated(const std::string& file, const std::string& library,
                                                         std::chrono::milliseconds limit,
                                                         const std::function<void(int descriptor)>& work);

/// Writes all of `bytes`. Throws std::system_error.
void write_whole(int descriptor, std::span<const std::byte> bytes);

}  // namespace warpbench::datasets
