#include "support/temporary_file.h"
#include "toolkit/machine_code.h"
#include "toolkit/tools.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>

using namespace forewarp;
using namespace forewarp::toolkit;

TEST(Toolkit, WordsOfAProgram) {
  const auto words = run_tool({"/bin/echo", "two words"});
  ASSERT_TRUE(words);
  EXPECT_EQ(*words, "two words\n");
}

TEST(Toolkit, AFailureHasTheProgramsWords) {
  const auto failed = run_tool({"/bin/sh", "-c", "echo broken >&2; exit 3"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::compile);
  EXPECT_EQ(failed.error().message, "broken\n");
}

TEST(Toolkit, ACrashIsNamed) {
  const auto crashed = run_tool({"/bin/sh", "-c", "kill -SEGV $$"});
  ASSERT_FALSE(crashed);
  EXPECT_EQ(crashed.error().code, ErrorCode::unsupported);
  EXPECT_EQ(crashed.error().message.find("crashed with signal 11"), 0U) << crashed.error().message;
}

TEST(Toolkit, AHangIsEndedAndItsWordsPassedOn) {
  const auto begin = std::chrono::steady_clock::now();
  const auto hung = run_tool({"/bin/sh", "-c", "echo half way; sleep 60"}, {.seconds = 0.2});
  ASSERT_FALSE(hung);
  EXPECT_EQ(hung.error().code, ErrorCode::unsupported);
  EXPECT_NE(hung.error().message.find("half way"), std::string::npos) << hung.error().message;
  EXPECT_FALSE(hung.error().hint.empty());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(Toolkit, AHangBehindAClosedOutputIsEnded) {
  const auto begin = std::chrono::steady_clock::now();
  const auto hung = run_tool({"/bin/sh", "-c", "exec >/dev/null 2>&1; sleep 60"}, {.seconds = 0.2});
  ASSERT_FALSE(hung);
  EXPECT_EQ(hung.error().code, ErrorCode::unsupported);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
}

TEST(Toolkit, AFailureWithoutAWordIsNamed) {
  const auto failed = run_tool({"/bin/sh", "-c", "exit 7"});
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "ended with status 7: it said nothing");
  EXPECT_EQ(failed.error().where, "/bin/sh");
  EXPECT_FALSE(failed.error().hint.empty());
}

TEST(Toolkit, MuchOutputIsCut) {
  const auto words = run_tool({"/bin/sh", "-c", "yes | head -100000"}, {.seconds = 60, .output_bytes = 1000});
  ASSERT_TRUE(words);
  EXPECT_EQ(words->size(), 1000U);
}

TEST(Toolkit, AMissingProgramIsNotFound) {
  const auto missing = run_tool({"/nowhere/program"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST(Toolkit, TheOneCommandThatInstallsTheRest) {
  const std::string text = setup_text({{"nvcc", "/opt/bin/nvcc", "13.0.88", "PATH"}, {"ptxas", "", "", ""}});
  EXPECT_NE(text.find("13.0.88"), std::string::npos);
  EXPECT_NE(text.find("pip install nvidia-cuda-nvcc\n"), std::string::npos) << text;
}

TEST(Toolkit, AnotherSourceIsRefused) {
  const auto made = assemble({.path = "kernel.cl", .target = "sm_86"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unsupported);
}

TEST(Toolkit, TargetsWhoseCodeIsNotReadAreRefused) {
  for (const char* target : {"sm_50", "sm_70", "gfx90a"}) {
    const auto made = assemble({.path = "kernel.cu", .target = target});
    ASSERT_FALSE(made) << target;
    EXPECT_EQ(made.error().code, ErrorCode::unsupported);
    EXPECT_NE(made.error().message.find(target), std::string::npos) << made.error().message;
  }
}

TEST(Toolkit, ResultsAreKeptUntilTheSourceChanges) {
  if (find_tool("ptxas").path.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n";
  const auto source = TemporaryFile::write(head + "ret;\n}\n", ".ptx");
  ASSERT_TRUE(source);
  const std::string cache = testing::TempDir() + "/forewarp-toolkit-cache";
  const AssembleRequest request = {.path = source->path(), .target = "sm_80", .cache_folder = cache};
  const auto first = assemble(request);
  ASSERT_TRUE(first) << to_string(first.error());
  const auto second = assemble(request);
  ASSERT_TRUE(second);
  EXPECT_TRUE(second->kept);
  EXPECT_EQ(first->path, second->path);
}

// NVRTC does not name the files that it read, so what may read others is not kept.
TEST(Toolkit, SourcesAndOptionsThatBringOtherFilesIn) {
  EXPECT_TRUE(may_include("#define N 4\n# \tinclude \"tile.h\"\n", {}));
  EXPECT_TRUE(may_include("#include <cuda_fp16.h>\n", {}));
  EXPECT_TRUE(may_include("__global__ void k() {}\n", {"-include", "tile.h"}));
  EXPECT_TRUE(may_include("__global__ void k() {}\n", {"--pre-include=tile.h"}));
  EXPECT_FALSE(may_include("#define include 1\n#pragma unroll\n", {"-use_fast_math"}));
}

namespace {

/// FOREWARP_CUDA_COMPILER while it lives.
class AskedCompiler {
public:
  explicit AskedCompiler(const std::string& path) { setenv("FOREWARP_CUDA_COMPILER", path.c_str(), 1); }
  ~AskedCompiler() { unsetenv("FOREWARP_CUDA_COMPILER"); }
  AskedCompiler(const AskedCompiler&) = delete;
  AskedCompiler& operator=(const AskedCompiler&) = delete;
};

/// A library with NVRTC's name in a folder of its own.
std::string library_of(const std::string& contents) {
  const std::string folder = testing::TempDir() + "/forewarp-nvrtc-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/libnvrtc.so.12") << contents;
  return folder + "/libnvrtc.so.12";
}

/// Tests run beside each other.
std::string test_name() {
  return testing::UnitTest::GetInstance()->current_test_info()->name();
}

/// A compiler that runs a shell's commands, its output file being $OUT.
std::string compiler_of(const std::string& commands) {
  const std::string path = testing::TempDir() + "/forewarp-nvcc-" + test_name();
  std::ofstream(path) << "#!/bin/sh\ncase \"$*\" in *--version*) echo V13.0.1; exit 0;; esac\n"
                         "while [ \"$1\" != -o ]; do shift; done\nOUT=$2\n"
                      << commands << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

std::string fresh_folder() {
  const std::string folder = testing::TempDir() + "/forewarp-cache-" + test_name();
  std::filesystem::remove_all(folder);
  return folder;
}

AssembleRequest made_up(const TemporaryFile& source, const std::string& cache) {
  return {.path = source.path(), .target = "sm_80", .cache_folder = cache};
}

} // namespace

namespace {

/// A variable of the environment with another value while it lives.
class Variable {
public:
  Variable(std::string name, const char* value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str()))
      before_ = before;
    setenv(name_.c_str(), value, 1);
  }
  ~Variable() { before_ ? setenv(name_.c_str(), before_->c_str(), 1) : unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

private:
  std::string name_;
  std::optional<std::string> before_;
};

} // namespace

// PTX of a fat binary, or what this program writes, lies in the cache: nobody knows that file.
TEST(Toolkit, AMissingToolIsToldOfTheUsersFile) {
  const Variable path("PATH", "/nowhere"), home("HOME", "/nowhere"), cuda("CUDA_HOME", ""),
      other("CUDA_PATH", ""), python("VIRTUAL_ENV", "");
  if (!find_tool("ptxas").path.empty())
    GTEST_SKIP() << "a ptxas in /usr/local/cuda";
  const auto source = TemporaryFile::write(".version 7.0\n", ".ptx");
  ASSERT_TRUE(source);
  const auto made = assemble({.path = source->path(), .target = "sm_80", .told_as = "program.o"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::not_found);
  EXPECT_EQ(made.error().where, "program.o");
}

TEST(Toolkit, WhatIsNoCubinIsNotKept) {
  const auto source = TemporaryFile::write("__global__ void k() {}\n", ".cu");
  ASSERT_TRUE(source);
  const std::string cache = fresh_folder();
  for (const char* commands : {"echo words > $OUT", "exit 0"}) {
    const std::string compiler = compiler_of(commands);
    const AskedCompiler asked(compiler);
    const auto made = assemble(made_up(*source, cache));
    ASSERT_FALSE(made) << commands;
    EXPECT_EQ(made.error().code, ErrorCode::unsupported);
    EXPECT_EQ(made.error().where, compiler);
    EXPECT_NE(made.error().message.find("no cubin"), std::string::npos) << made.error().message;
    EXPECT_TRUE(std::filesystem::is_empty(cache + "/machine_code"));
  }
}

// A disk that was full, a copy that was broken off.
TEST(Toolkit, AKeptCubinThatIsDamagedIsMadeAgain) {
  const AskedCompiler asked(compiler_of(R"(printf '\177ELF whole' > $OUT)"));
  const auto source = TemporaryFile::write("__global__ void k() {}\n", ".cu");
  ASSERT_TRUE(source);
  const AssembleRequest request = made_up(*source, fresh_folder());
  const auto first = assemble(request);
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_FALSE(first->kept);
  ASSERT_TRUE(assemble(request)->kept);
  std::filesystem::resize_file(first->path, 4);
  const auto again = assemble(request);
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_FALSE(again->kept);
  EXPECT_EQ(std::filesystem::file_size(again->path), 10U);
}

TEST(Toolkit, TheCompilerThatTheVariableNames) {
  const AskedCompiler asked("/bin/true");
  const Tool tool = find_cuda_compiler();
  EXPECT_EQ(tool.path, "/bin/true");
  EXPECT_EQ(tool.name, "nvcc");
  EXPECT_EQ(tool.found, "FOREWARP_CUDA_COMPILER");
}

TEST(Toolkit, ACompilerThatIsNotThereIsNotReplacedByAnother) {
  const AskedCompiler asked("/nowhere/libnvrtc.so.12");
  const auto source = TemporaryFile::write("extern \"C\" __global__ void k() {}\n", ".cu");
  ASSERT_TRUE(source);
  const auto made = assemble({.path = source->path(), .target = "sm_80"});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::not_found);
  EXPECT_EQ(made.error().where, "/nowhere/libnvrtc.so.12");
}

TEST(Toolkit, ALibraryThatIsNoneIsAnErrorWithItsWords) {
  if (nvrtc_runner().empty())
    GTEST_SKIP() << "forewarp-nvrtc is not built";
  const std::string library = library_of("no ELF");
  const AskedCompiler asked(library);
  const auto source = TemporaryFile::write("extern \"C\" __global__ void k() {}\n", ".cu");
  ASSERT_TRUE(source);
  const auto made = assemble({.path = source->path(), .target = "sm_80", .cache_folder = testing::TempDir()});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::compile);
  EXPECT_NE(made.error().message.find(library), std::string::npos) << made.error().message;
}
