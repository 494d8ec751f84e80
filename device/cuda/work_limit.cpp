// A GPU's kernels cannot be ended.
#include "device/backend/work_limit.hpp"

namespace warpbench {

WorkLimit::WorkLimit(std::chrono::steady_clock::time_point /*end*/) {}
WorkLimit::~WorkLimit() = default;

}  // namespace warpbench
