#include "harness/run/finished.hpp"

#include "harness/run/more_samples.hpp"

namespace warpbench::harness {

bool is_finished(const Record& record, const Protocol& protocol, const std::set<Status>& retry) {
  const Status status = record.outcome.status;
  return status != Status::interrupted && !retry.contains(status) && !wants_more_samples(protocol, record);
}

}  // namespace warpbench::harness
