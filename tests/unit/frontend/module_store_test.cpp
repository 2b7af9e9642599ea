// Modules kept between runs: found where nothing changed, and only there.
#include "frontend/compile.h"
#include "frontend/store/module_store.h"
#include "unit/frontend/compile_text.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace forewarp::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* unit_with_headers =
    "#include \"unit.h\"\n"
    "#ifdef EXTRA\n#include \"extra.h\"\n#endif\n"
    "__kernel void scale(__global float* a) { a[get_global_id(0)] *= UNIT; }\n";

/// The kernel's code; LLVM gives declarations of intrinsics their attributes anew when it reads them.
std::string code_of(const ir::KernelModule& module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.module().getFunction(module.kernels.front().symbol)->print(out);
  return text;
}

class ModuleStoreTest : public testing::Test {
protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder = fs::temp_directory_path() /
             ("forewarp-store-" + std::to_string(::getpid()) + "-" + std::string(info->name()));
    fs::create_directories(folder / "include");
    write("kernel.cl", unit_with_headers);
    write("include/unit.h", "#define UNIT 2.0f\n");
    request.path = (folder / "kernel.cl").string();
    request.include_directories = {(folder / "first").string(), (folder / "include").string()};
    request.cache_folder = (folder / "cache").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  bool is_kept() const { return store().find(request).has_value(); }
  ModuleStore store() const { return ModuleStore(request.cache_folder); }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder / "cache" / "modules"))
      paths.push_back(entry.path());
    return paths;
  }

  fs::path folder;
  CompileRequest request;
};

TEST_F(ModuleStoreTest, GivesBackTheModuleThatWasCompiled) {
  EXPECT_FALSE(is_kept());
  CompileRequest without = request;
  without.cache_folder = "";
  const auto fresh = compile(without), first = compile(request);
  ASSERT_TRUE(fresh && first);
  ASSERT_TRUE(is_kept());
  const auto second = compile(request);
  ASSERT_TRUE(second);
  EXPECT_EQ(code_of(*fresh), code_of(*first));
  EXPECT_EQ(code_of(*fresh), code_of(*second));
  EXPECT_EQ(entries().size(), 1U);
}

TEST_F(ModuleStoreTest, WhatTheCompilerIsToldIsPartOfTheKey) {
  ASSERT_TRUE(compile(request));
  const CompileRequest first = request;
  request.defines = {"OTHER=1"};
  EXPECT_FALSE(is_kept());
  request = first;
  request.extra_options = {"-cl-fast-relaxed-math"};
  EXPECT_FALSE(is_kept());
  request = first;
  request.standard = "CL2.0";
  EXPECT_FALSE(is_kept());
  request = first;
  request.target = "sm_80";
  EXPECT_FALSE(is_kept());
  request = first;
  EXPECT_TRUE(is_kept());
}

TEST_F(ModuleStoreTest, AChangedSourceIsCompiledAgain) {
  ASSERT_TRUE(compile(request));
  write("kernel.cl", std::string(unit_with_headers) + "// \n");
  EXPECT_FALSE(is_kept());
}

TEST_F(ModuleStoreTest, AChangedHeaderIsCompiledAgain) {
  ASSERT_TRUE(compile(request));
  write("include/unit.h", "#define UNIT 3.0f\n");
  EXPECT_FALSE(is_kept());
  const auto changed = compile(request);
  ASSERT_TRUE(changed);
  EXPECT_TRUE(is_kept());
  CompileRequest without = request;
  without.cache_folder = "";
  const auto fresh = compile(without);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(code_of(*changed), code_of(*fresh));
  write("include/unit.h", "#define UNIT 2.0f\n"); // the same content again, but not what was compiled last
  EXPECT_FALSE(is_kept());
  fs::remove(folder / "include" / "unit.h");
  EXPECT_FALSE(is_kept());
}

TEST_F(ModuleStoreTest, AHeaderThatComesBeforeTheOldOneIsSeen) {
  ASSERT_TRUE(compile(request));
  EXPECT_TRUE(is_kept());
  write("first/unit.h", "#define UNIT 5.0f\n");
  EXPECT_FALSE(is_kept());
}

TEST_F(ModuleStoreTest, ErrorsAreKeptUntilTheirCauseIsGone) {
  request.defines = {"EXTRA"};
  const auto failed = compile(request);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::compile);
  ASSERT_TRUE(is_kept());
  const auto again = compile(request);
  ASSERT_FALSE(again);
  EXPECT_EQ(to_string(again.error()), to_string(failed.error()));
  write("include/extra.h", "\n");
  EXPECT_FALSE(is_kept());
  EXPECT_TRUE(compile(request));
}

TEST_F(ModuleStoreTest, ADamagedEntryIsWrittenAnew) {
  ASSERT_TRUE(compile(request));
  ASSERT_EQ(entries().size(), 1U);
  const fs::path entry = entries().front();
  std::ifstream file(entry, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  for (const std::string& bad :
       {good.substr(0, good.size() / 2), flipped, std::string(), std::string("text")}) {
    std::ofstream(entry, std::ios::binary) << bad;
    EXPECT_FALSE(is_kept());
    EXPECT_TRUE(compile(request));
    EXPECT_TRUE(is_kept());
  }
}

TEST_F(ModuleStoreTest, WhatWasUsedLongestAgoGoes) {
  const auto module = compile(request);
  ASSERT_TRUE(module);
  const std::uint64_t size = fs::file_size(entries().front());
  fs::remove_all(folder / "cache");
  // Room for four; the folder is looked at when a store keeps its first module.
  constexpr int wanted = 12;
  for (int i = 0; i < wanted; ++i) {
    CompileRequest other = request;
    other.defines = {"N=" + std::to_string(i)};
    ModuleStore(request.cache_folder, 4 * size).keep(other, {}, module);
  }
  EXPECT_LE(entries().size(), 4U);
  request.defines = {"N=0"};
  EXPECT_FALSE(is_kept());
  request.defines = {"N=" + std::to_string(wanted - 1)};
  EXPECT_TRUE(is_kept());
}

TEST_F(ModuleStoreTest, ManyWritersAndReadersNeverSeeHalfAnEntry) {
  const auto module = compile(request);
  ASSERT_TRUE(module);
  const std::string expected = code_of(*module);
  std::vector<std::thread> threads;
  std::atomic<unsigned> found{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const ModuleStore mine(request.cache_folder);
      for (int i = 0; i < 50; ++i) {
        FileLog log;
        CompileRequest logged = request;
        mine.keep(logged, log, module);
        const auto kept = mine.find(request);
        if (kept && *kept && code_of(**kept) == expected)
          ++found;
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(found, 200U);
  EXPECT_EQ(entries().size(), 1U); // no temporary file is left
}

TEST_F(ModuleStoreTest, AFolderThatCannotBeWrittenIsNoError) {
  write("file", "");
  request.cache_folder = (folder / "file" / "below").string();
  EXPECT_TRUE(compile(request));
  EXPECT_TRUE(compile(request));
}

} // namespace
} // namespace forewarp::frontend
