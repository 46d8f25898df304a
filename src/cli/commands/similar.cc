// sqmax similar: the nearest items or users by cosine.
#include "sqmax/serve/recommender.h"

#include "cli/command.h"
#include "cli/lists.h"
#include "core/fail.h"

namespace sqmax::cli {
namespace {

struct SimilarArgs {
  std::string model;
  std::vector<std::string> items;
  std::vector<std::string> users;
  std::int64_t k = 10;
  std::string about;

  void describe(ArgumentParser& parser) {
    parser.positional("MODEL", model, "a model that train wrote");
    parser.list("--item", items, "items: ids, or @FILE with one on each line");
    parser.list("--user", users, "users, instead of items");
    parser.whole_number("--k", k, 1, 1000000000, "how many");
    parser.option("--items", about, kItemsHelp);
  }
};

int run(const SimilarArgs& args, Session& session) {
  if (args.items.empty() == args.users.empty()) {
    fail(Errc::BadOption, "similar wants --item or --user.");
  }
  if (!args.users.empty() && !args.about.empty()) {
    fail(Errc::BadOption, "--items are titles of items, and --user lists users.");
  }
  const Side side = args.items.empty() ? Side::Users : Side::Items;
  const std::string what = side == Side::Items ? "item" : "user";
  const Model model = load_model(args.model);
  const IdTable& table = side == Side::Items ? model.items : model.users;
  const Ids ids(what, table);
  const Recommender recommender(model);
  const ItemTable about = side == Side::Items ? about_items(model, args.about) : ItemTable();
  for (const Index row : ids.positions(side == Side::Items ? args.items : args.users)) {
    const auto list = recommender.similar(side, row, static_cast<Index>(args.k));
    const std::string id = ids.name(row);
    session.print(session.json() ? json_line(what, id, what, list, table)
                                 : list_text("like " + id, what, list, table, about));
  }
  return 0;
}

}  // namespace

Command similar_command() {
  return make_command<SimilarArgs>("similar", "the nearest items or users", &run);
}

}  // namespace sqmax::cli
