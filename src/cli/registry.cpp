#include "cli/command.h"
#include "cli/commands/commands.h"

namespace forewarp::cli {

const std::vector<AddCommand>& commands() {
  static const std::vector<AddCommand> table = {
      add_predict, add_gpus,          add_validate, add_models,  add_profile, add_explain, add_port,
      add_bundle,  add_calibrate,     add_compare,  add_explore, add_train,   add_formula, add_run,
      add_sass,    add_setup_toolkit, add_template, add_survey,  add_triton,  add_numba,
  };
  return table;
}

} // namespace forewarp::cli
