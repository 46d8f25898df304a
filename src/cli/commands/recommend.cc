// sqmax recommend: the top items of known users, of a given history, or of everybody.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sqmax/core/atomic_file.h"
#include "sqmax/serve/recommender.h"

#include "cli/command.h"
#include "cli/lists.h"
#include "cli/outputs.h"
#include "cli/tsv.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

constexpr Index kUsersPerBlock = 8192;

struct RecommendArgs {
  std::string model;
  std::vector<std::string> users;
  std::vector<std::string> history;
  bool all = false;
  std::int64_t k = 10;
  std::vector<std::string> only;
  std::vector<std::string> exclude;
  bool allow_seen = false;
  std::string output;
  std::string about;

  void describe(ArgumentParser& parser) {
    parser.positional("MODEL", model, "a model that train wrote");
    parser.list("--user", users, "known users: ids, or @FILE with one on each line");
    parser.list("--history", history, "items of somebody new, ids with commas between; folded in");
    parser.flag("--all", all, "every user, in order");
    parser.whole_number("--k", k, 1, 1000000000, "how many items");
    parser.list("--include", only, "recommend only these items; ids or @FILE");
    parser.list("--exclude", exclude, "never recommend these items; ids or @FILE");
    parser.flag("--allow-seen", allow_seen, "recommend again what a user already has");
    parser.option("-o,--output", output, "write here: .tsv is a table, anything else JSON lines");
    parser.option("--items", about, kItemsHelp);
  }
};

void check(const RecommendArgs& args) {
  const int asked = int{!args.users.empty()} + int{!args.history.empty()} + int{args.all};
  if (asked != 1) fail(Errc::BadOption, "recommend wants one of --user, --history and --all.");
}

/// Where lists go: standard output or a file that appears when all are written.
class ListWriter {
 public:
  ListWriter(const RecommendArgs& args, const Model& model, Session& session)
      : items_(model.items), about_(about_items(model, args.about)), session_(session) {
    if (args.output.empty()) return;
    as_table_ = args.output.ends_with(".tsv");
    if (as_table_) {
      check_fits_tsv(model.users, "write JSON lines, to a file with another ending");
      check_fits_tsv(model.items, "write JSON lines, to a file with another ending");
    }
    file_.emplace(args.output);
    if (as_table_) file_->write("user\titem\tscore\n");
  }

  void add(const std::string& id, std::span<const Ranked> list, const std::string& heading) {
    if (file_) {
      file_->write(as_table_ ? tsv_lines(id, list, items_) : user_line(id, list));
    } else if (session_.json()) {
      session_.print(user_line(id, list));
    } else {
      session_.print(list_text(heading, "item", list, items_, about_));
    }
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  std::string user_line(const std::string& id, std::span<const Ranked> list) const {
    return json_line("user", id, "item", list, items_);
  }

  const IdTable& items_;
  ItemTable about_;
  Session& session_;
  std::optional<AtomicFile> file_;
  bool as_table_ = false;
};

void recommend_users(const Recommender& recommender, const Model& model,
                     std::span<const Index> users, const RecommendOptions& options,
                     ListWriter& writer, Session& session) {
  const OnProgress progress = session.progress();
  for (std::size_t begin = 0; begin < users.size(); begin += kUsersPerBlock) {
    const auto block =
        users.subspan(begin, std::min<std::size_t>(kUsersPerBlock, users.size() - begin));
    const auto lists = recommender.for_users(block, options);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::string id(model.users[block[i]]);
      writer.add(id, lists[i], "for " + id);
    }
    if (users.size() > kUsersPerBlock &&
        progress({.stage = "ranking",
                  .done = static_cast<std::int64_t>(begin + block.size()),
                  .total = static_cast<std::int64_t>(users.size())}) == Next::Stop) {
      fail(Errc::Io, "Stopped before all lists were written; no file was changed.");
    }
  }
}

int run(const RecommendArgs& args, Session& session) {
  check(args);
  if (!args.output.empty()) check_output(args.output, {&args.model, 1});
  const Model model = load_model(args.model);
  const Ids users("user", model.users);
  const Ids items("item", model.items);
  const RecommendOptions options{.k = static_cast<Index>(args.k),
                                 .only = items.set_of(args.only),
                                 .exclude = items.set_of(args.exclude),
                                 .allow_seen = args.allow_seen};
  if (options.only.empty() && !args.only.empty()) {
    fail(Errc::BadOption, "--include names no item, so nothing could be recommended.");
  }
  const Recommender recommender(model);
  ListWriter writer(args, model, session);
  if (!args.history.empty()) {
    const auto history = items.set_of(args.history);
    std::string heading = "for somebody with";
    for (const Index item : history) heading += " " + items.name(item);
    writer.add("", recommender.for_history(history, options), heading);
  } else {
    std::vector<Index> rows = users.positions(args.users);
    if (args.all) {
      rows.resize(at(model.user_count()));
      std::iota(rows.begin(), rows.end(), 0);
    }
    recommend_users(recommender, model, rows, options, writer, session);
  }
  writer.finish();
  return 0;
}

}  // namespace

Command recommend_command() {
  return make_command<RecommendArgs>("recommend",
                                     "top items of users, of a history, or of everybody", &run);
}

}  // namespace sqmax::cli
