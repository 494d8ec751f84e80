#include "harness/run/failure.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <typeinfo>

#include "datasets/input_error.hpp"
#include "device/error.hpp"
#include "harness/measure/verifier.hpp"
#include "problems/parameters.hpp"
#include "solvers/solver.hpp"

namespace warpbench::harness {
namespace {

std::string readable_name(const std::type_info& type) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type.name(), nullptr, nullptr, &failed),
                                                    std::free);
  return failed == 0 ? name.get() : type.name();
}

}  // namespace

Failure failure_from(const std::exception_ptr& error, const std::string& stage) {
  const auto at_stage = [&stage](const std::string& what) { return fmt::format("{} ({})", what, stage); };
  try {
    std::rethrow_exception(error);
  } catch (const OutOfDeviceMemory& e) {
    return {Status::oom_device, at_stage(e.what())};
  } catch (const DeviceError& e) {
    return {Status::gpu_error, at_stage(e.what())};
  } catch (const std::bad_alloc&) {
    return {Status::oom_host, at_stage("an allocation of host memory failed")};
  } catch (const datasets::InputError& e) {
    return {Status::bad_input, at_stage(e.what())};
  } catch (const ParameterError& e) {
    return {Status::bad_input, at_stage(e.what())};
  } catch (const Unsupported& e) {
    return {Status::unsupported, at_stage(e.what())};
  } catch (const NoDevice& e) {
    return {Status::no_device, e.what()};
  } catch (const NotJudged& e) {
    return {Status::unverified, e.what()};
  } catch (const std::exception& e) {
    return {Status::crash, at_stage(fmt::format("{}: {}", readable_name(typeid(e)), e.what()))};
  } catch (...) {
    return {Status::crash, at_stage("an exception that is no std::exception")};
  }
}

}  // namespace warpbench::harness
