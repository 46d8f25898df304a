// Epochs of a sampled loss.                                            docs/solvers/adam.md
//
// A step takes the next B observed pairs of a random order, in two parallel loops: blocks of pairs
// draw, score and leave their pulls; shares of rows sum up the pulls, row by row and block after
// block, and move. What is added to what, and in which order, depends on the batch alone. Pairs
// that are compared with the items of others need one loop more, as those must be known first;
// items that pull each other another one, as they must not move before.
#include <algorithm>
#include <vector>

#include "sqmax/core/parallel.h"

#include "kernels/listed.h"
#include "solve/epochs.h"
#include "solve/order.h"
#include "solve/pair_slopes.h"

namespace sqmax {
namespace {

constexpr Offset kPairsPerBlock = 64;
constexpr Offset kTogether = 8;      // pairs that draw before the first of them is scored
constexpr std::size_t kFetched = 8;  // items whose vectors are asked for at once
constexpr Index kNone = -1;          // of a user who has everything: there is nothing to draw

struct UserItem {
  Index user = 0;
  Index item = 0;
};

// Next to each other: one place in memory to ask for.
LargeVector<UserItem> observed_pairs(CsrView by_user) {
  LargeVector<UserItem> pairs;
  pairs.reserve(at(by_user.nnz()));
  for (Index x = 0; x < by_user.rows; ++x) {
    for (const Index y : by_user.row(x)) pairs.push_back({x, y});
  }
  return pairs;
}

/// What a block of pairs leaves behind.
struct BlockOfPairs {
  explicit BlockOfPairs(const ScoreLoss& loss)
      : pair(loss), size(at(loss.sampling.negatives) + 1), lists(at(kTogether) * size) {}
  std::span<Index> list(Offset place) { return std::span(lists).subspan(at(place) * size, size); }

  PairSlopes pair;
  std::size_t size;
  std::vector<Index> lists;  // of the pairs that are looked at together: y and what was drawn
  Pulls users;
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
        observed_(by_user),
        all_pairs_(observed_pairs(by_user)),
        blocks_(at((batch_ + kPairsPerBlock - 1) / kPairsPerBlock), BlockOfPairs(loss)),
        gradients_(batch_, sides.users.vectors().cols),
        copies_(batch_, sides.users.vectors().cols),
        user_shares_(at(kShares)),
        item_shares_(at(kShares)),
        user_slots_(at(by_user.rows), -1),
        item_slots_(at(by_user.cols), -1) {}

  double run(int number) override {
    const Offset pairs = by_user_.nnz();
    const Order order(pairs, seed_, number);
    double sum = 0.0;
    for (Offset begin = 0; begin < pairs; begin += batch_) {
      sum += step(number, order, begin, std::min(begin + batch_, pairs));
    }
    return sum;
  }

 private:
  double step(int number, const Order& order, Offset begin, Offset end) {
    ++now_;
    pairs_.resize(at(end - begin));
    users_.resize(pairs_.size());
    items_.resize(pairs_.size());
    const auto find = [&](const Block& block) { find_pairs(block, order, begin); };
    const bool needs_batch = loss_.sampling.proposal == Proposal::Batch;
    if (needs_batch) parallel_blocks(end - begin, kPairsPerBlock, find);
    const auto epoch = static_cast<std::uint64_t>(number) * at(by_user_.nnz());
    parallel_blocks(end - begin, kPairsPerBlock, [&](const Block& block) {
      if (!needs_batch) find(block);
      look_at(block, epoch);
    });
    const auto blocks =
        static_cast<std::size_t>((end - begin + kPairsPerBlock - 1) / kPairsPerBlock);
    move(blocks);
    double value = 0.0;
    for (std::size_t b = 0; b < blocks; ++b) value += blocks_[b].value;
    return value;
  }

  // Pairs come in random order, so what is known of them is far away: it is asked for first.
  void find_pairs(const Block& block, const Order& order, Offset begin) {
    for (Offset b = block.begin; b < block.end; ++b) {
      pairs_[at(b)] = order(begin + b);
      kernels::fetch(&all_pairs_[at(pairs_[at(b)])], sizeof(UserItem));
    }
    for (Offset b = block.begin; b < block.end; ++b) {
      const UserItem& pair = all_pairs_[at(pairs_[at(b)])];
      users_[at(b)] = pair.user;
      items_[at(b)] = pair.item;
      kernels::fetch(&by_user_.offsets[at(pair.user)], 2 * sizeof(Offset));
    }
  }

  // What some pairs need is on its way while those before them are looked at.
  void look_at(const Block& block, std::uint64_t epoch) {
    BlockOfPairs& out = blocks_[at(block.number)];
    out.users.clear();
    out.items.clear();
    out.value = 0.0;
    fetch_users(block.begin, std::min(block.begin + kTogether, block.end), epoch);
    for (Offset begin = block.begin; begin < block.end; begin += kTogether) {
      const Offset end = std::min(begin + kTogether, block.end);
      fetch_users(end, std::min(end + kTogether, block.end), epoch);
      draw(begin, end, epoch, out);
      for (Offset b = begin; b < end; ++b) look_at_pair(b, out.list(b - begin), out);
    }
  }

  // Users come in random order: their items and vectors are far away.
  void fetch_users(Offset begin, Offset end, std::uint64_t epoch) const {
    for (Offset b = begin; b < end; ++b) {
      const Index x = users_[at(b)];
      sampler_.fetch(observed_(x), items_, stream(b, epoch));
      fetch_vector(sides_.users.vectors().row(x));
    }
  }

  Random stream(Offset b, std::uint64_t epoch) const {
    return {seed_, Purpose::Negative, epoch + at(pairs_[at(b)])};
  }

  void draw(Offset begin, Offset end, std::uint64_t epoch, BlockOfPairs& out) const {
    for (Offset b = begin; b < end; ++b) {
      const auto list = out.list(b - begin);
      Random random = stream(b, epoch);
      const bool is_drawn =
          sampler_.draw(observed_(users_[at(b)]), items_, random, list.subspan(1));
      list[0] = is_drawn ? items_[at(b)] : kNone;
      if (!is_drawn) continue;
      const auto first = list.first(std::min(list.size(), kFetched));
      for (const Index y : first) fetch_vector(sides_.items.vectors().row(y));
    }
  }

  static void fetch_vector(std::span<const float> vector) {
    kernels::fetch(vector.data(), vector.size_bytes());
  }

  void look_at_pair(Offset b, std::span<const Index> list, BlockOfPairs& out) {
    if (list[0] == kNone) return;
    const Index x = users_[at(b)];
    const Index y = list[0];
    const ConstMatrix Q = sides_.items.vectors();
    const auto p = sides_.users.vectors().row(x);
    out.value +=
        out.pair.evaluate(list, p, Q, sides_.users.extra(x), sides_.items.extra(y), sampler_);
    // Of the last step of an epoch, too: its pairs, maybe few, count no more than others.
    out.pair.scale(1.0f / static_cast<float>(batch_));
    const auto copy = copies_.row(b);
    std::ranges::copy(p, copy.begin());
    out.pair.pull_items(copy.data(), Q, out.items);
    out.users.add(x, nullptr, out.pair.user_extra_slope());
    const auto gradient = gradients_.row(b);
    std::ranges::fill(gradient, 0.0f);
    out.pair.add_user_gradient(p, Q, gradient);
    out.users.add(x, gradient.data(), 1.0f);
  }

  // Gradients and copies stay where they are, so a row moves as soon as its pulls are summed,
  // unless items pull each other.
  void move(std::size_t blocks) {
    const bool items_pull = loss_.compares_items;
    if (items_pull) {
      parallel_blocks(kShares, 1, [&](const Block& share) {
        take_items(share.number, blocks).add_up(gradients_.cols());
      });
    }
    parallel_blocks(2 * kShares, 1, [&](const Block& share) {
      const Offset own = share.number % kShares;
      if (share.number < kShares) {
        take_users(own, blocks).add_up_and_move(sides_.users, now_, user_slots_);
      } else if (items_pull) {
        item_shares_[at(own)].move(sides_.items, now_, item_slots_);
      } else {
        take_items(own, blocks).add_up_and_move(sides_.items, now_, item_slots_);
      }
    });
  }

  ShareOfRows& take_users(Offset number, std::size_t blocks) {
    ShareOfRows& rows = user_shares_[at(number)];
    for (std::size_t b = 0; b < blocks; ++b) rows.take(blocks_[b].users.share(number), user_slots_);
    return rows;
  }

  ShareOfRows& take_items(Offset number, std::size_t blocks) {
    ShareOfRows& rows = item_shares_[at(number)];
    for (std::size_t b = 0; b < blocks; ++b) rows.take(blocks_[b].items.share(number), item_slots_);
    return rows;
  }

  const ScoreLoss& loss_;
  CsrView by_user_;
  std::uint64_t seed_;
  MovingSides& sides_;
  Sampler sampler_;
  Offset batch_;
  ObservedFilter observed_;
  LargeVector<UserItem> all_pairs_;
  std::vector<Offset> pairs_;  // of the batch
  std::vector<Index> users_;   // of the batch
  std::vector<Index> items_;   // of the batch
  std::vector<BlockOfPairs> blocks_;
  Matrix gradients_;  // ∂ℓ/∂p of each pair of the batch
  Matrix copies_;     // p of each pair of the batch: it pulls items while users move
  std::vector<ShareOfRows> user_shares_;
  std::vector<ShareOfRows> item_shares_;
  std::vector<Index> user_slots_;
  std::vector<Index> item_slots_;
};

}  // namespace

std::unique_ptr<Epochs> sampled_epochs(const ScoreLoss& loss, CsrView by_user, std::uint64_t seed,
                                       MovingSides& sides) {
  return std::make_unique<SampledEpochs>(loss, by_user, seed, sides);
}

}  // namespace sqmax
