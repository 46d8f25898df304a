// Tiles of a product: the part of C that stays in registers while the depth runs. docs/kernels.md
// Read once per instruction set, like the bodies that include it.
#if defined(SQMAX_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SQMAX_KERNELS_TILE_INL_H_
#undef SQMAX_KERNELS_TILE_INL_H_
#else
#define SQMAX_KERNELS_TILE_INL_H_
#endif

#include <algorithm>

#include <hwy/highway.h>

#include "kernels/dense.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

// Four rows and three vectors: twelve sums, three of B and one of A are sixteen registers.
constexpr Offset kTileRows = 4;
constexpr Offset kTileVectors = 3;

template <bool kNarrow>
HWY_ATTR HWY_INLINE V load_part(const Lanes& lanes, const float* p) {
  return kNarrow ? load(lanes, p) : hn::LoadU(D(), p);
}

template <bool kNarrow>
HWY_ATTR HWY_INLINE void add_part(V s, V sum, const Lanes& lanes, float* p) {
  const V value = hn::MulAdd(s, sum, load_part<kNarrow>(lanes, p));
  if (kNarrow) {
    store(value, lanes, p);
  } else {
    hn::StoreU(value, D(), p);
  }
}

//   C[i][j] += sign Σ_k A(i,k) B[k][j],   i < kR,  j < kV vectors, the last of which may be
//   narrower
template <Offset kR, Offset kV, bool kNarrow>
HWY_ATTR void tile(float sign, const Strided& A, const float* HWY_RESTRICT B, Offset b_stride,
                   Offset depth, float* HWY_RESTRICT C, Offset c_stride, Offset cols) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  const Lanes last(cols - (kV - 1) * width);
  V sum[kR][kV];
  for (Offset i = 0; i < kR; ++i) {
    for (Offset v = 0; v < kV; ++v) sum[i][v] = hn::Zero(d);
  }
  const float* a = A.data;
  for (Offset k = 0; k < depth; ++k, a += A.col_step, B += b_stride) {
    V b[kV];
    for (Offset v = 0; v < kV - 1; ++v) b[v] = hn::LoadU(d, B + v * width);
    b[kV - 1] = load_part<kNarrow>(last, B + (kV - 1) * width);
    for (Offset i = 0; i < kR; ++i) {
      const V ai = hn::Set(d, a[i * A.row_step]);
      for (Offset v = 0; v < kV; ++v) sum[i][v] = hn::MulAdd(ai, b[v], sum[i][v]);
    }
  }
  const V s = hn::Set(d, sign);
  for (Offset i = 0; i < kR; ++i) {
    float* c = C + i * c_stride;
    for (Offset v = 0; v < kV - 1; ++v) add_part<false>(s, sum[i][v], last, c + v * width);
    add_part<kNarrow>(s, sum[i][kV - 1], last, c + (kV - 1) * width);
  }
}

using TileFunction = void (*)(float, const Strided&, const float*, Offset, Offset, float*, Offset,
                              Offset);

template <Offset kR, bool kNarrow>
constexpr TileFunction kTilesOfRows[kTileVectors] = {&tile<kR, 1, kNarrow>, &tile<kR, 2, kNarrow>,
                                                     &tile<kR, 3, kNarrow>};

inline TileFunction tile_of(Offset rows, Offset vectors, bool narrow) {
  constexpr const TileFunction* tiles[2][kTileRows] = {
      {kTilesOfRows<1, false>, kTilesOfRows<2, false>, kTilesOfRows<3, false>,
       kTilesOfRows<4, false>},
      {kTilesOfRows<1, true>, kTilesOfRows<2, true>, kTilesOfRows<3, true>, kTilesOfRows<4, true>}};
  return tiles[narrow ? 1 : 0][rows - 1][vectors - 1];
}

// How many of the vectors that are left the next tile takes: never so that a single one remains,
// since four sums alone would wait for each other.
inline Offset vectors_of_next(Offset left) { return left == 4 ? 2 : std::min(left, kTileVectors); }

// The columns of C from `from` on, for at most kTileRows rows.
inline void row_of_tiles(float sign, const Strided& A, const float* B, Offset b_stride,
                         Offset depth, const Panel& C, Offset from) {
  const auto width = Offset(hn::Lanes(D()));
  for (Offset j = from; j < C.cols;) {
    const Offset vectors = vectors_of_next((C.cols - j + width - 1) / width);
    const Offset cols = std::min(vectors * width, C.cols - j);
    tile_of(C.rows, vectors, cols < vectors * width)(sign, A, B + j, b_stride, depth, C.data + j,
                                                     C.stride, cols);
    j += cols;
  }
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
