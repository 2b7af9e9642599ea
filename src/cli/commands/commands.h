// One line a command; each is defined in the file of its name, here or in a sub-folder.
#pragma once

#include "cli/command.h"

namespace forewarp::cli {

void add_predict(CLI::App& root, Actions& actions);
void add_gpus(CLI::App& root, Actions& actions);
void add_validate(CLI::App& root, Actions& actions);
void add_models(CLI::App& root, Actions& actions);
void add_profile(CLI::App& root, Actions& actions);
void add_explain(CLI::App& root, Actions& actions);
void add_port(CLI::App& root, Actions& actions);
void add_train(CLI::App& root, Actions& actions);
void add_bundle(CLI::App& root, Actions& actions);
void add_explore(CLI::App& root, Actions& actions);
void add_formula(CLI::App& root, Actions& actions);
void add_calibrate(CLI::App& root, Actions& actions);
void add_compare(CLI::App& root, Actions& actions);
void add_run(CLI::App& root, Actions& actions);
void add_sass(CLI::App& root, Actions& actions);
void add_setup_toolkit(CLI::App& root, Actions& actions);
void add_template(CLI::App& root, Actions& actions);
void add_survey(CLI::App& root, Actions& actions);
void add_triton(CLI::App& root, Actions& actions);
void add_numba(CLI::App& root, Actions& actions);

} // namespace forewarp::cli
