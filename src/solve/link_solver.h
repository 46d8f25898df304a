// LinkSolver: the links to one item after another.                              docs/links.md
#pragma once

#include <cstdint>
#include <vector>

#include "solve/link_setting.h"
#include "solve/small.h"

namespace sqmax {

struct Link {
  Index source = 0;
  float value = 0.0f;
};

/// In b_zy, for one item y, the loss is a quadratic with
///
///   g_z   = Σ_{x∋z} [ r_xy (ρ_x ρ_y − ω_x ω_y o_xy) + τ a_x b_y − u_x v_y o_xy ]     slope at 0,
///   ·(−½) A_zz' = Σ_{x∋z,z'} ( u_x v_y + r_xy ω_x ω_y ) curvature, ·½
///
/// where o is the score by vectors alone.
class LinkSolver {
 public:
  /// `setting` must outlive it.
  explicit LinkSolver(const LinkSetting& setting);

  /// At most m links, by source.
  std::vector<Link> links_to(Index y);

 private:
  // What the users of y say about z: their part of g_z and of A_zz.
  struct Tally {
    float slope = 0.0f;
    float curvature = 0.0f;
    bool is_empty() const { return slope == 0.0f && curvature == 0.0f; }
  };
  struct Candidate {
    Index source = 0;
    double slope = 0.0;
    double gain = 0.0;  // by which the loss falls if this link were alone
  };

  void tally(Index y);
  void choose(Index y);
  Small system(Index y);
  void mark(std::span<const Index> users, std::uint64_t bit);
  Eigen::VectorXd slopes() const;

  const LinkSetting& s_;
  std::vector<Tally> tallies_;             // per item; empty between items
  std::vector<Index> touched_;             // the items that may have a tally for y
  std::vector<Candidate> chosen_;          // by source
  std::vector<std::uint64_t> sources_of_;  // per user, a bit for each chosen item; 0 between items
  std::vector<Index> users_;               // those with a word that is not 0
};

}  // namespace sqmax
