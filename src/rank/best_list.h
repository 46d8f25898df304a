// BestList: the best k candidates so far, as a heap with the worst of them in front.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "rank/list_rules.h"

namespace sqmax {

class BestList {
 public:
  explicit BestList(Index k) : k_(at(k)) {}

  float threshold() const {
    return heap_.size() < k_ ? -std::numeric_limits<float>::infinity() : heap_.front().score;
  }

  // Items arrive in ascending order, so one that only equals the threshold loses the tie.
  void offer(const Ranked& candidate) {
    if (heap_.size() == k_) {
      replace_worst(candidate);
    } else {
      heap_.push_back(candidate);
      std::ranges::push_heap(heap_, kBetter);
    }
  }

  std::span<const Ranked> sorted() {
    std::ranges::sort_heap(heap_, kBetter);
    return heap_;
  }

 private:
  // One way down, which ends early for the many candidates that are barely good enough.
  void replace_worst(const Ranked& candidate) {
    std::size_t hole = 0;
    for (std::size_t child = 1; child < k_; child = 2 * hole + 1) {
      if (child + 1 < k_ && kBetter(heap_[child], heap_[child + 1])) ++child;
      if (!kBetter(candidate, heap_[child])) break;
      heap_[hole] = heap_[child];
      hole = child;
    }
    heap_[hole] = candidate;
  }

  std::size_t k_;
  std::vector<Ranked> heap_;
};

}  // namespace sqmax
