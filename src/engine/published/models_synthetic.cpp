// The kernels made to measure one thing, with lambda and Lambda of a GPU file.
#include "engine/published/models.h"
#include "gpu/dram_rates.h"
#include "pipeline/synthetic_kernels.h"
#include "support/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace forewarp::engine {
namespace {

using pipeline::InstructionTiming;

constexpr unsigned most_number = 1024;
constexpr double waves = 8; ///< groups an SM gets, in times the resident ones

InstructionTiming timing_of(const gpu::Machine& machine, facts::OpClass op) {
  const gpu::OpTiming& timing = machine.timing(op);
  const bool each = machine.units[static_cast<std::size_t>(timing.unit)].per_scheduler;
  return {timing.issue_cycles / (each ? machine.schedulers_per_sm : 1), timing.latency_cycles};
}

/// Four-byte loads that all go to DRAM (P section 4.3).
InstructionTiming load_timing(const gpu::Machine& machine) {
  const double bytes_per_cycle =
      gpu::bytes_per_cycle(machine, machine.memory.dram_read_gbps) / machine.sm_count;
  return {machine.warp_width * 4.0 / bytes_per_cycle, machine.memory.dram_latency_cycles};
}

/// Groups of eight warps that fill the SM.
pipeline::SyntheticLaunch full_launch(const gpu::Machine& machine) {
  constexpr double warps = 8;
  const double resident = std::clamp(std::floor(machine.limits.max_warps_per_sm / warps), 1.0,
                                     std::max(1.0, static_cast<double>(machine.limits.max_groups_per_sm)));
  return {warps, resident, resident * waves * machine.sm_count,
          machine.schedulers_per_sm * machine.issue_per_scheduler};
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == ':')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

tl::unexpected<Error> wrong(const std::string& message, const std::string& hint) {
  return fail(ErrorCode::usage, message, "--synthetic", hint);
}

Result<unsigned> number_of(const std::vector<std::string>& words, unsigned fallback) {
  if (words.size() < 2)
    return fallback;
  unsigned value = 0;
  const std::string& text = words[1];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value == 0 || value > most_number)
    return wrong(fmt::format("'{}' is not a number from 1 to {}", text, most_number),
                 "for example instruction-mix:4");
  return value;
}

Result<facts::ModelFacts> mix(const std::vector<std::string>& words, unsigned beta,
                              const gpu::Machine& machine, pipeline::SyntheticLaunch launch) {
  const std::string variant = words.size() > 2 ? words[2] : "limited";
  if (variant != "one" && variant != "two" && variant != "limited")
    return wrong(fmt::format("unknown form '{}' of the instruction mix", variant),
                 "one (subsystem), two, or limited (two with the issue limit)");
  if (variant != "limited")
    launch.issue_limit = 0;
  constexpr unsigned instructions = 512; // of a warp
  return pipeline::instruction_mix(beta, std::max(4U, instructions / (beta + 1)),
                                   timing_of(machine, facts::OpClass::fp32_fma),
                                   timing_of(machine, facts::OpClass::sfu), variant == "one", launch);
}

} // namespace

Result<ModelInput> synthetic_input(const std::string& kernel, const gpu::GpuChoice& choice,
                                   const PredictRequest& request) {
  auto input = model_input({}, choice, request);
  FOREWARP_TRY(input);
  const gpu::Machine& machine = input->machine;
  const std::vector<std::string> words = split(kernel);
  const std::vector<std::string> names = {"instruction-mix", "iterative-barrier", "memory-parallelism"};
  if (std::find(names.begin(), names.end(), words[0]) == names.end())
    return wrong(
        fmt::format("there is no synthetic kernel '{}'", words[0]),
        fmt::format("did you mean {}?", nearest_names(words[0], names, 1).empty()
                                            ? "instruction-mix, iterative-barrier or memory-parallelism"
                                            : nearest_names(words[0], names, 1).front()));
  const auto number = number_of(words, words[0] == names[1] ? 64 : words[0] == names[0] ? 4 : 1);
  FOREWARP_TRY(number);
  const pipeline::SyntheticLaunch launch = full_launch(machine);
  if (words[0] == names[0]) {
    auto facts = mix(words, *number, machine, launch);
    FOREWARP_TRY(facts);
    input->facts = *std::move(facts);
  } else if (words[0] == names[1]) {
    InstructionTiming barrier = timing_of(machine, facts::OpClass::barrier);
    barrier.latency_cycles = std::max(barrier.latency_cycles, machine.fixed.barrier_latency_cycles);
    input->facts =
        pipeline::iterative_barrier(*number, timing_of(machine, facts::OpClass::fp32_fma), barrier, launch);
  } else {
    input->facts = pipeline::memory_parallelism(*number, 32, load_timing(machine), launch);
  }
  input->facts.gpu = machine.name;
  input->facts.warp_width = machine.warp_width;
  return input;
}

} // namespace forewarp::engine
