#include "explore/space/apply.h"

#include "launch/argument.h"
#include "launch/parse.h"
#include "launch/words.h"

#include <cmath>
#include <fmt/format.h>

namespace forewarp::explore {
namespace {

Result<std::uint64_t> size_of(const Parameter& parameter, const Value& value, bool may_be_zero) {
  constexpr double most = 281474976710656.0; // 2^48, launch::max_count
  if (!value.is_number || value.number != std::floor(value.number) || value.number > most ||
      value.number < (may_be_zero ? 0 : 1))
    return fail(ErrorCode::launch, fmt::format("{} = {} is no size", parameter.name, value.text));
  return static_cast<std::uint64_t>(value.number);
}

Result<void> set_dims(const Parameter& parameter, const Value& value, std::optional<facts::Dim3>& size) {
  if (parameter.component < 0) {
    const auto dims = launch::parse_dim3(value.text, parameter.name);
    if (!dims)
      return fail(ErrorCode::launch, fmt::format("{} = {} is no size", parameter.name, value.text));
    size = *dims;
    return {};
  }
  const auto count = size_of(parameter, value, false);
  FOREWARP_TRY(count);
  if (!size)
    size = facts::Dim3{};
  (parameter.component == 0 ? size->x : parameter.component == 1 ? size->y : size->z) = *count;
  return {};
}

Result<void> set_launch(const Parameter& parameter, const Value& value, facts::Launch& launch) {
  switch (parameter.role) {
  case Role::local:
    return set_dims(parameter, value, launch.group_size);
  case Role::global:
    launch.groups.reset();
    return set_dims(parameter, value, launch.global_items);
  case Role::grid:
    launch.global_items.reset();
    return set_dims(parameter, value, launch.groups);
  default: {
    const auto bytes = size_of(parameter, value, true);
    FOREWARP_TRY(bytes);
    launch.dynamic_shared_bytes = *bytes;
    return {};
  }
  }
}

/// "NAME" of "NAME=VALUE".
std::string_view define_name(std::string_view define) {
  return define.substr(0, define.find('='));
}

void set_define(const std::string& name, const std::string& value, std::vector<std::string>& defines) {
  std::erase_if(defines, [&](const std::string& define) { return define_name(define) == name; });
  defines.push_back(name + "=" + value);
}

/// Names that only the compiler can class.
std::vector<std::string> open_names(const std::vector<Parameter>& parameters,
                                    const engine::PredictRequest& base) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) {
    bool known = parameter.role != Role::define || base.launch.arguments.contains(parameter.name);
    for (const std::string& define : base.compile.defines)
      known = known || define_name(define) == parameter.name;
    if (!known)
      names.push_back(parameter.name);
  }
  return names;
}

/// The base request with the launch file's [values] as the configuration has them.
Result<engine::PredictRequest> with_values(const Setup& setup, const std::vector<Parameter>& parameters,
                                           const Configuration& configuration) {
  std::map<std::string, double> values;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (parameters[p].role == Role::value) {
      if (!configuration[p].is_number)
        return fail(ErrorCode::launch,
                    fmt::format("{} = {} is no number", parameters[p].name, configuration[p].text));
      values[parameters[p].name] = configuration[p].number;
    }
  if (values.empty() || !setup.base_of)
    return setup.base;
  auto base = setup.base_of(values);
  FOREWARP_TRY(base);
  base->gpus = setup.base.gpus;
  return base;
}

} // namespace

Result<engine::PredictRequest> apply_configuration(const Setup& setup,
                                                   const std::vector<Parameter>& parameters,
                                                   const Configuration& configuration) {
  auto made = with_values(setup, parameters, configuration);
  FOREWARP_TRY(made);
  engine::PredictRequest request = *std::move(made);
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Parameter& parameter = parameters[p];
    const Value& value = configuration[p];
    if (parameter.role == Role::define) {
      set_define(parameter.name, value.text, request.compile.defines);
    } else if (parameter.role == Role::value) {
      continue; // all at once, before
    } else if (parameter.role == Role::argument) {
      auto argument = launch::parse_value(value.text, ".", parameter.name);
      FOREWARP_TRY(argument);
      request.launch.arguments.insert_or_assign(parameter.name, *std::move(argument));
    } else {
      FOREWARP_TRY(set_launch(parameter, value, request.launch));
    }
  }
  return request;
}

std::map<std::string, double> constants_of(const engine::PredictRequest& request,
                                           const std::set<std::string>& taken) {
  std::map<std::string, double> constants;
  const auto add = [&](const std::string& name, const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (!text.empty() && *end == '\0' && std::isfinite(number) && !taken.contains(name))
      constants[name] = number;
  };
  for (const auto& [name, value] : request.launch.arguments)
    if (const auto* scalar = std::get_if<facts::ScalarValue>(&value))
      add(name, scalar->text);
  for (const std::string& define : request.compile.defines)
    if (const std::size_t equals = define.find('='); equals != std::string::npos)
      add(define.substr(0, equals), define.substr(equals + 1));
  return constants;
}

Result<std::set<std::string>> argument_names(const engine::PredictRequest& base, const SpaceSpec& spec) {
  std::set<std::string> names;
  for (const auto& [name, value] : base.launch.arguments)
    names.insert(name);
  SpaceSpec known = spec;
  known.arguments = names;
  const auto space = Space::make(known);
  FOREWARP_TRY(space);
  const std::vector<std::string> open = open_names(space->parameters(), base);
  if (open.empty())
    return names;
  // Without the names in question; they are arguments if the kernel has such parameters. A source that does
  // not compile without them has them for defines.
  const auto kernels = engine::list_kernels(base);
  if (!kernels) {
    if (kernels.error().code != ErrorCode::compile)
      return tl::unexpected<Error>(kernels.error());
    return names;
  }
  for (const engine::KernelDescription& kernel : *kernels)
    if (base.kernel.empty() || kernel.name == base.kernel)
      for (const engine::KernelDescription::Parameter& parameter : kernel.parameters)
        names.insert(parameter.name);
  return names;
}

Result<Setup> complete(Setup setup) {
  std::set<std::string> names;
  for (const std::string& text : setup.space.parameters)
    names.insert(std::string(launch::strip(std::string_view(text).substr(0, text.find('=')))));
  if (setup.space.table)
    names.insert(setup.space.table->names.begin(), setup.space.table->names.end());
  setup.space.constants = constants_of(setup.base, names);
  for (const auto& [name, number] : setup.launch_values) {
    setup.space.values.insert(name);
    if (!names.contains(name))
      setup.space.constants.emplace(name, number);
  }
  auto arguments = argument_names(setup.base, setup.space);
  FOREWARP_TRY(arguments);
  setup.space.arguments = *std::move(arguments);
  return setup;
}

} // namespace forewarp::explore
