// make_dataset and the doctor: ids follow their pairs; each finding where it belongs, and only
// there.
#include "sqmax/data/prepare.h"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/data/sample.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace sqmax {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing_data::Columns;
using testing_data::Event;
using testing_data::interactions;
using testing_data::random_events;

struct Prepared {
  Dataset dataset;
  std::vector<Finding> findings;

  std::set<std::string> kinds() const {
    std::set<std::string> names;
    for (const Finding& finding : findings) names.insert(finding.kind);
    return names;
  }
  std::string sentence(const std::string& kind) const {
    for (const Finding& finding : findings) {
      if (finding.kind == kind) return finding.sentence;
    }
    return "";
  }
};

Prepared prepare(const std::vector<Event>& events, const PrepareOptions& options = {},
                 Columns columns = Columns::Both) {
  Index users = 0;
  Index items = 0;
  for (const Event& event : events) {
    users = std::max(users, event.user + 1);
    items = std::max(items, event.item + 1);
  }
  Prepared prepared;
  prepared.dataset =
      make_dataset(interactions(events, columns, users, items), options, prepared.findings);
  return prepared;
}

SplitOptions split_by(SplitKind kind) { return {.kind = kind, .ratios = {}, .seed = 0}; }

using Names = std::set<std::pair<std::string, std::string>>;

TEST(MakeDataset, IdsFollowTheirPairs) {
  const auto events = random_events(4, 80, 50, 1500);
  const Dataset dataset = prepare(events, {{4, 4}, {}, "{}"}).dataset;
  Names all;
  for (const Event& event : events) {
    all.insert({"u" + std::to_string(event.user), "i" + std::to_string(event.item)});
  }
  std::size_t found = 0;
  for (const Csr* part : {&dataset.train, &dataset.valid, &dataset.test}) {
    for (Index u = 0; u < dataset.user_count(); ++u) {
      for (const Index item : part->view().row(u)) {
        found += all.count({std::string(dataset.users[u]), std::string(dataset.items[item])});
      }
    }
  }
  EXPECT_EQ(found, at(dataset.train.nnz() + dataset.valid.nnz() + dataset.test.nnz()));
  EXPECT_LT(dataset.user_count(), 80);
  EXPECT_EQ(dataset.users.size(), dataset.user_count());
  EXPECT_EQ(dataset.items.size(), dataset.item_count());
}

TEST(MakeDataset, SurvivesItsFile) {
  const TemporaryFolder folder;
  const Prepared prepared = prepare(random_events(5, 80, 50, 1500), {{}, {}, R"({"files":["x"]})"});
  save_dataset(prepared.dataset, folder / "data.safetensors");
  const Dataset loaded = load_dataset(folder / "data.safetensors");
  EXPECT_EQ(fingerprint(loaded), fingerprint(prepared.dataset));
  EXPECT_THAT(loaded.recipe, HasSubstr(R"("files":["x"])"));
  EXPECT_THAT(loaded.recipe, HasSubstr(R"("kind":"ratio")"));
  EXPECT_THAT(loaded.doctor, HasSubstr(R"("kind":"duplicates")"));
}

TEST(MakeDataset, NothingReadIsAMistake) {
  EXPECT_THAT(error_of([] { prepare({}); }), HasSubstr("no interactions"));
}

/// 60 users with 12 of 40 items each, the first items more often: nothing to complain of.
std::vector<Event> healthy() {
  std::vector<Event> events;
  Random random(1, Purpose::Test);
  for (Index u = 0; u < 60; ++u) {
    std::set<Index> items;
    while (items.size() < 12) {
      items.insert(static_cast<Index>(random.uniform() * random.uniform() * 40));
    }
    for (const Index item : items) events.push_back({u, item, (u * 37 + item * 91) % 997});
  }
  return events;
}

std::vector<Event> swapped(std::vector<Event> events) {
  for (Event& event : events) std::swap(event.user, event.item);
  return events;
}

TEST(Doctor, IsSilentAboutHealthyData) {
  EXPECT_THAT(prepare(healthy()).kinds(), testing::IsEmpty());
}

TEST(Doctor, CountsDuplicatesWithAnExample) {
  auto events = healthy();
  events.push_back(events[100]);
  events.push_back(events[100]);
  const Prepared prepared = prepare(events);
  EXPECT_THAT(prepared.sentence("duplicates"), HasSubstr("2 interactions"));
  EXPECT_THAT(prepared.sentence("duplicates"),
              HasSubstr("'u" + std::to_string(events[100].user) + "'"));
  EXPECT_EQ(prepared.kinds().count("leaking-split"), 0U);
}

TEST(Doctor, FindsLeakingSplits) {
  auto events = healthy();
  for (Index i = 0; i < 60; ++i) events[at(i) * 12].part = Part::Valid;
  for (Index i = 0; i < 60; ++i) events[at(i) * 12 + 1].part = Part::Test;
  auto leaking = events;
  for (std::size_t i = 2; i < 7; ++i) {
    leaking.push_back(events[i]);
    leaking.back().part = Part::Test;
  }
  const PrepareOptions given{{}, split_by(SplitKind::Given), "{}"};
  EXPECT_THAT(prepare(events, given).kinds(), Not(Contains("leaking-split")));
  const Prepared prepared = prepare(leaking, given);
  EXPECT_THAT(prepared.sentence("leaking-split"), HasSubstr("5 pairs"));
  EXPECT_EQ(prepared.dataset.test.nnz(), 60);
  EXPECT_THAT(prepare(leaking).kinds(), Not(Contains("leaking-split")));
}

TEST(Doctor, SuspectsTransposedColumns) {
  EXPECT_THAT(prepare(swapped(healthy())).kinds(), Contains("transposed-columns"));
}

TEST(Doctor, FindsColumnsThatAreNearlyUnique) {
  std::vector<Event> events;
  for (Index e = 0; e < 1000; ++e) events.push_back({e % 50, e});
  EXPECT_THAT(prepare(events).kinds(), Contains("unique-items"));
  EXPECT_THAT(prepare(swapped(events)).kinds(), Contains("unique-users"));
}

TEST(Doctor, FindsAnItemThatIsEverywhere) {
  auto events = healthy();
  for (Index u = 0; u < 60; ++u) events.push_back({u, 40});
  EXPECT_THAT(prepare(events).sentence("ubiquitous-item"), HasSubstr("'i40'"));
}

TEST(Doctor, FindsUsersAndItemsWithoutTraining) {
  auto events = healthy();
  events.push_back({60, 3, 0, Part::Test});
  events.push_back({7, 40, 0, Part::Valid});
  const Prepared prepared = prepare(events, {{}, split_by(SplitKind::Given), "{}"});
  EXPECT_THAT(prepared.sentence("untrained-users"), HasSubstr("'u60'"));
  EXPECT_THAT(prepared.sentence("untrained-items"), HasSubstr("'i40'"));
}

TEST(Doctor, ReportsWhatACutInTimeSetsAside) {
  auto events = healthy();
  events.push_back({60, 3, 1000});
  const Prepared prepared = prepare(events, {{1, 5}, split_by(SplitKind::Time), "{}"});
  EXPECT_THAT(prepared.sentence("unseen-dropped"), HasSubstr("1 held-out"));
  EXPECT_THAT(prepared.kinds(), Not(Contains("untrained-users")));
}

TEST(Doctor, FindsEmptyPartsAndShortHistories) {
  std::vector<Event> events;
  for (Index u = 0; u < 40; ++u) {
    events.push_back({u, u % 20});
    events.push_back({u, (u + 1) % 20});
  }
  const Prepared prepared = prepare(events);
  EXPECT_THAT(prepared.sentence("empty-part"), HasSubstr("validation part empty"));
  EXPECT_THAT(prepared.sentence("short-histories"), HasSubstr("40 of 40"));
  EXPECT_THAT(prepare(events, {{}, split_by(SplitKind::None), "{}"}).kinds(),
              Not(Contains("empty-part")));
}

}  // namespace
}  // namespace sqmax
