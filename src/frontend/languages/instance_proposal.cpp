#include "frontend/languages/instance_proposal.h"

namespace forewarp::frontend {
namespace {

constexpr std::string_view front =
    "kernel templates without an instance; --kernel with template arguments makes one: --kernel '";
constexpr std::string_view others = "'; all: ";

} // namespace

std::string hint_of_instances(const std::vector<std::string>& kernels) {
  std::string hint = std::string(front) + kernels.front() + "'";
  for (std::size_t k = 0; kernels.size() > 1 && k < kernels.size(); ++k)
    hint += (k == 0 ? "; all: " : ", ") + kernels[k];
  return hint;
}

std::optional<InstanceProposal> proposed_instance(const Error& error) {
  if (!error.hint.starts_with(front))
    return std::nullopt;
  const std::string_view rest = std::string_view(error.hint).substr(front.size());
  const std::size_t end = rest.find('\'');
  if (end == std::string_view::npos)
    return std::nullopt;
  return InstanceProposal{std::string(rest.substr(0, end)), !rest.substr(end).starts_with(others)};
}

} // namespace forewarp::frontend
