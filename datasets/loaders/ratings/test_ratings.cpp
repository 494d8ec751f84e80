#include "datasets/loaders/ratings/test_ratings.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/ratings/rating_rows.hpp"
#include "datasets/loaders/source_file.hpp"

namespace warpbench::datasets {
namespace {

using RatingIdList = std::vector<std::uint32_t>;

/// Users or items of the two files.
struct TestSide {
  const char* what = "";
  std::span<const std::uint32_t> train_ids;  // originals, if the training file's ids are compacted
  std::span<const std::uint32_t> test_ids;   // originals, always
  std::uint64_t train_size = 0;
};

/// What the two files' ids become.
struct TestNumbering {
  std::uint64_t size = 0;
  RatingIdList train_places{};  // of the training file's compacted ids; empty: they stay
  RatingIdList test_places{};   // of the test file's compacted ids
  RatingIdList original{};      // empty: as in the file
};

/// Numbers the ids of both files together.
TestNumbering compact_numbering(const TestSide& side, int threads) {
  TestNumbering numbering;
  std::ranges::set_union(side.train_ids, side.test_ids, std::back_inserter(numbering.original));
  numbering.size = numbering.original.size();
  numbering.train_places = places_of(side.train_ids, numbering.original, threads);
  numbering.test_places = places_of(side.test_ids, numbering.original, threads);
  return numbering;
}

/// Keeps the ids, less the lowest one; the test file may have some that the training file has not, up to `limit`.
TestNumbering kept_numbering(const TestSide& side, const LocatedQueries& located, std::uint64_t limit) {
  const std::uint64_t lowest = lowest_id(rating_ids_of(located.data_options));
  const auto header = located.data_options.find("header");
  const bool declared = header != located.data_options.end() && header->second == "counts";
  const std::string file = located.file.string();
  if (side.test_ids.front() < lowest) {
    throw InputError(file, 0, std::string(side.what) + " ids from " + std::to_string(lowest),
                     std::to_string(side.test_ids.front()), "relabel: from_one is the training file's option");
  }
  const std::uint64_t size = side.test_ids.back() + 1 - lowest;
  if (declared && size > side.train_size) {
    throw InputError(file, 0,
                     std::string(side.what) + " ids up to " + std::to_string(side.train_size - 1 + lowest) +
                         ", as the header of " + located.data.string() + " says",
                     std::to_string(side.test_ids.back()));
  }
  if (size > std::max(limit, side.train_size)) {
    throw InputError(file, 0, std::string(side.what) + " ids below " + std::to_string(limit) + " for that many ratings",
                     std::to_string(side.test_ids.back()), "set relabel: compact");
  }
  TestNumbering numbering;
  numbering.size = std::max(size, side.train_size);
  for (const std::uint32_t id : side.test_ids) {
    numbering.test_places.push_back(static_cast<std::uint32_t>(id - lowest));
  }
  return numbering;
}

/// The first N ratings of a test file, and the users and items that these alone name.
Content first_ratings(const Content& content, std::int64_t count, int threads) {
  const auto& all = std::get<Ratings>(content.data);
  const auto cut = [count](const auto& values) { return std::vector(values.begin(), values.begin() + count); };
  const auto users = static_cast<std::size_t>(all.users());
  Content kept =
      compacted_ratings({{}, {cut(all.train.users), cut(all.train.items), cut(all.train.values)}, {}}, threads);
  const auto kept_users = static_cast<std::size_t>(std::get<Ratings>(kept.data).users());
  RatingIdList original;
  for (std::size_t i = 0; i < kept.original_ids.size(); ++i) {
    original.push_back(content.original_ids[kept.original_ids[i] + (i < kept_users ? 0 : users)]);
  }
  kept.original_ids = std::move(original);
  return kept;
}

class TestRatingRules final : public QueryRules {
 public:
  Kind gives() const override { return Kind::Ratings; }

  void resolve(const std::string& where, const QueriesSource& test, Options& options) const override {
    if (const Kind kind = resolve_file(where, test.file, options); kind != Kind::Ratings) {
      throw InputError(where, 0, "kind ratings", std::string(to_string(kind)));
    }
    if (test.file.options.contains("relabel")) {
      throw InputError(where, 0, "no option \"relabel\", as that of the training file holds",
                       '"' + test.file.options.at("relabel") + '"');
    }
    refuse_keys_of_graphs(where, test);
    options["relabel"] = "compact";  // so that every id comes with its original
  }

  Content add(Content data, const LocatedQueries& located, const LoadOptions& options) const override {
    for (const Options* of : {&located.data_options, &located.options}) {
      // Each file would number its names by itself.
      if (const auto ids = of->find("ids"); ids != of->end() && ids->second == "names") {
        throw InputError(located.file.string(), 0, "numbers as the ids of users and items, which both files share",
                         "names",
                         "put the ratings into one file, and take test ratings by the transform hold_out_ratings");
      }
    }
    auto& ratings = std::get<Ratings>(data.data);
    Content content = parse_file(located.source.file, located.options, located.file, options);
    if (const std::int64_t first = located.source.first; first > 0) {
      if (const std::int64_t count = std::get<Ratings>(content.data).train.count(); count < first) {
        throw InputError(located.file.string(), 0, "at least " + std::to_string(first) + " ratings",
                         std::to_string(count));
      }
      content = first_ratings(content, first, options.threads);
    }
    const auto& read = std::get<Ratings>(content.data);
    const std::uint64_t limit = max_ids(static_cast<std::uint64_t>(ratings.train.count() + read.train.count()));
    const bool compact = rating_ids_of(located.data_options) == RatingIds::compact;
    const auto split = [](const Content& of, const Ratings& from, bool first) {
      const auto users = static_cast<std::size_t>(from.users());
      const auto ids = of.original_ids.span();
      return ids.empty() ? ids : first ? ids.first(users) : ids.subspan(users);
    };
    const auto numbering = [&](const char* what, bool first, std::uint64_t size) {
      const TestSide side{what, split(data, ratings, first), split(content, read, first), size};
      return compact ? compact_numbering(side, options.threads) : kept_numbering(side, located, limit);
    };
    TestNumbering users = numbering("user", true, ratings.shape[0]);
    const TestNumbering items = numbering("item", false, ratings.shape[1]);
    ratings.test = {looked_up(read.train.users, users.test_places, options.threads),
                    looked_up(read.train.items, items.test_places, options.threads), read.train.values};
    ratings.shape = std::vector<std::uint64_t>{users.size, items.size};
    if (compact) {
      ratings.train.users = looked_up(ratings.train.users, users.train_places, options.threads);
      ratings.train.items = looked_up(ratings.train.items, items.train_places, options.threads);
      users.original.insert(users.original.end(), items.original.begin(), items.original.end());
      data.original_ids = std::move(users.original);
    }
    return data;
  }
};

}  // namespace

const QueryRules& test_rating_rules() {
  static const TestRatingRules kRules;
  return kRules;
}

}  // namespace warpbench::datasets
