#include "simt/exec/group_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace forewarp::simt {

void RegisterFile::allocate(std::size_t slots, std::size_t slot_bytes) {
  const std::size_t bytes = std::max<std::size_t>(slots, 1) * slot_bytes;
  data.reset(static_cast<std::uint8_t*>(::operator new[](bytes, std::align_val_t{64})));
  std::memset(data.get(), 0, bytes);
  known.assign(std::max<std::size_t>(slots, 1), 0);
}

GroupState::GroupState(const Program& of, const facts::LaunchShape& launch, const RunOptions& run_options,
                       MemoryMap& map, std::uint64_t bytes)
    : program(of), shape(launch), options(run_options),
      asked_only(run_options.asked_values_only && !run_options.whole_grid), memory(map), shared_bytes(bytes) {
  context.chunks = program.warp_width / 32;
  slot_bytes = static_cast<std::size_t>(context.chunks) * slot_bytes_per_chunk;
  shared_registers.allocate(program.shared_slots, slot_bytes);
  context.data[1] = shared_registers.data.get();
  context.known[1] = shared_registers.known.data();
}

bool GroupState::charge(std::uint64_t instructions, std::uint32_t location) {
  constexpr std::uint64_t instructions_between_clock_checks = 1 << 20;
  const std::uint64_t before = budget.instructions;
  budget.instructions += instructions;
  if (budget.instructions > options.max_instructions)
    return fail_with(
        ErrorCode::budget,
        fmt::format("more than {} warp instructions were run; the kernel was here", options.max_instructions),
        location, "raise --max-instructions, sample fewer groups, or settle an endless loop's trip count");
  if (before / instructions_between_clock_checks != budget.instructions / instructions_between_clock_checks) {
    if (thread_cpu_s() - budget.start_s > options.max_seconds)
      return fail_with(
          ErrorCode::budget,
          fmt::format("the interpreter ran for more than {} s of processor time; the kernel was here",
                      options.max_seconds),
          location, "raise --max-seconds or sample fewer groups");
  }
  return true;
}

bool GroupState::fail_with(ErrorCode code, std::string message, std::uint32_t origin, std::string hint) {
  if (!error)
    error = Error{code, std::move(message), place(origin), std::move(hint)};
  return false;
}

std::string GroupState::place(std::uint32_t origin) const {
  const facts::SourceLocation at = program.locations[origin];
  if (at.line == 0 || at.file >= program.files.size())
    return {};
  return fmt::format("{}:{}:{}", program.files[at.file], at.line, at.column);
}

void GroupState::note_once(facts::Note::Severity severity, std::uint32_t location, const std::string& text,
                           const std::string& remedy) {
  note({severity, text, program.locations[location], remedy});
}

void GroupState::note_unknown(std::uint32_t location, const std::string& text, const std::string& remedy) {
  note({facts::Note::Severity::assumption, text, program.locations[location], remedy, true});
}

bool GroupState::is_new(std::uint32_t location, NoteKind kind) {
  seen_kinds_.resize(program.locations.size());
  const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
  const bool is_first = (seen_kinds_[location] & bit) == 0;
  seen_kinds_[location] |= bit;
  return is_first;
}

void GroupState::note(facts::Note note) {
  if (noted_.insert({note.location.line, note.text}).second)
    notes_.push_back(std::move(note));
}

} // namespace forewarp::simt
