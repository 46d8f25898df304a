// Format: one way to write interactions down; each lives in one file of formats/.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "sqmax/data/read.h"

#include "data/read/collector.h"
#include "data/read/input_stream.h"

namespace sqmax {

/// What reading one input needs besides the input.
struct ReadContext {
  const ReadOptions& options;
  Collector& collector;
  std::size_t block_bytes;
};

/// How sure a format is that an input is its own; the surest reads it.
enum class Certainty { No, Possible, Likely, Sure };

struct Format {
  FormatSpec spec;
  Certainty (*recognise)(std::string_view head);
  /// Given one input, or all inputs of the format at once if it is joint.
  void (*read)(std::span<InputStream> inputs, ReadContext& context);
  bool joint = false;
  bool binary = false;  ///< NUL bytes are no surprise
};

/// Every format, in the order of formats().
std::span<const Format> format_table();

/// For formats without named columns. Throws Errc::BadOption if the options name one, or want a
/// smallest rating where there is none.
void refuse_column_options(const ReadOptions& options, const FormatSpec& spec, bool has_rating);

/// The whole lines at the front of a text, at most `most`; the last may lack its end if the text
/// is shorter than a head. Without line ends.
std::vector<std::string_view> sample_lines(std::string_view head, std::size_t most);

}  // namespace sqmax
