// A command of the program: adds itself to the parser and says what to run when it was chosen.
#pragma once

#include "support/result.h"

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace forewarp::cli {

/// What runs when `app` is the innermost command on the command line.
struct Action {
  const CLI::App* app = nullptr;
  std::function<Result<void>()> run;
};
using Actions = std::vector<Action>;

/// Adds the command to `root` and its action (one for each inner command) to `actions`.
using AddCommand = void (*)(CLI::App& root, Actions& actions);

/// The table of commands; to add one, add its file and a row in registry.cpp.
const std::vector<AddCommand>& commands();

} // namespace forewarp::cli
