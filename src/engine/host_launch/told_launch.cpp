#include "engine/host_launch/told_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>

namespace forewarp::engine {
namespace {

bool writes_results(const facts::MemorySite& site) {
  return site.kind != facts::AccessKind::load &&
         (site.space == facts::MemorySpace::global || site.space == facts::MemorySpace::texture);
}

std::optional<facts::Note> nothing_done(const facts::Prediction& prediction) {
  const bool reaches_memory = std::ranges::any_of(prediction.sites, [](const facts::MemorySite& site) {
    return site.space == facts::MemorySpace::global;
  });
  const bool has_results = std::ranges::any_of(prediction.sites, writes_results);
  const bool wrote = std::ranges::any_of(prediction.memory, [&](const facts::SiteProfile& profile) {
    return profile.requests > 0 && profile.site < prediction.sites.size() &&
           writes_results(prediction.sites[profile.site]);
  });
  const bool touches_nothing = reaches_memory && prediction.l2_bytes == 0;
  if (!touches_nothing && (!has_results || wrote))
    return std::nullopt;
  return facts::Note{
      facts::Note::Severity::info,
      fmt::format("with these arguments no work-item {}: the time is that of a launch that does "
                  "nothing",
                  touches_nothing ? "touches global memory" : "writes anything"),
      {},
      "--arg NAME=VALUE"};
}

/// Often a kernel whose results nobody takes. Of other models' predictions the sites are not known.
std::optional<facts::Note> no_memory(const PredictRequest& request, const facts::Prediction& prediction) {
  if (request.model != predict::default_predictor || !prediction.sites.empty())
    return std::nullopt;
  return facts::Note{facts::Note::Severity::info,
                     "the kernel, as it is compiled, neither reads nor writes memory: the time is that of a "
                     "launch that leaves nothing behind",
                     {},
                     "write a result where the compiler left the work out"};
}

/// 0: the file does not say.
double memory_bytes(const gpu::GpuFile& file) {
  const auto found = file.values.find("dram_size_gb");
  const double* gigabytes = found == file.values.end() ? nullptr : std::get_if<double>(&found->second.value);
  return gigabytes ? *gigabytes * (1ULL << 30) : 0;
}

std::optional<facts::Note> beyond_memory(const facts::Launch& launch, const gpu::GpuFile& file) {
  double bytes = 0;
  for (const auto& [name, value] : launch.arguments)
    if (const auto* buffer = std::get_if<facts::BufferValue>(&value))
      bytes += static_cast<double>(buffer->size_in_bytes());
  const double most = memory_bytes(file);
  if (most == 0 || bytes <= most)
    return std::nullopt;
  return facts::Note{
      facts::Note::Severity::assumption,
      fmt::format("the buffers of this launch have {:.4g} GB, and the GPU has {:.4g}: it cannot "
                  "be started there with these sizes",
                  bytes / 1e9, most / 1e9),
      {},
      "--arg NAME=buffer:TYPE[COUNT], --host-args \"...\""};
}

} // namespace

void tell_of_launch(const PredictRequest& request, std::vector<facts::Prediction>& predictions) {
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    for (auto& note : {nothing_done(predictions[k]), no_memory(request, predictions[k])})
      if (note)
        predictions[k].notes.push_back(*note);
    if (predictions.size() == request.gpus.size())
      if (auto note = beyond_memory(request.launch, request.gpus[k].file))
        predictions[k].notes.push_back(*std::move(note));
  }
}

} // namespace forewarp::engine
