// Line reader: text cut into blocks at line ends, parsed at the same time, handed on in order.
#pragma once

#include <functional>
#include <string_view>

#include "data/read/format.h"
#include "data/read/input_stream.h"
#include "data/read/record_block.h"

namespace sqmax {

class LineParser {
 public:
  LineParser() = default;
  virtual ~LineParser() = default;
  LineParser(const LineParser&) = delete;
  LineParser& operator=(const LineParser&) = delete;

  /// Adds what a line says to the block: records, or a bad line. The line has no line end and is
  /// not empty. Called for several blocks at once.
  virtual void parse(std::string_view line, RecordBlock& block) const = 0;
};

/// Takes blocks in the order of the input, one at a time.
using BlockSink = std::function<void(const RecordBlock&)>;

/// Parses all that is left of `input`.
void read_lines(InputStream& input, const LineParser& parser, ReadContext& context,
                const BlockSink& sink);

/// With the collector as sink, between its begin and end.
void collect_lines(InputStream& input, const LineParser& parser, ReadContext& context,
                   const InputFacts& facts);

}  // namespace sqmax
