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

constexpr std::size_t kTogether = 8;  // pairs that draw before the first of them is scored
constexpr std::size_t kFetched = 8;   // items whose vectors are asked for at once
constexpr Index kNone = -1;           // no user; no item, for a user who has everything

/// What a share of users works with, and leaves behind; no two of them write to the same cache
/// line.
struct alignas(64) ShareOfUsers {
  explicit ShareOfUsers(const ScoreLoss& loss)
      : pair(loss), size(at(loss.sampling.negatives) + 1), lists(kTogether * size) {}
  std::span<Index> list(std::size_t place) { return std::span(lists).subspan(place * size, size); }

  PairSlopes pair;
  std::size_t size;
  std::vector<Index> lists;  // of the pairs that are looked at together: y and what was drawn
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

  // What some pairs need is on its way while those before them are looked at.
  void look_at_pairs(ShareOfUsers& share, float* copy) {
    const Pairs pairs = share.users.values();
    const auto eight = [&](std::size_t begin) {
      begin = std::min(begin, pairs.size());
      return pairs.subspan(begin, std::min(kTogether, pairs.size() - begin));
    };
    fetch_rows(eight(0));
    fetch_rows(eight(kTogether));
    fetch_users(eight(0));
    for (std::size_t begin = 0; begin < pairs.size(); begin += kTogether) {
      fetch_rows(eight(begin + 2 * kTogether));
      fetch_users(eight(begin + kTogether));
      draw(eight(begin), share);
      for (std::size_t i = begin; i < begin + eight(begin).size(); ++i) {
        const Index x = pairs[i].pair.user;
        if (i == 0 || pairs[i - 1].pair.user != x) begin_user(x, copy, share);
        look_at_pair(x, share.list(i - begin), copy, share);
        if (i + 1 < pairs.size() && pairs[i + 1].pair.user == x) continue;
        end_user(x, share);
        copy += P_.cols;
      }
    }
  }

  // Users come in random order: where their items are, then these, and vectors are far away.
  void fetch_rows(Pairs pairs) const {
    for (const DealtPair& pair : pairs) {
      kernels::fetch(&by_user_.offsets[at(pair.pair.user)], 2 * sizeof(Offset));
    }
  }

  void fetch_users(Pairs pairs) const {
    Index last = kNone;
    for (const DealtPair& pair : pairs) {
      const Index x = pair.pair.user;
      sampler_.fetch(observed_(x), batch_pairs_.items(), stream(pair));
      if (x != last) sides_.users.fetch(x);
      last = x;
    }
  }

  Random stream(const DealtPair& pair) const {
    return {seed_, Purpose::Negative, first_draw_ + at(pair.number)};
  }

  void draw(Pairs pairs, ShareOfUsers& share) const {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto list = share.list(i);
      const auto [x, y] = pairs[i].pair;
      Random random = stream(pairs[i]);
      const bool is_drawn =
          sampler_.draw(observed_(x), batch_pairs_.items(), random, list.subspan(1));
      list[0] = is_drawn ? y : kNone;
      if (!is_drawn) continue;
      for (const Index j : list.first(std::min(list.size(), kFetched))) {
        const auto q = Q_.row(j);
        kernels::fetch(q.data(), q.size_bytes());
      }
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
