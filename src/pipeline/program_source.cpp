#include "pipeline/program_source.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace forewarp::pipeline {
namespace {

class ProgramStream final : public WarpStream {
public:
  explicit ProgramStream(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  bool next(Instruction& out) override { return fill(&out, 1) == 1; }
  std::size_t fill(Instruction* out, std::size_t count) override {
    const std::size_t made = std::min(count, program_->instructions.size() - next_);
    std::copy_n(program_->instructions.begin() + static_cast<std::ptrdiff_t>(next_), made, out);
    next_ += made;
    return made;
  }
  std::span<const Instruction> stretch(std::span<Instruction>) override {
    const std::size_t from = std::exchange(next_, program_->instructions.size());
    return std::span(program_->instructions).subspan(from);
  }
  std::uint32_t register_count() const override { return program_->register_count; }

private:
  std::shared_ptr<const Program> program_;
  std::size_t next_ = 0;
};

/// By instruction: which sources nothing reads later (bit each), and whether anything reads the result.
struct Uses {
  std::uint8_t last_of_source = 0;
  bool result_read = false;
};

std::vector<Uses> uses_of(const Program& program) {
  std::vector<Uses> uses(program.instructions.size());
  std::vector<std::uint8_t> read_later(program.register_count, 0);
  for (std::size_t i = uses.size(); i-- > 0;) {
    const Instruction& in = program.instructions[i];
    if (in.destination != no_register)
      uses[i].result_read = std::exchange(read_later[in.destination], 0) != 0;
    for (unsigned s = in.source_count; s-- > 0;)
      if (std::exchange(read_later[in.sources[s]], 1) == 0)
        uses[i].last_of_source |= static_cast<std::uint8_t>(1U << s);
  }
  return uses;
}

} // namespace

void use_few_registers(Program& program) {
  const std::vector<Uses> uses = uses_of(program);
  std::vector<std::uint32_t> held_by(program.register_count, no_register), free;
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < uses.size(); ++i) {
    Instruction& in = program.instructions[i];
    unsigned kept = 0;
    for (unsigned s = 0; s < in.source_count; ++s) {
      std::uint32_t& holder = held_by[in.sources[s]];
      if (holder == no_register) // never written: ready from the start
        continue;
      in.sources[kept++] = holder;
      if (uses[i].last_of_source >> s & 1U)
        free.push_back(std::exchange(holder, no_register));
    }
    in.source_count = static_cast<std::uint8_t>(kept);
    if (in.destination == no_register)
      continue;
    if (!uses[i].result_read) {
      in.destination = no_register;
      continue;
    }
    if (free.empty())
      free.push_back(count++);
    held_by[in.destination] = free.back();
    in.destination = free.back();
    free.pop_back();
  }
  program.register_count = count;
}

std::unique_ptr<WarpStream> stream_of(std::shared_ptr<const Program> program) {
  return std::make_unique<ProgramStream>(std::move(program));
}

std::unique_ptr<GroupStreams> ProgramSource::next() {
  if (left_ == 0)
    return nullptr;
  --left_;
  auto group = std::make_unique<GroupStreams>();
  for (const auto& program : warps_)
    group->warps.push_back(std::make_unique<ProgramStream>(program));
  return group;
}

} // namespace forewarp::pipeline
