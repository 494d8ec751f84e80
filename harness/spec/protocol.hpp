// Protocol: how trials are measured. Its fields are listed once, in Protocol::fields(): specs, records and identities
// all follow that list.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

namespace warpbench::harness {

/// The way trials are measured: `protocol:` in a spec.
struct Protocol {
  std::int64_t warmup = 1;               ///< untimed solves before the first sample
  std::int64_t repetitions = 10;         ///< maximum number of samples
  std::int64_t minimum_repetitions = 3;  ///< samples before the stopping rule may end the trial
  std::int64_t preparations = 1;         ///< of a group's solver, each anew and timed; the last one serves the trials
  double target_half_width = 0.02;       ///< relative half width of the median's 95 % interval that ends sampling
  double timeout_seconds = 300.0;        ///< time limit of a trial, without preparation
  double prepare_timeout_seconds = 3600.0;
  bool include_transfers = false;  ///< time covers upload + solve + download, or solve alone
  bool flush_l2 = false;
  bool pin_threads = false;
  bool profile = false;               ///< read a GPU solver's hardware counters with ncu after its trial
  bool profile_transactions = false;  ///< read those of global memory's transactions alone
  double host_memory_bytes = 0;       ///< limit of the child process; 0 = 7/8 of this machine's
  double device_memory_bytes = 0;     ///< limit of the device layer; 0 = none

  enum class Unit { none, seconds, bytes };

  template <typename T>
  struct Field {
    std::string_view key;  ///< in specs
    T Protocol::*member;
    Unit unit = Unit::none;
    bool identifies = false;  ///< part of a trial's identity, because it changes the meaning of its time
    T low{};                  ///< lower bound of counts and shares; the spec's units have their own limits

    /// The key in records, which includes the unit: `timeout_s`, `device_memory_bytes`.
    [[nodiscard]] std::string record_key() const {
      return std::string(key) + (unit == Unit::seconds ? "_s" : unit == Unit::bytes ? "_bytes" : "");
    }
  };

  /// All fields, in the order of records.
  static constexpr auto fields() {
    using Count = Field<std::int64_t>;
    using Real = Field<double>;
    using Flag = Field<bool>;
    return std::tuple{Count{"warmup", &Protocol::warmup, Unit::none, true, 0},
                      Count{"repetitions", &Protocol::repetitions, Unit::none, false, 1},
                      Count{"minimum_repetitions", &Protocol::minimum_repetitions, Unit::none, false, 1},
                      Count{"preparations", &Protocol::preparations, Unit::none, false, 1},
                      Real{"target_half_width", &Protocol::target_half_width},
                      Real{"timeout", &Protocol::timeout_seconds, Unit::seconds},
                      Real{"prepare_timeout", &Protocol::prepare_timeout_seconds, Unit::seconds},
                      Flag{"include_transfers", &Protocol::include_transfers, Unit::none, true},
                      Flag{"flush_l2", &Protocol::flush_l2, Unit::none, true},
                      Flag{"pin_threads", &Protocol::pin_threads, Unit::none, true},
                      Flag{"profile", &Protocol::profile},
                      Flag{"profile_transactions", &Protocol::profile_transactions},
                      Real{"host_memory", &Protocol::host_memory_bytes, Unit::bytes},
                      Real{"device_memory", &Protocol::device_memory_bytes, Unit::bytes, true}};
  }

  /// Calls visit(field) for each of fields().
  template <typename Visit>
  static void for_each_field(const Visit& visit) {
    std::apply([&visit](const auto&... field) { (visit(field), ...); }, fields());
  }
};

}  // namespace warpbench::harness
