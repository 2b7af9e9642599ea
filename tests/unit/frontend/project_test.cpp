// What a project's own files say about compiling one of its sources.
#include "frontend/project/build_options.h"
#include "frontend/project/defining_files.h"
#include "frontend/project/found_headers.h"
#include "frontend/project/missing_macros.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace forewarp::frontend::project {
namespace {

namespace fs = std::filesystem;

class Project : public testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("forewarp_project_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::string in(const std::string& name) const { return (folder_ / name).lexically_normal().string(); }
  fs::path folder_;
};

std::vector<std::string> definitions(const BuildOptions& options) {
  std::vector<std::string> all;
  for (const BuildOptions::Macro& macro : options.macros)
    all.push_back(macro.definition);
  return all;
}

std::map<std::string, std::string> values(const std::vector<FoundMacro>& found) {
  std::map<std::string, std::string> all;
  for (const FoundMacro& macro : found)
    all[macro.name] = macro.value;
  return all;
}

TEST_F(Project, OptionsMadeOfVariables) {
  const std::string source = write("k.cl", "");
  write("host.cpp",
        "int block = 16;\nint items{64};\n"
        "void f() { sprintf(arg, \"-DA=%d -D BLOCK=%d\", 4, (int)block);\n"
        "  settings << \"-D ITEMS=\" << items;\n"
        "  flags += \"-DN_GP=\" + toString(items) + \" \"; flags += \"-DOPEN=\" + toString(argc); }\n");
  EXPECT_EQ(
      values(find_macros(source, {"A", "BLOCK", "ITEMS", "N_GP", "OPEN"})),
      (std::map<std::string, std::string>{{"A", "4"}, {"BLOCK", "16"}, {"ITEMS", "64"}, {"N_GP", "64"}}));
}

TEST_F(Project, NamesThatConditionsTest) {
  const std::string source =
      write("k.cl", "#define OWN 1\n#if VWM == 1\n#elif WIDE > 2 && defined(OTHER)\n#endif\n"
                    "  #if OWN\n#ifdef NEVER\n#endif\n#endif");
  EXPECT_EQ(names_in_conditions(source), (std::vector<std::string>{"VWM", "WIDE", "OTHER"}));
}

TEST_F(Project, AVendorsHeadersStayOut) {
  write("toolkit/cuda_runtime.h", "");
  write("mine/a.h", "");
  EXPECT_EQ(options_of_makefile("CFLAGS = -Itoolkit -Imine\n", in("Makefile")).folders,
            std::vector<std::string>{in("mine")});
}

TEST_F(Project, MakefileWithVariablesConditionsAndContinuedLines) {
  write("include/x.h", "");
  const std::string path = in("Makefile");
  const BuildOptions options = options_of_makefile("INC = include\n"
                                                   "N := 4 # four\n"
                                                   "DEBUG = no\n"
                                                   "CFLAGS = -O3 -std=c++20 -I$(INC) \\\n"
                                                   "  -DN=$(N) -D PLAIN -DHOME=$(UNKNOWN)\n"
                                                   "ifeq ($(DEBUG),yes)\n"
                                                   "  CFLAGS += -DDEBUG\n"
                                                   "else\n"
                                                   "  CFLAGS += -DFAST\n"
                                                   "endif\n"
                                                   "main: main.cu\n"
                                                   "\tnvcc $(CFLAGS) main.cu\n",
                                                   path);
  EXPECT_EQ(options.folders, std::vector<std::string>{in("include")});
  EXPECT_EQ(definitions(options), (std::vector<std::string>{"N=4", "PLAIN", "FAST"}));
  EXPECT_EQ(options.macros[0].place, path + ":4");
  EXPECT_EQ(options.standard, "c++20");
}

TEST_F(Project, CMakeListsWithVariables) {
  write("common/x.h", "");
  const BuildOptions options =
      options_of_cmake("set(CMAKE_CXX_STANDARD 14)\n"
                       "set(dirs \"${CMAKE_CURRENT_SOURCE_DIR}/common\")\n"
                       "# include_directories(nowhere)\n"
                       "target_include_directories(app PRIVATE ${dirs} ${ROCM}/include)\n"
                       "target_compile_definitions(app PUBLIC SIZE=32 FLAG)\n"
                       "add_definitions(-DOTHER=1)\n",
                       in("CMakeLists.txt"));
  EXPECT_EQ(options.folders, std::vector<std::string>{in("common")});
  EXPECT_EQ(definitions(options), (std::vector<std::string>{"OTHER=1", "SIZE=32", "FLAG"}));
  EXPECT_EQ(options.standard, "c++14");
}

TEST_F(Project, HeadersOfFoldersThatNobodyNamed) {
  write("lib/Makefile", "CFLAGS = -I../elsewhere\n");
  write("elsewhere/by_make.h", "");
  write("common/two_up.h", "#include \"inner.h\"\n");
  write("common/inner.h", "");
  write("lib/beside.h", "");
  const std::string source =
      write("lib/app.cu", "#include \"beside.h\"\n#include <by_make.h>\n"
                          "# include \"two_up.h\"\n#include \"nowhere.h\"\n#include <vector>\n");
  const std::vector<HeaderFolder> found = header_folders(source, {});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].header, "by_make.h");
  EXPECT_EQ(fs::path(found[0].folder).lexically_normal(), in("elsewhere"));
  EXPECT_EQ(found[1].header, "two_up.h");
  EXPECT_EQ(found[1].folder, in("common"));
  EXPECT_TRUE(header_folders(source, {in("elsewhere"), in("common")}).empty());
}

TEST_F(Project, AHeaderOfTheMachineIsNotTheProjects) {
  write("c/stdio.h", "");
  write("c/helper_cuda.h", "");
  const std::string source = write("d/app.cu", "#include \"stdio.h\"\n#include \"helper_cuda.h\"\n");
  EXPECT_TRUE(header_folders(source, {}).empty());
}

TEST_F(Project, AHeaderInSeveralFoldersIsNobodys) {
  write("a/same.h", "");
  write("b/same.h", "");
  const std::string source = write("c/app.cu", "#include \"same.h\"\n");
  EXPECT_TRUE(header_folders(source, {}).empty());
}

TEST_F(Project, FilesThatIncludeAKernelFile) {
  const std::string kernels = write("src/kernels.cu", "");
  write("src/all.cuh", "#include \"kernels.cu\"\n");
  write("src/main.cu", "#include \"kernels.cu\"\n");
  write("driver.cpp", "#include \"src/kernels.cu\"\n");
  write("src/with_brackets.cu", "#include <kernels.cu>\n");
  write("src/other.cu", "#include \"kernels.cuh\"\n");
  EXPECT_EQ(files_including(kernels), (std::vector<std::string>{in("src/main.cu"), in("src/with_brackets.cu"),
                                                                in("driver.cpp"), in("src/all.cuh")}));
}

TEST_F(Project, FilesThatDefineWhatASourceOnlyDeclares) {
  const std::string message =
      "a.cu:3:1: call of 'merge', which is neither defined here nor a built-in that is "
      "modelled\na.cu:4:1: call of 'split', which is neither defined here nor a built-in\n"
      "a.cu:5:1: call of 'merge', which is neither defined here nor a built-in\n"
      "a.cu:6:1: call of 'own', which is not defined";
  EXPECT_EQ(undefined_functions(message), (std::vector<std::string>{"merge", "split"}));
  const std::string source = write("a.cu", "__device__ void merge(int* x);\nvoid f() { merge(0); }\n");
  write("calls.cu",
        "__device__ void merge(int*);\n__device__ void g(int* x) { if (x) merge(x); remerge(x); }\n");
  write("defines.cu", "__device__ void\nmerge(int* x, int (*f)(int))\n{ *x = 1; }\n");
  write("has_main.cu", "__device__ void merge(int* x) { }\nint main() { return 0; }\n");
  write("below/defines.cu", "__device__ void merge(int* x) { }\n");
  EXPECT_EQ(files_defining(source, {"split", "merge"}), (std::vector<std::string>{in("defines.cu")}));
  EXPECT_TRUE(files_defining(source, {}).empty());
}

TEST_F(Project, FilesThatDeclareWhatAnOpenClSourceLacks) {
  const std::string source = write("kernels/two/k.opencl", "__kernel void k(__global real* x) { }\n");
  write("kernels/common.opencl", "R\"(\ntypedef float real;\n#define INLINE inline\n)\"\n");
  write("kernels/two/helpers.opencl", "INLINE real load(const __global real* x) {\n  return x[0];\n}\n");
  write("kernels/two/has_kernel.opencl", "typedef float real;\n__kernel void other() { }\n");
  write("kernels/two/uses.opencl", "INLINE real f(real x, __global surreal* y) { return x; }\n");
  write("kernels/two/other_ending.cl", "typedef float real;\n");
  EXPECT_EQ(files_declaring(source, {"real"}), (std::vector<std::string>{in("kernels/common.opencl")}));
  EXPECT_EQ(files_declaring(source, {"load", "INLINE"}),
            (std::vector<std::string>{in("kernels/two/helpers.opencl"), in("kernels/common.opencl")}));
  EXPECT_TRUE(files_declaring(source, {"nobody"}).empty());
  EXPECT_TRUE(files_declaring(write("kernels/a.cu", ""), {"real"}).empty());
}

TEST_F(Project, TheLastOfATunersValues) {
  const std::string source = write("k.cl", "");
  write("host.cpp", "tuner.AddParameter(k, \"WAY\", {0, 1, 2});\nadd(\"ONE\", { 8 });\n#define FIXED 3\n");
  EXPECT_EQ(values(find_macros(source, {"WAY", "ONE", "FIXED"}, TunedValue::last)),
            (std::map<std::string, std::string>{{"WAY", "2"}, {"ONE", "8"}, {"FIXED", "3"}}));
}

TEST(MissingMacros, NamesOfTheCompilersErrors) {
  EXPECT_EQ(undeclared_names("a.cl:3:1: error: use of undeclared identifier 'N'\n"
                             "a.cl:4:1: error: use of undeclared identifier 'N'\n"
                             "a.cl:5:1: error: unknown type name 'real'\n"),
            (std::vector<std::string>{"N", "real"}));
}

TEST_F(Project, ValuesOfMacrosFromNeighbours) {
  const std::string source = write("k.cl", "");
  write("Makefile", "FLAGS = -DBY_MAKE=7\n");
  write("types.h", "#define real float // of all\n#define REAL_SIZE 4\nconst int ROWS = COLUMNS * 2;\n");
  write("host.c", "clBuildProgram(p, 0, 0, \"-DTILE=16 -D UNROLL=4 -DSIZE=%d\", 0, 0);\n");
  write("tune.cpp", "std::vector<int> range{1, 2};\nsize_t points = 600;\n"
                    "tuner.AddParameter(k, \"WPT\", {2, 4});\ntuner.AddParameter(k, \"WPTX\", range);\n"
                    "tuner.AddParameter(k, \"POINTS\", std::vector<size_t>{points});\n");
  std::map<std::string, std::string> values;
  for (const FoundMacro& macro : find_macros(
           source, {"BY_MAKE", "real", "ROWS", "TILE", "UNROLL", "SIZE", "WPT", "WPTX", "POINTS", "NOWHERE"}))
    values[macro.name] = macro.value;
  EXPECT_EQ(values, (std::map<std::string, std::string>{{"BY_MAKE", "7"},
                                                        {"real", "float"},
                                                        {"ROWS", "(COLUMNS * 2)"},
                                                        {"TILE", "16"},
                                                        {"UNROLL", "4"},
                                                        {"WPT", "2"},
                                                        {"WPTX", "1"},
                                                        {"POINTS", "600"}}));
}

} // namespace
} // namespace forewarp::frontend::project
