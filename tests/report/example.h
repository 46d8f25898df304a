// example_comparison(): three small methods and a race, for tests of reports.
#pragma once

#include "sqmax/report/comparison.h"

namespace sqmax {

inline MethodResult example_method(const std::string& loss, std::vector<double> user_values) {
  double mean = 0.0;
  for (const double value : user_values) mean += value / static_cast<double>(user_values.size());
  const Trial trial{.options = {{"lambda", 0.25}, {"ridge", std::string("plain")}},
                    .rank = 4,
                    .solver = "als",
                    .steps = 3,
                    .valid = {{"ndcg@10", mean + 0.01}, {"recall@10", mean}},
                    .users = 7,
                    .is_final = true,
                    .seconds = 0.5};
  return {.loss = loss,
          .options = trial.options,
          .rank = 4,
          .solver = "als",
          .trials = {trial, trial},
          .best = 1,
          .edges = {"lambda"},
          .test = {{"ndcg@10", mean}, {"recall@10", mean / 2}},
          .intervals_of = {"ndcg@10"},
          .intervals = {{mean - 0.1, mean + 0.1}},
          .lists = {{"popularity@10", 12.5}, {"coverage@10", 0.5}},
          .user_values = std::move(user_values),
          .curve = {{1, 0.1, mean / 2}, {2, 0.2, 0.96 * mean}, {3, 0.4, mean}},
          .is_refit = true,
          .seconds = 2.0,
          .fit_seconds = 0.4,
          .peak_memory_bytes = 5'000'000};
}

/// By user: good is above fair by 0.1 everywhere, and above poor by more.
inline Comparison example_comparison() {
  std::vector<double> good;
  std::vector<double> fair;
  std::vector<double> poor;
  for (int user = 0; user < 40; ++user) {
    good.push_back(0.3 + 0.01 * user);
    fair.push_back(0.2 + 0.01 * user);
    poor.push_back(user % 2 == 0 ? 0.0 : 0.1);
  }
  Race race{.loss = "rg2", .rank = 4, .start = 1.0, .least_by = "exact", .is_global = true};
  race.racers = {{.solver = "exact", .points = {{7, 0.1, 0.0}}, .gaps = {0.0}},
                 {.solver = "als", .points = {{0, 0.1, 1.0}, {1, 0.2, 0.5}}, .gaps = {1.0, 0.5}}};
  return {.title = "data </script> & \"more\".tsv",
          .metric = "ndcg@10",
          .methods = {example_method("fair", fair), example_method("good", good),
                      example_method("poor", poor)},
          .races = {race},
          .held_out = {{"popularity@10", 3.0}},
          .data = {{"users", "40"}},
          .origin = {{"command", "sqmax compare 'a <b>'"}}};
}

}  // namespace sqmax
