#include "pipeline/program_source.h"

#include <algorithm>

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
  std::uint32_t register_count() const override { return program_->register_count; }

private:
  std::shared_ptr<const Program> program_;
  std::size_t next_ = 0;
};

} // namespace

std::unique_ptr<GroupStreams> ProgramSource::next() {
  if (left_ == 0)
    return nullptr;
  --left_;
  auto group = std::make_unique<GroupStreams>();
  for (const auto& program : warps_) {
    group->warps.push_back(std::make_unique<ProgramStream>(program));
    for (const Instruction& instruction : program->instructions) {
      if (instruction.meeting == no_meeting || instruction.kind == Instruction::Kind::wait)
        continue;
      group->arrivals.resize(std::max<std::size_t>(group->arrivals.size(), instruction.meeting + 1));
      ++group->arrivals[instruction.meeting];
    }
  }
  return group;
}

} // namespace forewarp::pipeline
