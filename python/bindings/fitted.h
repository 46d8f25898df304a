// Fitted: a model, and what its answers need, made when first asked for.
#pragma once

#include <mutex>
#include <optional>

#include "sqmax/model/model.h"
#include "sqmax/rank/item_scorer.h"
#include "sqmax/serve/explainer.h"
#include "sqmax/serve/neighbours.h"
#include "sqmax/solve/fold_in.h"

namespace sqmax::python {

/// Never changes, so that any number of threads may read it.
class Fitted {
 public:
  explicit Fitted(Model model) : model_(std::move(model)) {}
  Fitted(const Fitted&) = delete;
  Fitted& operator=(const Fitted&) = delete;

  const Model& model() const { return model_; }
  const ItemScorer& scorer() const {
    return scorer_.get([this] { return scorer_of(model_); });
  }
  const FoldIn& fold_in(Side side) const {
    return (side == Side::Users ? user_folder_ : item_folder_).get([this, side] {
      return FoldIn(model_, side);
    });
  }
  const Neighbours& neighbours(Side side) const {
    return (side == Side::Users ? like_users_ : like_items_).get([this, side] {
      return Neighbours(model_, side);
    });
  }
  const Explainer& explainer() const {
    std::call_once(explained_, [this] { explainer_ = std::make_unique<Explainer>(model_); });
    return *explainer_;
  }

 private:
  template <class Value>
  class Late {
   public:
    template <class Make>
    const Value& get(const Make& make) const {
      std::call_once(once_, [&] { value_.emplace(make()); });
      return *value_;
    }

   private:
    mutable std::once_flag once_;
    mutable std::optional<Value> value_;
  };

  Model model_;
  Late<ItemScorer> scorer_;
  Late<FoldIn> user_folder_;
  Late<FoldIn> item_folder_;
  Late<Neighbours> like_users_;
  Late<Neighbours> like_items_;
  mutable std::once_flag explained_;
  mutable std::unique_ptr<Explainer> explainer_;
};

}  // namespace sqmax::python
