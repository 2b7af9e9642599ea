#include "program/build_options.h"

#include <filesystem>

namespace forewarp::program {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      inside = true;
    } else if (c == '\\' && quote != '\'' && k + 1 < text.size()) {
      word += text[++k];
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside)
        words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside)
    words.push_back(std::move(word));
  return words;
}

} // namespace

void read_build_options(const std::string& options, const std::string& folder,
                        engine::SourceRequest& source) {
  const std::vector<std::string> words = words_of(options);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    const bool apart = word == "-D" || word == "-I";
    if ((word.starts_with("-D") || word.starts_with("-I")) && !(apart && k + 1 == words.size())) {
      const std::string value = apart ? words[++k] : word.substr(2);
      if (word[1] == 'D')
        source.defines.push_back(value);
      else
        source.include_directories.push_back((std::filesystem::path(folder) / value).string());
    } else if (word.starts_with("-cl-std=")) {
      source.standard = word.substr(8);
    } else if (word != "-cl-kernel-arg-info" && word != "-w") {
      source.extra_options.push_back(word);
    }
  }
}

} // namespace forewarp::program
