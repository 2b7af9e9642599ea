// The command line's words before and after the parser: spellings that compilers taught people, and
// suggestions.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace forewarp::cli {

/// argv without the program's name; "-std=X" and "-cl-std=X" become "--std=X", "--option X" becomes
/// "--option=X" (X begins with a dash); `port ... -- X` and `run ... -- X` become "--run-arg=X".
std::vector<std::string> normal_words(int argc, char** argv);

/// usage error for the first word that `app` did not take, with the nearest option or command.
Error unknown_word(const CLI::App& app, const std::vector<std::string>& remaining);

} // namespace forewarp::cli
