// Well-known names of columns.
#include <algorithm>
#include <span>

#include "data/read/columns.h"

namespace sqmax {
namespace {

// Best known first: of two columns with names in one list, the earlier name wins.
constexpr std::string_view kUserNames[] = {
    "user",     "userid",    "uid",       "useridx",   "reviewerid", "customerid",
    "customer", "visitorid", "sessionid", "session",   "username",   "reviewer",
    "source",   "src",       "from",      "queryid",   "query",      "profileid",
    "playerid", "player",    "memberid",  "member",    "reader",     "readerid",
    "author",   "authorid",  "account",   "accountid", "package",    "page"};
constexpr std::string_view kItemNames[] = {
    "item",        "itemid",     "iid",      "itemidx",    "movieid",  "movie",   "sid",
    "asin",        "productid",  "product",  "parentasin", "target",   "dst",     "dest",
    "to",          "bookid",     "book",     "isbn",       "songid",   "song",    "artistid",
    "artist",      "trackid",    "track",    "gameid",     "game",     "appid",   "businessid",
    "business",    "venueid",    "venue",    "placeid",    "poi",      "newsid",  "articleid",
    "article",     "docid",      "document", "documentid", "recipeid", "animeid", "jokeid",
    "destination", "dependency", "link"};
constexpr std::string_view kRatingNames[] = {"rating", "ratings",   "stars",      "overall",
                                             "score",  "weight",    "preference", "count",
                                             "counts", "playcount", "plays",      "confidence"};
constexpr std::string_view kTimeNames[] = {"timestamp", "unixreviewtime", "time", "unixtime",
                                           "ts",        "datetime",       "date", "createdat",
                                           "reviewtime"};
constexpr std::string_view kSplitNames[] = {"split"};

constexpr std::array<std::string_view, kRoles.size()> kRoleNames = {"user", "item", "rating",
                                                                    "time", "split"};

std::span<const std::string_view> names_of(Role role) {
  switch (role) {
    case Role::User:
      return kUserNames;
    case Role::Item:
      return kItemNames;
    case Role::Rating:
      return kRatingNames;
    case Role::Time:
      return kTimeNames;
    case Role::Split:
      return kSplitNames;
  }
  return {};
}

std::string simplified(std::string_view name) {
  std::string simple;
  for (const char c : name.substr(0, name.find(':'))) {
    if (c == '_' || c == ' ' || c == '-' || c == '#' || c == '.') continue;
    simple.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return simple;
}

}  // namespace

std::optional<std::size_t> familiarity(Role role, std::string_view name) {
  const auto names = names_of(role);
  const auto found = std::find(names.begin(), names.end(), simplified(name));
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

std::string_view role_name(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }

const std::string& option_of(Role role, const ReadOptions& options) {
  switch (role) {
    case Role::User:
      return options.user;
    case Role::Item:
      return options.item;
    case Role::Rating:
      return options.rating;
    case Role::Time:
      return options.time;
    case Role::Split:
      break;
  }
  return options.split;
}

}  // namespace sqmax
