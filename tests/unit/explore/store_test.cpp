#include "explore/share/store.h"

#include "explore/share/dispatcher.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/resource.h>

namespace forewarp::explore {
namespace {

class StoreFile : public testing::Test {
protected:
  void SetUp() override {
    path_ = testing::TempDir() + "forewarp-store-" +
            testing::UnitTest::GetInstance()->current_test_info()->name() + std::to_string(getpid()) +
            ".sqlite";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }
  Result<Store> open(const Identity& identity = {{"source", "a"}}) {
    return Store::open(path_, identity, {"A", "B"}, {"K620"});
  }
  std::string path_;
};

Row row(std::uint64_t id, double time) {
  Outcome outcome;
  outcome.valid = true;
  outcome.time_ms = time;
  outcome.limiter = "issue";
  return {id, {std::to_string(id), "x,\"y\""}, {outcome}};
}

std::vector<std::uint64_t> ids_of(Store& store) {
  std::vector<std::uint64_t> ids;
  EXPECT_TRUE(store.for_each([&](const Row& r) -> Result<void> {
    ids.push_back(r.id);
    return {};
  }));
  return ids;
}

TEST_F(StoreFile, GoesOnWhereItStopped) {
  {
    auto store = open();
    ASSERT_TRUE(store) << to_string(store.error());
    ASSERT_TRUE(store->add({row(5, 1.5), row(2, 0.1)}));
  }
  auto store = open();
  ASSERT_TRUE(store) << to_string(store.error());
  EXPECT_EQ(store->resumed(), 2U);
  EXPECT_TRUE(*store->has(5));
  EXPECT_FALSE(*store->has(3));
  ASSERT_TRUE(store->add({row(5, 9), row(3, 2)})); // 5 stays as it was
  std::vector<double> times;
  ASSERT_TRUE(store->for_each([&](const Row& r) -> Result<void> {
    times.push_back(r.outcomes[0].time_ms);
    EXPECT_EQ(r.values[1], "x,\"y\"");
    return {};
  }));
  EXPECT_EQ(times, (std::vector<double>{0.1, 2, 1.5}));
}

TEST_F(StoreFile, AnotherSweepIsRefusedWithWhatDiffers) {
  ASSERT_TRUE(open());
  const auto other = open({{"source", "b"}});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::bad_input);
  EXPECT_NE(other.error().message.find("source was 'a' there and is 'b' here"), std::string::npos);
}

TEST_F(StoreFile, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(path_) << std::string(4096, 'x');
  const auto store = open();
  ASSERT_FALSE(store);
  EXPECT_NE(to_string(store.error()).find(path_), std::string::npos);
}

TEST_F(StoreFile, TwoSweepsAtOnceAreRefused) {
  const auto first = open();
  ASSERT_TRUE(first);
  EXPECT_FALSE(open());
}

TEST_F(StoreFile, AFullDiskIsAnErrorAndWhatWasThereStays) {
  auto store = open();
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->add({row(1, 1)}));
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit limit = before;
  limit.rlim_cur = 64 * 1024;
  setrlimit(RLIMIT_FSIZE, &limit);
  Result<void> added;
  for (std::uint64_t id = 10; added && id < 5000; id += 100) {
    std::vector<Row> rows;
    for (std::uint64_t i = 0; i < 100; ++i)
      rows.push_back(row(id + i, 1));
    added = store->add(rows);
  }
  setrlimit(RLIMIT_FSIZE, &before);
  ASSERT_FALSE(added);
  EXPECT_NE(added.error().hint.find("disk is not full"), std::string::npos);
  EXPECT_EQ(ids_of(*store).front(), 1U);
}

TEST(Dispatcher, HandsOutEverythingOnceAndKeepsVariantsTogether) {
  const auto space = Space::make({{"D=1:5:+1", "local=1:40:+1"}, {"mod(D + local, 3) != 0"}, {}});
  ASSERT_TRUE(space);
  auto store = Store::open("", {}, {"D", "local"}, {"K620"});
  ASSERT_TRUE(store);
  Dispatcher dispatcher(*space, *store, false, 8);
  std::set<std::uint64_t> seen, first_variant;
  for (bool any = true; any;) {
    any = false;
    for (const std::uint64_t worker : {0U, 1U, 2U}) {
      const auto ids = dispatcher.next(worker);
      ASSERT_TRUE(ids);
      any = any || !ids->empty();
      for (const std::uint64_t id : *ids) {
        EXPECT_TRUE(seen.insert(id).second) << id;
        if (id < 40)
          first_variant.insert(worker);
      }
    }
  }
  std::size_t expected = 0;
  for (auto id = space->next(0); *id; id = space->next(**id + 1))
    ++expected;
  EXPECT_EQ(seen.size(), expected);
  EXPECT_EQ(first_variant.size(), 1U);
  EXPECT_DOUBLE_EQ(dispatcher.fraction(), 1);
}

TEST(Rows, PackedAndUnpackedAreTheSame) {
  Row r = row(1ULL << 60U, 0.1 + 0.2);
  r.outcomes.push_back({});
  r.outcomes[1].reason = "launch: no";
  const auto back = unpack(pack({r}));
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].id, r.id);
  EXPECT_EQ(back[0].values, r.values);
  EXPECT_EQ(back[0].outcomes[0].time_ms, r.outcomes[0].time_ms);
  EXPECT_EQ(back[0].outcomes[1].reason, "launch: no");
}

} // namespace
} // namespace forewarp::explore
