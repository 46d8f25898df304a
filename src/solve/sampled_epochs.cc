// Epochs of a sampled loss.                                            docs/solvers/adam.md
//
// A step takes the next B observed pairs of a random order, in three parallel loops. Pairs are
// found and dealt into shares of users; shares draw, score, leave what pulls items, and move each
// user once all of its pairs were looked at; shares of items sum up their pulls, row by row and
// share of users after share of users, and move. What is added to what, and in which order, depends
// on the batch alone. Items that pull each other need one loop more, as they must not move before.
#include <algorithm>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/listed.h"
#include "solve/dealt_pairs.h"
#include "solve/epochs.h"
#include "solve/order.h"
#include "solve/pair_slopes.h"
#include "solve/pulls.h"
#include "solve/row_groups.h"

namespace sqmax {
namespace {

// How many pairs before its turn what a pair needs is asked for: each needs the one before.
constexpr Offset kRowsAhead = 24;   // where its user's items are
constexpr Offset kUsersAhead = 16;  // these, and the user's vector
constexpr Offset kDrawsAhead = 8;   // the vectors of what was drawn
constexpr std::size_t kLists = 16;  // of drawn items
static_assert(kLists > at(kDrawsAhead));
constexpr std::size_t kFetched = 8;  // items whose vectors are asked for at once
constexpr Index kNone = -1;          // no item, for a user who has everything

/// What a share of users works with, and leaves behind; no two of them write to the same cache
/// line.
struct alignas(64) ShareOfUsers {
  explicit ShareOfUsers(const ScoreLoss& loss)
      : pair(loss), size(at(loss.sampling.negatives) + 1), lists(kLists * size) {}
  std::span<Index> list(std::size_t place) {
    return std::span(lists).subspan(place % kLists * size, size);
  }

  PairSlopes pair;
  std::size_t size;
  std::vector<Index> lists;  // of the pairs that come next: y and what was drawn
  RowGroups<DealtPair> users;
  std::vector<float> gradient;  // of the user whose turn it is
  float extra_slope = 0.0f;
  bool is_moved = false;  // whether any pair of this user had something to draw
  Pulls items;
  double value = 0.0;
};

class SampledEpochs final : public Epochs {
 public:
  SampledEpochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed, MovingSides& sides)
      : loss_(loss),
        by_user_(by_user),
        seed_(seed),
        sides_(sides),
        sampler_(loss.sampling, by_user),
        batch_(std::min<Offset>(pairs_of_step(loss, by_user.nnz()), by_user.nnz())),
        P_(sides.users.vectors()),
        Q_(sides.items.vectors()),
        observed_(by_user),
        batch_pairs_(by_user),
        copies_(batch_, P_.cols),
        user_shares_(at(DealtPairs::kShares), ShareOfUsers(loss)),
        item_shares_(at(kShares)),
        user_slots_(at(by_user.rows), -1),
        item_slots_(at(by_user.cols), -1) {}

  double run(int number) override {
    const Offset pairs = by_user_.nnz();
    const Order order(pairs, seed_, number);
    first_draw_ = static_cast<std::uint64_t>(number) * at(pairs);
    double sum = 0.0;
    for (Offset begin = 0; begin < pairs; begin += batch_) {
      batch_pairs_.deal(order, begin, std::min(begin + batch_, pairs));
      sum += step();
    }
    return sum;
  }

 private:
  using Pairs = std::span<const DealtPair>;

  double step() {
    ++now_;
    parallel_blocks(DealtPairs::kShares, 1,
                    [&](const Block& share) { look_at_users(share.number); });
    move_items();
    double value = 0.0;
    for (const ShareOfUsers& share : user_shares_) value += share.value;
    return value;
  }

  void look_at_users(Offset number) {
    ShareOfUsers& share = user_shares_[at(number)];
    batch_pairs_.for_share(number, [&](Pairs pairs) {
      for (const DealtPair& pair : pairs) {
        share.users.add(share.users.slot_of(pair.pair.user, user_slots_), pair);
      }
    });
    share.users.order();
    share.items.clear();
    share.value = 0.0;
    share.gradient.resize(at(P_.cols));
    look_at_pairs(share, copies_.row(batch_pairs_.before(number)).data());
    share.users.clear(user_slots_);
  }

  // What a pair needs is on its way while those before it are looked at. Pair by pair: the lines
  // that may be on their way at the same time are few, and asking for more waits.
  void look_at_pairs(ShareOfUsers& share, float* copy) {
    const Pairs pairs = share.users.values();
    const auto end = static_cast<Offset>(pairs.size());
    const auto is_pair = [end](Offset i) { return i >= 0 && i < end; };
    for (Offset i = -kRowsAhead; i < end; ++i) {
      if (is_pair(i + kRowsAhead)) fetch_row(pairs[at(i + kRowsAhead)]);
      if (is_pair(i + kUsersAhead)) fetch_user(pairs, at(i + kUsersAhead));
      if (is_pair(i + kDrawsAhead)) draw(pairs, at(i + kDrawsAhead), share);
      if (!is_pair(i)) continue;
      const Index x = pairs[at(i)].pair.user;
      if (i == 0 || pairs[at(i - 1)].pair.user != x) begin_user(x, copy, share);
      look_at_pair(x, share.list(at(i)), copy, share);
      if (i + 1 < end && pairs[at(i + 1)].pair.user == x) continue;
      end_user(x, share);
      copy += P_.cols;
    }
  }

  void fetch_row(const DealtPair& pair) const {
    kernels::fetch(&by_user_.offsets[at(pair.pair.user)], 2 * sizeof(Offset));
  }

  void fetch_user(Pairs pairs, std::size_t i) const {
    const Index x = pairs[i].pair.user;
    sampler_.fetch(observed_(x), batch_pairs_.items(), stream(pairs[i]));
    if (i == 0 || pairs[i - 1].pair.user != x) sides_.users.fetch(x);
  }

  Random stream(const DealtPair& pair) const {
    return {seed_, Purpose::Negative, first_draw_ + at(pair.number)};
  }

  void draw(Pairs pairs, std::size_t i, ShareOfUsers& share) const {
    const auto [x, y] = pairs[i].pair;
    const auto list = share.list(i);
    Random random = stream(pairs[i]);
    const bool is_drawn =
        sampler_.draw(observed_(x), batch_pairs_.items(), random, list.subspan(1));
    list[0] = is_drawn ? y : kNone;
    if (!is_drawn) return;
    for (const Index j : list.first(std::min(list.size(), kFetched))) {
      const auto q = Q_.row(j);
      kernels::fetch(q.data(), q.size_bytes());
    }
  }

  void begin_user(Index x, float* copy, ShareOfUsers& share) const {
    std::ranges::copy(P_.row(x), copy);
    std::ranges::fill(share.gradient, 0.0f);
    share.extra_slope = 0.0f;
    share.is_moved = false;
  }

  void look_at_pair(Index x, std::span<const Index> list, const float* copy, ShareOfUsers& share) {
    if (list[0] == kNone) return;
    const std::span<const float> p(copy, share.gradient.size());
    PairSlopes& pair = share.pair;
    share.value +=
        pair.evaluate(list, p, Q_, sides_.users.extra(x), sides_.items.extra(list[0]), sampler_);
    // Of the last step of an epoch, too: its pairs, maybe few, count no more than others.
    pair.scale(1.0f / static_cast<float>(batch_));
    pair.pull_items(copy, Q_, share.items);
    pair.add_user_gradient(p, Q_, share.gradient);
    share.extra_slope += pair.user_extra_slope();
    share.is_moved = true;
  }

  // Nobody else looks at this user: its pairs are all in one share, next to each other.
  void end_user(Index x, ShareOfUsers& share) {
    if (share.is_moved) sides_.users.move(x, now_, share.gradient, share.extra_slope);
  }

  // Copies stay where they are, so a row moves as soon as its pulls are summed, unless items pull
  // each other.
  void move_items() {
    const bool items_pull = loss_.compares_items;
    if (items_pull) {
      parallel_blocks(kShares, 1,
                      [&](const Block& share) { take_items(share.number).add_up(Q_.cols); });
    }
    parallel_blocks(kShares, 1, [&](const Block& share) {
      if (items_pull) {
        item_shares_[at(share.number)].move(sides_.items, now_, item_slots_);
      } else {
        take_items(share.number).add_up_and_move(sides_.items, now_, item_slots_);
      }
    });
  }

  ShareOfRows& take_items(Offset number) {
    ShareOfRows& rows = item_shares_[at(number)];
    for (const ShareOfUsers& users : user_shares_)
      rows.take(users.items.share(number), item_slots_);
    return rows;
  }

  const ScoreLoss& loss_;
  CsrView by_user_;
  std::uint64_t seed_;
  MovingSides& sides_;
  Sampler sampler_;
  Offset batch_;
  // Vectors as they are moved. A view made just now is slow to pass on: it is read in other pieces
  // than it was written in.
  ConstMatrix P_;
  ConstMatrix Q_;
  ObservedFilter observed_;
  DealtPairs batch_pairs_;
  Matrix copies_;  // p of each user of a step: it pulls items after the user has moved
  std::vector<ShareOfUsers> user_shares_;
  std::vector<ShareOfRows> item_shares_;
  std::vector<Index> user_slots_;
  std::vector<Index> item_slots_;
  std::uint64_t first_draw_ = 0;  // of the epoch
};

}  // namespace

std::unique_ptr<Epochs> sampled_epochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed,
                                       MovingSides& sides) {
  return std::make_unique<SampledEpochs>(loss, by_user, seed, sides);
}

}  // namespace sqmax
