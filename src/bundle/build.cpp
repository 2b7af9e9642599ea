#include "bundle/build.h"

#include "bundle/benchmark_file.h"
#include "bundle/corpus_folder.h"
#include "bundle/kernel_code.h"
#include "bundle/launch_data.h"
#include "bundle/padded_source.h"
#include "bundle/reference.h"
#include "frontend/compile.h"
#include "launch/parse.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <map>

namespace forewarp::bundle {
namespace {

namespace fs = std::filesystem;
using measure::BundleKernel;
using measure::BundleLaunch;

/// Stages of the corpus's launches; micro-benchmarks name theirs.
constexpr unsigned check_stage = 0, corpus_stage = 2;

/// A reference that runs longer than this has hung.
constexpr double reference_seconds = 60;

Result<void> write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary);
  if (!stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size())) || !stream.flush())
    return fail(ErrorCode::not_found, "cannot be written", path.string(), "is the disk full?");
  return {};
}

/// "default" of "x/default.toml", "small" of its variant "x/default.toml:small".
std::string launch_name(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  const std::size_t colon = file.find(".toml:");
  return colon == std::string::npos ? fs::path(path).stem().string() : file.substr(colon + 6);
}

/// "sm_90" -> 90.
int capability_of(const std::string& target) {
  return static_cast<int>(std::strtol(target.c_str() + 3, nullptr, 10));
}

class Builder {
public:
  explicit Builder(const BuildRequest& request) : request_(request) {
    bundle_.language = request.target == "opencl" ? "opencl" : "ptx";
    bundle_.target = request.target == "opencl" ? "" : request.target;
    bundle_.made_by = request.made_by;
    bundle_.times_for = request.times.gpu;
  }

  Result<void> prepare() {
    std::error_code error;
    fs::create_directories(fs::path(request_.output) / "kernels", error);
    if (error)
      return fail(ErrorCode::not_found, fmt::format("the folder cannot be made: {}", error.message()),
                  request_.output);
    return {};
  }

  void add_folder(const std::string& path) {
    const auto folder = read_corpus_folder(path);
    if (!folder)
      return leave_out(path, folder.error());
    say(folder->name);
    const auto reference = Reference::compile(folder->reference, folder->name);
    if (!reference)
      leave_out(folder->name + " (its results)", reference.error());
    for (const std::string& launch : folder->launches) {
      const bool check = launch_name(launch) == "check";
      if (!check && request_.check_only)
        continue;
      if (auto done = add_launch(*folder, launch, check, reference ? &*reference : nullptr); !done)
        leave_out(folder->name + '/' + launch_name(launch), done.error());
    }
    forget_code();
  }

  /// A launch by itself, without a reference for its results. It is named by its kernel and file.
  void add_lone_launch(const std::string& path) {
    const auto file = launch::read_launch_file(path);
    if (!file)
      return leave_out(path, file.error());
    CorpusFolder folder;
    folder.name = file->kernel.substr(0, file->kernel.find_first_of("<("));
    if (folder.name.empty())
      folder.name = fs::path(path).parent_path().filename().string();
    say(folder.name);
    if (auto done = add_launch(folder, path, false, nullptr); !done)
      leave_out(path, done.error());
  }

  void add_benchmark(const std::string& path) {
    const auto kernels = read_benchmark(path);
    if (!kernels)
      return leave_out(path, kernels.error());
    for (const BenchmarkKernel& kernel : *kernels) {
      say(kernel.name);
      if (auto done = add_points(kernel); !done)
        leave_out(kernel.name, done.error());
      forget_code();
    }
  }

  Result<BuildReport> finish() {
    if (bundle_.kernels.empty())
      return fail(ErrorCode::not_found,
                  report_.left_out.empty() ? "nothing to bundle" : report_.left_out.front(), request_.output,
                  "name kernel.toml files, 'corpus' or 'micro'");
    for (const BundleKernel& kernel : bundle_.kernels) {
      report_.launches += kernel.launches.size();
      for (const BundleLaunch& launch : kernel.launches)
        report_.checked += launch.expected.empty() ? 0 : 1;
      for (const BundleLaunch& launch : kernel.launches)
        report_.predicted += launch.predicted_us > 0 ? 1 : 0;
    }
    report_.kernels = bundle_.kernels.size();
    FOREWARP_TRY(
        write_file(fs::path(request_.output) / "manifest.json", measure::to_json(bundle_).dump(1) + "\n"));
    return report_;
  }

private:
  void say(const std::string& what) const {
    if (request_.progress)
      request_.progress(what);
  }
  void leave_out(const std::string& name, const Error& error) {
    const std::string text = to_string(error);
    report_.left_out.push_back(text.starts_with(name + ":") ? text : fmt::format("{}: {}", name, text));
  }
  void forget_code() {
    code_.clear();
    index_.clear();
  }

  Result<KernelCode*> code_of(const SourceBuild& build) {
    auto found = code_.find(build);
    if (found == code_.end()) {
      auto made = KernelCode::compile(build, request_.target);
      FOREWARP_TRY(made);
      found = code_.emplace(build, std::move(*made)).first;
    }
    return &found->second;
  }

  /// The bundle's kernel for this build, made at its first launch.
  Result<BundleKernel*> kernel_of(const SourceBuild& build, KernelCode& code,
                                  const ir::KernelSignature& signature, const std::string& wanted_name,
                                  const std::string& kind) {
    const auto key = std::make_pair(build, signature.symbol);
    if (const auto found = index_.find(key); found != index_.end())
      return &bundle_.kernels[found->second];
    BundleKernel kernel;
    kernel.name = unused_name(wanted_name);
    kernel.kind = kind;
    kernel.symbol = signature.symbol;
    kernel.standard = build.standard;
    for (const std::string& option : build.options)
      kernel.options += (kernel.options.empty() ? "" : " ") + option;
    kernel.source_suffix = fs::path(build.path).extension().string();
    auto source = code.source();
    FOREWARP_TRY(source);
    kernel.source = std::move(*source);
    FOREWARP_TRY(write_code(build, code, signature, kernel));
    index_[key] = bundle_.kernels.size();
    bundle_.kernels.push_back(std::move(kernel));
    return &bundle_.kernels.back();
  }

  Result<void> write_code(const SourceBuild& build, KernelCode& code, const ir::KernelSignature& signature,
                          BundleKernel& kernel) {
    const bool ptx = bundle_.language == "ptx";
    if (!ptx && kernel.source_suffix != ".cl")
      return fail(ErrorCode::unsupported, "is no OpenCL C", kernel.name);
    kernel.file = fmt::format("kernels/{}.{}", kernel.name, ptx ? "ptx" : "cl");
    if (!ptx) {
      FOREWARP_TRY(write_file(fs::path(request_.output) / kernel.file, kernel.source));
      return kernel.kind == "corpus" && !request_.check_only ? write_padded(build, signature, kernel)
                                                             : Result<void>();
    }
    const auto text = code.ptx(signature, request_.target);
    FOREWARP_TRY(text);
    return write_file(fs::path(request_.output) / kernel.file, *text);
  }

  /// For the occupancies of OpenCL devices. Where the kernel with one parameter more is not what was meant,
  /// there is none, and no sweep.
  Result<void> write_padded(const SourceBuild& build, const ir::KernelSignature& signature,
                            BundleKernel& kernel) {
    const std::string text = with_unused_local(kernel.source, kernel.symbol);
    const std::string file = fmt::format("kernels/{}.padded.cl", kernel.name);
    if (text.empty())
      return {};
    const fs::path path = fs::path(request_.output) / file;
    FOREWARP_TRY(write_file(path, text));
    const auto code = KernelCode::compile(
        {path.string(), build.standard, {}, build.include_directories, build.options}, bundle_.language);
    if (!code)
      return {};
    const auto padded = frontend::select_kernel(code->module(), kernel.symbol);
    if (padded && (*padded)->parameters.size() == signature.parameters.size() + 1)
      kernel.padded_file = file;
    return {};
  }

  std::string unused_name(const std::string& wanted) const {
    const auto taken = [&](const std::string& name) {
      return std::any_of(bundle_.kernels.begin(), bundle_.kernels.end(),
                         [&](const BundleKernel& kernel) { return kernel.name == name; });
    };
    std::string name = wanted;
    for (int i = 2; taken(name); ++i)
      name = fmt::format("{}.{}", wanted, i);
    return name;
  }

  Result<void> add_launch(const CorpusFolder& folder, const std::string& path, bool check,
                          const Reference* reference) {
    const auto file = launch::read_launch_file(path);
    FOREWARP_TRY(file);
    SourceBuild build{file->source, file->standard, file->defines, file->include_directories, file->options};
    std::sort(build.defines.begin(), build.defines.end());
    auto code = code_of(build);
    FOREWARP_TRY(code);
    const auto signature = frontend::select_kernel((*code)->module(), file->kernel);
    FOREWARP_TRY(signature);
    auto launch = launch_data((*code)->module(), **signature, file->launch);
    FOREWARP_TRY(launch);
    launch->name = launch_name(path);
    launch->stage = check ? check_stage : corpus_stage;
    launch->timed = !check;
    launch->occupancy_sweep = !check && path.ends_with(".toml"); // variants are points of their own
    if (reference && check) { // references may rest on the sizes of check.toml
      auto expected = reference->run(*launch, folder, reference_seconds);
      FOREWARP_TRY(expected);
      if (expected->empty())
        return fail(ErrorCode::budget, "the C reference did not end within a minute", path);
      launch->expected = std::move(*expected);
      launch->checks_inputs = true;
    }
    if (launch->timed)
      launch->predicted_us = predicted_us(build, file->kernel, file->launch);
    auto kernel = kernel_of(build, **code, **signature, folder.name, "corpus");
    FOREWARP_TRY(kernel);
    FOREWARP_TRY(write_contents(folder.name, *launch));
    (*kernel)->launches.push_back(std::move(*launch));
    return {};
  }

  Result<void> add_points(const BenchmarkKernel& benchmark) {
    if (benchmark.only_ptx && bundle_.language != "ptx")
      return {};
    if (bundle_.language == "ptx" && capability_of(bundle_.target) < benchmark.least_target)
      return {};
    const SourceBuild build{benchmark.source, "", benchmark.defines, {}, {}};
    auto code = code_of(build);
    FOREWARP_TRY(code);
    const auto signature = frontend::select_kernel((*code)->module(), benchmark.kernel);
    FOREWARP_TRY(signature);
    auto kernel = kernel_of(build, **code, **signature, benchmark.name, "micro");
    FOREWARP_TRY(kernel);
    const double us_of_work = predicted_us_of_work(build, benchmark);
    for (const BenchmarkPoint& point : benchmark.points) {
      auto launch = launch_data((*code)->module(), **signature, point.launch);
      FOREWARP_TRY(launch);
      launch->name = point.name;
      launch->groups_per_sm = point.groups_per_sm;
      launch->stage = point.stage;
      launch->micro = point.micro;
      launch->predicted_us = us_of_work * point.micro.value("work", 1.0);
      (*kernel)->launches.push_back(std::move(*launch));
    }
    return {};
  }

  /// 0: unknown; the plan goes by a rule then.
  double predicted_us(const SourceBuild& build, const std::string& kernel,
                      const facts::Launch& launch) const {
    return request_.times.us ? request_.times.us(build, kernel, launch).value_or(0) : 0;
  }

  /// Microseconds of a unit of work by the last point, as a rule the dearest.
  double predicted_us_of_work(const SourceBuild& build, const BenchmarkKernel& benchmark) const {
    facts::Launch last = benchmark.points.back().launch;
    if (benchmark.points.back().groups_per_sm)
      last.groups->x *= request_.times.sm_count;
    return predicted_us(build, benchmark.kernel, last) / benchmark.points.back().micro.value("work", 1.0);
  }

  Result<void> write_contents(const std::string& folder, BundleLaunch& launch) {
    for (measure::BundleArgument& argument : launch.arguments) {
      const auto* buffer = std::get_if<facts::BufferValue>(&argument.value);
      if (!buffer || buffer->contents.kind != facts::BufferContents::Kind::bytes)
        continue;
      argument.data_file = fmt::format("kernels/{}.{}.{}.bin", folder, launch.name, argument.name);
      const auto& bytes = buffer->contents.bytes;
      FOREWARP_TRY(write_file(fs::path(request_.output) / argument.data_file,
                              std::string(bytes.begin(), bytes.end())));
    }
    return {};
  }

  const BuildRequest& request_;
  measure::Bundle bundle_;
  BuildReport report_;
  std::map<SourceBuild, KernelCode> code_;
  std::map<std::pair<SourceBuild, std::string>, std::size_t> index_;
};

} // namespace

Result<BuildReport> build(const BuildRequest& request) {
  if (request.target != "opencl" && !request.target.starts_with("sm_"))
    return fail(ErrorCode::usage, fmt::format("unknown target '{}'", request.target), "--target",
                "sm_50 ... sm_90 for CUDA, or opencl");
  Builder builder(request);
  FOREWARP_TRY(builder.prepare());
  for (const std::string& path : request.kernels)
    builder.add_folder(path);
  for (const std::string& path : request.benchmarks)
    builder.add_benchmark(path);
  for (const std::string& path : request.launches)
    builder.add_lone_launch(path);
  return builder.finish();
}

} // namespace forewarp::bundle
