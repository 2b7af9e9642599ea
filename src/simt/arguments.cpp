#include "simt/arguments.h"

#include "simt/argument_words.h"
#include "simt/inner_pointers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <set>

namespace forewarp::simt {
namespace {

/// Of a variable without contents: larger ones cost only the pages that are written.
constexpr std::uint64_t largest_flat_bytes = 1 << 20;

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
  return (value + align - 1) / align * align;
}

class Binder {
public:
  Binder(const Program& program, const ir::KernelSignature& kernel, const facts::Launch& launch,
         const facts::LaunchShape& shape, MemoryMap& memory)
      : program_(program), kernel_(kernel), launch_(launch), shape_(shape), memory_(memory),
        inner_(launch, memory, out_) {}

  Result<Binding> bind() {
    place_static_shared();
    for (std::size_t k = 0; k < program_.parameters.size(); ++k)
      bind_parameter(k);
    place_variables();
    inner_.place(used_, wrong_);
    check_surplus();
    if (!missing_.empty() || !wrong_.empty())
      return report();
    place_dynamic_shared();
    return std::move(out_);
  }

private:
  const facts::ArgumentValue* value_of(const ir::Parameter& parameter, std::size_t position) {
    const auto found = find_argument(launch_, parameter, position);
    if (found == launch_.arguments.end())
      return nullptr;
    used_.insert(found->first);
    return &found->second;
  }

  void set(const ParameterSlots::Component& c, std::uint64_t value, bool known = true) {
    out_.slots.push_back({c.slot, c.type, value, known});
  }

  void bind_parameter(std::size_t k) {
    const ParameterSlots& slots = program_.parameters[k];
    ir::Parameter parameter = k < kernel_.parameters.size() ? kernel_.parameters[k] : ir::Parameter{};
    if (k >= kernel_.parameters.size() || parameter.size_bytes == 0) {
      parameter.is_pointer = slots.is_pointer;
      parameter.size_bytes = slots.size_bytes;
    }
    const facts::ArgumentValue* value = value_of(parameter, k);
    if (const auto* given = value ? std::get_if<facts::BufferValue>(value) : nullptr; given && given->image)
      return bind_image(parameter, slots, k, *given);
    if (parameter.is_sampler && value)
      return bind_sampler(parameter, slots, k, *value);
    if (value && is_sampler(*value)) {
      wrong_.push_back(fmt::format(
          "'{}' is {} and got a sampler{}", label(parameter, k), type_text(parameter),
          is_texture(parameter)
              ? fmt::format(": {}=image:512x512:rgba8, with the sampler's words (:linear:normalised:wrap) "
                            "behind it",
                            label(parameter, k))
              : ""));
      return;
    }
    if (parameter.is_image || parameter.is_sampler) {
      for (const auto& c : slots.components)
        set(c, 0, false);
      return;
    }
    if (!value && parameter.name.empty() && !slots.used) { // a tag for overloads
      for (const auto& c : slots.components)
        set(c, 0, false);
      return;
    }
    if (!parameter.is_pointer && !parameter.fields.empty() && has_inner(launch_, label(parameter, k)))
      return bind_fields(parameter, slots, k, value);
    if (!value) {
      missing_.push_back(label(parameter, k));
      const auto same = std::ranges::count(kernel_.parameters, parameter.name, &ir::Parameter::name);
      if (same > 1)
        parameter.name.clear(); // of a parameter pack: by its position
      examples_.push_back(example(parameter, k));
      return;
    }
    if (const auto* buffer = std::get_if<facts::BufferValue>(value))
      bind_buffer(parameter, slots, k, *buffer);
    else
      bind_scalar(parameter, slots, k, std::get<facts::ScalarValue>(*value));
  }

  void bind_buffer(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                   const facts::BufferValue& buffer) {
    const std::string name = label(parameter, k);
    if (buffer.count == 0) {
      wrong_.push_back(
          fmt::format("the size of '{}' is to be found, which only `forewarp predict` does", name));
      return;
    }
    if (buffer.map)
      return bind_map(parameter, slots, k, buffer);
    const bool is_word = parameter.type_name.empty() && slots.size_bytes == 8 && slots.components.size() == 1;
    if (!slots.is_pointer && is_word && !slots.used)
      return;                            // what it would lead to is not named, and nothing reads it
    if (!slots.is_pointer && !is_word) { // a word of PTX may be an address that goes through memory
      wrong_.push_back(fmt::format("'{}' is {}, not a pointer, and got a buffer ({})", name,
                                   type_text(parameter), example(parameter, k)));
      return;
    }
    if (slots.is_pointer && !check_type(parameter, name, k, buffer))
      return;
    if (parameter.space == ir::AddressSpace::shared) {
      out_.shared_bytes = align_up(out_.shared_bytes, 16);
      out_.shared_regions.push_back(
          {name, facts::MemorySpace::shared, shared_window + out_.shared_bytes, buffer.size_in_bytes()});
      set(slots.components[0], shared_window + out_.shared_bytes);
      out_.shared_bytes += buffer.size_in_bytes();
      return;
    }
    Region& region = place_buffer(parameter, name, buffer);
    if (parameter.fields.empty())
      fill_table({name + "[]", std::to_string(k) + "[]"}, region);
    add_holder(parameter, k, region);
    set(slots.components[0], region.info.base);
  }

  bool check_type(const ir::Parameter& parameter, const std::string& name, std::size_t k,
                  const facts::BufferValue& buffer) {
    if (!parameter.scalar || buffer_fits(parameter, buffer))
      return true;
    wrong_.push_back(fmt::format("'{}' points to {}, but the buffer holds {} ({})", name,
                                 facts::to_string(*parameter.scalar), facts::to_string(buffer.type),
                                 example(parameter, k)));
    return false;
  }

  Region& place_buffer(const ir::Parameter& parameter, const std::string& name,
                       const facts::BufferValue& buffer, std::uint64_t times = 1) {
    const bool constant = parameter.space == ir::AddressSpace::constant;
    Region& region = memory_.add(name, constant ? facts::MemorySpace::constant : facts::MemorySpace::global,
                                 times * buffer.size_in_bytes(), 512, &buffer);
    out_.buffers.push_back(&region);
    if (!parameter.fields.empty() && has_inner(launch_, name))
      fill_elements(parameter, name, region);
    return region;
  }

  const facts::ArgumentValue* inner_value(const std::string& name) {
    const auto found = launch_.arguments.find(name);
    if (found == launch_.arguments.end())
      return nullptr;
    used_.insert(name);
    return &found->second;
  }

  /// Of a buffer of addresses whose type says nothing of them (PTX, LLVM IR): for each a buffer of its own.
  void fill_table(const std::array<std::string, 2>& names, Region& region) {
    for (const std::string& name : names) {
      const facts::ArgumentValue* value = inner_value(name);
      const auto* buffer = value ? std::get_if<facts::BufferValue>(value) : nullptr;
      if (!buffer || !region.parts.empty())
        continue;
      constexpr std::uint32_t address_bytes = 8;
      region.element_stride = address_bytes;
      const Region& each = place_buffer({}, name, *buffer, region.size_bytes / address_bytes);
      region.parts.push_back({0, address_bytes, each.info.base, buffer->size_in_bytes()});
    }
  }

  /// What the elements of a buffer hold in each of their fields: a number, or a buffer of its own for each.
  void fill_elements(const ir::Parameter& parameter, const std::string& name, Region& region) {
    region.element_stride = std::max(1U, parameter.pointee_bytes);
    const std::uint64_t elements = region.size_bytes / region.element_stride;
    for (const ir::Parameter& field : parameter.fields) {
      const std::string full = inner_name(name + "[]", field);
      const facts::ArgumentValue* value = inner_value(full);
      if (!value)
        continue;
      if (const auto* buffer = std::get_if<facts::BufferValue>(value); buffer && field.is_pointer) {
        if (!check_type(field, full, 0, *buffer))
          continue;
        const Region& each = place_buffer(field, full, *buffer, elements);
        region.parts.push_back({field.offset_bytes, 8, each.info.base, buffer->size_in_bytes()});
        continue;
      }
      if (const auto bytes = bytes_of_field(field, full, *value); bytes && bytes->size() <= 8) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes->data(), bytes->size());
        region.parts.push_back({field.offset_bytes, static_cast<std::uint32_t>(bytes->size()), bits, 0});
      }
    }
  }

  /// Of a number or null; else it is told what is wrong.
  std::optional<std::vector<std::uint8_t>> bytes_of_field(const ir::Parameter& field, const std::string& name,
                                                          const facts::ArgumentValue& value) {
    const auto* scalar = std::get_if<facts::ScalarValue>(&value);
    const bool is_null = scalar && (scalar->text == "0" || scalar->text == "null" || scalar->text == "NULL");
    if (!scalar || (field.is_pointer && !is_null)) {
      wrong_.push_back(fmt::format("'{}' is {}, and got {}", name,
                                   field.is_pointer ? "a pointer" : "no pointer",
                                   scalar ? "'" + scalar->text + "'" : "a buffer"));
      return std::nullopt;
    }
    if (field.is_pointer)
      return std::vector<std::uint8_t>(8);
    auto bytes = scalar_bytes(field, *scalar);
    if (!bytes) {
      wrong_.push_back(fmt::format("'{}': {}", name, bytes.error().message));
      return std::nullopt;
    }
    return *std::move(bytes);
  }

  /// A struct by value of which fields are given; what is not given comes from the struct's own argument.
  void bind_fields(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                   const facts::ArgumentValue* base) {
    const std::string name = label(parameter, k);
    std::vector<std::uint8_t> bytes(std::max(slots.size_bytes, parameter.size_bytes));
    if (const auto* scalar = base ? std::get_if<facts::ScalarValue>(base) : nullptr) {
      const auto given = scalar_bytes(parameter, *scalar);
      if (given)
        std::copy_n(given->begin(), std::min(given->size(), bytes.size()), bytes.begin());
      else
        wrong_.push_back(fmt::format("'{}': {}", name, given.error().message));
    }
    for (const ir::Parameter& field : parameter.fields) {
      const std::string full = inner_name(name, field);
      const facts::ArgumentValue* value = inner_value(full);
      if (!value && !base) {
        missing_.push_back(full);
        ir::Parameter named = field;
        named.name = full;
        examples_.push_back(example(named, k));
      }
      if (!value)
        continue;
      std::vector<std::uint8_t> part(8);
      if (const auto* buffer = std::get_if<facts::BufferValue>(value); buffer && field.is_pointer) {
        if (!check_type(field, full, k, *buffer))
          continue;
        const std::uint64_t address = place_buffer(field, full, *buffer).info.base;
        std::memcpy(part.data(), &address, sizeof address);
      } else if (auto number = bytes_of_field(field, full, *value)) {
        part = *std::move(number);
      } else {
        continue;
      }
      if (field.offset_bytes + part.size() <= bytes.size())
        std::copy(part.begin(), part.end(), bytes.begin() + field.offset_bytes);
    }
    set_bytes(parameter, slots, k, bytes);
  }

  void set_bytes(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                 std::vector<std::uint8_t>& bytes) {
    const std::string name = label(parameter, k);
    bytes.resize(std::max<std::size_t>(bytes.size(), slots.size_bytes));
    if (slots.by_value_memory) {
      Region& region = memory_.add(name, facts::MemorySpace::parameter, slots.size_bytes, 16, nullptr);
      std::copy_n(bytes.begin(), slots.size_bytes, region.flat);
      std::fill_n(region.flat_known, slots.size_bytes, std::uint8_t{0xFF});
      add_holder(parameter, k, region);
      return set(slots.components[0], region.info.base);
    }
    inner_.add(std::to_string(k), slots, out_.slots.size());
    inner_.add(name, slots, out_.slots.size());
    for (const auto& c : slots.components) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, bytes.data() + c.offset_bytes, std::min<std::size_t>(c.bytes, 8));
      set(c, bits);
    }
  }

  /// An image, or the number by which CUDA names a texture or surface: where its texels begin.
  void bind_image(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                  const facts::BufferValue& buffer) {
    const std::string name = label(parameter, k);
    if (!parameter.is_image && slots.size_bytes != 8) {
      wrong_.push_back(fmt::format("'{}' is {} and got an image", name, type_text(parameter)));
      return;
    }
    Region& region = memory_.add(name, facts::MemorySpace::global, buffer.size_in_bytes(), 512, &buffer);
    region.image = &*buffer.image;
    set(slots.components[0], region.info.base);
  }

  /// Its bits, as the program's own samplers have them.
  void bind_sampler(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                    const facts::ArgumentValue& value) {
    const auto* scalar = std::get_if<facts::ScalarValue>(&value);
    if (std::uint64_t bits = 0; scalar && scalar->bytes.size() == sizeof bits) {
      std::memcpy(&bits, scalar->bytes.data(), sizeof bits);
      return set(slots.components[0], bits);
    }
    wrong_.push_back(
        fmt::format("'{0}' is a sampler: {0}=sampler:linear:normalised:wrap", label(parameter, k)));
  }

  void add_holder(const ir::Parameter& parameter, std::size_t position, const Region& region) {
    inner_.add(std::to_string(position), region);
    if (!parameter.name.empty())
      inner_.add(parameter.name, region);
  }

  /// A tensor and the map that leads to it: by value, or behind a pointer.
  void bind_map(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                const facts::BufferValue& buffer) {
    const std::string name = label(parameter, k);
    const bool by_value = slots.by_value_memory && slots.size_bytes >= facts::tensor_map_bytes;
    if (!by_value && !slots.is_pointer) {
      wrong_.push_back(fmt::format("'{}' is no tensor map and got one ({})", name, example(parameter, k)));
      return;
    }
    Region& tensor = memory_.add(name, facts::MemorySpace::global, buffer.size_in_bytes(), 512, &buffer);
    out_.buffers.push_back(&tensor);
    facts::TensorMap map = *buffer.map;
    map.address = tensor.info.base;
    const auto bytes = facts::bytes_of(map);
    Region& region =
        memory_.add(name + ".map", by_value ? facts::MemorySpace::parameter : facts::MemorySpace::global,
                    bytes.size(), 64, nullptr);
    std::copy(bytes.begin(), bytes.end(), region.flat);
    std::fill_n(region.flat_known, bytes.size(), std::uint8_t{0xFF});
    set(slots.components[0], region.info.base);
  }

  void bind_scalar(const ir::Parameter& parameter, const ParameterSlots& slots, std::size_t k,
                   const facts::ScalarValue& value) {
    const std::string name = label(parameter, k);
    if (slots.is_pointer) {
      if (value.text == "0" || value.text == "null" || value.text == "NULL")
        return set(slots.components[0], 0);
      if (value.text.starts_with('&')) {
        inner_.lead(name, value, out_.slots.size());
        return set(slots.components[0], 0);
      }
      if (const auto n = number_for_pointer(parameter, value))
        return set(slots.components[0], *n);
      wrong_.push_back(
          fmt::format("'{}' is a pointer and got '{}' ({})", name, value.text, example(parameter, k)));
      return;
    }
    if (value.text == "unknown" && !slots.by_value_memory) {
      for (const auto& c : slots.components)
        set(c, 0, false);
      return;
    }
    Result<std::vector<std::uint8_t>> bytes = scalar_bytes(parameter, value);
    if (!bytes) {
      wrong_.push_back(fmt::format("'{}': {} ({})", name, bytes.error().message, example(parameter, k)));
      return;
    }
    set_bytes(parameter, slots, k, *bytes);
  }

  void place_static_shared() {
    out_.variable_addresses.assign(program_.variables.size(), 0);
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const Variable& variable = program_.variables[v];
      if (variable.space != facts::MemorySpace::shared || variable.dynamic_shared)
        continue;
      out_.shared_bytes = align_up(out_.shared_bytes, variable.align_bytes);
      out_.variable_addresses[v] = shared_window + out_.shared_bytes;
      out_.shared_regions.push_back(
          {variable.name, facts::MemorySpace::shared, out_.variable_addresses[v], variable.size_bytes});
      out_.shared_bytes += variable.size_bytes;
    }
  }

  void place_dynamic_shared() {
    bool placed = false;
    out_.shared_bytes = align_up(out_.shared_bytes, 16);
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      if (!program_.variables[v].dynamic_shared)
        continue;
      out_.variable_addresses[v] = shared_window + out_.shared_bytes;
      if (!placed)
        out_.shared_regions.push_back({program_.variables[v].name, facts::MemorySpace::shared,
                                       out_.variable_addresses[v], shape_.dynamic_shared_bytes});
      placed = true;
    }
    out_.shared_bytes += shape_.dynamic_shared_bytes;
  }

  /// Module variables in global and constant memory. A launch may give contents under the variable's name.
  void place_variables() {
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      const Variable& variable = program_.variables[v];
      if (variable.space == facts::MemorySpace::shared)
        continue;
      const facts::BufferValue* given = nullptr;
      auto found = launch_.arguments.find(variable.name);
      if (found == launch_.arguments.end())
        found = launch_.arguments.find(":" + variable.name);
      if (found != launch_.arguments.end()) {
        given = std::get_if<facts::BufferValue>(&found->second);
        used_.insert(found->first);
      }
      if (given && given->size_in_bytes() < variable.size_bytes) {
        wrong_.push_back(fmt::format("'{}' has {} bytes, the buffer for it only {}", variable.name,
                                     variable.size_bytes, given->size_in_bytes()));
        given = nullptr;
      }
      if (!given && !variable.contents_known && variable.size_bytes > largest_flat_bytes)
        given = &out_.large_variables.emplace_back(
            facts::BufferValue{facts::ScalarType::u8, variable.size_bytes, {}});
      Region& region = memory_.add(variable.name, variable.space,
                                   given && given->image ? given->size_in_bytes() : variable.size_bytes,
                                   variable.align_bytes, given);
      out_.variable_addresses[v] = region.info.base;
      inner_.add(":" + variable.name, region);
      if (given && given->image) // a texture reference
        region.image = &*given->image;
      if (!given && variable.contents_known) {
        std::copy(variable.contents.begin(), variable.contents.end(), region.flat);
        std::fill_n(region.flat_known, variable.size_bytes, std::uint8_t{0xFF});
      }
    }
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      for (const Variable::Relocation& r : program_.variables[v].relocations)
        if (Region* region = memory_.find(out_.variable_addresses[v]); region && region->flat) {
          const std::uint64_t address = out_.variable_addresses[r.variable] + r.addend;
          std::memcpy(region->flat + r.offset, &address, sizeof address);
        }
  }

  void check_surplus() {
    std::vector<std::string> surplus = surplus_arguments(kernel_, launch_, used_);
    std::move(surplus.begin(), surplus.end(), std::back_inserter(wrong_));
  }

  tl::unexpected<Error> report() const {
    std::string message;
    if (!missing_.empty())
      message = fmt::format("no value for {} of kernel '{}'", fmt::join(missing_, ", "), kernel_.name);
    if (!wrong_.empty())
      message += fmt::format("{}{}", message.empty() ? "" : "; ", fmt::join(wrong_, "; "));
    return fail(ErrorCode::launch, message, "--arg",
                examples_.empty() ? "`forewarp template` writes a launch file with all arguments of a kernel"
                                  : fmt::format("for example: {}", fmt::join(examples_, " ")));
  }

  const Program& program_;
  const ir::KernelSignature& kernel_;
  const facts::Launch& launch_;
  const facts::LaunchShape& shape_;
  MemoryMap& memory_;
  Binding out_;
  InnerPointers inner_;
  std::set<std::string> used_;
  std::vector<std::string> missing_, examples_, wrong_;
};

} // namespace

Result<Binding> bind_arguments(const Program& program, const ir::KernelSignature& kernel,
                               const facts::Launch& launch, const facts::LaunchShape& shape,
                               MemoryMap& memory) {
  return Binder(program, kernel, launch, shape, memory).bind();
}

} // namespace forewarp::simt
