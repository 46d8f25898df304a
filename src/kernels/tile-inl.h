// Tiles of a product: the part of C that stays in registers while the depth runs. docs/kernels.md
// Read once per instruction set, like the bodies that include it.
#if defined(SQMAX_KERNELS_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef SQMAX_KERNELS_TILE_INL_H_
#undef SQMAX_KERNELS_TILE_INL_H_
#else
#define SQMAX_KERNELS_TILE_INL_H_
#endif

#include <algorithm>
#include <utility>

#include <hwy/highway.h>

#include "kernels/dense.h"
#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace sqmax::kernels::HWY_NAMESPACE {
namespace {

// Four rows and three vectors: twelve sums, three of B and one of A are sixteen registers. AVX-512
// has thirty-two of them.
constexpr Offset kTileRows = HWY_TARGET <= HWY_AVX3 ? 8 : 4;
constexpr Offset kTileVectors = 3;

// A whose rows are columns of a row-major matrix, as they mostly are: with a step that the compiler
// knows, entries of a tile are one address apart from each other.
struct Columns {
  const float* data = nullptr;
  Offset col_step = 0;
  static constexpr Offset row_step = 1;
};

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

// What a tile does besides, at each k. Usually
struct Nothing {
  void operator()() const {}
};

//   C[i][j] += sign Σ_k A(i,k) B[k][j],   i < kR,  j < kV vectors, the last of which may be
//   narrower
template <Offset kR, Offset kV, bool kNarrow, class Left, class Besides>
HWY_ATTR void tile(float sign, const Left& A, const float* HWY_RESTRICT B, Offset b_stride,
                   Offset depth, float* HWY_RESTRICT C, Offset c_stride, Offset cols,
                   Besides* besides) {
  const D d;
  const auto width = Offset(hn::Lanes(d));
  const Lanes last(cols - (kV - 1) * width);
  V sum[kR][kV];
  HWY_UNROLL(8)  // early, or the sums make a detour through memory
  for (Offset i = 0; i < kR; ++i) {
    for (Offset v = 0; v < kV; ++v) sum[i][v] = hn::Zero(d);
  }
  const float* a = A.data;
  Besides beside = *besides;  // a copy stays in registers
  for (Offset k = 0; k < depth; ++k, a += A.col_step, B += b_stride) {
    beside();
    V b[kV];
    for (Offset v = 0; v < kV - 1; ++v) b[v] = hn::LoadU(d, B + v * width);
    b[kV - 1] = load_part<kNarrow>(last, B + (kV - 1) * width);
    HWY_UNROLL(8)
    for (Offset i = 0; i < kR; ++i) {
      const V ai = hn::Set(d, a[i * A.row_step]);
      for (Offset v = 0; v < kV; ++v) sum[i][v] = hn::MulAdd(ai, b[v], sum[i][v]);
    }
  }
  *besides = beside;
  const V s = hn::Set(d, sign);
  HWY_UNROLL(8)
  for (Offset i = 0; i < kR; ++i) {
    float* c = C + i * c_stride;
    for (Offset v = 0; v < kV - 1; ++v) add_part<false>(s, sum[i][v], last, c + v * width);
    add_part<kNarrow>(s, sum[i][kV - 1], last, c + (kV - 1) * width);
  }
}

template <class Left, class Besides>
using TileFunction = void (*)(float, const Left&, const float*, Offset, Offset, float*, Offset,
                              Offset, Besides*);

// All sizes of tiles, the rows counted from zero.
template <bool kNarrow, class Left, class Besides, Offset... kFewer>
TileFunction<Left, Besides> tile_of(Offset rows, Offset vectors,
                                    std::integer_sequence<Offset, kFewer...>) {
  static constexpr TileFunction<Left, Besides> tiles[kTileRows][kTileVectors] = {
      {&tile<kFewer + 1, 1, kNarrow, Left, Besides>, &tile<kFewer + 1, 2, kNarrow, Left, Besides>,
       &tile<kFewer + 1, 3, kNarrow, Left, Besides>}...};
  return tiles[rows - 1][vectors - 1];
}

// How many of the vectors that are left the next tile takes: never so that a single one remains,
// since four sums alone would wait for each other.
inline Offset vectors_of_next(Offset left) { return left == 4 ? 2 : std::min(left, kTileVectors); }

inline Offset vectors_in(Offset cols) {
  const auto width = Offset(hn::Lanes(D()));
  return (cols + width - 1) / width;
}

// How many tiles a row of them has.
inline Offset tiles_in(Offset cols) { return (vectors_in(cols) + kTileVectors - 1) / kTileVectors; }

// The columns of C from `from` on, for at most kTileRows rows.
template <class Left, class Besides>
void row_of_tiles(float sign, const Left& A, const float* B, Offset b_stride, Offset depth,
                  const Panel& C, Offset from, Besides& besides) {
  constexpr std::make_integer_sequence<Offset, kTileRows> sizes;
  const auto width = Offset(hn::Lanes(D()));
  for (Offset j = from; j < C.cols;) {
    const Offset vectors = vectors_of_next(vectors_in(C.cols - j));
    const Offset cols = std::min(vectors * width, C.cols - j);
    const auto run = cols < vectors * width ? tile_of<true, Left, Besides>(C.rows, vectors, sizes)
                                            : tile_of<false, Left, Besides>(C.rows, vectors, sizes);
    run(sign, A, B + j, b_stride, depth, C.data + j, C.stride, cols, &besides);
    j += cols;
  }
}

template <class Left>
void row_of_tiles(float sign, const Left& A, const float* B, Offset b_stride, Offset depth,
                  const Panel& C, Offset from) {
  Nothing nothing;
  row_of_tiles(sign, A, B, b_stride, depth, C, from, nothing);
}

}  // namespace
}  // namespace sqmax::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
