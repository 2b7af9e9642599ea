#include "cli/commands/open_texts.h"

namespace forewarp::cli {

Result<std::optional<launch::LaunchTexts>> open_texts(const PredictWords& words) {
  if (words.launch_file.empty())
    return std::optional<launch::LaunchTexts>();
  auto texts = launch::read_launch_texts(words.launch_file);
  FOREWARP_TRY(texts);
  if (!words.global.empty() || !words.grid.empty())
    texts->global.clear(), texts->grid.clear();
  if (!words.local.empty())
    texts->local.clear();
  for (const std::string& argument : words.arguments)
    texts->arguments.erase(argument.substr(0, argument.find('=')));
  return std::optional(*std::move(texts));
}

} // namespace forewarp::cli
