#include "symbolic/kernel/kernel_values.h"

#include "symbolic/kernel/kernel_reader.h"

namespace forewarp::symbolic {

KernelValues::KernelValues(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                           ValueOptions options)
    : reader_(std::make_unique<KernelReader>(module, kernel, std::move(options))) {}
KernelValues::~KernelValues() = default;

Expression KernelValues::value(const llvm::Value* value) const {
  return reader_->value(value);
}
Address KernelValues::address(std::uint32_t site) const {
  return reader_->address(site);
}
const std::vector<Loop>& KernelValues::loops() const {
  return reader_->loops_;
}
std::size_t KernelValues::block_count() const {
  return reader_->flow_.successors.size();
}
std::uint32_t KernelValues::loop_of(std::uint32_t block) const {
  return reader_->flow_.loop[block];
}
const std::vector<std::uint32_t>& KernelValues::successors(std::uint32_t block) const {
  return reader_->flow_.successors[block];
}
const Condition& KernelValues::reached(std::uint32_t block) const {
  return reader_->reached(block);
}
Condition KernelValues::entered(std::uint32_t loop) const {
  const std::uint32_t header = reader_->loops_[loop].header;
  return reader_->entered(header, reader_->parent_of(header));
}
Condition KernelValues::taken(std::uint32_t from, std::uint32_t to) const {
  return reader_->taken(from, to);
}
const std::vector<Fit>& KernelValues::exact_while() const {
  return reader_->fits_;
}
Condition KernelValues::computed(const Fit& fit) const {
  const bool at_entry = fit.loop != no_loop;
  Condition when = at_entry ? entered(fit.loop) : reached(fit.block);
  for (std::uint32_t l = at_entry ? loops()[fit.loop].parent : loop_of(fit.block); l != no_loop;
       l = loops()[l].parent)
    when = both(when, entered(l));
  return when;
}

} // namespace forewarp::symbolic
