#include "datasets/loaders/vectors/vectors_text.hpp"

#include <cmath>
#include <limits>

#include "datasets/loaders/line_reader.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"

namespace warpbench::datasets {
namespace {

/// The number of fields in a line, up to one more than a point and an id may have.
std::size_t count_fields(LineReader reader) {
  std::size_t count = 0;
  while (!reader.at_end() && count < static_cast<std::size_t>(kMaxDimension) + 2) {
    static_cast<void>(reader.field());
    ++count;
    if (!reader.skip(',')) reader.skip_blanks();
  }
  return count;
}

/// Reads a file of points, a line each, whose coordinates blanks or commas separate.
class CoordinateReader {
 public:
  CoordinateReader(const Text& text, bool drops_last) : reader_(text.bytes, text.file), drops_last_(drops_last) {}

  void read() {
    while (reader_.next()) {
      if (reader_.number() == 1) first_line();
      row();
    }
  }

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::vector<float> take() { return std::move(points_); }

 private:
  void first_line() {
    const std::size_t fields = count_fields(reader_);
    const std::size_t dropped = drops_last_ ? 1 : 0;
    if (fields < 1 + dropped || fields > static_cast<std::size_t>(kMaxDimension) + dropped) {
      reader_.fail(std::to_string(1 + dropped) + " to " +
                       std::to_string(static_cast<std::size_t>(kMaxDimension) + dropped) + " columns",
                   std::to_string(fields));
    }
    dimension_ = fields - dropped;
  }

  void row() {
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
  bool drops_last_;
  std::size_t dimension_ = 0;
  std::vector<float> points_;
};

}  // namespace

Content parse_vectors_text(const Text& text, const Options& options, int /*threads*/) {
  CoordinateReader reader(text, options.at("last_column") == "drop");
  reader.read();
  const std::size_t dimension = reader.dimension();
  std::vector<float> points = reader.take();
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): read() refuses a file without columns
  check_rows(text, 0, points.size() / dimension);
  return vectors_content(dimension, metric_of(options), std::move(points));
}

}  // namespace warpbench::datasets
