#include "problems/judgement.hpp"

#include <utility>

namespace warpbench {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::exact:
      return "exact";
    case Verdict::approximate:
      return "approximate";
    case Verdict::wrong:
      return "wrong";
    case Verdict::unverified:
      return "unverified";
  }
  return "?";
}

Judgement wrong(std::string difference) {
  Judgement judgement;
  judgement.verdict = Verdict::wrong;
  judgement.difference = std::move(difference);
  return judgement;
}

std::uint64_t digest_of_places(std::span<const std::uint32_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t place = 0; place < size; ++place) {
    const auto at = static_cast<std::size_t>(place);
    sum += mix64(at, values[at]);
  }
  return sum + values.size();
}

}  // namespace warpbench
