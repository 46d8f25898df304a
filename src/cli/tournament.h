// Tournament: the methods of a comparison one after the other, from where another run ended.
// docs/compare.md
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sqmax/report/comparison.h"
#include "sqmax/train/checkpoint.h"

#include "cli/contest.h"
#include "cli/session.h"
#include "report/method_store.h"

namespace sqmax::cli {

struct TournamentOptions {
  std::map<std::string, TuneOptions> methods;  ///< of every loss
  std::string folder;                          ///< of finished methods; empty: none
  Json protocol;                               ///< what all methods of the folder must share
  bool keeps_model = false;                    ///< whether best_model() will be asked for
  /// The checkpoint of a method under way; empty: there is none.
  std::function<std::unique_ptr<Checkpoint>(const std::string& loss)> open;
  /// Removes that of a method that is finished, should it still be there.
  std::function<void(const std::string& loss)> forget;
};

class Tournament {
 public:
  /// `dataset` and `session` must outlive it.
  Tournament(TournamentOptions options, const Dataset& dataset, Session& session);

  std::vector<MethodResult> run(const std::vector<std::string>& names);

  /// The best on validation.
  Model best_model(const std::vector<MethodResult>& results);

 private:
  std::vector<MethodResult> finished(const std::vector<std::string>& names);
  void consider(Contest made);

  TournamentOptions options_;
  const Dataset& dataset_;
  Session& session_;
  std::optional<MethodStore> store_;
  std::optional<Contest> best_;
};

}  // namespace sqmax::cli
