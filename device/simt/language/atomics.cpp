// simt's atomics; see atomics.hpp.
#include "device/simt/language/atomics.hpp"

#include <atomic>
#include <type_traits>

#include "device/simt/context.hpp"

namespace warpbench::simt {
namespace {

template <typename T>
T updated(Update update, T old, T value) {
  switch (update) {
    case Update::kAdd: {
      // Wraps, as on a GPU, instead of overflowing.
      if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(old) + static_cast<U>(value));
      } else {
        return old + value;
      }
    }
    case Update::kSub: {
      if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(old) - static_cast<U>(value));
      } else {
        return old - value;
      }
    }
    case Update::kMin:
      return value < old ? value : old;
    case Update::kMax:
      return old < value ? value : old;
    case Update::kExchange:
      return value;
    case Update::kIncrement:
      return old >= value ? T{0} : static_cast<T>(old + T{1});
    case Update::kDecrement:
      return old == T{0} || old > value ? value : static_cast<T>(old - T{1});
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (update == Update::kAnd) return static_cast<T>(old & value);
    if (update == Update::kOr) return static_cast<T>(old | value);
    if (update == Update::kXor) return static_cast<T>(old ^ value);
  }
  return old;
}

}  // namespace

template <typename T>
T atomic_update(Update update, T* address, T value, const Location& location) {
  atomic_point(address, sizeof(T), location);
  std::atomic_ref<T> cell(*address);
  if constexpr (std::is_integral_v<T>) {
    if (update == Update::kAdd) return cell.fetch_add(value);
  }
  T old = cell.load();
  while (!cell.compare_exchange_weak(old, updated(update, old, value))) {
  }
  return old;
}

template <typename T>
T atomic_compare(T* address, T expected, T value, const Location& location) {
  atomic_point(address, sizeof(T), location);
  std::atomic_ref<T>(*address).compare_exchange_strong(expected, value);
  return expected;
}

template int atomic_update(Update, int*, int, const Location&);
template unsigned atomic_update(Update, unsigned*, unsigned, const Location&);
template long atomic_update(Update, long*, long, const Location&);
template unsigned long atomic_update(Update, unsigned long*, unsigned long, const Location&);
template long long atomic_update(Update, long long*, long long, const Location&);
template unsigned long long atomic_update(Update, unsigned long long*, unsigned long long, const Location&);
template float atomic_update(Update, float*, float, const Location&);
template double atomic_update(Update, double*, double, const Location&);
template int atomic_compare(int*, int, int, const Location&);
template unsigned atomic_compare(unsigned*, unsigned, unsigned, const Location&);
template unsigned short atomic_compare(unsigned short*, unsigned short, unsigned short, const Location&);
template unsigned long atomic_compare(unsigned long*, unsigned long, unsigned long, const Location&);
template long long atomic_compare(long long*, long long, long long, const Location&);
template unsigned long long atomic_compare(unsigned long long*, unsigned long long, unsigned long long,
                                           const Location&);

}  // namespace warpbench::simt
