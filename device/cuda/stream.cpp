// Streams and events on a GPU.
#include <memory>
#include <utility>

#include "device/backend/accounting.hpp"
#include "device/cuda/check.hpp"
#include "device/cuda/stream_state.hpp"
#include "device/error.hpp"

namespace warpbench::runtime {
namespace {

using cuda::check;

/// The arguments of a host callback, which owns them.
struct HostCall {
  StreamState* stream;
  std::function<void()> function;
};

void call_host(void* data) {
  const std::unique_ptr<HostCall> call(static_cast<HostCall*>(data));
  try {
    call->function();
  } catch (...) {
    call->stream->keep_error(std::current_exception());
  }
}

/// Freed memory stays in the pool instead of going back to the driver at every synchronisation. No stream is made to
/// wait for another to have its memory: what is short then is found by a second try (give_back_unused).
void set_up_pool(int device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "cudaDeviceGetDefaultMemPool");
  std::uint64_t threshold = ~std::uint64_t{0};
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), "cudaMemPoolSetAttribute");
  int waits = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &waits), "cudaMemPoolSetAttribute");
}

}  // namespace

StreamState::StreamState(int device) : StreamBase(device) {
  set_up_pool(device);
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

StreamState::~StreamState() {
  // Errors were for synchronize() to throw; a destructor has no one to tell.
  (void)cudaStreamSynchronize(stream_);
  (void)cudaStreamDestroy(stream_);
}

EventState::EventState() {
  check(cudaEventCreate(&event_), "cudaEventCreate");
}

EventState::~EventState() {
  (void)cudaEventDestroy(event_);
}

StreamHandle create_stream() {
  accounting::count_call("create_stream");
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  return std::make_shared<StreamState>(device);
}

void synchronize(StreamState& stream) {
  accounting::count_call("stream synchronize");
  check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
  stream.rethrow_error();
}

void run_on_host(StreamState& stream, std::function<void()> function) {
  accounting::count_call("run_on_host");
  auto call = std::make_unique<HostCall>(HostCall{&stream, std::move(function)});
  check(cudaLaunchHostFunc(stream.get(), &call_host, call.get()), "cudaLaunchHostFunc");
  (void)call.release();  // call_host owns it now
}

EventHandle create_event() {
  accounting::count_call("create_event");
  return std::make_shared<EventState>();
}

void record(const EventHandle& event, StreamState& stream) {
  accounting::count_call("event record");
  check(cudaEventRecord(event->get(), stream.get()), "cudaEventRecord");
}

void wait(StreamState& stream, const EventHandle& event) {
  accounting::count_call("stream wait");
  check(cudaStreamWaitEvent(stream.get(), event->get(), 0), "cudaStreamWaitEvent");
}

void synchronize(EventState& event) {
  accounting::count_call("event synchronize");
  check(cudaEventSynchronize(event.get()), "cudaEventSynchronize");
}

bool ready(const EventState& event) {
  const cudaError_t state = cudaEventQuery(event.get());
  if (state == cudaErrorNotReady) {
    (void)cudaGetLastError();  // an answer, not an error
    return false;
  }
  check(state, "cudaEventQuery");
  return true;
}

double seconds_between(const EventState& start, const EventState& stop) {
  accounting::count_call("seconds_between");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()), "cudaEventElapsedTime");
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace warpbench::runtime
