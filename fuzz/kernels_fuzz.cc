// Kernels of any instruction set against plain loops, for any sizes: equal, and nothing beyond
// the ends is read or written.                                          docs/kernels.md
#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "sqmax/core/parallel.h"
#include "sqmax/core/random.h"
#include "sqmax/kernels/isa.h"

#include "fuzz/fuzz_target.h"
#include "kernels/cholesky.h"
#include "kernels/dense.h"
#include "kernels/elementwise.h"
#include "kernels/listed.h"
#include "kernels/score_block.h"
#include "kernels/sparse.h"
#include "kernels/tall.h"

namespace {

namespace kernels = sqmax::kernels;
using sqmax::at;
using sqmax::Index;
using sqmax::Matrix;
using sqmax::Offset;

void require(bool equal) {
  if (!equal) __builtin_trap();
}

/// Sizes are the bytes of the input, and so is the seed of the values. These are small integers:
/// every sum is exact in any order, with and without FMA.
class Draws {
 public:
  explicit Draws(std::span<const std::uint8_t> bytes)
      : left_(bytes),
        random_(std::accumulate(
                    bytes.begin(), bytes.end(), std::uint64_t{0},
                    [](std::uint64_t seed, std::uint8_t byte) { return seed * 257 + byte; }),
                sqmax::Purpose::Test) {}

  Offset size(Offset most) {
    if (left_.empty()) return below(most + 1);
    const Offset first = left_.front();
    left_ = left_.subspan(1);
    return first % (most + 1);
  }
  Offset below(Offset bound) {
    return static_cast<Offset>(random_.below(static_cast<std::uint64_t>(bound)));
  }
  float value() { return static_cast<float>(random_.below(9)) - 4.0f; }
  std::vector<float> values(Offset count) {
    std::vector<float> drawn(at(count));
    for (float& each : drawn) each = value();
    return drawn;
  }
  Matrix matrix(Offset rows, Offset cols) {
    Matrix drawn(rows, cols);
    for (float& each : drawn.values()) each = value();
    return drawn;
  }

 private:
  std::span<const std::uint8_t> left_;
  sqmax::Random random_;
};

bool same(std::span<const float> a, std::span<const float> b) { return std::ranges::equal(a, b); }

Matrix turned(const Matrix& A) {
  Matrix T(A.cols(), A.rows());
  for (Offset i = 0; i < A.rows(); ++i) {
    for (Offset j = 0; j < A.cols(); ++j) T(j, i) = A(i, j);
  }
  return T;
}

// C + sign A B
Matrix plus_product(Matrix C, float sign, const Matrix& A, const Matrix& B) {
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = 0; j < C.cols(); ++j) {
      for (Offset k = 0; k < A.cols(); ++k) C(i, j) += sign * A(i, k) * B(k, j);
    }
  }
  return C;
}

Matrix times(const Matrix& A, const Matrix& B) {
  return plus_product(Matrix(A.rows(), B.cols()), 1.0f, A, B);
}

void check_vectors(Draws& draws) {
  const auto x = draws.values(draws.size(80));
  auto y = draws.values(std::ssize(x));
  const float a = draws.value();
  require(kernels::dot(x, y) == std::inner_product(x.begin(), x.end(), y.begin(), 0.0f));
  auto want = y;
  for (std::size_t i = 0; i < x.size(); ++i) want[i] += a * x[i];
  kernels::axpy(a, x, y);
  require(same(y, want));
}

void check_gather_sum(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(80));
  const auto weight = draws.values(F.rows());
  std::vector<Index> rows(at(draws.size(30)));
  for (Index& row : rows) row = static_cast<Index>(draws.below(F.rows()));
  const float scale = draws.value();
  std::vector<float> want(at(F.cols()));
  for (const Index row : rows) {
    for (Offset c = 0; c < F.cols(); ++c) want[at(c)] += scale * weight[at(row)] * F(row, c);
  }
  std::vector<float> out(want.size(), 99.0f);
  kernels::gather_sum(rows, weight, F, scale, out);
  require(same(out, want));
}

void check_multiply_add(Draws& draws) {
  const Matrix A = draws.matrix(draws.size(40), draws.size(20));
  const Matrix B = draws.matrix(A.cols(), draws.size(70));
  const Matrix start = draws.matrix(A.rows(), B.cols());
  const float sign = draws.value();
  const Matrix want = plus_product(start, sign, A, B);
  const Matrix T = turned(A);
  Matrix C = start;
  kernels::multiply_add(sign, kernels::plain(A), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()));
  require(same(C.values(), want.values()));
  C = start;
  kernels::multiply_add(sign, kernels::transposed(T), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()));
  require(same(C.values(), want.values()));
  C = start;
  kernels::multiply_add(sign, kernels::plain(A), B.values().data(), B.cols(), A.cols(),
                        kernels::panel(C.view()), kernels::Triangle::Upper);
  for (Offset i = 0; i < C.rows(); ++i) {
    for (Offset j = i; j < C.cols(); ++j) require(C(i, j) == want(i, j));
  }
}

void check_tall(Draws& draws) {
  const Matrix X = draws.matrix(draws.size(255), draws.size(40));
  const Matrix Y = draws.matrix(X.rows(), draws.size(40));
  const auto w = draws.values(X.rows());
  Matrix weighted = X;
  std::vector<float> sums(at(X.cols()));
  for (Offset r = 0; r < X.rows(); ++r) {
    for (float& each : weighted.row(r)) each *= w[at(r)];
    for (Offset c = 0; c < X.cols(); ++c) sums[at(c)] += weighted(r, c);
  }
  require(same(kernels::cross(X, w, Y).values(), times(turned(weighted), Y).values()));
  require(same(kernels::gram(X, w).values(), times(turned(weighted), X).values()));
  require(same(kernels::weighted_sum(X, w), sums));
  const Matrix C = draws.matrix(X.cols(), Y.cols());
  require(same(kernels::product(X, C).values(), times(X, C).values()));
  Matrix turned_in_place = X;
  const Matrix square = draws.matrix(X.cols(), X.cols());
  kernels::multiply_by(square, turned_in_place.view());
  require(same(turned_in_place.values(), times(X, square).values()));
  Matrix rest = Y;
  kernels::add_product(-1.0f, X, C, rest.view());
  require(same(rest.values(), plus_product(Y, -1.0f, X, C).values()));
}

// Halves have room for each s_j x_j; of what goes onward they may have none.
void check_sparse(Draws& draws) {
  const Matrix X = draws.matrix(1 + draws.size(60), draws.size(140));
  std::vector<Offset> offsets = {0};
  std::vector<Index> indices;
  for (Offset rows = draws.size(40); rows > 0; --rows) {
    const Offset sparseness = 1 + draws.below(8);
    for (Offset j = 0; j < X.rows(); ++j) {
      if (draws.below(sparseness) == 0) indices.push_back(static_cast<Index>(j));
    }
    offsets.push_back(std::ssize(indices));
  }
  const kernels::Pattern R{offsets, indices};
  const auto s = draws.values(X.rows());
  const auto scale = draws.values(R.rows());
  const auto lean = draws.values(R.rows());
  const auto centre = draws.values(X.cols());
  const kernels::RowFinish finish{
      .scale = scale, .lean = lean, .centre = centre, .add = draws.value() < 0.0f};
  const Matrix start = draws.matrix(R.rows(), X.cols());
  Matrix want = start;
  kernels::reference::sparse_product(R, X, s, finish, want.view());
  kernels::DenseSide side;
  for (const auto storage : {kernels::Storage::Half, kernels::Storage::Single}) {
    side.assign(X, s, storage);
    Matrix Y = start;
    kernels::sparse_product(R, side, finish, Y.view());
    require(same(Y.values(), want.values()));
  }
  const kernels::RowFinish onward{.scale = scale, .lean = lean, .centre = centre};
  kernels::DenseSide sent;
  require(kernels::onward_product(R, side, onward, sent) ==
          kernels::reference::onward_product(R, X, s, onward, want.view()));
  std::vector<Offset> each(at(R.rows() + 1));
  std::iota(each.begin(), each.end(), Offset{0});
  std::vector<Index> itself(at(R.rows()));
  std::iota(itself.begin(), itself.end(), Index{0});
  Matrix Y(R.rows(), X.cols());
  kernels::sparse_product({each, itself}, sent, {}, Y.view());
  require(same(Y.values(), want.values()));
}

// A = UᵀU of a bidiagonal integer U with powers of two on its diagonal: each step is exact.
void check_cholesky(Draws& draws) {
  const Offset n = 1 + draws.size(80);
  Matrix U(n, n);
  for (Offset i = 0; i < n; ++i) {
    U(i, i) = draws.value() < 0.0f ? 1.0f : 2.0f;
    if (i + 1 < n) U(i, i + 1) = draws.value() < 0.0f ? -1.0f : 1.0f;
  }
  const Matrix x = draws.matrix(n, 1);
  Matrix A = times(turned(U), U);
  Matrix b = times(A, x);
  require(kernels::cholesky_solve(A.view(), b.values()) == kernels::Solved::Yes);
  require(same(b.values(), x.values()));
  const Offset broken = draws.below(n);
  A = times(turned(U), U);
  A(broken, broken) = -1.0f;
  require(kernels::cholesky_solve(A.view(), b.values()) == kernels::Solved::NotPositiveDefinite);
}

void check_score_block(Draws& draws) {
  const auto rank = static_cast<Index>(draws.size(80));
  const auto users = static_cast<Index>(sqmax::kTileUsers * draws.size(6));
  const auto vectors = draws.values(Offset{users} * rank);
  const auto items = draws.values(Offset{1 + rank} * sqmax::kPanelItems);
  const auto thresholds = draws.values(users);
  std::vector<float> scores(at(Offset{users} * sqmax::kPanelItems));
  std::vector<float> want_scores = scores;
  std::vector<std::uint32_t> above(at(users));
  std::vector<std::uint32_t> want_above = above;
  sqmax::ScoreBlock block = {.users = vectors.data(),
                             .panel = items.data(),
                             .thresholds = thresholds.data(),
                             .user_count = users,
                             .rank = rank,
                             .scores = scores.data(),
                             .above = above.data()};
  sqmax::score_block(block);
  block.scores = want_scores.data();
  block.above = want_above.data();
  sqmax::reference::score_block(block);
  require(above == want_above);
  for (std::size_t place = 0; place < scores.size(); ++place) {
    const std::size_t lane = place % at(sqmax::kPanelItems);
    const bool counts = ((above[place / at(sqmax::kPanelItems)] >> lane) & 1U) != 0;
    require(!counts || scores[place] == want_scores[place]);
  }
}

bool near(double a, double b) { return std::abs(a - b) <= 2e-6 * std::abs(b) + 1e-6; }

void check_exponentials(Draws& draws) {
  const auto x = draws.values(1 + draws.size(80));
  const float shift = draws.value();
  require(kernels::largest(x) == *std::ranges::max_element(x));
  auto e = x;
  const float sum = kernels::exponentials(shift, e);
  double want = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::exp(double{x[i]} - shift);
    require(near(e[i], exact));
    want += exact;
  }
  require(std::abs(sum - want) <= 1e-5 * want);
}

// Halves and whole numbers are exact but for the division of Adam.
void check_steps(Draws& draws) {
  const auto g = draws.values(draws.size(80));
  const auto x = draws.values(std::ssize(g));
  const float a = draws.value();
  auto here = x;
  std::vector<float> there(x.size(), 99.0f);
  kernels::scale(a, here);
  kernels::scaled(a, x, there);
  auto by_sgd = x;
  kernels::sgd_step(0.5f, a, g, by_sgd);
  auto m = draws.values(std::ssize(g));
  auto v = draws.values(std::ssize(g));
  for (float& each : v) each = std::abs(each);
  const auto m_before = m;
  const auto v_before = v;
  auto by_adam = x;
  const kernels::AdamStep step{.rate = 0.5f, .beta1 = 0.5f, .beta2 = 0.75f, .epsilon = 0.5f};
  kernels::adam_step(step, a, g, m, v, by_adam);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const float h = g[i] + a * x[i];
    require(here[i] == a * x[i] && there[i] == a * x[i] && by_sgd[i] == x[i] - 0.5f * h);
    require(m[i] == 0.5f * m_before[i] + 0.5f * h);
    require(v[i] == 0.75f * v_before[i] + 0.25f * h * h);
    require(near(by_adam[i], x[i] - 0.5 * m[i] / (std::sqrt(double{v[i]}) + 0.5)));
  }
}

void check_listed(Draws& draws) {
  const Matrix F = draws.matrix(1 + draws.size(20), draws.size(140));
  const auto x = draws.values(F.cols());
  std::vector<Index> rows(at(draws.size(30)));
  for (Index& row : rows) row = static_cast<Index>(draws.below(F.rows()));
  const auto w = draws.values(std::ssize(rows));
  const auto start = draws.values(F.cols());
  std::vector<float> want_sum(x.size()), dots(rows.size(), 99.0f), distances = dots;
  std::vector<kernels::WeightedRow> anywhere;
  kernels::listed_dots(rows, F, x, dots);
  kernels::listed_distances(rows, F, x, distances);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const auto row = F.row(rows[j]);
    float distance = 0.0f;
    for (std::size_t c = 0; c < x.size(); ++c) {
      distance += (x[c] - row[c]) * (x[c] - row[c]);
      want_sum[c] += w[j] * row[c];
    }
    require(dots[j] == std::inner_product(x.begin(), x.end(), row.begin(), 0.0f));
    require(distances[j] == distance);
    anywhere.push_back({row.data(), w[j]});
  }
  std::vector<float> alone(x.size(), 99.0f);
  kernels::weighted_sum(anywhere, alone);
  require(same(alone, want_sum));
  std::vector<float> added = start;
  kernels::listed_sum(rows, w, F, added);
  for (std::size_t c = 0; c < x.size(); ++c) want_sum[c] += start[c];
  require(same(added, want_sum));
}

using Check = void (*)(Draws&);
constexpr Check kChecks[] = {
    check_vectors,  check_gather_sum,  check_multiply_add, check_tall,  check_sparse,
    check_cholesky, check_score_block, check_exponentials, check_steps, check_listed};

}  // namespace

// The first byte chooses the kernels, and an instruction set where inputs are many; the others
// their sizes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const sqmax::ThreadLimit one_thread(1);
  static const std::vector<std::string> isas = sqmax::available_isas();
  if (size == 0) return 0;
  const std::size_t chosen = bytes[0] / std::size(kChecks) % isas.size();
  for (std::size_t i = 0; i < isas.size(); ++i) {
    if (kInputsAreMany && i != chosen) continue;
    sqmax::use_isa(isas[i]);
    Draws draws({bytes + 1, size - 1});
    kChecks[bytes[0] % std::size(kChecks)](draws);
  }
  sqmax::use_isa("");
  return 0;
}
