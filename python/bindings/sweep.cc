// Sweeps in parts: what a driver and its executors call.                        docs/spark.md
#include <algorithm>
#include <numeric>
#include <string>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "sqmax/loss/loss_spec.h"
#include "sqmax/model/model.h"

#include "arrays.h"
#include "fail.h"
#include "law.h"
#include "lists.h"
#include "module.h"
#include "user_part.h"
#include "work.h"

namespace sqmax::python {
namespace {

using Floats = nb::ndarray<nb::numpy, float>;

ConstMatrix matrix_of(const GivenMatrix<float>& given) {
  return {given.data(), static_cast<Offset>(given.shape(0)), static_cast<Offset>(given.shape(1))};
}

nb::tuple told(SideSums sums) {
  return nb::make_tuple(moved(std::move(sums.gram)), moved(std::move(sums.lean)));
}

SideSums sums_from(const GivenMatrix<float>& gram, const Given<float>& lean) {
  if (gram.shape(0) != gram.shape(1) || gram.shape(0) != lean.size()) {
    fail(Errc::BadInput, "The sums of a side are a K × K matrix and K values.");
  }
  SideSums sums = no_sums(static_cast<Offset>(lean.size()));
  std::copy_n(gram.data(), gram.size(), sums.gram.values().begin());
  std::copy_n(lean.data(), lean.size(), sums.lean.begin());
  return sums;
}

// Rows of pairs in any order, with repetitions: each row ascending and distinct.
Csr grouped(const Given<Index>& rows, const Given<Index>& cols, Index row_count, Index col_count) {
  std::vector<Offset> offsets(at(row_count) + 1);
  for (const Index r : span_of(rows)) ++offsets[at(r) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<Index> indices(rows.size());
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    indices[at(next[at(rows.data()[i])]++)] = cols.data()[i];
  }
  Offset kept = 0;
  for (Index r = 0; r < row_count; ++r) {
    const auto begin = indices.begin() + offsets[at(r)];
    const auto end = indices.begin() + offsets[at(r) + 1];
    std::sort(begin, end);
    offsets[at(r)] = kept;
    kept = std::copy(begin, std::unique(begin, end), indices.begin() + kept) - indices.begin();
  }
  offsets[at(row_count)] = kept;
  indices.resize(at(kept));
  return {row_count, col_count, std::move(offsets), std::move(indices)};
}

DegreeCounts counts_of(const Given<Index>& degrees, const Given<Offset>& rows) {
  std::vector<DegreeCount> counts;
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    counts.push_back({degrees.data()[i], rows.data()[i]});
  }
  return DegreeCounts(std::move(counts));
}

// What a loss says about data of these degrees.
nb::dict declare(const std::string& loss, const Settings& given, const Given<Index>& user_degrees,
                 const Given<Offset>& user_rows, const Given<Index>& item_degrees) {
  const LossSpec& spec = find_loss(loss);
  const Settings options = completed("The loss " + loss, spec.options, given);
  const Degrees degrees{.users = counts_of(user_degrees, user_rows),
                        .items = DegreeCounts(span_of(item_degrees))};
  const QuadraticLaw law = spec.declare(options, degrees);
  nb::dict entry;
  entry["options"] = nb::cast(options);
  entry["law"] = numbers_of(law);
  entry["user_weight"] = degrees.users.sum(law.users.weight);
  entry["item_weight"] = degrees.items.sum(law.items.weight);
  entry["uses_prior"] = spec.scoring == Scoring::Prior;
  return entry;
}

/// The items of a separable loss, by their degrees.
struct ItemSide {
  ItemSide(const LawNumbers& numbers, double user_weight, const Given<Index>& given)
      : law(law_of(numbers)), degrees(given.data(), given.data() + given.size()) {
    terms = spell_out_rows(law, law.items, degrees, user_weight);
  }

  nb::tuple sums(Offset begin, const GivenMatrix<float>& Q) const {
    check(begin, Q);
    return told(work(0, [&] { return sums_of(terms, begin, matrix_of(Q)); }));
  }

  Floats solve(Offset begin, const GivenMatrix<float>& pushed, const GivenMatrix<float>& gram,
               const Given<float>& lean) const {
    check(begin, pushed);
    Matrix Q(matrix_of(pushed).rows, matrix_of(pushed).cols);
    work(0, [&] {
      for (Offset y = 0; y < Q.rows(); ++y) {
        const float pull = terms.pull[at(begin + y)];
        std::ranges::transform(matrix_of(pushed).row(y), Q.row(y).begin(),
                               [pull](float value) { return pull * value; });
      }
      SharedSystem(sums_from(gram, lean), law.target).solve(terms, begin, Q.view());
    });
    return moved(std::move(Q));
  }

  nb::tuple scaling(double blend) const {
    ItemScaling made = prior_scaling(law.items.weight, blend, degrees);
    return nb::make_tuple(moved(std::move(made.scale)), moved(std::move(made.bias)));
  }

  void check(Offset begin, const GivenMatrix<float>& rows) const {
    const auto end = begin + static_cast<Offset>(rows.shape(0));
    if (begin < 0 || end > std::ssize(degrees)) {
      fail(Errc::BadInput, "There are {} items, and no rows {} to {} of them.", degrees.size(),
           begin, end);
    }
  }

  QuadraticLaw law;
  std::vector<Index> degrees;
  SideTerms terms;
};

ItemScorer scorer_from(const GivenMatrix<float>& Q, const Given<float>& scale,
                       const Given<float>& bias) {
  return ItemScorer(matrix_of(Q), span_of(scale), span_of(bias));
}

// scale_y (p·q_y) + bias_y for a row of P and an item each.
Floats pair_scores(const GivenMatrix<float>& P, const Given<Index>& items,
                   const GivenMatrix<float>& Q, const Given<float>& scale,
                   const Given<float>& bias) {
  const ConstMatrix users = matrix_of(P);
  const ConstMatrix vectors = matrix_of(Q);
  if (users.cols != vectors.cols || at(users.rows) != items.size()) {
    fail(Errc::BadInput, "There must be a vector and an item for each score.");
  }
  std::vector<float> scores(items.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const Index y = items.data()[i];
    if (y < 0 || y >= vectors.rows) fail(Errc::BadInput, "There is no item {}.", y);
    const auto p = users.row(static_cast<Offset>(i));
    const float o = std::inner_product(p.begin(), p.end(), vectors.row(y).begin(), 0.0f);
    scores[i] = scale.size() == 0 ? o : scale.data()[y] * o + bias.data()[y];
  }
  return moved(std::move(scores));
}

void bind_user_part(nb::module_& m) {
  nb::class_<UserPart>(m, "UserPart", "Some users, as one step of a job sees them.")
      .def(
          "__init__",
          [](UserPart* place, const Csr& rows, const LawNumbers& law, double item_weight) {
            new (place) UserPart(rows, law_of(law), item_weight);
          },
          nb::arg("rows"), nb::arg("law"), nb::arg("item_weight"))
      .def("pull", [](UserPart& part, Index begin, const GivenMatrix<float>& Q,
                      int threads) { work(threads, [&] { part.pull(begin, matrix_of(Q)); }); })
      .def("solve", [](UserPart& part, const GivenMatrix<float>& gram, const Given<float>& lean,
                       int threads) { work(threads, [&] { part.solve(sums_from(gram, lean)); }); })
      .def("sums", [](const UserPart& part,
                      int threads) { return told(work(threads, [&] { return part.sums(); })); })
      .def("push",
           [](const UserPart& part, Index begin, Index end, int threads) {
             PushedRows made = work(threads, [&] { return part.push(begin, end); });
             return nb::make_tuple(moved(std::move(made.rows)), moved(std::move(made.values)));
           })
      .def("best_items",
           [](const UserPart& part, const ItemScorer& items, Index k, bool leave_out, int threads) {
             Lists lists(part.users(), k);
             work(threads, [&] {
               part.best_items(items, k, leave_out,
                               [&](Offset row, auto best) { lists.set(row, best); });
             });
             return lists.release();
           })
      .def("best_users",
           [](const UserPart& part, Index begin, const GivenMatrix<float>& Q, Index k,
              bool leave_out, int threads) {
             Lists lists(matrix_of(Q).rows, k);
             work(threads, [&] {
               part.best_users(begin, matrix_of(Q), k, leave_out,
                               [&](Offset row, auto best) { lists.set(row, best); });
             });
             return lists.release();
           })
      .def("vectors", [](const UserPart& part) {
        Matrix copy(part.vectors().rows, part.vectors().cols);
        std::ranges::copy(part.vectors().values(), copy.values().begin());
        return moved(std::move(copy));
      });
}

}  // namespace

void bind_sweep(nb::module_& m) {
  bind_user_part(m);
  nb::class_<ItemSide>(m, "ItemSide", "All items, as the driver of a job sees them.")
      .def(nb::init<const LawNumbers&, double, const Given<Index>&>(), nb::arg("law"),
           nb::arg("user_weight"), nb::arg("degrees"))
      .def("sums", &ItemSide::sums, nb::arg("begin"), nb::arg("vectors"))
      .def("solve", &ItemSide::solve, nb::arg("begin"), nb::arg("pushed"), nb::arg("gram"),
           nb::arg("lean"))
      .def("scaling", &ItemSide::scaling, nb::arg("blend"));
  nb::class_<ItemScorer>(m, "ItemScorer", "Items packed for scoring.")
      .def(nb::new_(&scorer_from), nb::arg("vectors"), nb::arg("scale"), nb::arg("bias"));
  m.def("grouped", &grouped, nb::arg("rows"), nb::arg("cols"), nb::arg("row_count"),
        nb::arg("col_count"));
  m.def("declare", &declare, nb::arg("loss"), nb::arg("options"), nb::arg("user_degrees"),
        nb::arg("user_rows"), nb::arg("item_degrees"));
  m.def("start_of_items", [](Offset begin, Offset rows, Offset rank, std::uint64_t seed) {
    return moved(work(0, [&] { return start_of_items(begin, rows, rank, seed); }));
  });
  m.def("relative_change", [](const GivenMatrix<float>& before, const GivenMatrix<float>& after) {
    return relative_change(matrix_of(before).values(), matrix_of(after).values());
  });
  m.def("pair_scores", &pair_scores, nb::arg("P"), nb::arg("items"), nb::arg("Q"), nb::arg("scale"),
        nb::arg("bias"));
  m.def("column_degrees", [](const Csr& csr) { return moved(column_degrees(csr)); });
}

}  // namespace sqmax::python
