#include "program/launch_book.h"

#include "frontend/languages/source_language.h"
#include "launch/run_index.h"
#include "program/build_options.h"
#include "program/launch_words.h"
#include "program/own_engine.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace forewarp::program {
namespace {

// As CL/cl.h has them.
constexpr int cl_out_of_resources = -5;
constexpr int cl_invalid_work_group_size = -54;

constexpr int any_process = 0;

/// Something that decides the time, or whether there is one, rests on what the run's buffers hold.
bool rests_on_contents(const LaunchOnGpu& on) {
  if (!on.prediction)
    return on.wants_data;
  const auto unknown = [](const facts::SiteProfile& site) {
    return site.requests > 0 && site.access == facts::AccessClass::unknown;
  };
  return std::any_of(on.prediction->notes.begin(), on.prediction->notes.end(),
                     [](const facts::Note& note) { return note.rests_on_data; }) ||
         std::any_of(on.prediction->memory.begin(), on.prediction->memory.end(), unknown);
}

/// A text in memory is called by its name, not by its path.
std::string with_name(std::string text, const std::string& path) {
  const std::string name = MemoryFile::name_of(path);
  for (std::size_t at = name.empty() ? std::string::npos : text.find(path); at != std::string::npos;
       at = text.find(path, at + name.size()))
    text.replace(at, path.size(), name);
  return text;
}

std::string words_of(const Error& error, const std::string& path) {
  return with_name(to_string(error), path);
}

LaunchOnGpu without_prediction(const Error& error, const std::string& path) {
  const bool may_need_data = error.code == ErrorCode::unsupported || error.code == ErrorCode::kernel_fault;
  return {std::nullopt, error.code == ErrorCode::launch, words_of(error, path), may_need_data};
}

std::uint64_t shared_bytes(const facts::Prediction& prediction) {
  return prediction.resources.static_shared_bytes + prediction.shape.launch_shared_bytes();
}

/// More shared memory than every kernel may have has to be asked for (`asked`: of CUDA's
/// cudaFuncSetAttribute); OpenCL has no call for it.
bool fits_shared(const facts::Prediction& prediction, const Device& device, std::uint64_t asked) {
  return shared_bytes(prediction) <= device.machine.limits.shared_per_group_default_bytes ||
         (prediction.shape.launch_shared_bytes() <= asked &&
          shared_bytes(prediction) <= device.machine.limits.shared_per_group_max_bytes);
}

LaunchOnGpu with(facts::Prediction prediction, const Device& device, std::uint64_t shared_limit) {
  LaunchOnGpu on{std::move(prediction)};
  if (on.prediction->valid && fits_shared(*on.prediction, device, shared_limit))
    return on;
  if (on.prediction->valid) {
    on.prediction->valid = false;
    on.why = fmt::format("a group needs {} bytes of local memory; the device has {}",
                         shared_bytes(*on.prediction), device.machine.limits.shared_per_group_default_bytes);
  }
  on.impossible = true;
  for (const facts::Note& note : on.prediction->notes)
    if (note.severity == facts::Note::Severity::invalid)
      on.why += (on.why.empty() ? "" : "; ") + note.text;
  return on;
}

bool is_odd_group(const facts::Launch& launch, const Device& device) {
  if (!launch.group_size)
    return false;
  const facts::Dim3 &group = *launch.group_size, &items = *launch.global_items;
  return group.count() > device.machine.limits.max_threads_per_group || items.x % group.x != 0 ||
         items.y % group.y != 0 || items.z % group.z != 0;
}

int status_of(const LaunchOnGpu& on, const facts::Launch& launch, const Device& device) {
  if (!on.impossible)
    return 0;
  return is_odd_group(launch, device) ? cl_invalid_work_group_size : cl_out_of_resources;
}

} // namespace

/// In memory, so that nothing of it stays whatever ends this process.
Result<std::string> LaunchBook::file_of(const std::string& text) {
  if (const auto known = texts_.find(text); known != texts_.end())
    return known->second.path();
  if (auto file = MemoryFile::write(text, "program.cl"))
    return texts_.emplace(text, *std::move(file)).first->second.path();
  auto file = TemporaryFile::write(text, ".cl");
  FOREWARP_TRY(file);
  files_.push_back(*std::move(file));
  return files_.back().path();
}

void LaunchBook::add_program(int pid, const nlohmann::json& words, const std::string& folder) {
  Program program;
  const auto path = file_of(words.value("source", std::string()));
  if (!path) {
    program.problem = to_string(path.error());
  } else {
    program.source.path = *path;
    program.source.include_directories.push_back(folder);
    read_build_options(words.value("options", std::string()), folder, program.source);
    describe(program);
  }
  programs_.insert_or_assign({pid, words.value("key", std::string())}, std::move(program));
}

void LaunchBook::describe(Program& program) {
  engine::PredictRequest request;
  request.compile = program.source;
  request.gpus = {log_.devices.front().choice};
  auto kernels = engine::list_kernels(request);
  if (kernels)
    program.kernels = *std::move(kernels);
  else
    program.problem = words_of(kernels.error(), program.source.path);
}

void LaunchBook::add_source(const std::string& key, const engine::SourceRequest& source) {
  Program program;
  program.source = source;
  describe(program);
  programs_.insert_or_assign({any_process, key}, std::move(program));
}

LaunchBook::Program* LaunchBook::program_of(int pid, const nlohmann::json& words) {
  const std::string key = words.value("program", std::string());
  auto found = programs_.find({pid, key});
  if (found == programs_.end())
    found = programs_.find({any_process, key});
  return found == programs_.end() ? nullptr : &found->second;
}

/// The ids' functions become macros that add the offset, in launch files that are kept, too.
LaunchBook::Program* LaunchBook::program_at_offset(int pid, const nlohmann::json& words) {
  Program* program = program_of(pid, words);
  const facts::Dim3 offset = dims_of(words.at("offset"));
  if (!program || offset == facts::Dim3{0, 0, 0})
    return program;
  constexpr std::size_t most_offsets = 64;
  const std::string value =
      fmt::format("((d) == 0 ? (size_t){} : (d) == 1 ? (size_t){} : (d) == 2 ? (size_t){} : (size_t)0)",
                  offset.x, offset.y, offset.z);
  if (program->with_offset.size() >= most_offsets && !program->with_offset.contains(value))
    program->with_offset.clear();
  std::shared_ptr<Program>& made = program->with_offset[value];
  if (!made) {
    made = std::make_shared<Program>(Program{program->source, program->kernels, program->problem});
    made->source.defines.push_back("get_global_id(d)=(get_global_id(d) + " + value + ")");
    made->source.defines.push_back("get_global_offset(d)=" + value);
  }
  return made.get();
}

const engine::KernelDescription* LaunchBook::kernel_of(const Program& program,
                                                       const std::string& name) const {
  for (const engine::KernelDescription& kernel : program.kernels)
    if (kernel.name == name || kernel.symbol == name)
      return &kernel;
  return nullptr;
}

/// Cards map memory in large pages: most accesses outside of a buffer pass there. Only with the buffers'
/// contents is it known that there are any.
Result<std::vector<facts::Prediction>> LaunchBook::predict_as_cards_do(engine::PredictRequest& request,
                                                                       LaunchKind& kind) {
  auto predictions = session_.predict(request);
  if (predictions || predictions.error().code != ErrorCode::kernel_fault || !kind.with_contents)
    return predictions;
  engine::PredictRequest lenient = request;
  lenient.run.outside_reads_zero = true;
  auto again = session_.predict(lenient);
  if (!again)
    return predictions;
  const std::string note = "predicted with --out-of-bounds read-zero: " + predictions.error().message;
  if (std::find(kind.notes.begin(), kind.notes.end(), note) == kind.notes.end())
    kind.notes.push_back(note); // once for all GPUs
  return again;
}

void LaunchBook::predict(LaunchKind& kind, const Program& program, const std::string& symbol,
                         facts::Launch launch, std::uint64_t shared_limit) {
  engine::PredictRequest request;
  request.compile = program.source;
  request.kernel = symbol;
  request.launch = std::move(launch);
  kind.on.resize(log_.devices.size());
  for (std::size_t gpu = 0; gpu < log_.devices.size(); ++gpu) {
    if (log_.as_devices && gpu != kind.device)
      continue;
    const Device& device = log_.devices[gpu];
    request.gpus = {device.choice};
    auto predictions = predict_as_cards_do(request, kind);
    kind.on[gpu] = predictions ? with(std::move(predictions->front()), device, shared_limit)
                               : without_prediction(predictions.error(), program.source.path);
  }
}

nlohmann::json LaunchBook::resources(const nlohmann::json& question) {
  const Device& device = log_.devices.front();
  const auto size = question.at("size").get<std::uint64_t>();
  const Program* program = program_of(any_process, question);
  const engine::KernelDescription* kernel =
      program ? kernel_of(*program, question.at("kernel").get<std::string>()) : nullptr;
  const auto otherwise =
      static_cast<int>(device.machine.limits.max_threads_per_sm / std::max<std::uint64_t>(size, 1));
  nlohmann::json answer = {{"registers", 0}, {"groups_per_unit", otherwise}};
  if (!kernel)
    return answer;
  engine::PredictRequest request;
  request.compile = program->source;
  request.kernel = kernel->symbol;
  request.gpus = {device.choice};
  request.launch.groups = facts::Dim3{};
  request.launch.group_size = facts::Dim3{size, 1, 1};
  request.launch.dynamic_shared_bytes = question.at("shared").get<std::uint64_t>();
  for (std::size_t k = 0; k < kernel->parameters.size(); ++k) { // what they hold changes no resource
    facts::ArgumentValue value = facts::ScalarValue{"0", {}};
    if (kernel->parameters[k].is_pointer)
      value = buffer_of(kernel->parameters[k], std::uint64_t{1} << 24);
    request.launch.arguments.emplace(std::to_string(k), std::move(value));
  }
  if (const auto predictions = session_.predict(request)) {
    answer["registers"] = std::llround(predictions->front().resources.registers_per_thread);
    answer["groups_per_unit"] = predictions->front().occupancy.active_groups_per_sm;
  }
  return answer;
}

LaunchBook::LaunchBook(RunLog& log, KeepOptions keep) : log_(log), keep_(std::move(keep)) {
  if (keep_.folder.empty())
    return;
  std::error_code error;
  std::filesystem::create_directories(keep_.folder, error);
  index_.open(std::filesystem::path(keep_.folder) / launch::run_index_name, std::ios::binary);
}

LaunchBook::Kept LaunchBook::keep(LaunchKind& kind, const KeptLaunch& launch) {
  const auto done = keep_launch(keep_.folder, launch);
  if (done)
    return {*done, {}};
  kind.notes.push_back("not kept: " + to_string(done.error()));
  return {{}, to_string(done.error())};
}

/// Written at once: what ends this process leaves the launches up to it.
void LaunchBook::called(std::uint64_t number) {
  if (!index_.is_open() || number == 0 || number > kept_.size())
    return;
  const Kept& kept = kept_[number - 1];
  index_ << launch::run_index_line(log_.launches[number - 1].kernel, kept.file, kept.why) << std::flush;
}

Message LaunchBook::stand_in(int pid, const nlohmann::json& words) {
  Program* program = program_of(pid, words);
  if (!program || !program->problem.empty())
    return {{{"problem", program ? program->problem : "its program was not made of source"}}};
  auto module = own_module(*program);
  if (!module)
    return {{{"problem", words_of(module.error(), program->source.path)}}};
  return {{{"text", stand_in_text(**module)}}};
}

Result<ir::KernelModule*> LaunchBook::own_module(Program& program) {
  if (!program.module) {
    const gpu::Machine& machine = log_.devices.front().machine;
    const bool is_cuda = frontend::is_cuda_source(program.source.path);
    auto module = compile_for_own_engine(program.source, !is_cuda                     ? ""
                                                         : machine.vendor == "nvidia" ? machine.target
                                                                                      : "sm_80");
    FOREWARP_TRY(module);
    program.module = std::make_shared<ir::KernelModule>(*std::move(module));
  }
  return program.module.get();
}

Message LaunchBook::execute(int pid, const Message& question) {
  Program* program = program_at_offset(pid, question.text);
  const engine::KernelDescription* kernel =
      program ? kernel_of(*program, question.text.value("kernel", std::string())) : nullptr;
  if (!kernel)
    return {{{"problem", "its program was not made of source"}}};
  const auto module = own_module(*program);
  if (!module)
    return {{{"problem", words_of(module.error(), program->source.path)}}};
  auto done = execute_launch(**module, *kernel, question);
  if (!done)
    return {{{"problem", words_of(done.error(), program->source.path)}}};
  if (done->text.contains("fault"))
    done->text["fault"] = with_name(done->text["fault"].get<std::string>(), program->source.path);
  return *std::move(done);
}

BookAnswer LaunchBook::launch(int pid, const Message& question) {
  LaunchKind kind;
  kind.number = log_.launches.size() + 1;
  kept_.emplace_back();
  kind.kernel = question.text.value("kernel", std::string());
  kind.with_contents = question.text.contains("contents");
  kind.device = std::min(question.text.value("device", 0U), static_cast<unsigned>(log_.devices.size() - 1));
  const std::string symbol = kind.kernel;
  const Program* program = program_at_offset(pid, question.text);
  const engine::KernelDescription* kernel = program ? kernel_of(*program, kind.kernel) : nullptr;
  if (!kernel) {
    const std::string why = !program                   ? "its program was not made of source"
                            : program->problem.empty() ? "the program has no kernel of this name"
                                                       : program->problem;
    kind.on.assign(log_.devices.size(), {std::nullopt, false, why});
    kept_.back().why = why;
  } else {
    facts::Launch launch = launch_of(*kernel, question.text);
    kind.kernel = kernel->name;
    kind.launch = launch;
    add_inner(launch, question.text);
    add_contents(launch, question);
    if (!keep_.folder.empty())
      kept_.back() = keep(kind, {kind.number, program->source, *kernel, launch});
    predict(kind, *program, symbol, std::move(launch), question.text.value("shared_limit", std::uint64_t{0}));
  }
  const LaunchOnGpu& seen = kind.on[kind.device];
  const bool decided_by_data = rests_on_contents(seen);
  const BookAnswer answer{status_of(seen, kind.launch, log_.devices[kind.device]), kind.number,
                          std::llround(seen.time_ns()),
                          !kind.with_contents && kernel && (decided_by_data || keep_.data), decided_by_data};
  log_.launches.push_back(std::move(kind));
  return answer;
}

} // namespace forewarp::program
