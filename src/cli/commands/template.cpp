// forewarp template: a launch file for a kernel, filled in.
#include "cli/commands/commands.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "engine/host_launch/first_answer.h"
#include "launch/write_launch_file.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

/// As a launch file in the folder of `output` has to name it.
std::string source_from(const std::string& source, const std::string& output) {
  const auto folder =
      output.empty() ? std::filesystem::current_path() : std::filesystem::absolute(output).parent_path();
  return std::filesystem::absolute(source)
      .lexically_normal()
      .lexically_relative(folder.lexically_normal())
      .string();
}

/// Parameters in the kernel's order, with their types as comments.
void describe(const engine::KernelDescription& kernel, launch::LaunchFileParts& parts) {
  for (std::size_t k = 0; k < kernel.parameters.size(); ++k) {
    const auto& [name, type_name, space, is_pointer, scalar] = kernel.parameters[k];
    const std::string position = std::to_string(k);
    const std::string key = parts.launch.arguments.contains(name) ? name : position;
    parts.order.push_back(key);
    parts.comments["argument " + key] =
        (space.empty() ? "" : space + " ") + type_name + (key == name ? "" : " " + name);
  }
}

/// Sizes and arguments hang on the GPU as little as the source does: the catalogue's first.
Result<std::vector<gpu::GpuChoice>> any_gpu() {
  const auto catalogue = gpu::Catalogue::load_default();
  FOREWARP_TRY(catalogue);
  return std::vector{gpu::GpuChoice{catalogue->files().front()}};
}

Result<void> write_template(const PredictWords& words) {
  auto request = make_request(words);
  FOREWARP_TRY(request);
  auto gpus = words.gpus.empty() ? any_gpu() : choose_gpus(words.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  const auto host = make_host_source(words);
  FOREWARP_TRY(host);
  const auto complete = engine::template_request(*request, *host);
  FOREWARP_TRY(complete);
  launch::LaunchFileParts parts;
  const engine::SourceRequest& source = complete->request.compile;
  parts.source = source_from(source.path, words.output);
  parts.kernel = complete->request.kernel;
  parts.standard = source.standard;
  parts.defines = source.defines;
  for (const std::string& folder : source.include_directories)
    parts.include_directories.push_back(source_from(folder, words.output));
  parts.options = source.extra_options;
  parts.launch = complete->request.launch;
  parts.outside_reads_zero = complete->request.run.outside_reads_zero;
  parts.head.push_back("A launch for `forewarp predict --launch`. What was assumed:");
  for (const facts::Note& note : complete->notes)
    if (note.severity == facts::Note::Severity::assumption)
      parts.head.push_back("- " + note.text);
  const auto kernels = engine::list_kernels(complete->request);
  FOREWARP_TRY(kernels);
  for (const engine::KernelDescription& kernel : *kernels)
    if (kernel.name == parts.kernel || kernels->size() == 1)
      describe(kernel, parts);
  return write_output(launch::launch_file_text(parts), words.output);
}

} // namespace

void add_template(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<PredictWords>();
  CLI::App* app =
      root.add_subcommand("template", "Writes a launch file for a kernel, filled in and valid as it stands");
  app->allow_extras();
  app->footer("Example:\n  forewarp template app.cu --kernel scale -o launch.toml\n"
              "  forewarp predict --launch launch.toml --gpu h100");
  add_request_options(*app, *words);
  add_host_options(*app, *words);
  app->add_option("-o,--output", words->output, "File for the launch instead of standard output")
      ->group("Answer");
  actions.push_back({app, [words] { return write_template(*words); }});
}

} // namespace forewarp::cli
