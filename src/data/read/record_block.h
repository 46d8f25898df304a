// RecordBlock: what one block of text says, with its own short id tables.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/data/interactions.h"

#include "data/id_slots.h"

namespace sqmax {

/// The ids of one side within a block, by first appearance. Borrows their text.
class LocalIds {
 public:
  static constexpr Index kUnknown = IdSlots::kUnknown;

  void clear();
  Index find(std::string_view id);
  /// The id that was looked for last and is unknown.
  Index insert(std::string_view id);
  const std::vector<std::string_view>& ids() const { return ids_; }

 private:
  IdSlots slots_;
  std::vector<std::string_view> ids_;
  IdKey key_;              // of the id that was looked for last
  Index last_ = kUnknown;  // and its position: most files are sorted by one side
};

/// Why a row that can be read is not kept.
enum class Drop : std::uint8_t {
  BelowMinRating,
  ExplicitZero,
  SourceElsewhere,
  SourceMissing,
  TargetElsewhere,
  TargetMissing
};
inline constexpr std::size_t kDropCount = static_cast<std::size_t>(Drop::TargetMissing) + 1;

/// From the smallest to the largest of the ratings that were seen.
struct RatingRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double rating) { add({rating, rating}); }
  void add(const RatingRange& other);
  /// False: they are all alike, or there are none.
  bool has_several() const { return low < high; }
};

/// A line within its block.
struct BadLineNote {
  Offset line = 0;  ///< from 0, among the lines of the block
  std::string reason;
};

inline constexpr std::size_t kBadLinesKept = 10;

struct RecordBlock {
  std::string text;             ///< whole lines; ids point into it
  bool may_have_quotes = true;  ///< false: there is none in `text`
  LocalIds user_ids;
  LocalIds item_ids;
  std::vector<Index> users;
  std::vector<Index> items;
  std::vector<std::int64_t> times;
  std::vector<Part> parts;

  Offset lines = 0;  ///< read so far
  Offset blank_lines = 0;
  Offset bytes = 0;
  Offset stored_bytes_taken = 0;
  Offset bad_lines = 0;
  std::vector<BadLineNote> first_bad_lines;
  std::array<Offset, kDropCount> dropped = {};
  RatingRange ratings;  ///< of the rows that were added
  Offset fractional_times = 0;
  Offset other_delimiter_lines = 0;

  std::deque<std::string> unescaped;      ///< texts of ids that are not in `text` as they are
  std::vector<std::string_view> scratch;  ///< the cells of a line

  /// Empties everything but `text`; buffers are kept.
  void clear();
  void drop(Drop reason) { ++dropped[static_cast<std::size_t>(reason)]; }
  /// The current line is bad; only the first reasons are kept.
  void bad(std::string reason);
  /// A copy of `id` that lives as long as the block.
  std::string_view keep(std::string id) { return unescaped.emplace_back(std::move(id)); }
  /// Adds a pair, or a bad line if an id is empty or not UTF-8. True: it was added.
  bool add(std::string_view user, std::string_view item);
};

}  // namespace sqmax
