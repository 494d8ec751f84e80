#include "solvers/theta_join/device_relation.hpp"

#include <cstddef>
#include <vector>

namespace warpbench::theta {
namespace {

std::span<const std::int32_t> column(const datasets::Relation& relation, Column which) {
  return which == Column::a ? relation.a.span() : relation.x.span();
}

template <typename Struct>
std::vector<Struct> structs_of(const Fields& fields) {
  std::vector<Struct> tuples(fields.first.size());
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    tuples[i].id = fields.second.empty() ? static_cast<std::int32_t>(i) : fields.second[i];
    tuples[i].a = fields.first[i];
    tuples[i].x = fields.x.empty() ? 0 : fields.x[i];
  }
  return tuples;
}

}  // namespace

Fields keys_of_r(const datasets::Relations& relations, const Predicate& predicate) {
  Fields fields{column(relations.r, predicate.first.r), {}, {}};
  if (predicate.is_conjunction) fields.second = column(relations.r, predicate.second.r);
  return fields;
}

Fields keys_of_s(const datasets::Relations& relations, const Predicate& predicate) {
  Fields fields{column(relations.s, predicate.first.s), {}, {}};
  if (predicate.is_conjunction) fields.second = column(relations.s, predicate.second.s);
  return fields;
}

void DeviceRelation::pin(const Fields& fields, Layout layout) {
  layout_ = layout;
  size_ = static_cast<std::int64_t>(fields.first.size());
  switch (layout) {
    case Layout::soa:
      first_.pin(fields.first);
      second_.pin(fields.second);
      x_.pin(fields.x);
      break;
    case Layout::aos:
      tuples_.pin(structs_of<Tuple>(fields));
      break;
    case Layout::aos_padded:
      padded_tuples_.pin(structs_of<PaddedTuple>(fields));
      break;
  }
}

void DeviceRelation::upload(Stream& stream) {
  first_.upload(stream);
  second_.upload(stream);
  x_.upload(stream);
  tuples_.upload(stream);
  padded_tuples_.upload(stream);
}

std::int64_t DeviceRelation::bytes() const {
  return first_.bytes() + second_.bytes() + x_.bytes() + tuples_.bytes() + padded_tuples_.bytes();
}

SoaTuples DeviceRelation::soa() const {
  return {first_.view(), second_.size() == 0 ? first_.view() : second_.view(), x_.view()};
}

}  // namespace warpbench::theta
