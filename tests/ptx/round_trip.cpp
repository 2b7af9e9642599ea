// Kernels of the corpus: source -> compiler -> PTX -> the PTX reader, held against the source itself.
//
//   ptx_round_trip [--selection default | --code-motion | --nvcc NVCC | --nvcc found] [--csv FILE]
//                  [--keep FOLDER] [KERNEL...]
//
// Without --nvcc the compiler is LLVM's NVPTX back end, on the very IR that the source became; functions that
// it has no instruction for are expanded on both sides. With --nvcc the PTX is that compiler's of kernel.cu:
// what differs is the compilers' difference, and is shown; only PTX that is not read counts as wrong.
// "found": the nvcc that the program finds (setup-toolkit), exit code 77 where there is none. Exit code 1:
// something is off.
#include "ptx/compared_runs.h"
#include "ptx/kept_statements.h"

#include "bundle/device_math.h"
#include "codegen/markers/ptx.h"
#include "engine/predict.h"
#include "frontend/compile.h"
#include "launch/parse.h"
#include "toolkit/tools.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace {

using namespace forewarp;
namespace fs = std::filesystem;

constexpr const char* gpu_name = "h100";
constexpr double most_off = 0.02;
constexpr int skipped = 77; ///< of a test, to CTest

struct Options {
  std::string nvcc;
  bool lacks_nvcc = false;
  fs::path folder;
  std::string csv;
  bool moves_code = false, keeps_statements = true;
  std::vector<std::string> kernels;
};

struct Row {
  std::string kernel, error;
  round_trip::Difference difference;
  double here_ms = 0, there_ms = 0;
  double time_off() const { return here_ms > 0 ? there_ms / here_ms - 1 : 0; }
};

Result<void> write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
  return fs::exists(path) ? Result<void>() : fail(ErrorCode::internal, "cannot write " + path.string());
}

struct Compiled {
  ir::KernelModule module;
  std::string symbol;
};

Result<Compiled> compile(const std::string& path, const std::string& target, const std::string& kernel,
                         const std::vector<std::string>& defines) {
  frontend::CompileRequest request;
  request.path = path;
  request.target = target;
  request.defines = defines;
  auto module = frontend::compile(request);
  FOREWARP_TRY(module);
  const auto signature = frontend::select_kernel(*module, kernel);
  FOREWARP_TRY(signature);
  std::string symbol = (*signature)->symbol;
  return Compiled{std::move(*module), std::move(symbol)};
}

const ir::KernelSignature& signature_of(const Compiled& compiled) {
  for (const ir::KernelSignature& each : compiled.module.kernels)
    if (each.symbol == compiled.symbol)
      return each;
  std::abort();
}

class RoundTrip {
public:
  RoundTrip(const Options& options, gpu::GpuChoice gpu, gpu::Machine machine)
      : options_(options), gpu_(std::move(gpu)), machine_(std::move(machine)) {}

  Row run(const std::string& kernel) {
    Row row;
    row.kernel = kernel;
    if (const auto done = try_run(kernel, row); !done)
      row.error = to_string(done.error());
    return row;
  }

private:
  bool by_nvcc() const { return !options_.nvcc.empty(); }

  Result<void> try_run(const std::string& kernel, Row& row) {
    const fs::path folder = fs::path(FOREWARP_SOURCE_DIR) / "corpus" / kernel;
    const std::string source = (folder / (by_nvcc() ? "kernel.cu" : "kernel.cl")).string();
    const auto small = launch::read_launch_file((folder / "check.toml").string());
    FOREWARP_TRY(small);
    auto here = compile(source, machine_.target, small->kernel, small->defines);
    FOREWARP_TRY(here);
    FOREWARP_TRY(prepare(*here));
    auto path = make_ptx(source, *here, kernel + ".check", small->defines);
    FOREWARP_TRY(path);
    auto there = compile(*path, machine_.target, "", {});
    FOREWARP_TRY(there);
    write_ir(*here, kernel + ".source.ll");
    write_ir(*there, kernel + ".ptx.ll");
    const ir::KernelSignature &a = signature_of(*here), &b = signature_of(*there);
    auto found =
        round_trip::compare({&here->module, &a, small->launch},
                            {&there->module, &b, round_trip::renamed(small->launch, a, b)}, machine_);
    FOREWARP_TRY(found);
    row.difference = *found;
    return compare_times(folder, source, kernel, row);
  }

  /// Functions that PTX has no instruction for are the same device functions on both sides. True: there are.
  Result<bool> prepare(Compiled& compiled) const {
    if (by_nvcc())
      return false;
    const std::string before = text_of(compiled);
    FOREWARP_TRY(bundle::link_device_math(compiled.module));
    return before != text_of(compiled);
  }

  static std::string text_of(const Compiled& compiled) {
    std::string text;
    llvm::raw_string_ostream out(text);
    compiled.module.module().print(out, nullptr);
    return text;
  }

  void write_ir(const Compiled& compiled, const std::string& name) const {
    std::error_code error;
    llvm::raw_fd_ostream file((options_.folder / name).string(), error);
    if (!error)
      compiled.module.module().getFunction(compiled.symbol)->print(file);
  }

  Result<std::string> make_ptx(const std::string& source, const Compiled& here, const std::string& name,
                               const std::vector<std::string>& defines) {
    const fs::path path = options_.folder / (name + ".ptx");
    if (!by_nvcc()) {
      auto emitted = compile(source, machine_.target, signature_of(here).name, defines);
      FOREWARP_TRY(emitted);
      FOREWARP_TRY(prepare(*emitted));
      if (options_.keeps_statements)
        round_trip::keep_statements(*emitted->module.module().getFunction(emitted->symbol));
      const auto text = codegen::emit_ptx(emitted->module, signature_of(*emitted), machine_.target,
                                          options_.moves_code ? codegen::PtxPasses::all
                                                              : codegen::PtxPasses::selection_only);
      FOREWARP_TRY(text);
      FOREWARP_TRY(write(path, *text));
      return path.string();
    }
    std::string words =
        options_.nvcc + " -ptx -lineinfo -arch=" + machine_.target + " -o " + path.string() + " " + source;
    for (const std::string& define : defines)
      words += " -D" + define;
    if (std::system((words + " > /dev/null 2>&1").c_str()) != 0)
      return fail(ErrorCode::compile, "nvcc refuses " + source);
    return path.string();
  }

  Result<void> compare_times(const fs::path& folder, const std::string& source, const std::string& kernel,
                             Row& row) {
    const auto file = launch::read_launch_file((folder / "default.toml").string());
    FOREWARP_TRY(file);
    auto here = compile(source, machine_.target, file->kernel, file->defines);
    FOREWARP_TRY(here);
    const auto has_functions = prepare(*here);
    FOREWARP_TRY(has_functions);
    const std::string with_functions = (options_.folder / (kernel + ".functions.ll")).string();
    FOREWARP_TRY(write(with_functions, *has_functions ? text_of(*here) : ""));
    const auto path = make_ptx(source, *here, kernel, file->defines);
    FOREWARP_TRY(path);
    const auto there = compile(*path, machine_.target, "", {});
    FOREWARP_TRY(there);
    engine::PredictRequest request;
    request.launch = file->launch;
    request.compile.path = *has_functions ? with_functions : source;
    if (!*has_functions)
      request.compile.defines = file->defines;
    request.kernel = file->kernel;
    request.gpus.push_back(gpu_);
    const auto a = engine::predict(request);
    FOREWARP_TRY(a);
    request.launch = round_trip::renamed(file->launch, signature_of(*here), signature_of(*there));
    request.compile.path = *path;
    request.compile.defines.clear();
    request.kernel.clear();
    const auto b = engine::predict(request);
    FOREWARP_TRY(b);
    row.here_ms = a->front().time_ms;
    row.there_ms = b->front().time_ms;
    return {};
  }

  const Options& options_;
  gpu::GpuChoice gpu_;
  gpu::Machine machine_;
};

bool is_wrong(const Row& row, bool by_nvcc) {
  const round_trip::Difference& d = row.difference;
  if (!row.error.empty() || (!by_nvcc && !d.buffers.empty()))
    return true;
  return !by_nvcc && (!d.addresses.empty() || !d.barriers.empty() || d.worst_operations > most_off ||
                      std::abs(row.time_off()) > most_off);
}

void print(const Row& row, bool wrong) {
  const round_trip::Difference& d = row.difference;
  if (!row.error.empty()) {
    std::printf("%-26s FAILED %s\n", row.kernel.c_str(), row.error.c_str());
    return;
  }
  std::printf("%-26s %s ops %5.1f %% (%s) time %+5.1f %%", row.kernel.c_str(), wrong ? "OFF" : "ok ",
              100 * d.worst_operations, d.worst_unit.c_str(), 100 * row.time_off());
  for (const auto& [what, text] :
       {std::pair{"buffers", &d.buffers}, {"addresses", &d.addresses}, {"barriers", &d.barriers}})
    if (!text->empty())
      std::printf("  %s: %s", what, text->c_str());
  std::printf("\n");
  if (d.worst_operations > most_off)
    for (const auto& [unit, counts] : d.operations)
      std::printf("    %-16s %10.0f %10.0f\n", unit.c_str(), counts.first, counts.second);
  if (d.worst_operations > most_off)
    for (const auto& [name, counts] : d.classes)
      if (counts.first != counts.second)
        std::printf("      %-20s %+.0f\n", name.c_str(), counts.second - counts.first);
}

std::string csv_of(const Row& row) {
  const round_trip::Difference& d = row.difference;
  return fmt::format("{},{},{},{},{},{:.4f},{},{:.6g},{:.6g},{:.4f}\n", row.kernel,
                     row.error.empty() ? "done" : "failed", d.buffers.empty() ? "same" : "differ",
                     d.addresses.empty() ? "same" : "differ", d.barriers.empty() ? "same" : "differ",
                     d.worst_operations, d.worst_unit, row.here_ms, row.there_ms, row.time_off());
}

Options read_options(int count, char** words) {
  Options options;
  options.folder = fs::temp_directory_path() / ("ptx_round_trip_" + std::to_string(getpid()));
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--nvcc" && i + 1 < count) {
      options.nvcc = words[++i];
      if (options.nvcc == "found")
        options.nvcc = toolkit::find_tool("nvcc").path;
      options.lacks_nvcc = options.nvcc.empty();
    } else if (word == "--selection" && i + 1 < count)
      options.keeps_statements = std::string(words[++i]) != "default";
    else if (word == "--code-motion")
      options.moves_code = true, options.keeps_statements = false;
    else if (word == "--csv" && i + 1 < count)
      options.csv = words[++i];
    else if (word == "--keep" && i + 1 < count)
      options.folder = words[++i];
    else
      options.kernels.push_back(word);
  }
  if (!options.kernels.empty())
    return options;
  for (const auto& entry : fs::directory_iterator(fs::path(FOREWARP_SOURCE_DIR) / "corpus"))
    if (fs::exists(entry.path() / (options.nvcc.empty() ? "kernel.toml" : "kernel.cu")))
      options.kernels.push_back(entry.path().filename());
  std::sort(options.kernels.begin(), options.kernels.end());
  return options;
}

} // namespace

int main(int count, char** words) {
  const Options options = read_options(count, words);
  if (options.lacks_nvcc) {
    std::puts("no nvcc is found");
    return skipped;
  }
  fs::create_directories(options.folder);
  const auto catalogue = gpu::Catalogue::open(fs::path(FOREWARP_SOURCE_DIR) / "data/gpus");
  const auto choice = catalogue ? catalogue->find(gpu_name) : tl::unexpected(catalogue.error());
  const auto machine = choice ? gpu::resolve(choice->file) : tl::unexpected(choice.error());
  if (!machine) {
    std::fprintf(stderr, "%s\n", to_string(machine.error()).c_str());
    return 1;
  }
  RoundTrip trip(options, *choice, *machine);
  std::string csv =
      "kernel,state,buffers,addresses,barriers,worst_operations,unit,source_ms,ptx_ms,time_off\n";
  int wrong = 0;
  for (const std::string& kernel : options.kernels) {
    const Row row = trip.run(kernel);
    const bool off = is_wrong(row, !options.nvcc.empty());
    wrong += off;
    print(row, off);
    std::fflush(stdout);
    csv += csv_of(row);
  }
  if (!options.csv.empty())
    std::ofstream(options.csv) << csv;
  std::printf("%zu kernels, %d off\n", options.kernels.size(), wrong);
  return wrong == 0 ? 0 : 1;
}
