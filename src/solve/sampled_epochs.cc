// Epochs of a sampled loss.                                            docs/solvers/adam.md
//
// A step takes the next B observed pairs of a random order, in three parallel loops: blocks of
// pairs draw, score and leave their pulls; shares of rows sum up the pulls, block after block;
// shares of rows move. What is added to what, and in which order, depends on the batch alone. Pairs
// that are compared with the items of others need one loop more: those must be known first.
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
constexpr Offset kAhead = 4;  // pairs whose users are fetched before their turn

std::vector<Index> users_of_pairs(CsrView by_user) {
  std::vector<Index> users;
  users.reserve(at(by_user.nnz()));
  for (Index x = 0; x < by_user.rows; ++x) users.insert(users.end(), at(by_user.row_size(x)), x);
  return users;
}

/// What a block of pairs leaves behind.
struct BlockOfPairs {
  explicit BlockOfPairs(const ScoreLoss& loss) : pair(loss) {}
  PairSlopes pair;
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
        batch_(std::min<Offset>(loss.descent.batch, by_user.nnz())),
        user_of_(users_of_pairs(by_user)),
        blocks_(at((batch_ + kPairsPerBlock - 1) / kPairsPerBlock), BlockOfPairs(loss)),
        gradients_(batch_, sides.users.vectors().cols),
        user_shares_(kShares),
        item_shares_(kShares),
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
    add_up(blocks);
    parallel_blocks(2 * kShares, 1,
                    [&](const Block& share) { move(static_cast<Index>(share.number)); });
    double value = 0.0;
    for (std::size_t b = 0; b < blocks; ++b) value += blocks_[b].value;
    return value;
  }

  // Pairs come in random order, so what is known of them is far away: it is asked for first.
  void find_pairs(const Block& block, const Order& order, Offset begin) {
    for (Offset b = block.begin; b < block.end; ++b) {
      const auto pair = at(pairs_[at(b)] = order(begin + b));
      kernels::fetch(&by_user_.indices[pair], sizeof(Index));
      kernels::fetch(&user_of_[pair], sizeof(Index));
    }
    for (Offset b = block.begin; b < block.end; ++b) {
      items_[at(b)] = by_user_.indices[at(pairs_[at(b)])];
    }
  }

  void look_at(const Block& block, std::uint64_t epoch) {
    BlockOfPairs& out = blocks_[at(block.number)];
    out.users.clear();
    out.items.clear();
    out.value = 0.0;
    for (Offset b = block.begin; b < block.end; ++b) {
      if (b + kAhead < block.end) fetch_pair(b + kAhead);
      Random random(seed_, Purpose::Negative, epoch + at(pairs_[at(b)]));
      look_at_pair(b, random, out);
    }
  }

  // Users come in random order: their items and vectors are far away.
  void fetch_pair(Offset b) const {
    const Index x = user_of_[at(pairs_[at(b)])];
    kernels::fetch(by_user_.row(x).data(), by_user_.row(x).size_bytes());
    kernels::fetch(sides_.users.vectors().row(x).data(), at(gradients_.cols()) * sizeof(float));
  }

  void look_at_pair(Offset b, Random& random, BlockOfPairs& out) {
    const Index x = user_of_[at(pairs_[at(b)])];
    const Index y = items_[at(b)];
    const ConstMatrix Q = sides_.items.vectors();
    const auto p = sides_.users.vectors().row(x);
    if (!sampler_.draw(by_user_.row(x), items_, random, out.pair.drawn())) return;
    out.pair.set_item(y);
    out.value += out.pair.evaluate(p, Q, sides_.users.extra(x), sides_.items.extra(y), sampler_);
    out.pair.scale(1.0f / static_cast<float>(items_.size()));
    out.pair.pull_items(p.data(), Q, out.items);
    out.users.add(x, nullptr, out.pair.user_extra_slope());
    if (out.pair.pulls_user_directly()) return out.pair.pull_user(x, Q, out.users);
    const auto gradient = gradients_.row(b);
    std::ranges::fill(gradient, 0.0f);
    out.pair.add_user_gradient(p, Q, gradient);
    out.users.add(x, gradient.data(), 1.0f);
  }

  void add_up(std::size_t blocks) {
    const Offset rank = gradients_.cols();
    parallel_blocks(2 * kShares, 1, [&](const Block& share) {
      const auto number = static_cast<Index>(share.number);
      const bool is_users = number < kShares;
      for (std::size_t b = 0; b < blocks; ++b) {
        if (is_users) {
          user_shares_[at(number)].add(blocks_[b].users.share(number), rank, user_slots_);
        } else {
          item_shares_[at(number - kShares)].add(blocks_[b].items.share(number - kShares), rank,
                                                 item_slots_);
        }
      }
    });
  }

  void move(Index number) {
    if (number < kShares) {
      user_shares_[at(number)].move(sides_.users, now_, user_slots_);
    } else {
      item_shares_[at(number - kShares)].move(sides_.items, now_, item_slots_);
    }
  }

  const ScoreLoss& loss_;
  CsrView by_user_;
  std::uint64_t seed_;
  MovingSides& sides_;
  Sampler sampler_;
  Offset batch_;
  std::vector<Index> user_of_;  // of each observed pair
  std::vector<Offset> pairs_;   // of the batch
  std::vector<Index> items_;    // of the batch
  std::vector<BlockOfPairs> blocks_;
  Matrix gradients_;  // ∂/∂p of each pair of the batch
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
