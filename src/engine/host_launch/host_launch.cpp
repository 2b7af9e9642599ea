#include "engine/host_launch/host_launch.h"

#include "engine/compile_cache.h"
#include "engine/host_launch/inner_arguments.h"
#include "engine/host_launch/sites.h"
#include "engine/translate.h"
#include "frontend/compile.h"
#include "frontend/host/host_program.h"
#include "frontend/languages/source_language.h"
#include "launch/parse.h"
#include "launch/write_launch_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace forewarp::engine {
namespace {

namespace host = frontend::host;
using host::FoundLaunch;
using host::HostArgument;
using host::HostProgram;

/// The compilation that a prediction for this machine asks for once the program is read; none: it cannot be
/// said so early.
std::optional<frontend::CompileRequest> next_compilation(const PredictRequest& request,
                                                         const HostSource& source,
                                                         const gpu::Machine& machine,
                                                         const HostProgram& program) {
  PredictRequest next = request;
  std::vector<Site> sites = sites_of(program, request.kernel);
  if (!sites.empty()) {
    const bool is_one = check_one_kernel(request, sites).has_value();
    const Site* site = chosen_site(sites, source);
    const FoundLaunch* launch = site != nullptr ? site->largest() : nullptr;
    if (!is_one || launch == nullptr || launch->parameters.empty() || is_other_instance(request, *launch))
      return std::nullopt;
    next.kernel = name_of(*launch, launch->kernel);
    next.compile.only_kernel = next.kernel;
  }
  return compile_request(next, machine);
}

/// Whether what is compiled while the program is read serves the prediction: NVIDIA's compilations of several
/// generations share more than the cache folder can.
bool compiles_while_reading(const PredictRequest& request, const HostSource& source,
                            const gpu::Machine& machine) {
  constexpr std::size_t most_gpus = 2;
  return source.path.empty() && request.gpus.size() <= most_gpus && machine.vendor == "nvidia" &&
         code_for(request, machine) == Code::imitated;
}

/// With the largest number for what is open with which a launch is found that a GPU takes.
Result<HostProgram> read(const PredictRequest& request, const HostSource& source) {
  host::HostRequest asked;
  asked.compile = compile_request(request.compile);
  if (!source.path.empty())
    asked.compile.path = source.path;
  asked.program_arguments = source.program_arguments;
  asked.variables = source.variables;
  if (!request.gpus.empty())
    if (const auto machine = gpu::resolve(request.gpus.front().file, request.value_set)) {
      // What a program asks its GPU for, by the names of cudaDeviceProp.
      asked.variables.try_emplace("multiProcessorCount", static_cast<double>(machine->sm_count));
      asked.variables.try_emplace("warpSize", static_cast<double>(machine->warp_width));
      asked.variables.try_emplace("maxThreadsPerBlock", 1024.0);
      if (compiles_while_reading(request, source, *machine)) {
        asked.compile = compile_request(request, *machine);
        asked.wants_module = [&request, &source, machine = *machine](const HostProgram& program) {
          return next_compilation(request, source, machine, program);
        };
      }
    }
  for (const std::uint64_t assumed : {1024, 256, 64, 16})
    if (assumed <= source.assumed)
      asked.smaller_assumed.push_back(assumed);
  if (asked.smaller_assumed.empty())
    return HostProgram();
  asked.assumed = asked.smaller_assumed.front();
  asked.smaller_assumed.erase(asked.smaller_assumed.begin());
  asked.wants_smaller = [&](const HostProgram& program) {
    return sites_of(program, request.kernel).empty() && !program.open.empty();
  };
  return host::read_host_program(asked);
}

/// A launch whose sizes no GPU takes.
Error too_large(const FoundLaunch& launch) {
  double bytes = 0;
  for (const HostArgument& argument : launch.arguments)
    bytes += argument.kind == HostArgument::Kind::buffer ? static_cast<double>(argument.bytes) : 0;
  return {
      ErrorCode::launch,
      fmt::format("'{}' is started with {}, {} bytes of shared memory and {:.4g} GB of buffers: no GPU takes "
                  "that",
                  launch.kernel, sizes_of(launch), launch.dynamic_shared_bytes, bytes / 1e9),
      place_of(launch),
      "--host-args \"...\" or --host-var NAME=VALUE for what the sizes come from; --grid X,Y,Z and --block "
      "X,Y,Z"};
}

Error nothing_found(const PredictRequest& request, const HostSource& source, const HostProgram& program) {
  for (const FoundLaunch& launch : program.launches)
    if (!request.kernel.empty() || program.launches.size() == 1)
      if (is_meant(launch, request.kernel) && !fits(launch))
        return too_large(launch);
  const std::string& file = source.path.empty() ? request.compile.path : source.path;
  std::set<std::string> others;
  for (const FoundLaunch& launch : program.launches)
    others.insert(fmt::format("'{}' ({})", launch.kernel, place_of(launch)));
  std::string message =
      request.kernel.empty()
          ? "the launch has no size, and no host code that starts a kernel was found"
          : fmt::format("the launch of '{}' has no size, and no host code that starts it was found",
                        request.kernel);
  if (!others.empty())
    message += fmt::format("; started are {}", fmt::join(others, ", "));
  return {ErrorCode::launch, message, file,
          "give --global X,Y,Z (work-items) or --grid X,Y,Z (groups), and --local X,Y,Z; --host FILE where "
          "another "
          "file starts it; or write a launch file with `forewarp template`"};
}

std::vector<std::string> open_numbers(const HostProgram& program, host::RestsOn rests_on) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < program.open.size() && k < host::most_open_numbers; ++k)
    if (rests_on >> k & 1) {
      const host::OpenNumber& number = program.open[k];
      const std::string at = number.line > 0 ? fmt::format(" ({}:{})", number.file, number.line) : "";
      names.push_back(number.origin.empty() || number.origin == number.name
                          ? fmt::format("'{}'{}", number.name, at)
                          : fmt::format("'{}'{}, from {}", number.name, at, number.origin));
    }
  return names;
}

constexpr const char* open_loop = "is started in a loop with other sizes each time, and these rest on ";

/// What a launch in a loop is depends on what is open: which one is meant cannot be said. The names; empty:
/// it does not.
std::vector<std::string> open_loop_numbers(const Site& site, const HostProgram& program) {
  host::RestsOn sizes = 0, loops = 0;
  std::set<std::string> different;
  for (const FoundLaunch* launch : site.launches) {
    sizes |= launch->rests_on;
    loops |= launch->loop_rests_on;
    different.insert(sizes_of(*launch));
  }
  if (different.size() < 2 || !(sizes & loops) || site.launches.front()->in_isolation)
    return {};
  return open_numbers(program, sizes | loops);
}

Error open_loop_error(const Site& site, const std::vector<std::string>& numbers) {
  const FoundLaunch& first = *site.launches.front();
  return {
      ErrorCode::bad_input, fmt::format("'{}' {}{}", first.kernel, open_loop, fmt::join(numbers, ", ")),
      place_of(first),
      "give the program's arguments (--host-args \"...\"), a variable (--host-var NAME=VALUE), or the sizes "
      "of one launch (--grid, --block); `forewarp template` writes the largest with assumed numbers"};
}

class Builder {
public:
  Builder(const PredictRequest& request, const HostProgram& program, const FoundLaunch& launch)
      : program_(program), launch_(launch) {
    out_.request = request;
  }

  FoundRequest build(const std::vector<ir::Parameter>& parameters) {
    facts::Launch& launch = out_.request.launch;
    if (launch_.in_items)
      launch.global_items = launch_.groups;
    else
      launch.groups = launch_.groups;
    if (!launch.group_size && launch_.group_size.count() > 0)
      launch.group_size = launch_.group_size;
    if (launch.dynamic_shared_bytes == 0)
      launch.dynamic_shared_bytes = launch_.dynamic_shared_bytes;
    rests_on_ |= launch_.rests_on;
    std::vector<std::string> told;
    for (std::size_t k = 0; k < parameters.size() && k < launch_.arguments.size(); ++k)
      if (std::string argument = give(parameters, k); !argument.empty())
        told.push_back(std::move(argument));
    for (const auto& [name, contents] : launch_.symbols) {
      const std::string key = ":" + name; // others than those that this kernel uses are set, too
      if (const auto image = image_of(contents)) {
        if (launch.arguments.try_emplace(key, *image).second)
          told.push_back(fmt::format("{} = {}", name, launch::argument_text(*image)));
      } else
        launch.arguments.try_emplace(key, facts::BufferValue{facts::ScalarType::u8, contents.contents.size(),
                                                             of_bytes(contents.contents)});
    }
    tell(told);
    out_.rests_on_open = rests_on_ != 0;
    return std::move(out_);
  }

private:
  static facts::BufferContents of_bytes(const std::vector<std::uint8_t>& bytes) {
    facts::BufferContents contents;
    contents.kind = facts::BufferContents::Kind::bytes;
    contents.bytes = bytes;
    return contents;
  }

  /// An image, a texture or a sampler; none: it is none, or its text says nothing that can be used.
  static std::optional<facts::ArgumentValue> image_of(const HostArgument& argument) {
    if (argument.kind != HostArgument::Kind::image && argument.kind != HostArgument::Kind::sampler)
      return std::nullopt;
    auto value = launch::parse_argument("x=" + argument.text);
    return value ? std::optional(std::move(value->second)) : std::nullopt;
  }

  void assume(std::string what, std::string remedy = "") {
    out_.notes.push_back({facts::Note::Severity::assumption, std::move(what), {}, std::move(remedy)});
  }

  static std::string key_of(const std::vector<ir::Parameter>& parameters, std::size_t k) {
    const std::string& name = parameters[k].name;
    const auto same = std::count_if(parameters.begin(), parameters.end(),
                                    [&](const ir::Parameter& other) { return other.name == name; });
    return name.empty() || same > 1 ? std::to_string(k) : name;
  }

  /// What is said of it; "" where the argument stays open.
  std::string give(const std::vector<ir::Parameter>& parameters, std::size_t k) {
    const ir::Parameter& parameter = parameters[k];
    const HostArgument& argument = launch_.arguments[k];
    const std::string key = key_of(parameters, k);
    auto& arguments = out_.request.launch.arguments;
    if (arguments.contains(key) || arguments.contains(std::to_string(k)))
      return {};
    using Kind = HostArgument::Kind;
    if (const auto image = image_of(argument)) {
      arguments[key] = *image;
      rests_on_ |= argument.rests_on;
      return fmt::format("{} = {}{}", key, argument.text,
                         argument.line > 0 ? fmt::format(" (line {})", argument.line) : "");
    }
    if (argument.kind == Kind::number &&
        (parameter.scalar || parameter.is_pointer || parameter.size_bytes <= 8) &&
        parameter.components == 1) {
      if (parameter.is_pointer && argument.text != "0")
        return {};
      arguments[key] = facts::ScalarValue{argument.text};
      rests_on_ |= argument.rests_on;
      return fmt::format("{} = {}", key, argument.text);
    }
    const bool is_whole =
        argument.inner.empty() && std::ranges::find(argument.known, 0) == argument.known.end();
    if (argument.kind == Kind::record && !is_whole && !parameter.is_pointer) {
      rests_on_ |= argument.rests_on;
      return give_fields(parameter, key, argument, arguments);
    }
    if (argument.kind == Kind::record && argument.contents.size() == parameter.size_bytes) {
      arguments[key] = facts::ScalarValue{"", argument.contents};
      rests_on_ |= argument.rests_on;
      return fmt::format("{} as the host fills it", key);
    }
    const bool is_local = parameter.is_pointer && parameter.space == ir::AddressSpace::shared;
    if (!parameter.is_pointer || argument.bytes == 0 || is_local != (argument.kind == Kind::local_memory) ||
        (argument.kind != Kind::buffer && !is_local))
      return {};
    facts::BufferValue buffer{parameter.scalar.value_or(facts::ScalarType::u8)};
    buffer.count = argument.bytes / facts::size_bytes(buffer.type);
    if (buffer.count == 0)
      return {};
    if (argument.zeros)
      buffer.contents.kind = facts::BufferContents::Kind::zeros;
    arguments[key] = buffer;
    rests_on_ |= argument.rests_on;
    return fmt::format("{} = {}[{}]{}{}{}", key, facts::to_string(buffer.type), buffer.count,
                       argument.zeros ? " of zeros" : "",
                       argument.line > 0 ? fmt::format(" (line {})", argument.line) : "",
                       give_elements(parameter, key, argument, arguments));
  }

  void tell(const std::vector<std::string>& arguments) {
    std::string sizes =
        fmt::format("{} starts '{}' with {}", place_of(launch_), launch_.kernel, sizes_of(launch_));
    if (!launch_.groups_text.empty())
      sizes += fmt::format("; the sizes stand there as '{}' and '{}'", launch_.groups_text,
                           launch_.group_size_text);
    if (launch_.in_isolation)
      sizes += "; the start of the program does not lead there, so that its function was read on its own";
    assume(sizes, launch_.in_items ? "--global X,Y,Z --local X,Y,Z" : "--grid X,Y,Z --block X,Y,Z");
    if (!arguments.empty())
      assume(fmt::format("arguments by the host code: {}", fmt::join(arguments, ", ")), "--arg NAME=VALUE");
    if (!launch_.symbols.empty()) {
      std::vector<std::string> names;
      for (const auto& [name, contents] : launch_.symbols)
        names.push_back(name);
      assume(fmt::format("variables of the device that the host code sets: {}", fmt::join(names, ", ")));
    }
    for (std::size_t k = 0; k < program_.open.size() && k < host::most_open_numbers; ++k)
      if (rests_on_ >> k & 1)
        tell_open(program_.open[k]);
  }

  void tell_open(const host::OpenNumber& number) {
    const std::string at = number.line > 0 ? fmt::format(" ({}:{})", number.file, number.line) : "";
    const std::string from = number.origin.empty() || number.origin == number.name
                                 ? "what only the running program knows"
                                 : number.origin;
    assume(fmt::format("'{}' is {}: it comes from {}{}", number.name, number.value, from, at),
           number.name.starts_with("argv") || number.origin.starts_with("argv")
               ? "--host-args \"...\""
               : fmt::format("--host-var {}=VALUE", number.name));
  }

  const HostProgram& program_;
  const FoundLaunch& launch_;
  FoundRequest out_;
  host::RestsOn rests_on_ = 0;
};

/// The kernel's parameters where the host code is another file: from the kernel's own.
Result<ir::KernelSignature> signature_of(const PredictRequest& request, const std::string& kernel) {
  frontend::CompileRequest compile = compile_request(request.compile);
  compile.signatures_only = true;
  if (kernel.find('<') != std::string::npos)
    compile.only_kernel = kernel;
  const auto module = frontend::compile(compile);
  FOREWARP_TRY(module);
  const auto found = frontend::select_kernel(*module, kernel);
  FOREWARP_TRY(found);
  return **found;
}

} // namespace

bool needs_launch(const PredictRequest& request) {
  return !request.launch.groups && !request.launch.global_items;
}

Result<FoundRequest> launch_from_host(const PredictRequest& request, const HostSource& source) {
  if (source.path.empty() && !frontend::is_cuda_source(request.compile.path))
    return tl::unexpected<Error>(nothing_found(request, source, {})); // kernels only
  const auto read_program = read(request, source);
  FOREWARP_TRY(read_program);
  const HostProgram& program = *read_program;
  std::vector<Site> sites = sites_of(program, request.kernel);
  if (sites.empty())
    return tl::unexpected<Error>(nothing_found(request, source, program));
  FOREWARP_TRY(check_one_kernel(request, sites));
  const Site* chosen = chosen_site(sites, source);
  if (chosen == nullptr)
    return fail(ErrorCode::usage, fmt::format("launch site {} of {}", source.launch_site, sites.size()),
                "--launch-site", "places are numbered from 1, in the order of the program");
  const Site& site = *chosen;
  const std::vector<std::string> open_numbers_of_loop = open_loop_numbers(site, program);
  if (!open_numbers_of_loop.empty() && !source.takes_open_loops)
    return tl::unexpected<Error>(open_loop_error(site, open_numbers_of_loop));
  const FoundLaunch& launch = *site.largest();
  std::vector<ir::Parameter> parameters = launch.parameters;
  std::string kernel = launch.kernel;
  if (parameters.empty() || is_other_instance(request, launch)) {
    const auto signature = signature_of(request, request.kernel.empty() ? kernel : request.kernel);
    FOREWARP_TRY(signature);
    parameters = signature->parameters;
    kernel = signature->name;
  }
  FoundRequest found = Builder(request, program, launch).build(parameters);
  found.request.kernel = name_of(launch, kernel);
  found.request.compile.only_kernel = found.request.kernel;
  found.sites = described(sites);
  if (!open_numbers_of_loop.empty())
    found.notes.push_back({facts::Note::Severity::assumption,
                           fmt::format("it {}{}: the largest of those launches is taken", open_loop,
                                       fmt::join(open_numbers_of_loop, ", ")),
                           {},
                           "--host-args \"...\", --grid X,Y,Z --block X,Y,Z"});
  else if (site.launches.size() > 1)
    found.notes.push_back({facts::Note::Severity::info,
                           fmt::format("{} starts it with {} different sizes; the largest is taken",
                                       place_of(launch), site.launches.size())});
  if (sites.size() > 1) {
    std::string list;
    for (std::size_t k = 0; k < found.sites.size(); ++k)
      list += fmt::format("{}{}: {} '{}' {}", k == 0 ? "" : "; ", k + 1, found.sites[k].place,
                          found.sites[k].kernel, found.sites[k].sizes);
    found.notes.push_back(
        {facts::Note::Severity::info, "it is started at several places: " + list, {}, "--launch-site N"});
  }
  return found;
}

bool is_open_loop(const Error& error) {
  return error.code == ErrorCode::bad_input && error.message.find(open_loop) != std::string::npos;
}

PredictRequest with_open_buffers(PredictRequest request) {
  for (auto& [name, value] : request.launch.arguments)
    if (auto* buffer = std::get_if<facts::BufferValue>(&value);
        buffer && buffer->contents.kind != facts::BufferContents::Kind::bytes)
      buffer->count = 0;
  return request;
}

} // namespace forewarp::engine
