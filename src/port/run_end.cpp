#include "port/run_end.h"

#include <fmt/format.h>

#include <cstring>

namespace forewarp::port {
namespace {

std::string signal_word(int number) {
  const char* text = strsignal(number);
  return text ? text : "signal " + std::to_string(number);
}

/// ": 'usage: N FILE'"; "" when the program said nothing.
std::string last_words(const RunResult& run) {
  return run.last_words.empty() ? "" : fmt::format(" ('{}')", run.last_words);
}

std::uint32_t line_of_block(const facts::RegionTrace& trace, std::uint32_t block) {
  if (block >= trace.blocks.size())
    return trace.location.line;
  const facts::RegionBlock& described = trace.blocks[block];
  for (std::uint32_t i = 0; i < described.instruction_count; ++i)
    if (const auto line = trace.instructions[described.first_instruction + i].location.line; line != 0)
      return line;
  return trace.location.line;
}

} // namespace

std::string end_words(const RunResult& run, const Budget& budget) {
  switch (run.end) {
  case RunResult::End::signal:
    return "the program crashed (" + signal_word(run.code) + ")";
  case RunResult::End::exited:
    return run.message.empty() ? fmt::format("the program ended itself with exit({})", run.code)
                               : run.message;
  case RunResult::End::time_budget:
    return fmt::format("the program still ran after {:g} s", budget.seconds);
  case RunResult::End::lost:
    return "the program's process ended without an answer";
  default:
    return {};
  }
}

std::string end_remedy(const RunResult& run) {
  switch (run.end) {
  case RunResult::End::signal:
    return "run the program by itself first; a debugger shows the place";
  case RunResult::End::time_budget:
    return "trace a smaller problem (-D), scale it with --size, or raise --max-seconds";
  case RunResult::End::exited:
    return run.message.empty() ? "let the loop run to its end" : "let one thread run the loop to its end";
  default:
    return "";
  }
}

std::string place_of(const facts::RegionTrace& trace) {
  return fmt::format("{}:{}", trace.files[trace.location.file], trace.location.line);
}

Error problem_of_end(const RunResult& run, std::size_t index, const facts::RegionTrace& trace,
                     const Budget& budget) {
  const std::string words = end_words(run, budget);
  if (words.empty())
    return {ErrorCode::internal, "", "", ""};
  const ErrorCode code = run.end == RunResult::End::time_budget ? ErrorCode::budget : ErrorCode::kernel_fault;
  if (run.region == static_cast<int>(index) && !run.message.empty())
    return {code, words, place_of(trace), end_remedy(run)};
  if (run.region == static_cast<int>(index))
    return {code,
            fmt::format("{} inside the region, near line {}{}", words, line_of_block(trace, run.block),
                        last_words(run)),
            place_of(trace), end_remedy(run)};
  if (trace.launches.empty() && run.end != RunResult::End::exited)
    return {code, words + " before the region was reached" + last_words(run), place_of(trace),
            end_remedy(run)};
  return {ErrorCode::internal, "", "", ""};
}

Error never_executed(const RunResult& run, const facts::RegionTrace& trace) {
  std::string how;
  if (run.end == RunResult::End::exited || run.code != 0)
    how = fmt::format("; the program ended with {}{}", run.code, last_words(run));
  return {
      ErrorCode::bad_input, "the region was never executed" + how, place_of(trace),
      "give the program the input (-D, words for main after --, --run-input FILE) with which it gets there"};
}

} // namespace forewarp::port
