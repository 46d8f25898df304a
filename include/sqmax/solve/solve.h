// solve(): minimises a QuadraticForm or a ScoreLoss over P and Q, without knowing which loss it is.
// docs/solvers/README.md
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sqmax/core/matrix.h"
#include "sqmax/core/progress.h"
#include "sqmax/data/csr.h"
#include "sqmax/loss/quadratic_form.h"
#include "sqmax/loss/score_loss.h"
#include "sqmax/solve/state_keeper.h"

namespace sqmax {

/// What is to be minimised: a form, and its interactions by both sides, or by user alone if there
/// is no memory for both; or a score loss, which needs them by user alone and has an empty form.
struct Problem {
  const QuadraticForm& form;
  CsrView by_user;
  CsrView by_item = {};
  const ScoreLoss* score_loss = nullptr;

  bool has_both_sides() const { return by_item.rows > 0; }
  bool is_squared() const { return score_loss == nullptr; }
};

struct SolveOptions {
  Index rank = 64;
  int iterations = 10;            ///< sweeps of an iterative solver, at most
  double tolerance = 1e-3;        ///< relative residual at which a solver may stop
  std::uint64_t seed = 0;         ///< of the starting point
  bool report_objective = false;  ///< whether events carry the objective (costs a pass)
  int cg_steps = 3;               ///< of `cg`, a row and half-step
  /// Bytes for what would otherwise be made again in every pass over interactions that are known by
  /// user alone. Results do not depend on it.
  std::int64_t spare_memory = 0;
  Index block = 0;  ///< coordinates of `subspace` at a time; 0: 32, at most the rank
  /// Where an alternation starts, a row per user and per item; empty: at random. They must outlive
  /// the call.
  ConstMatrix start_users = {};
  ConstMatrix start_items = {};
  double learning_rate = 0.01;  ///< of `adam` and `sgd` on a squared loss; a score loss has its own
  /// If there is one, an iterative solver goes on from the state that it kept, to the same bytes as
  /// if it had never stopped. A decomposition has no state to go on from.
  StateKeeper* keeper = nullptr;
};

/// The value of L(P,Q), in parts.
struct Objective {
  double every_pair = 0.0;  ///< interactions included
  double observed = 0.0;
  double ridge = 0.0;
  /// Σ_kl |(PᵀUP)_kl (QᵀVQ)_kl|, U = diag(u), V = diag(v): Σ u v o² is what is left of it where
  /// coordinates or interactions cancel, and single precision rounds relative to it.
  double squares = 0.0;
  double total() const { return every_pair + observed + ridge; }
};

/// O(nnz·K + (M+N)·K²)
Objective objective(const QuadraticForm& form, CsrView by_user, ConstMatrix P, ConstMatrix Q);

/// The side that a step has moved: one of them in an alternation, both at once by Newton or
/// gradient steps, none in a decomposition.
enum class Half { None, Users, Items, Both };

/// What a solver tells after each half-step of an alternation, after each epoch of gradient steps,
/// whenever a decomposition looks at its residual, and at the end of that.
struct SolveEvent {
  int step = 0;   ///< the sweep that this half belongs to (0: the first users), or the product
  int steps = 0;  ///< at most
  Half half = Half::None;
  std::optional<Objective> objective;  ///< if it was asked for, and there are P and Q
  double seconds = 0.0;                ///< since the solver began
  double residual = 0.0;               ///< relative; how far from a fixed point; NaN: not yet known
  ConstMatrix P;                       ///< as they are now, during the call; empty while a
  ConstMatrix Q;                       ///< decomposition has none
  std::span<const float> user_extra = {};  ///< of a score loss that has such parameters
  std::span<const float> item_extra = {};

  /// Whether P belongs to Q: what the solver would return if it stopped here.
  bool is_whole() const { return P.rows > 0 && half != Half::Items; }
};

/// An alternation that is told to stop still solves the users, so that P belongs to Q.
using OnSolve = std::function<Next(const SolveEvent&)>;

enum class StopReason {
  Converged,
  Iterations,  ///< used up
  Stopped,     ///< by the listener
  Patience,    ///< by Fitter: a metric on validation data no longer rose
  Diverged,    ///< the objective left all bounds; the best state before that is kept
};

std::string_view to_text(StopReason reason);

struct Solution {
  Matrix P;
  Matrix Q;
  std::vector<float> user_extra = {};  ///< of a score loss that has such parameters
  std::vector<float> item_extra = {};
  int steps = 0;
  double residual = 0.0;
  /// Of an alternation: the factor by which a sweep shortened the way of the next one, lately;
  /// NaN: not measured.
  double contraction = std::numeric_limits<double>::quiet_NaN();
  StopReason reason = StopReason::Iterations;
};

struct SolverSpec {
  std::string name;
  std::string title;
  /// Whether it minimises this form of these interactions exactly.
  std::function<bool(const Problem&)> applies;
  std::function<Solution(const Problem&, const SolveOptions&, const OnSolve&)> run;
  bool takes_scores = false;  ///< whether it minimises score losses, too
};

/// Whether the solver can minimise this problem.
bool can_minimise(const SolverSpec& solver, const Problem& problem);

/// All solvers: those that `auto` may take, the cheapest first, then the others.
std::span<const SolverSpec> solvers();

/// The named solver, or for "auto" the first that applies. Throws Errc::BadOption if there is no
/// such solver or it cannot minimise the form.
const SolverSpec& find_solver(std::string_view name, const Problem& problem);

}  // namespace sqmax
