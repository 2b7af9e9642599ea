#include "engine/open_arguments/index_limits.h"
#include "engine/open_arguments/open_arguments.h"
#include "engine/open_arguments/reach.h"
#include "launch/image.h"
#include "launch/write_launch_file.h"

#include "simt/argument_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace forewarp::engine {
namespace {

constexpr std::uint64_t endless_bytes = std::uint64_t{1} << 34; ///< a buffer whose size is looked for
constexpr std::uint64_t endless_constant_bytes = 65536;
constexpr std::uint64_t endless_pointers = 1 << 16; ///< of a table whose size is looked for
constexpr unsigned most_growths = 10;

bool is_open(const facts::ArgumentValue& value) {
  const auto* buffer = std::get_if<facts::BufferValue>(&value);
  return buffer != nullptr && buffer->count == 0;
}

/// Kernels may have two parameters of one name (a parameter pack): those go by their position.
std::string key_of(const ir::KernelSignature& kernel, std::size_t position) {
  const std::string& name = kernel.parameters[position].name;
  const auto same = std::count_if(kernel.parameters.begin(), kernel.parameters.end(),
                                  [&](const ir::Parameter& other) { return other.name == name; });
  return name.empty() || same > 1 ? std::to_string(position) : name;
}

/// A given buffer whose pointers nobody named: neither by the element ("rows[]") nor by the byte ("rows+8").
bool leads_to_pointers(const ir::Parameter& parameter, const facts::Launch& launch, std::size_t position) {
  const auto given = simt::find_argument(launch, parameter, position);
  if (given == launch.arguments.end() || !parameter.is_pointer ||
      !std::holds_alternative<facts::BufferValue>(given->second))
    return false;
  const auto inner = launch.arguments.lower_bound(given->first + "+");
  return inner == launch.arguments.end() || !inner->first.starts_with(given->first + "+");
}

/// Samplers need none, nor does an empty type that only chooses an overload.
bool needs_value(const ir::Parameter& parameter) {
  const bool is_tag =
      parameter.name.empty() && !parameter.is_pointer && !parameter.scalar && parameter.size_bytes <= 1;
  return !parameter.is_sampler && (parameter.size_bytes != 0 || parameter.is_image) && !is_tag;
}

/// A struct whose fields are arguments of their own.
bool goes_by_fields(const ir::Parameter& parameter, const std::string& key, const facts::Launch& launch) {
  return !parameter.is_pointer && !parameter.fields.empty() &&
         (!parameter.scalar || simt::has_inner(launch, key));
}

std::uint64_t square_side(std::uint64_t area) {
  return static_cast<std::uint64_t>(std::ceil(std::sqrt(static_cast<double>(area))));
}

bool is_whole(const ir::Parameter& parameter) {
  return parameter.scalar ? *parameter.scalar < facts::ScalarType::f16
                          : parameter.size_bytes <= 8 && parameter.components == 1;
}

class Completion {
public:
  Completion(const ir::KernelModule& module, const ir::KernelSignature& kernel, const facts::Launch& launch,
             const facts::LaunchShape& shape, const std::vector<facts::MemorySite>& sites,
             std::uint64_t open_number)
      : module_(module), kernel_(kernel), shape_(shape), sites_(sites), open_number_(open_number) {
    out_.launch = launch;
  }

  Result<CompletedLaunch> make(const simt::RunOptions& options, double device_bytes) {
    give_values();
    for (;;) {
      const auto sized = find_sizes(options, device_bytes);
      if (sized)
        break;
      if (sized.error().code != ErrorCode::kernel_fault || !halve_guesses())
        return tl::unexpected<Error>(sized.error());
    }
    tell();
    return std::move(out_);
  }

private:
  struct OpenBuffer {
    std::string key, region; ///< how the launch names it; how the trace does
    bool shared = false, constant = false;
    std::uint64_t element_bytes = 4, components = 1;
    std::string table = {};   ///< the buffer whose pointers lead to buffers of this size each
    bool of_pointers = false; ///< a table itself
  };

  void assume(std::string text, std::string remedy) {
    out_.notes.push_back(
        {facts::Note::Severity::assumption, std::move(text), kernel_.location, std::move(remedy), true});
  }

  facts::BufferValue& buffer_of(const OpenBuffer& open) {
    return std::get<facts::BufferValue>(out_.launch.arguments[open.key]);
  }

  void set(const std::string& key, std::string text) {
    out_.launch.arguments[key] = facts::ScalarValue{std::move(text)};
  }

  void give_values() {
    const auto limits = index_limits(module_, kernel_, shape_);
    for (std::size_t k = 0; k < kernel_.parameters.size(); ++k) {
      const ir::Parameter& parameter = kernel_.parameters[k];
      const auto given = simt::find_argument(out_.launch, parameter, k);
      if (given == out_.launch.arguments.end() &&
          goes_by_fields(parameter, key_of(kernel_, k), out_.launch)) {
        give_fields(parameter, k, limits);
      } else if (given == out_.launch.arguments.end()) {
        if (needs_value(parameter))
          give_value(parameter, key_of(kernel_, k), limit_of(limits, {k, 0}));
      } else if (is_open(given->second)) {
        add_open(parameter, given->first, key_of(kernel_, k));
      } else if (leads_to_pointers(parameter, out_.launch, k)) {
        open_elements(parameter, given->first, key_of(kernel_, k));
      }
    }
  }

  using Limits = std::map<ParameterPlace, std::uint64_t>;
  static std::optional<std::uint64_t> limit_of(const Limits& limits, ParameterPlace place) {
    const auto found = limits.find(place);
    return found == limits.end() ? std::nullopt : std::optional(found->second);
  }

  void give_fields(const ir::Parameter& parameter, std::size_t k, const Limits& limits) {
    for (const ir::Parameter& field : parameter.fields) {
      const std::string key = simt::inner_name(key_of(kernel_, k), field);
      const auto given = out_.launch.arguments.find(key);
      if (given == out_.launch.arguments.end())
        give_value(field, key, limit_of(limits, {k, field.offset_bytes}));
      else if (is_open(given->second))
        add_open(named(field, key), key);
    }
  }

  static ir::Parameter named(ir::Parameter field, const std::string& name) {
    field.name = name;
    return field;
  }

  /// As large as the launch, or a square of its work-items.
  void give_image(const ir::Parameter& parameter, const std::string& key) {
    const facts::Dim3& items = shape_.global_items;
    const bool one_axis = parameter.type_name.find("1d") != std::string::npos;
    const bool is_square = items.y == 1 && !one_axis;
    facts::ImageValue image;
    image.width = static_cast<std::uint32_t>(is_square ? square_side(items.x) : items.x);
    image.height = static_cast<std::uint32_t>(is_square ? square_side(items.x) : one_axis ? 1 : items.y);
    image.depth = static_cast<std::uint32_t>(items.z);
    image.format = parameter.is_image ? "rgba8" : "r32f";
    image.linear = image.height == 1;
    facts::BufferValue buffer{.type = facts::ScalarType::u8, .count = launch::image_bytes(image)};
    buffer.image = image;
    out_.launch.arguments[key] = buffer;
    assume(fmt::format("'{}' is an image of {}x{}x{} texels, format {}", key, image.width, image.height,
                       image.depth, image.format),
           fmt::format("--arg {}={}", key, launch::argument_text(buffer)));
  }

  void give_value(const ir::Parameter& parameter, const std::string& key,
                  std::optional<std::uint64_t> limit) {
    if (simt::is_texture(parameter)) {
      give_image(parameter, key);
    } else if (parameter.is_pointer) {
      out_.launch.arguments[key] = facts::BufferValue{parameter.scalar.value_or(facts::ScalarType::u8)};
      add_open(named(parameter,
                     parameter.name.empty() || key.size() > parameter.name.size() ? key : parameter.name),
               key);
    } else if (!parameter.scalar && parameter.size_bytes > 8) {
      set(key, "{}");
      assume(fmt::format("the struct '{}' is all zero bytes", key), fmt::format("--arg {}={{}}", key));
    } else if (parameter.type_name == "bool" || parameter.type_name == "_Bool") {
      set(key, "1");
      assume(fmt::format("'{}' is true", key), fmt::format("--arg {}=true", key));
    } else if (!is_whole(parameter)) {
      set(key, repeated("1.0", parameter.components));
      assume(fmt::format("'{}' is 1", key),
             fmt::format("--arg {}={}", key, repeated("1.0", parameter.components)));
    } else if (limit && parameter.components == 1) {
      set(key, std::to_string(*limit));
      assume(fmt::format("'{}' is {}: as far as the launch's work-items go", key, *limit),
             fmt::format("--arg {}={}", key, *limit));
    } else {
      const std::uint64_t value =
          parameter.size_bytes == 1 ? 1 : open_number_; // a byte is a choice, no count
      set(key, repeated(std::to_string(value), parameter.components));
      out_.guessed.push_back({key, value, parameter.components});
    }
  }

  void add_open(const ir::Parameter& parameter, const std::string& key) { add_open(parameter, key, key); }
  void add_open(const ir::Parameter& parameter, const std::string& key, const std::string& whole) {
    OpenBuffer open{key, parameter.name.empty() ? key : parameter.name,
                    parameter.space == ir::AddressSpace::shared,
                    parameter.space == ir::AddressSpace::constant};
    const facts::ScalarType type = buffer_of(open).type;
    const bool of_structs = !parameter.scalar && parameter.pointee_bytes > 0 && type == facts::ScalarType::u8;
    open.element_bytes = of_structs ? parameter.pointee_bytes : facts::size_bytes(type);
    open.components = std::max(1U, parameter.components);
    open.of_pointers = !parameter.fields.empty();
    make_endless(open);
    open_.push_back(std::move(open));
    open_elements(parameter, key, whole);
  }

  /// Pointers in the buffer at `key` lead to buffers of their own, all of one size. `whole`: the argument's
  /// name, with which those of its elements begin.
  void open_elements(const ir::Parameter& parameter, const std::string& key, const std::string& whole) {
    for (const ir::Parameter& field : parameter.fields) {
      const std::string name = simt::inner_name(whole + "[]", field);
      const auto given = out_.launch.arguments.find(name);
      if (!field.is_pointer || (given != out_.launch.arguments.end() && !is_open(given->second)))
        continue;
      out_.launch.arguments[name] = facts::BufferValue{field.scalar.value_or(facts::ScalarType::u8)};
      const std::size_t at = open_.size();
      add_open(named(field, name), name);
      open_[at].table = key;
    }
  }

  void make_endless(const OpenBuffer& open) {
    const std::uint64_t bytes = open.shared ? shape_.group_size.count() * open.element_bytes * open.components
                                : open.constant    ? endless_constant_bytes
                                : open.of_pointers ? endless_pointers * open.element_bytes
                                                   : endless_bytes;
    buffer_of(open).count = bytes / facts::size_bytes(buffer_of(open).type);
  }

  /// A kernel that leaves its own arrays may have been given too large a number.
  bool halve_guesses() {
    const bool all_least = std::all_of(out_.guessed.begin(), out_.guessed.end(),
                                       [](const GuessedScalar& guess) { return guess.value == 1; });
    if (all_least)
      return false;
    for (GuessedScalar& guess : out_.guessed) {
      guess.value = std::max<std::uint64_t>(1, guess.value / 2);
      set(guess.name, repeated(std::to_string(guess.value), guess.components));
    }
    for (const OpenBuffer& open : open_)
      make_endless(open);
    return true;
  }

  /// One run on buffers without an end says how far the sampled groups reach; a second one, on buffers of
  /// that size, is right, or the sizes grow.
  Result<void> find_sizes(const simt::RunOptions& options, double device_bytes) {
    auto first = run_growing(options, [](const OpenBuffer& open) { return open.shared; });
    if (!first && first.error().code == ErrorCode::kernel_fault && !open_.empty()) {
      first.error().message +=
          fmt::format("; sizes that nothing gives were looked for up to {:.4g} GB a buffer",
                      static_cast<double>(endless_bytes) / 1e9);
      first.error().hint =
          "--arg NAME=buffer:TYPE[COUNT] says a size, --arg NAME=VALUE what the index comes from; "
          "--out-of-bounds read-zero takes what lies outside as zero";
    }
    FOREWARP_TRY(first);
    std::map<std::string, std::uint64_t> each_bytes;
    for (const OpenBuffer& open : open_)
      if (!open.table.empty())
        each_bytes[open.region] = buffer_of(open).size_in_bytes();
    const auto reach = reach_of(first->trace, sites_, each_bytes);
    for (const OpenBuffer& open : open_)
      if (!open.shared)
        resize(open, reach);
    FOREWARP_TRY(check_fits(device_bytes));
    FOREWARP_TRY(run_growing(options, [](const OpenBuffer&) { return true; }));
    return check_fits(device_bytes);
  }

  /// Runs; while the kernel leaves a buffer, those that may grow are doubled.
  template <class MayGrow>
  Result<simt::RunResult> run_growing(const simt::RunOptions& options, const MayGrow& may_grow) {
    for (unsigned growth = 0;; ++growth) {
      auto result = simt::run(module_, kernel_, out_.launch, options);
      const bool grows = std::any_of(open_.begin(), open_.end(), may_grow);
      if (result || result.error().code != ErrorCode::kernel_fault || !grows || growth == most_growths)
        return result;
      for (const OpenBuffer& open : open_)
        if (may_grow(open))
          buffer_of(open).count *= 2;
    }
  }

  void resize(const OpenBuffer& open, const std::map<std::string, Reach>& reach) {
    const auto found = reach.find(open.region);
    std::uint64_t bytes = found == reach.end() ? open.element_bytes : found->second.bytes;
    // Places that depend on unknown data: a buffer with an element for each work-item.
    if (found != reach.end() && found->second.unknown_places)
      bytes = std::max(bytes, shape_.global_items.count() * open.element_bytes);
    const std::uint64_t elements = (bytes + open.element_bytes - 1) / open.element_bytes;
    buffer_of(open).count =
        std::max<std::uint64_t>(1, elements * open.element_bytes / facts::size_bytes(buffer_of(open).type));
  }

  Result<void> check_fits(double device_bytes) const {
    double total = 0;
    for (const auto& [name, value] : out_.launch.arguments)
      if (const auto* buffer = std::get_if<facts::BufferValue>(&value))
        total += static_cast<double>(buffer->size_in_bytes());
    if (device_bytes > 0 && total > device_bytes)
      return fail(ErrorCode::launch,
                  fmt::format("the buffers that kernel '{}' touches have {:.1f} GB, the GPU has {:.1f} GB",
                              kernel_.name, total * 1e-9, device_bytes * 1e-9),
                  "--arg", "give the whole numbers that size the data: --arg NAME=VALUE");
    return {};
  }

  void tell() {
    for (const GuessedScalar& guess : out_.guessed)
      assume(fmt::format("'{}' is {}: nothing in the kernel says what the launch needs", guess.name,
                         guess.value),
             fmt::format("--arg {}={}", guess.name, repeated(std::to_string(guess.value), guess.components)));
    for (const OpenBuffer& open : open_) {
      const facts::BufferValue& buffer = buffer_of(open);
      const std::string type(facts::to_string(buffer.type));
      const bool unknown = buffer.contents.kind == facts::BufferContents::Kind::unknown && !open.of_pointers;
      const std::string whose =
          open.table.empty() ? ""
                             : fmt::format("each pointer in '{}' leads to a buffer of its own: ", open.table);
      assume(fmt::format("{}'{}' has {} elements of {}{}: as far as the sampled work-groups touch it", whose,
                         open.key, buffer.count, type, unknown ? ", contents unknown" : ""),
             fmt::format("--arg {}=buffer:{}[{}]", open.key, type, buffer.count));
    }
  }

  const ir::KernelModule& module_;
  const ir::KernelSignature& kernel_;
  const facts::LaunchShape& shape_;
  const std::vector<facts::MemorySite>& sites_;
  std::uint64_t open_number_;
  CompletedLaunch out_;
  std::vector<OpenBuffer> open_;
};

} // namespace

std::string repeated(const std::string& value, unsigned components) {
  std::string text = value;
  for (unsigned k = 1; k < components; ++k)
    text += "," + value;
  return text;
}

bool has_open_arguments(const ir::KernelSignature& kernel, const facts::Launch& launch) {
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const ir::Parameter& parameter = kernel.parameters[k];
    const auto given = simt::find_argument(launch, parameter, k);
    const std::string key = key_of(kernel, k);
    const auto is_missing = [&](const std::string& name) {
      const auto found = launch.arguments.find(name);
      return found == launch.arguments.end() || is_open(found->second);
    };
    const auto any_missing = [&](const std::string& whole) {
      return std::ranges::any_of(parameter.fields, [&](const ir::Parameter& field) {
        return (!parameter.is_pointer || field.is_pointer) && is_missing(simt::inner_name(whole, field));
      });
    };
    if (given == launch.arguments.end() && goes_by_fields(parameter, key, launch)) {
      if (any_missing(key))
        return true;
      continue;
    }
    if (leads_to_pointers(parameter, launch, k) && any_missing(key + "[]"))
      return true;
    if (given == launch.arguments.end() ? needs_value(kernel.parameters[k]) : is_open(given->second))
      return true;
  }
  return false;
}

Result<CompletedLaunch> complete_launch(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                        const facts::Launch& launch, const facts::LaunchShape& shape,
                                        const std::vector<facts::MemorySite>& sites,
                                        const simt::RunOptions& options, double device_bytes,
                                        std::uint64_t open_number) {
  return Completion(module, kernel, launch, shape, sites, open_number).make(options, device_bytes);
}

} // namespace forewarp::engine
