#include "program/launch_book.h"

#include "launch/run_index.h"
#include "program/build_options.h"

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

facts::Dim3 dims_of(const nlohmann::json& sizes) {
  return {sizes.at(0).get<std::uint64_t>(), sizes.at(1).get<std::uint64_t>(),
          sizes.at(2).get<std::uint64_t>()};
}

std::vector<std::uint8_t> from_hex(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t k = 0; k + 1 < text.size(); k += 2)
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(k, 2), nullptr, 16)));
  return bytes;
}

facts::BufferValue buffer(const engine::KernelDescription::Parameter& parameter, std::uint64_t bytes) {
  facts::BufferValue value;
  value.type = parameter.scalar.value_or(facts::ScalarType::u8);
  value.count = std::max<std::uint64_t>(bytes / facts::size_bytes(value.type), 1);
  return value;
}

/// A null pointer is written as the launch language writes it.
facts::ArgumentValue argument_of(const engine::KernelDescription::Parameter& parameter,
                                 const nlohmann::json& words) {
  if (words.contains("local"))
    return buffer(parameter, words["local"].get<std::uint64_t>());
  if (words.contains("buffer") && parameter.is_pointer)
    return buffer(parameter, words["buffer"].get<std::uint64_t>());
  facts::ScalarValue scalar;
  scalar.bytes = from_hex(words.value("bytes", std::string()));
  if (parameter.is_pointer)
    scalar = {"0", {}};
  return scalar;
}

facts::Launch launch_of(const engine::KernelDescription& kernel, const nlohmann::json& words) {
  facts::Launch launch;
  launch.global_items = dims_of(words.at("global"));
  if (words.contains("local"))
    launch.group_size = dims_of(words["local"]);
  launch.dynamic_shared_bytes = words.value("shared", std::uint64_t{0});
  const nlohmann::json& arguments = words.at("arguments");
  for (std::size_t k = 0; k < kernel.parameters.size() && k < arguments.size(); ++k)
    launch.arguments.emplace(std::to_string(k), argument_of(kernel.parameters[k], arguments[k]));
  return launch;
}

/// Pointers that the library found inside of arguments: of structs, and of what it sends.
void add_inner(facts::Launch& launch, const nlohmann::json& words) {
  for (const nlohmann::json& inner : words.value("inner", nlohmann::json::array())) {
    facts::BufferValue buffer;
    buffer.type = facts::ScalarType::u8;
    buffer.count = inner.value("buffer", std::uint64_t{0});
    auto& value = launch.arguments[inner.at("key").get<std::string>()];
    if (inner.contains("as"))
      value = facts::ScalarValue{inner["as"].get<std::string>(), {}};
    else
      value = std::move(buffer);
  }
}

void add_contents(facts::Launch& launch, const Message& question) {
  if (!question.text.contains("contents"))
    return;
  for (const nlohmann::json& part : question.text["contents"]) {
    const auto at = part.at("at").get<std::size_t>(), size = part.at("bytes").get<std::size_t>();
    const auto key = part.at("key").get<std::string>();
    if (key.starts_with(':')) { // a variable
      facts::BufferValue variable;
      variable.type = facts::ScalarType::u8;
      variable.count = size;
      launch.arguments.emplace(key, std::move(variable));
    }
    const auto found = launch.arguments.find(key);
    auto* value = found == launch.arguments.end() ? nullptr : std::get_if<facts::BufferValue>(&found->second);
    if (!value || at + size > question.bytes.size())
      continue;
    const auto begin = question.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    value->contents.kind = facts::BufferContents::Kind::bytes;
    value->contents.bytes.assign(
        begin, begin + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(size, value->size_in_bytes())));
  }
}

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

LaunchOnGpu without_prediction(const Error& error) {
  const bool may_need_data = error.code == ErrorCode::unsupported || error.code == ErrorCode::kernel_fault;
  return {std::nullopt, error.code == ErrorCode::launch, to_string(error), may_need_data};
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

void LaunchBook::add_program(int pid, const nlohmann::json& words, const std::string& folder) {
  Program program;
  auto file = TemporaryFile::write(words.value("source", std::string()), ".cl");
  if (!file) {
    program.problem = to_string(file.error());
  } else {
    program.source.path = file->path();
    files_.push_back(std::move(*file));
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
    program.problem = to_string(kernels.error());
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

const engine::KernelDescription* LaunchBook::kernel_of(const Program& program,
                                                       const std::string& name) const {
  for (const engine::KernelDescription& kernel : program.kernels)
    if (kernel.name == name || kernel.symbol == name)
      return &kernel;
  return nullptr;
}

void LaunchBook::predict(LaunchKind& kind, const Program& program, const std::string& symbol,
                         facts::Launch launch, std::uint64_t shared_limit) {
  engine::PredictRequest request;
  request.compile = program.source;
  request.kernel = symbol;
  request.launch = std::move(launch);
  for (const Device& device : log_.devices) {
    request.gpus = {device.choice};
    auto predictions = session_.predict(request);
    kind.on.push_back(predictions ? with(std::move(predictions->front()), device, shared_limit)
                                  : without_prediction(predictions.error()));
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
      value = buffer(kernel->parameters[k], std::uint64_t{1} << 24);
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

BookAnswer LaunchBook::launch(int pid, const Message& question) {
  LaunchKind kind;
  kind.number = log_.launches.size() + 1;
  kept_.emplace_back();
  kind.kernel = question.text.value("kernel", std::string());
  kind.with_contents = question.text.contains("contents");
  const std::string symbol = kind.kernel;
  const Program* program = program_of(pid, question.text);
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
    if (dims_of(question.text.at("offset")) != facts::Dim3{0, 0, 0})
      kind.notes.push_back("a global offset is not modelled: ids are taken to begin at 0");
    add_inner(launch, question.text);
    add_contents(launch, question);
    if (!keep_.folder.empty())
      kept_.back() = keep(kind, {kind.number, program->source, *kernel, launch});
    predict(kind, *program, symbol, std::move(launch), question.text.value("shared_limit", std::uint64_t{0}));
  }
  const LaunchOnGpu& first = kind.on.front();
  const bool decided_by_data = rests_on_contents(first);
  const BookAnswer answer{status_of(first, kind.launch, log_.devices.front()), kind.number,
                          std::llround(first.time_ns()),
                          !kind.with_contents && kernel && (decided_by_data || keep_.data), decided_by_data};
  log_.launches.push_back(std::move(kind));
  return answer;
}

} // namespace forewarp::program
