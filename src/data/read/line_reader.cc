// Line reader on the pipeline of core/parallel.h.
#include "data/read/line_reader.h"

#include <algorithm>
#include <cstring>

#include "sqmax/core/parallel.h"

#include "core/fail.h"
#include "data/read/find_byte.h"

namespace sqmax {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 17;
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

// Cuts the text of an input into blocks of whole lines.
class LineBlocks {
 public:
  LineBlocks(InputStream& input, std::size_t block_bytes)
      : input_(input), block_bytes_(std::max<std::size_t>(block_bytes, 1)) {}

  /// False: the input is at its end.
  bool next(std::string& text) {
    text.swap(rest_);
    rest_.clear();
    for (std::size_t wanted = block_bytes_; !at_end_; wanted = 2 * text.size()) {
      fill(text, std::max(wanted, block_bytes_));
      const std::size_t newline = text.rfind('\n');
      if (newline != std::string::npos) {
        rest_.assign(text, newline + 1);
        text.resize(newline + 1);
        return true;
      }
      if (text.size() > kLongestLine) {
        fail(Errc::BadInput, "{} has a line of more than {} bytes.", input_.name(), kLongestLine);
      }
    }
    return !text.empty();
  }

 private:
  // In pieces, so that a small input costs little.
  void fill(std::string& text, std::size_t wanted) {
    std::size_t size = text.size();
    wanted = std::max(wanted, size + 1);
    while (size < wanted && !at_end_) {
      text.resize(size + std::min(wanted - size, kPieceBytes));
      const std::size_t got = input_.read(std::span(text).subspan(size));
      at_end_ = got == 0;
      size += got;
    }
    text.resize(size);
  }

  InputStream& input_;
  std::size_t block_bytes_;
  std::string rest_;
  bool at_end_ = false;
};

void parse_block(const LineParser& parser, bool skip_bad_lines, RecordBlock& block) {
  std::string_view text = block.text;
  block.bytes = static_cast<Offset>(text.size());
  block.may_have_quotes = text.find('"') != std::string_view::npos;
  while (!text.empty()) {
    const std::size_t end = find_byte(text, '\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) {
      ++block.blank_lines;
    } else {
      parser.parse(line, block);
    }
    ++block.lines;
    if (block.bad_lines > 0 && !skip_bad_lines) return;
  }
}

}  // namespace

void read_lines(InputStream& input, const LineParser& parser, ReadContext& context,
                const BlockSink& sink) {
  LineBlocks lines(input, context.block_bytes);
  std::vector<RecordBlock> blocks(static_cast<std::size_t>(thread_count()) + 2);
  const auto fill = [&](std::size_t place) {
    const bool more = lines.next(blocks[place].text);
    blocks[place].stored_bytes_taken = input.stored_bytes_taken();
    return more;
  };
  const auto work = [&](std::size_t place) {
    blocks[place].clear();
    parse_block(parser, context.options.skip_bad_lines, blocks[place]);
  };
  const auto empty = [&](std::size_t place) { sink(blocks[place]); };
  try {
    run_pipeline(blocks.size(), {.fill = fill, .work = work, .empty = empty});
  } catch (const Error& error) {
    if (error.code() == Errc::BadInput) input.check_rest();
    throw;
  }
}

void collect_lines(InputStream& input, const LineParser& parser, ReadContext& context,
                   const InputFacts& facts) {
  context.collector.begin(facts);
  read_lines(input, parser, context,
             [&](const RecordBlock& block) { context.collector.merge(block); });
  context.collector.end(input.stored_bytes());
}

}  // namespace sqmax
