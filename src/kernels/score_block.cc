// score_block() with Highway: compiled once per instruction set, chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/score_block.cc"

#include "kernels/score_block.h"

#include <algorithm>
#include <cstring>

#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sqmax::HWY_NAMESPACE {
namespace {  // internal linkage: the linker must never merge two instruction sets

namespace hn = hwy::HWY_NAMESPACE;
using Tag = hn::CappedTag<float, kPanelItems / 2>;  // two vectors always fit a panel
using Vec = hn::Vec<Tag>;
constexpr Tag kTag;
constexpr std::size_t kLine = 64 / sizeof(float);  // of the cache

HWY_INLINE std::uint32_t bits_of(hn::Mask<Tag> mask) {
  std::uint64_t bits = 0;
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(kTag, mask, bytes);
  std::memcpy(&bits, bytes, sizeof bits);
  return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << hn::Lanes(kTag)) - 1));
}

// Most pairs end here: nothing is stored unless some lane beats the threshold.
HWY_INLINE void keep(const ScoreBlock& block, Offset user, std::size_t lane, Vec a, Vec b) {
  if (block.factors != nullptr) {
    const float* f = block.factors + user * kPanelItems + lane;
    a = hn::Mul(a, hn::LoadU(kTag, f));
    b = hn::Mul(b, hn::LoadU(kTag, f + hn::Lanes(kTag)));
  }
  const Vec threshold = hn::Set(kTag, block.thresholds[user]);
  const auto above_a = hn::Gt(a, threshold);
  const auto above_b = hn::Gt(b, threshold);
  if (hn::AllFalse(kTag, hn::Or(above_a, above_b))) return;
  const std::size_t next = lane + hn::Lanes(kTag);
  float* scores = block.scores + user * kPanelItems;
  hn::StoreU(a, kTag, scores + lane);
  hn::StoreU(b, kTag, scores + next);
  block.above[user] |= bits_of(above_a) << lane | bits_of(above_b) << next;
}

// Four users × two vectors: eight sums hide the latency of FMA and leave registers for operands.
HWY_INLINE void score_tile(const ScoreBlock& block, Offset user, std::size_t lane) {
  const std::size_t lanes = hn::Lanes(kTag);
  const float* q = block.panel + lane;
  const float* p0 = block.users + user * block.rank;
  const float* p1 = p0 + block.rank;
  const float* p2 = p1 + block.rank;
  const float* p3 = p2 + block.rank;
  Vec a0 = hn::LoadU(kTag, q);
  Vec b0 = hn::LoadU(kTag, q + lanes);
  Vec a1 = a0, a2 = a0, a3 = a0;
  Vec b1 = b0, b2 = b0, b3 = b0;
  if (block.shift != nullptr) {
    const float* d = block.shift + user * kPanelItems + lane;
    a0 = hn::Add(a0, hn::LoadU(kTag, d));
    b0 = hn::Add(b0, hn::LoadU(kTag, d + lanes));
    a1 = hn::Add(a1, hn::LoadU(kTag, d += kPanelItems));
    b1 = hn::Add(b1, hn::LoadU(kTag, d + lanes));
    a2 = hn::Add(a2, hn::LoadU(kTag, d += kPanelItems));
    b2 = hn::Add(b2, hn::LoadU(kTag, d + lanes));
    a3 = hn::Add(a3, hn::LoadU(kTag, d += kPanelItems));
    b3 = hn::Add(b3, hn::LoadU(kTag, d + lanes));
  }
  for (Index k = 0; k < block.rank; ++k) {
    q += kPanelItems;
    const Vec qa = hn::LoadU(kTag, q);
    const Vec qb = hn::LoadU(kTag, q + lanes);
    const Vec u0 = hn::Set(kTag, p0[k]);
    a0 = hn::MulAdd(u0, qa, a0);
    b0 = hn::MulAdd(u0, qb, b0);
    const Vec u1 = hn::Set(kTag, p1[k]);
    a1 = hn::MulAdd(u1, qa, a1);
    b1 = hn::MulAdd(u1, qb, b1);
    const Vec u2 = hn::Set(kTag, p2[k]);
    a2 = hn::MulAdd(u2, qa, a2);
    b2 = hn::MulAdd(u2, qb, b2);
    const Vec u3 = hn::Set(kTag, p3[k]);
    a3 = hn::MulAdd(u3, qa, a3);
    b3 = hn::MulAdd(u3, qb, b3);
  }
  keep(block, user, lane, a0, b0);
  keep(block, user + 1, lane, a1, b1);
  keep(block, user + 2, lane, a2, b2);
  keep(block, user + 3, lane, a3, b3);
}

// The next panel comes from memory while this one is scored, a share with each tile: more at once
// than the processor has places for would wait for each other.
class NextPanel {
 public:
  explicit NextPanel(const ScoreBlock& block) : line_(block.next) {
    if (line_ == nullptr || block.user_count == 0) return;  // nobody has no share
    const std::size_t lines = (1 + at(block.rank)) * at(kPanelItems) / kLine;
    const std::size_t tiles =
        at(block.user_count) / at(kTileUsers) * at(kPanelItems) / (2 * hn::Lanes(kTag));
    share_ = (lines + tiles - 1) / tiles * kLine;
    end_ = line_ + lines * kLine;
  }

  HWY_INLINE void fetch_share() {
    const float* end = std::min(line_ + share_, end_);
    for (; line_ < end; line_ += 64 / sizeof(float)) hwy::Prefetch(line_);
  }

 private:
  const float* line_;
  const float* end_ = nullptr;
  std::size_t share_ = 0;
};

void score_block_body(const ScoreBlock& block) {
  std::fill_n(block.above, block.user_count, 0);  // of nobody, there may be no place
  NextPanel next(block);
  for (Index user = 0; user < block.user_count; user += kTileUsers) {
    for (std::size_t lane = 0; lane < at(kPanelItems); lane += 2 * hn::Lanes(kTag)) {
      if (block.next != nullptr) next.fetch_share();
      score_tile(block, user, lane);
    }
  }
}

}  // namespace
}  // namespace sqmax::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sqmax {

HWY_EXPORT(score_block_body);

void score_block(const ScoreBlock& block) { HWY_DYNAMIC_DISPATCH(score_block_body)(block); }

void reference::score_block(const ScoreBlock& block) {
  for (Index u = 0; u < block.user_count; ++u) {
    block.above[u] = 0;
    for (Index j = 0; j < kPanelItems; ++j) {
      float score = block.panel[j];
      if (block.shift != nullptr) score += block.shift[u * kPanelItems + j];
      for (Index k = 0; k < block.rank; ++k) {
        score += block.users[u * block.rank + k] * block.panel[(1 + k) * kPanelItems + j];
      }
      if (block.factors != nullptr) score *= block.factors[u * kPanelItems + j];
      block.scores[u * kPanelItems + j] = score;
      if (score > block.thresholds[u]) block.above[u] |= std::uint32_t{1} << j;
    }
  }
}

}  // namespace sqmax
#endif
