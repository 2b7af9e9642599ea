// forewarp setup-toolkit: which of the vendor's tools are here, and what installs the rest.
#include "cli/commands/commands.h"
#include "cli/output.h"
#include "toolkit/tools.h"

#include <CLI/CLI.hpp>

namespace forewarp::cli {

void add_setup_toolkit(CLI::App& root, Actions& actions) {
  CLI::App* command = root.add_subcommand(
      "setup-toolkit", "Says which of the vendor's tools are found and which command installs the rest");
  actions.push_back({command, [] { return write_output(toolkit::setup_text(toolkit::find_tools())); }});
}

} // namespace forewarp::cli
