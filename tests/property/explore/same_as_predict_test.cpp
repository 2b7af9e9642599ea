// A sweep's answers are those of fresh predictions, configuration by configuration, to the byte.
#include "explore/evaluator.h"
#include "explore/sweep.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "predict/traced/streams/simulation_store.h"
#include "report/report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace forewarp::explore {
namespace {

const std::string root = FOREWARP_SOURCE_DIR;

explore::Setup setup_of(const std::string& kernel, const std::string& file, std::vector<std::string> space,
                        const std::vector<std::string>& gpus) {
  const auto launch = launch::read_launch_file(root + "/corpus/" + kernel + "/" + file);
  EXPECT_TRUE(launch);
  explore::Setup setup;
  setup.base.compile.path = root + "/corpus/" + kernel + "/kernel.cl";
  setup.base.kernel = launch->kernel;
  setup.base.launch = launch->launch;
  const std::string path = root + "/corpus/" + kernel + "/" + file;
  setup.launch_values = *launch::launch_file_values(path);
  setup.base_of = [base = setup.base, path](const std::map<std::string, double>& values) {
    engine::PredictRequest request = base;
    const auto other = launch::read_launch_file(path, values);
    EXPECT_TRUE(other);
    request.launch = other->launch;
    return Result<engine::PredictRequest>(request);
  };
  const auto catalogue = gpu::Catalogue::open(root + "/data/gpus");
  for (const std::string& name : gpus)
    setup.base.gpus.push_back(*catalogue->find(name));
  setup.space.parameters = std::move(space);
  auto complete_setup = complete(setup);
  EXPECT_TRUE(complete_setup) << (complete_setup ? "" : to_string(complete_setup.error()));
  return *complete_setup;
}

struct Case {
  const char* kernel;
  std::vector<std::string> space;
};

// Group sizes beside the kernel's own are launch errors for some kernels; those are compared too.
const std::vector<Case> cases = {
    {"vector_add", {"local=32,64,256", "n=100,5120"}},
    {"matrix_multiply_naive", {"local=8x8,16x4,4x16"}},
    {"matrix_multiply_tiled", {"TILE=8,16", "local.x=TILE", "local.y=TILE"}},
    {"transpose_naive", {"local=8x8,16x16,32x4"}},
    {"stencil_2d", {"local=8x8,16x16,32x4"}},
    {"reduction", {"local=64,128,256"}},
    {"histogram", {"local=64,128,256"}},
    {"bfs_step", {"local=32,64,128"}},
    {"kmeans_assign", {"local=32,64,128"}},
    {"spmv_csr_scalar", {"UNUSED=1,2,3", "local=32,64,128"}},
    {"nbody", {"local=32,64,128"}},
    {"pathfinder", {"local=64,128,256"}},
};

class SameAs : public testing::TestWithParam<std::size_t> {};

TEST_P(SameAs, PredictToTheByte) {
  const Case& c = cases[GetParam()];
  const explore::Setup setup = setup_of(c.kernel, "check.toml", c.space, {"k620", "v100"});
  auto evaluator = Evaluator::make(setup);
  ASSERT_TRUE(evaluator) << to_string(evaluator.error());
  engine::Session session; // as a worker has it: everything that was predicted before is still there
  for (std::uint64_t id = 0; id < evaluator->space().points(); ++id) {
    const auto request = evaluator->request(id);
    ASSERT_TRUE(request) << to_string(request.error());
    const auto fresh = engine::predict(*request);
    const auto kept = session.predict(*request);
    ASSERT_EQ(fresh.has_value(), kept.has_value()) << id;
    const auto row = evaluator->evaluate(id);
    ASSERT_TRUE(row) << to_string(row.error());
    if (!fresh) {
      EXPECT_EQ(to_string(fresh.error()), to_string(kept.error())) << id;
      continue;
    }
    EXPECT_EQ(report::write_json(*fresh), report::write_json(*kept)) << id;
    for (std::size_t g = 0; g < fresh->size(); ++g)
      if ((*fresh)[g].valid) {
        EXPECT_EQ(row->outcomes[g].time_ms, (*fresh)[g].time_ms) << id;
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, SameAs, testing::Range(std::size_t{0}, cases.size()),
                         [](const testing::TestParamInfo<std::size_t>& kernel) {
                           return cases[kernel.param].kernel;
                         });

struct CorpusKernel {
  std::string name, source, launch_file;
};

std::vector<CorpusKernel> corpus() {
  std::vector<CorpusKernel> kernels;
  for (const auto& folder : std::filesystem::directory_iterator(root + "/corpus"))
    for (const char* source : {"kernel.cl", "kernel.cu"})
      if (std::filesystem::exists(folder.path() / source) &&
          std::filesystem::exists(folder.path() / "check.toml"))
        kernels.push_back({folder.path().filename().string(), (folder.path() / source).string(),
                           (folder.path() / "check.toml").string()});
  std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return kernels;
}

/// The first answer of a session is a fresh one; the second is made of what the session kept.
TEST(Session, WhatItKeepsOfTheCorpusChangesNoAnswer) {
  const auto catalogue = gpu::Catalogue::open(root + "/data/gpus");
  std::size_t kernels = 0;
  for (const CorpusKernel& kernel : corpus()) {
    const auto launch = launch::read_launch_file(kernel.launch_file);
    ASSERT_TRUE(launch) << kernel.name;
    engine::PredictRequest request;
    request.compile.path = kernel.source;
    request.kernel = launch->kernel;
    request.launch = launch->launch;
    request.gpus = {*catalogue->find("k620"), *catalogue->find("h200")};
    engine::Session session;
    const auto fresh = session.predict(request);
    ASSERT_TRUE(fresh) << kernel.name << ": " << to_string(fresh.error());
    const std::size_t simulated = session.simulations().misses();
    const auto kept = session.predict(request);
    ASSERT_TRUE(kept) << kernel.name;
    EXPECT_EQ(report::write_json(*kept), report::write_json(*fresh)) << kernel.name;
    EXPECT_EQ(session.simulations().misses(), simulated) << kernel.name;
    EXPECT_EQ(session.simulations().hits(), simulated) << kernel.name;
    ++kernels;
  }
  EXPECT_GT(kernels, 80U);
}

/// Sessions of two threads compile for themselves, in another order; what one simulated serves the other.
TEST(Session, SeveralShareOneStoreOfSimulations) {
  const explore::Setup first = setup_of("kmeans_assign", "check.toml", {"local=32,64"}, {"k620", "v100"});
  const explore::Setup second = setup_of("matrix_multiply_tiled", "check.toml",
                                         {"TILE=8,16", "local.x=TILE", "local.y=TILE"}, {"v100"});
  const auto store = engine::shared_simulations();
  engine::Session one(store), other(store);
  const auto answers = [](const explore::Setup& setup, engine::Session& session) {
    std::string text;
    const auto evaluator = Evaluator::make(setup);
    EXPECT_TRUE(evaluator);
    for (std::uint64_t id = 0; id < evaluator->space().points(); ++id) {
      const auto predictions = session.predict(*evaluator->request(id));
      EXPECT_TRUE(predictions) << id;
      text += predictions ? report::write_json(*predictions) : "";
    }
    return text;
  };
  engine::Session alone;
  const std::string fresh = answers(first, alone);
  EXPECT_EQ(answers(first, one), fresh);
  const std::string others = answers(second, other);
  const std::size_t simulated = store->misses();
  EXPECT_EQ(answers(first, other), fresh);
  EXPECT_EQ(answers(second, one), others);
  EXPECT_EQ(store->misses(), simulated);
}

struct Sizes {
  const char* kernel;
  std::vector<std::string> space;
  std::size_t hits; ///< simulations of sizes before that serve again, at least
};

// Few distinct demands (wavefront tiles, tiles at drawn places, an outer loop), and none that are alike
// (random keys).
const std::vector<Sizes> size_cases = {
    {"needleman_wunsch_tile", {"size=8192,8320,8448", "diagonal=300"}, 2},
    {"pathfinder", {"steps=8", "columns=10000000:10060000:+10000"}, 1},
    {"kmeans_assign", {"clusters=3", "points=800000:806000:+1000"}, 2},
    {"kmeans_swap", {"features=8", "points=400000:406000:+1000"}, 2},
    {"btree_find_key", {"queries=20001,20002,20003"}, 0},
    {"bfs_commit", {"group=64,128", "nodes=100000:500000:+200000"}, 0},
};

class SameSizes : public testing::TestWithParam<std::size_t> {};

/// Sizes of a kernel that do not change what one SM does cost one simulation; the answers are those of fresh
/// predictions.
TEST_P(SameSizes, ThatAskTheSameOfAnSmCostOneSimulation) {
  const Sizes& sizes = size_cases[GetParam()];
  const explore::Setup setup = setup_of(sizes.kernel, "default.toml", sizes.space, {"k620"});
  auto evaluator = Evaluator::make(setup);
  ASSERT_TRUE(evaluator) << to_string(evaluator.error());
  engine::Session session;
  for (std::uint64_t id = 0; id < evaluator->space().points(); ++id) {
    const auto request = evaluator->request(id);
    ASSERT_TRUE(request);
    const auto fresh = engine::predict(*request);
    const auto kept = session.predict(*request);
    ASSERT_TRUE(fresh && kept);
    EXPECT_EQ(report::write_json(*fresh), report::write_json(*kept)) << id;
  }
  EXPECT_GE(session.simulations().hits(), sizes.hits);
}

INSTANTIATE_TEST_SUITE_P(Corpus, SameSizes, testing::Range(std::size_t{0}, size_cases.size()),
                         [](const testing::TestParamInfo<std::size_t>& sizes) {
                           return size_cases[sizes.param].kernel;
                         });

std::string csv_like(Store& store) {
  std::string text;
  EXPECT_TRUE(store.for_each([&](const Row& row) -> Result<void> {
    text += pack({row});
    return {};
  }));
  return text;
}

TEST(Sweep, ThreadsDoNotChangeAnything) {
  const explore::Setup setup =
      setup_of("vector_add", "check.toml", {"local=32:256:+32", "n=1000,5000,5120"}, {"k620"});
  std::vector<std::string> results;
  for (const unsigned jobs : {1U, 3U}) {
    SweepOptions options;
    options.jobs = jobs;
    auto store = sweep(setup, options);
    ASSERT_TRUE(store && *store);
    results.push_back(csv_like(**store));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(Sweep, ValuesOfTheLaunchFileReachBuffersArgumentsAndSizes) {
  const explore::Setup setup =
      setup_of("cfd_fill", "default.toml", {"count=192,1920", "local=64,96"}, {"k620"});
  const auto evaluator = Evaluator::make(setup);
  ASSERT_TRUE(evaluator) << to_string(evaluator.error());
  EXPECT_EQ(evaluator->space().parameters()[0].role, Role::value);
  const auto request = evaluator->request(3);
  ASSERT_TRUE(request) << to_string(request.error());
  EXPECT_EQ(request->launch.global_items->x, 1920U);
  EXPECT_EQ(request->launch.group_size->x, 96U);
  EXPECT_EQ(std::get<facts::BufferValue>(request->launch.arguments.at("array")).count, 1920U);
  EXPECT_EQ(std::get<facts::ScalarValue>(request->launch.arguments.at("count")).text, "1920");
}

TEST(Sweep, ASampleIsThatManyAndTheSameEachTime) {
  const explore::Setup setup =
      setup_of("vector_add", "check.toml", {"local=32,64,128", "n=1:1000000000000:+1"}, {"k620"});
  SweepOptions options;
  EXPECT_FALSE(sweep(setup, options)); // 3 * 10^12 points
  options.sample = 5;
  auto one = sweep(setup, options), two = sweep(setup, options);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(csv_like(**one), csv_like(**two));
  std::size_t rows = 0;
  EXPECT_TRUE((*one)->for_each([&](const Row&) -> Result<void> {
    ++rows;
    return {};
  }));
  EXPECT_EQ(rows, 5U);
}

TEST(Sweep, WhatDoesNotCompileIsARowWithItsReason) {
  const explore::Setup setup =
      setup_of("matrix_multiply_tiled", "check.toml", {"TILE=16,bad_name"}, {"k620"});
  auto store = sweep(setup, {});
  ASSERT_TRUE(store && *store);
  std::vector<std::string> reasons;
  EXPECT_TRUE((*store)->for_each([&](const Row& row) -> Result<void> {
    reasons.push_back(row.outcomes[0].reason);
    return {};
  }));
  ASSERT_EQ(reasons.size(), 2U);
  EXPECT_EQ(reasons[0], "");
  EXPECT_EQ(reasons[1].find("compile: "), 0U) << reasons[1];
}

} // namespace
} // namespace forewarp::explore
