// forewarp sass: a kernel's machine code with control words, predicted issue cycles and what each instruction
// waits for.
#include "cli/commands/commands.h"
#include "cli/commands/sass_amd.h"
#include "cli/output.h"
#include "engine/code_object.h"
#include "engine/embedded_ptx.h"
#include "engine/request.h"
#include "gpu/code_target.h"
#include "gpu/gpu_file.h"
#include "sass/container.h"
#include "sass/listing.h"
#include "support/named.h"
#include "support/text_file.h"
#include "toolkit/machine_code.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace forewarp::cli {
namespace {

struct Words {
  std::string file, kernel, gpu, format = "text", output;
  std::vector<std::string> defines, include_folders;
  unsigned warps = 1;
  bool list = false;
};

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

/// 86 of "sm_86"; 0: none.
unsigned sm_of(const std::string& target) {
  unsigned sm = 0;
  for (const char letter : target.starts_with("sm_") ? target.substr(3) : std::string())
    if (letter >= '0' && letter <= '9')
      sm = sm * 10 + static_cast<unsigned>(letter - '0');
  return sm;
}

Result<gpu::Machine> machine_named(const std::string& name) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto choice = catalogue->find(name);
  FOREWARP_TRY(choice);
  return gpu::resolve(choice->file);
}

/// The first GPU of the catalogue that has this target, else the newest older one.
Result<gpu::Machine> machine_of_target(unsigned sm) {
  const auto catalogue = gpu::Catalogue::load_default();
  FOREWARP_TRY(catalogue);
  const gpu::GpuFile* nearest = nullptr;
  unsigned best = 0;
  for (const gpu::GpuFile& file : catalogue->files()) {
    const unsigned its = sm_of(gpu::code_target(file));
    if (!file.abstract && its <= sm && its > best) {
      nearest = &file;
      best = its;
    }
  }
  if (nearest != nullptr)
    return gpu::resolve(*nearest);
  return fail(ErrorCode::not_found, fmt::format("no GPU of the catalogue is sm_{}", sm), "--gpu",
              "name the GPU that the code is for");
}

/// The file itself, or what the vendor's tools make of a source or of the PTX in it.
Result<std::string> machine_code_file(const Words& words, const std::string& target) {
  const std::string cache = engine::default_cache_folder();
  if (!words.file.ends_with(".cu") && !words.file.ends_with(".ptx")) {
    if (!engine::has_only_ptx(words.file, target))
      return words.file;
    const auto made = engine::assembled_of_file(words.file, target, words.list ? "" : words.kernel, cache);
    FOREWARP_TRY(made);
    return made->path;
  }
  if (target.empty())
    return fail(ErrorCode::usage, "a source is compiled for a GPU", "--gpu", "name one: --gpu rtx3080");
  const auto made = toolkit::assemble({.path = words.file,
                                       .target = target,
                                       .defines = words.defines,
                                       .include_folders = words.include_folders,
                                       .cache_folder = cache});
  FOREWARP_TRY(made);
  return made->path;
}

Result<const sass::Kernel*> chosen_kernel(const sass::Module& module, const Words& words) {
  std::vector<std::string> names;
  for (const sass::Kernel& kernel : module.kernels)
    names.push_back(kernel.name);
  const sass::Kernel* kernel = nullptr;
  if (words.kernel.empty() && names.size() == 1)
    kernel = &module.kernels.front();
  for (const sass::Kernel& candidate : module.kernels)
    if (candidate.name == words.kernel)
      kernel = &candidate;
  if (!kernel && words.kernel.empty())
    return fail(ErrorCode::usage, "the file has several kernels", "--kernel", hint_for("", names));
  if (!kernel)
    return refuse_name({"unknown kernel", "--kernel", ErrorCode::not_found}, words.kernel, names);
  if (kernel->refused)
    return tl::unexpected(*kernel->refused);
  return kernel;
}

nlohmann::ordered_json control_json(const sass::ControlWord& control) {
  const auto barrier = [](std::uint8_t number) {
    return number == sass::no_barrier ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(number);
  };
  return {{"stall", control.stall},
          {"yield", control.yield},
          {"write_barrier", barrier(control.write_barrier)},
          {"read_barrier", barrier(control.read_barrier)},
          {"wait_mask", control.wait_mask},
          {"reuse", control.reuse}};
}

std::string json_of(const sass::Module& module, const sass::Kernel& kernel,
                    const sass::CoreOutcome& outcome) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kernel.instructions.size(); ++i) {
    const sass::Instruction& instruction = kernel.instructions[i];
    const sass::InstructionTime& time = outcome.instructions[i];
    nlohmann::ordered_json waits = nlohmann::ordered_json::object();
    for (std::size_t w = 0; w < sass::wait_count; ++w)
      if (time.wait_cycles[w] > 0)
        waits[std::string(to_string(static_cast<sass::Wait>(w)))] = time.wait_cycles[w];
    const facts::SourceLocation location = location_of(kernel, instruction.offset);
    nlohmann::ordered_json line = {{"offset", instruction.offset},
                                   {"text", text_of(instruction)},
                                   {"bits", {instruction.bits[0], instruction.bits[1]}},
                                   {"control", control_json(instruction.control)},
                                   {"pipe", to_string(pipe_of(instruction))},
                                   {"issue_cycle", time.first_issue_cycle},
                                   {"wait_cycles", waits},
                                   {"reason", reason_text(kernel, time)}};
    if (location.line != 0 && location.file < module.files.size())
      line["source"] = fmt::format("{}:{}", module.files[location.file], location.line);
    lines.push_back(std::move(line));
  }
  const nlohmann::ordered_json all = {{"kernel", kernel.name},
                                      {"target", fmt::format("sm_{}", module.sm)},
                                      {"registers", kernel.registers},
                                      {"shared_bytes", kernel.shared_bytes},
                                      {"local_bytes", kernel.local_bytes},
                                      {"cycles", outcome.cycles},
                                      {"tools", module.tools},
                                      {"instructions", lines}};
  return all.dump(2) + "\n";
}

Result<void> run(const Words& words) {
  if (words.format != "text" && words.format != "json")
    return refuse_name({"unknown format", "--format"}, words.format, {"text", "json"});
  if (const auto amd = engine::is_code_object(words.file); amd && *amd) {
    const auto text = code_object_text(words.file, words.kernel, words.list, words.format == "json");
    FOREWARP_TRY(text);
    return write_output(*text, words.output);
  }
  std::optional<gpu::Machine> machine;
  if (!words.gpu.empty()) {
    auto named = machine_named(words.gpu);
    FOREWARP_TRY(named);
    machine = std::move(*named);
  }
  const auto file = machine_code_file(words, machine ? gpu::code_target(*machine) : "");
  FOREWARP_TRY(file);
  const auto bytes = read_file(*file, "machine code", largest_file);
  FOREWARP_TRY(bytes);
  const auto module = sass::read_machine_code(std::as_bytes(std::span(*bytes)), words.file,
                                              machine ? sm_of(gpu::code_target(*machine)) : 0,
                                              words.list ? "" : words.kernel);
  FOREWARP_TRY(module);
  if (words.list)
    return write_output(kernel_list_text(*module), words.output);
  const auto kernel = chosen_kernel(*module, words);
  FOREWARP_TRY(kernel);
  if (!machine) {
    auto fitting = machine_of_target(module->sm);
    FOREWARP_TRY(fitting);
    machine = std::move(*fitting);
  }
  const std::vector<sass::WarpPath> paths(words.warps, sass::straight_path(**kernel));
  const auto outcome = sass::run_core(**kernel, paths, sass::core_rules(*machine));
  FOREWARP_TRY(outcome);
  if (words.format == "json")
    return write_output(json_of(*module, **kernel, *outcome), words.output);
  const std::string head =
      fmt::format("// {}, {} warp{} a sub-core, every instruction once, memory hits L1\n", machine->name,
                  words.warps, words.warps == 1 ? "" : "s");
  return write_output(head + listing_text(*module, **kernel, *outcome), words.output);
}

} // namespace

void add_sass(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<Words>();
  CLI::App* command = root.add_subcommand("sass", "Machine code of a cubin, fat binary, object, program, .cu "
                                                  "or .ptx with predicted issue cycles; of AMD code "
                                                  "objects the listing and resources");
  command->add_option("FILE", words->file, "machine code, or a source for the vendor's tools")->required();
  command->add_option("--kernel", words->kernel, "symbol of the kernel; needed where there are several");
  command->add_option("--gpu", words->gpu, "GPU whose code is picked and whose pipes are taken");
  command->add_option("--warps", words->warps, "warps on the sub-core")->check(CLI::Range(1U, 16U));
  command->add_option("-D", words->defines, "NAME=VALUE for the compiler");
  command->add_option("-I", words->include_folders, "include folder for the compiler");
  command->add_flag("--list", words->list, "only the kernels of the file");
  command->add_option("--format", words->format, "text or json");
  command->add_option("--output", words->output, "file to write; standard output if not given");
  actions.push_back({command, [words] { return run(*words); }});
}

} // namespace forewarp::cli
