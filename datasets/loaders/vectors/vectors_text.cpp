#include "datasets/loaders/vectors/vectors_text.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "datasets/input_error.hpp"
#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"

namespace warpbench::datasets {
namespace {

/// The number of fields in a line, up to one more than a point and two ids may have.
std::size_t count_fields(LineReader reader) {
  std::size_t count = 0;
  while (!reader.at_end() && count < static_cast<std::size_t>(kMaxDimension) + 3) {
    static_cast<void>(reader.field());
    ++count;
    if (!reader.skip(',')) reader.skip_blanks();
  }
  return count;
}

/// Reads a file of points, a line each, whose coordinates blanks or commas separate.
class CoordinateReader {
 public:
  CoordinateReader(const Text& text, const Options& options)
      : reader_(text.bytes, text.file),
        file_(text.file),
        drops_first_(options.at("first_column") == "drop"),
        drops_last_(options.at("last_column") == "drop") {}

  void read() {
    while (reader_.next()) {
      if (reader_.number() == 1) first_line();
      row();
    }
  }

  /// Refuses a first or last column that looks like an id, unless the option says that it is a coordinate.
  void refuse_ids(const Options& options) const {
    if (dimension_ == 1) return;
    const auto refuse = [&](const std::string& option, bool dropped, std::size_t column, const RowNumbers& seen) {
      if (dropped || options.at(option) != "ask") return;
      const std::string why = why_an_id(points_, dimension_, column, seen);
      if (why.empty()) return;
      const std::string place = option.substr(0, option.find('_'));
      throw InputError(
          file_, 0, "a word on the " + place + " column, which looks like an id", why,
          "set " + option + ": drop if it is the point's id, or " + option + ": keep if it is a coordinate");
    };
    refuse("first_column", drops_first_, 0, first_values_);
    refuse("last_column", drops_last_, dimension_ - 1, last_values_);
  }

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::vector<float> take() { return std::move(points_); }

 private:
  void first_line() {
    const std::size_t fields = count_fields(reader_);
    const std::size_t dropped = (drops_first_ ? 1U : 0U) + (drops_last_ ? 1U : 0U);
    if (fields < 1 + dropped || fields > static_cast<std::size_t>(kMaxDimension) + dropped) {
      reader_.fail(std::to_string(1 + dropped) + " to " +
                       std::to_string(static_cast<std::size_t>(kMaxDimension) + dropped) + " columns",
                   std::to_string(fields));
    }
    dimension_ = fields - dropped;
  }

  void row() {
    if (drops_first_) {
      if (reader_.at_end() || reader_.field().empty()) reader_.fail("a first column to drop", "nothing");
      separator();
    }
    for (std::size_t j = 0; j < dimension_; ++j) {
      if (j > 0) separator();
      if (reader_.at_end()) {
        reader_.fail(std::to_string(dimension_) + " coordinates, as line 1 has", std::to_string(j));
      }
      const std::string what = "coordinate " + std::to_string(j);
      const std::string_view shown = reader_.line();
      if (shown.front() == ',') reader_.fail("a finite number as " + what, "a comma");
      const double value = reader_.real_field(what);
      if (std::abs(value) > double{std::numeric_limits<float>::max()}) {
        reader_.fail("a number that a float holds as " + what, quoted(shown.substr(0, shown.find_first_of(" \t,"))));
      }
      points_.push_back(static_cast<float>(value));
      if (j == 0) first_values_.see(value);
      if (j + 1 == dimension_) last_values_.see(value);
    }
    if (drops_last_) {
      separator();
      if (reader_.field().empty()) reader_.fail("a last column to drop", "the end of the line");
    }
    reader_.expect_end();
  }

  void separator() {
    if (!reader_.skip(',')) reader_.skip_blanks();
  }

  LineReader reader_;
  const std::string& file_;
  bool drops_first_;
  bool drops_last_;
  RowNumbers first_values_;
  RowNumbers last_values_;
  std::size_t dimension_ = 0;
  std::vector<float> points_;
};

}  // namespace

Content parse_vectors_text(const Text& text, const Options& options, int /*threads*/) {
  CoordinateReader reader(text, options);
  reader.read();
  reader.refuse_ids(options);
  const std::size_t dimension = reader.dimension();
  std::vector<float> points = reader.take();
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): read() refuses a file without columns
  check_rows(text, 0, points.size() / dimension);
  return vectors_content(dimension, metric_of(options), std::move(points));
}

}  // namespace warpbench::datasets
