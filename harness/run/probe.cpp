#include "harness/run/probe.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "device/device.hpp"
#include "harness/process/child.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/record.hpp"
#include "harness/record/status.hpp"
#include "harness/run/failure.hpp"

namespace warpbench::harness {
namespace {

constexpr std::chrono::seconds kTimeout(180);

/// Sends results as an Environment with only gpus and ceilings filled in, failures as outcomes.
void probe_in_child(bool measure_ceilings, const MessageWriter& parent) {
  Environment found;
  const auto attempt = [&](const char* stage, const auto& question) {
    try {
      question();
    } catch (const FileError&) {
      throw;
    } catch (...) {
      Outcome outcome;
      outcome.status = Status::gpu_error;
      outcome.reason = failure_from(std::current_exception(), stage).reason;
      parent.send(MessageType::failed, 0, to_json(outcome));
    }
  };
  attempt("asking for GPUs", [&] { found.gpus = device_facts(); });
  if (measure_ceilings) {
    attempt("measuring the host's ceilings", [&] { found.ceilings = measure_host_ceilings(); });
    parent.send(MessageType::finished, 0, to_json(found));
    attempt("measuring the device's ceilings", [&] { found.ceilings.merge(measure_device_ceilings()); });
  }
  parent.send(MessageType::finished, 0, to_json(found));
}

/// A note on a probe that did not end well.
std::string note_of(const std::string& what, const std::string& printed) {
  return "looking at this machine " + what + (printed.empty() ? "" : ": " + printed);
}

}  // namespace

ProbeResult probe(bool measure_ceilings) {
  ProbeResult result;
  if (!measure_ceilings && backend_name() == "simt") return result;
  Child child([measure_ceilings](const MessageWriter& parent) { probe_in_child(measure_ceilings, parent); }, {}, 0);
  const auto deadline = Child::Clock::now() + kTimeout;
  for (;;) {
    const Child::News news = child.wait(deadline);
    if (news.kind == Child::News::Kind::message && news.message.type == MessageType::finished) {
      Environment found = environment_from(news.message.text);
      result.gpus = std::move(found.gpus);
      result.ceilings = std::move(found.ceilings);
    } else if (news.kind == Child::News::Kind::message) {
      result.notes.push_back(outcome_from(news.message.text).reason);
    } else if (news.kind == Child::News::Kind::ended) {
      const ChildEnd end = child.finish();
      if (end.signalled || end.code != 0) {
        result.notes.push_back(note_of("ended with " + end.describe(), end.output_tail));
      }
      return result;
    } else {
      const ChildEnd end = child.stop(std::chrono::milliseconds(500));
      result.interrupted = news.kind == Child::News::Kind::interrupted;
      if (!result.interrupted)
        result.notes.push_back(note_of(fmt::format("was given up ({})", end.describe()), end.output_tail));
      return result;
    }
  }
}

const ProbeResult& SharedProbe::result() {
  // A machine that could not be measured in full is measured again for the next experiment.
  if (!result_ || !result_->notes.empty()) result_ = probe(measure_ceilings_);
  return *result_;
}

std::vector<GpuFacts> query_gpus() {
  return probe(false).gpus;
}

std::string machine_name() {
  static const std::string name = machine_name(host_environment().cpu, query_gpus());
  return name;
}

}  // namespace warpbench::harness
