// forewarp gpus [show|check|diff]: the catalogue.
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "gpu/describe.h"
#include "report/gpu_text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

struct GpusOptions {
  std::vector<std::string> names;
};

Result<void> list() {
  const auto catalogue = gpu::Catalogue::load_default();
  FOREWARP_TRY(catalogue);
  return write_output(report::gpu_list_text(gpu::list(*catalogue)));
}

Result<void> show(const GpusOptions& words) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  std::string text;
  for (const std::string& name : words.names) {
    const auto choice = catalogue->find(name);
    FOREWARP_TRY(choice);
    text += (text.empty() ? "" : "\n") + report::gpu_file_text(choice->file, choice->note);
  }
  return write_output(text);
}

/// Reads with the schema's checks, then resolves: a file that passes can be predicted for.
Result<void> check(const GpusOptions& words) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  for (const std::string& name : words.names) {
    const bool is_path = name.find('/') != std::string::npos || name.ends_with(".toml");
    const auto choice = catalogue->find(is_path ? name : "./" + name);
    FOREWARP_TRY(choice);
    const auto report = gpu::check(choice->file);
    FOREWARP_TRY(report);
    FOREWARP_TRY(write_output(report::gpu_check_text(name, *report)));
  }
  return {};
}

Result<void> diff(const GpusOptions& words) {
  const auto catalogue = gpu::Catalogue::open_default();
  FOREWARP_TRY(catalogue);
  const auto left = catalogue->find(words.names[0]);
  FOREWARP_TRY(left);
  const auto right = catalogue->find(words.names[1]);
  FOREWARP_TRY(right);
  return write_output(
      report::gpu_diff_text(left->file.name, right->file.name, gpu::diff(left->file, right->file)));
}

} // namespace

void add_gpus(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<GpusOptions>();
  CLI::App* gpus = root.add_subcommand("gpus", "The catalogue of GPUs; alone, it lists them");
  gpus->allow_extras();
  gpus->require_subcommand(0, 1);
  actions.push_back({gpus, list});
  const auto add = [&](const char* name, const char* summary, const char* positional, const char* what,
                       int count, Result<void> (*run)(const GpusOptions&)) {
    CLI::App* command = gpus->add_subcommand(name, summary);
    command->allow_extras(count > 0);
    command->add_option(positional, words->names, what)->required()->expected(count);
    actions.push_back({command, [words, run] { return run(*words); }});
  };
  CLI::App* listing = gpus->add_subcommand("list", "All GPUs with their short names");
  actions.push_back({listing, list});
  add("show", "Every value of a GPU with unit, source and reference", "NAME",
      "name, short name or .toml file", -1, show);
  add("check", "Reads GPU files and checks them against the schema", "FILE", "GPU files (.toml)", -1, check);
  add("diff", "Values in which two GPUs differ", "NAME", "two names or .toml files", 2, diff);
}

} // namespace forewarp::cli
