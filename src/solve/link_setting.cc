// LinkSetting: one pass over the users of every item.
#include "solve/link_setting.h"

#include "sqmax/core/parallel.h"

#include "kernels/dense.h"

namespace sqmax {

LinkSetting::LinkSetting(const Problem& given, ConstMatrix user_vectors, ConstMatrix item_vectors,
                         const LinkOptions& link_options)
    : problem(given),
      P(user_vectors),
      Q(item_vectors),
      options(link_options),
      weight(given.form.users.weight),
      weight_sum(at(Q.rows)),
      lean_sum(at(Q.rows)),
      h(Q.rows, Q.cols) {
  for (Index x = 0; x < problem.by_user.rows; ++x) {
    if (!is_asked(x)) weight[at(x)] = 0.0f;
  }
  parallel_blocks(Q.rows, grain_for(Q.rows, 64), [this](const Block& block) {
    for (Offset z = block.begin; z < block.end; ++z) sum_users(static_cast<Index>(z));
  });
}

void LinkSetting::sum_users(Index z) {
  const auto users = problem.by_item.row(z);
  kernels::gather_sum(users, weight, P, 1.0f, h.row(z));
  for (const Index x : users) {
    weight_sum[at(z)] += weight[at(x)];
    if (is_asked(x)) lean_sum[at(z)] += problem.form.users.lean[at(x)];
  }
}

}  // namespace sqmax
