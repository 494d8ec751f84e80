// simt streams and events; see stream_state.hpp.
#include <utility>
#include <vector>

#include "device/backend/accounting.hpp"
#include "device/backend/work_limit.hpp"
#include "device/error.hpp"
#include "device/simt/current_device.hpp"
#include "device/simt/executor.hpp"
#include "device/simt/stream_state.hpp"
#include "device/simt/work_limit.hpp"

namespace warpbench::runtime {
namespace {

/// Of this process, as long as they live.
struct AllStreams {
  std::mutex mutex;
  std::vector<std::weak_ptr<StreamState>> streams;
};
AllStreams& all_streams() {
  static AllStreams all;
  return all;
}

std::vector<StreamHandle> living_streams() {
  std::vector<StreamHandle> alive;
  AllStreams& all = all_streams();
  const std::lock_guard lock(all.mutex);
  for (const auto& one : all.streams) {
    if (StreamHandle stream = one.lock()) alive.push_back(std::move(stream));
  }
  return alive;
}

bool is_given_up(const std::exception_ptr& error) {
  if (error == nullptr) return false;
  try {
    std::rethrow_exception(error);
  } catch (const GaveUp&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// The error of an event's work that still matters: that of given up work does so no longer than the limit.
std::exception_ptr error_of(const EventState& event) {
  return is_given_up(event.error) && !simt::is_living_limit(event.error_of_limit) ? nullptr : event.error;
}

}  // namespace

StreamState::StreamState(int device) : StreamBase(device), thread_([this] { work(); }) {}

StreamState::~StreamState() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  task_arrived_.notify_one();
  // The last handle may die inside one of the stream's own tasks; a thread cannot join itself.
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

void StreamState::push(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (const std::uint64_t limit = simt::current_limit(); limit != 0) limit_ = limit;
    tasks_.push_back(std::move(task));
  }
  task_arrived_.notify_one();
}

void StreamState::work() {
  simt::kernel_context.runtime_thread = true;
  std::unique_lock lock(mutex_);
  for (;;) {
    task_arrived_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      busy_ = true;
      const bool skip = error() != nullptr && !task.always;
      lock.unlock();
      if (!skip) {
        try {
          task.run();
        } catch (...) {
          keep_error(std::current_exception());
        }
      }
      // The task and what it holds end here, before the stream counts as idle.
    }
    lock.lock();
    busy_ = false;
    if (tasks_.empty()) idle_.notify_all();
  }
}

void StreamState::wait_until_idle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return tasks_.empty() && !busy_; });
}

void StreamState::drain() {
  wait_until_idle();
  rethrow_error();
}

StreamHandle create_stream() {
  accounting::count_call("create_stream");
  const StreamHandle stream = std::make_shared<StreamState>(simt::current_device_index());
  AllStreams& all = all_streams();
  const std::lock_guard lock(all.mutex);
  std::erase_if(all.streams, [](const auto& one) { return one.expired(); });
  all.streams.push_back(stream);
  return stream;
}

void wait_for_all_streams() {
  if (simt::kernel_context.runtime_thread) return;
  for (const StreamHandle& stream : living_streams()) stream->wait_until_idle();
}

void forget_given_up_work(std::uint64_t limit) noexcept {
  std::vector<StreamHandle> streams = living_streams();
  std::erase_if(streams, [limit](const StreamHandle& stream) { return stream->limit() != limit; });
  for (const StreamHandle& stream : streams) stream->wait_until_idle();
  for (const StreamHandle& stream : streams) {
    if (is_given_up(stream->error())) stream->forget_error();
  }
}

void synchronize(StreamState& stream) {
  accounting::count_call("stream synchronize");
  stream.drain();
}

void run_on_host(StreamState& stream, std::function<void()> function) {
  accounting::count_call("run_on_host");
  stream.enqueue(std::move(function));
}

EventHandle create_event() {
  accounting::count_call("create_event");
  return std::make_shared<EventState>();
}

void record(const EventHandle& event, StreamState& stream) {
  accounting::count_call("event record");
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(event->mutex);
    number = ++event->recorded;
  }
  stream.enqueue_always([event, number, &stream] {
    const std::lock_guard lock(event->mutex);
    if (number > event->passed) event->passed = number;
    event->time = std::chrono::steady_clock::now();
    event->error = stream.error();
    event->error_of_limit = stream.limit();
    event->passed_changed.notify_all();
  });
}

void wait(StreamState& stream, const EventHandle& event) {
  accounting::count_call("stream wait");
  std::uint64_t number = 0;
  {
    const std::lock_guard lock(event->mutex);
    number = event->recorded;
  }
  stream.enqueue([event, number, &stream] {
    std::unique_lock lock(event->mutex);
    event->passed_changed.wait(lock, [&] { return event->passed >= number; });
    // Results of failed work must not be read here; a GPU would have lost both streams.
    if (const auto error = error_of(*event); error != nullptr) stream.keep_error(error);
  });
}

void synchronize(EventState& event) {
  accounting::count_call("event synchronize");
  std::unique_lock lock(event.mutex);
  event.passed_changed.wait(lock, [&] { return event.passed >= event.recorded; });
  if (const auto error = error_of(event); error != nullptr) std::rethrow_exception(error);
}

bool ready(const EventState& event) {
  const std::lock_guard lock(event.mutex);
  return event.passed >= event.recorded;
}

double seconds_between(const EventState& start, const EventState& stop) {
  accounting::count_call("seconds_between");
  const auto time_of = [](const EventState& event) {
    const std::lock_guard lock(event.mutex);
    if (event.recorded == 0 || event.passed < event.recorded) {
      throw DeviceError("seconds_between: an event was not recorded or has not passed");
    }
    return event.time;
  };
  const auto begin = time_of(start);
  return std::chrono::duration<double>(time_of(stop) - begin).count();
}

}  // namespace warpbench::runtime
