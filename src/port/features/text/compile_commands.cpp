#include "port/features/text/compile_commands.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace forewarp::port {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& command) {
  llvm::BumpPtrAllocator allocator;
  llvm::StringSaver saver(allocator);
  llvm::SmallVector<const char*> pieces;
  llvm::cl::TokenizeGNUCommandLine(command, saver, pieces);
  return {pieces.begin(), pieces.end()};
}

std::string absolute(const std::string& path, const std::string& folder) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::path(folder) / path)
      .lexically_normal()
      .string();
}

/// A word that may stand apart from its value.
bool takes_value(const std::string& word) {
  for (const char* known : {"-D", "-U", "-I", "-isystem", "-iquote", "-include", "-idirafter"})
    if (word == known)
      return true;
  return false;
}
bool is_folder(const std::string& word) {
  return word != "-D" && word != "-U";
}

std::vector<std::string> words_that_matter(const std::vector<std::string>& all, const std::string& folder) {
  std::vector<std::string> words;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const std::string& word = all[i];
    if (takes_value(word) && i + 1 < all.size()) {
      const std::string& value = all[++i];
      words.push_back(word);
      words.push_back(is_folder(word) ? absolute(value, folder) : value);
    } else if (word.starts_with("-I") && word.size() > 2) {
      words.push_back("-I" + absolute(word.substr(2), folder));
    } else if (word.starts_with("-D") || word.starts_with("-U") || word.starts_with("-std=") ||
               word == "-fopenmp" || word == "-pthread") {
      words.push_back(word);
    }
  }
  return words;
}

void add_entry(const nlohmann::json& entry, CompileCommands& commands) {
  const std::string folder = entry.at("directory").get<std::string>();
  const std::string file = absolute(entry.at("file").get<std::string>(), folder);
  const std::vector<std::string> all = entry.contains("arguments")
                                           ? entry.at("arguments").get<std::vector<std::string>>()
                                           : split(entry.at("command").get<std::string>());
  if (commands.words.emplace(file, words_that_matter(all, folder)).second)
    commands.files.push_back(file);
}

} // namespace

Result<CompileCommands> read_compile_commands(const std::string& path) {
  std::error_code error;
  const fs::path file =
      fs::is_directory(path, error) ? fs::path(path) / "compile_commands.json" : fs::path(path);
  std::ifstream stream(file);
  if (!stream)
    return fail(ErrorCode::not_found, "no such file", file.string(),
                "CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, other builds with bear");
  CompileCommands commands;
  try {
    for (const nlohmann::json& entry : nlohmann::json::parse(stream))
      add_entry(entry, commands);
  } catch (const nlohmann::json::exception& problem) {
    return fail(ErrorCode::bad_input, std::string("is no list of compile commands: ") + problem.what(),
                file.string(), "each entry has directory, file, and command or arguments");
  }
  return commands;
}

} // namespace forewarp::port
