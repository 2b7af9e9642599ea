#include "cli/commands/sass_amd.h"

#include "engine/code_object.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace forewarp::cli {
namespace {

std::string resources_text(const facts::CodeObjectKernel& kernel) {
  return fmt::format(
      "{} VGPRs, {} AGPRs, {} SGPRs, {} + {} spilled, {} B of LDS, {} B of scratch, waves of {}, groups of "
      "up to {}",
      kernel.vgprs, kernel.agprs, kernel.sgprs, kernel.spilled_vgprs, kernel.spilled_sgprs, kernel.lds_bytes,
      kernel.scratch_bytes, kernel.wave_size, kernel.largest_group);
}

std::string names_text(const facts::CodeObject& object) {
  std::string text;
  for (const facts::CodeObjectKernel& kernel : object.kernels)
    text += fmt::format("{}  {}  {}\n", kernel.name, object.target, resources_text(kernel));
  return text;
}

std::string listing_of(const facts::CodeObjectKernel& kernel) {
  std::string text = fmt::format("// {}: {}\n", kernel.name, resources_text(kernel));
  for (const auto& [op, count] : kernel.counts())
    text += fmt::format("// {:>6} {}\n", count, to_string(op));
  for (const facts::CodeObjectLine& line : kernel.lines)
    text += fmt::format("{:06x}  {:<18}{}\n", line.offset, line.op ? to_string(*line.op) : "-", line.text);
  return text;
}

std::string json_of(const facts::CodeObjectKernel& kernel) {
  nlohmann::ordered_json lines = nlohmann::ordered_json::array(), counts = nlohmann::ordered_json::object();
  for (const auto& [op, count] : kernel.counts())
    counts[std::string(to_string(op))] = count;
  for (const facts::CodeObjectLine& line : kernel.lines)
    lines.push_back(
        {{"offset", line.offset},
         {"text", line.text},
         {"class", line.op ? nlohmann::ordered_json(to_string(*line.op)) : nlohmann::ordered_json(nullptr)}});
  const nlohmann::ordered_json all = {{"kernel", kernel.name},
                                      {"vgprs", kernel.vgprs},
                                      {"agprs", kernel.agprs},
                                      {"sgprs", kernel.sgprs},
                                      {"spilled_vgprs", kernel.spilled_vgprs},
                                      {"spilled_sgprs", kernel.spilled_sgprs},
                                      {"lds_bytes", kernel.lds_bytes},
                                      {"scratch_bytes", kernel.scratch_bytes},
                                      {"wave_size", kernel.wave_size},
                                      {"largest_group", kernel.largest_group},
                                      {"counts", counts},
                                      {"instructions", lines}};
  return all.dump(2) + "\n";
}

} // namespace

Result<std::string> code_object_text(const std::string& path, const std::string& kernel, bool list,
                                     bool json) {
  if (list) {
    const auto object = engine::read_code_object(path);
    FOREWARP_TRY(object);
    return names_text(*object);
  }
  const auto chosen = engine::code_object_kernel(path, kernel);
  FOREWARP_TRY(chosen);
  return json ? json_of(*chosen) : listing_of(*chosen);
}

} // namespace forewarp::cli
