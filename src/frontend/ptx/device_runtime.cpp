#include "frontend/ptx/device_runtime.h"

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

/// The same steps as fw_grid_sync of data/include/cooperative_groups.h, whose comment says why these.
constexpr std::string_view grid_barrier = R"(.version 6.0
.target sm_30
.address_size 64
.global .align 4 .b32 fw_grid_arrivals;
.extern .func fw_grid_barrier ();
.func (.param .b64 handle) cudaCGGetIntrinsicHandle (.param .b32 scope)
{
  .reg .b64 %one;
  mov.u64 %one, 1;
  st.param.b64 [handle], %one;
  ret;
}
.func (.param .b32 status) cudaCGSynchronize (.param .b64 group, .param .b32 flags)
{
  .reg .b32 %x, %y, %z, %seen, %none;
  .reg .pred %other, %wrapped;
  bar.sync 0;
  mov.u32 %x, %tid.x;
  mov.u32 %y, %tid.y;
  mov.u32 %z, %tid.z;
  or.b32 %x, %x, %y;
  or.b32 %x, %x, %z;
  setp.ne.u32 %other, %x, 0;
  @%other bra ARRIVED;
  membar.gl;
  atom.global.add.u32 %seen, [fw_grid_arrivals], 1;
  setp.eq.u32 %wrapped, %seen, -1;
  @%wrapped bra POLLED;
  atom.global.or.b32 %seen, [fw_grid_arrivals], 0;
  setp.eq.u32 %wrapped, %seen, -1;
  @%wrapped bra POLLED;
  atom.global.or.b32 %seen, [fw_grid_arrivals], 0;
  setp.eq.u32 %wrapped, %seen, -1;
  @%wrapped bra POLLED;
  atom.global.or.b32 %seen, [fw_grid_arrivals], 0;
POLLED:
  membar.gl;
ARRIVED:
  call.uni fw_grid_barrier, ();
  mov.u32 %none, 0;
  st.param.b32 [status], %none;
  ret;
}
)";

Function* without_body(File& file, const std::string& name) {
  const auto found = std::find_if(file.functions.begin(), file.functions.end(),
                                  [&](const Function& each) { return each.name == name && !each.has_body; });
  return found == file.functions.end() ? nullptr : &*found;
}

/// What is said of it is said of the line where the file names it.
Function at_line(Function function, unsigned line) {
  function.line = line;
  for (Item& item : function.body)
    item.line = item.statement.line = line;
  return function;
}

} // namespace

Result<void> add_device_runtime(File& file) {
  if (!without_body(file, "cudaCGSynchronize") && !without_body(file, "cudaCGGetIntrinsicHandle"))
    return {};
  const auto library = read_file_text(grid_barrier, "device runtime");
  FOREWARP_TRY(library);
  for (const Function& each : library->functions)
    if (Function* named = without_body(file, each.name))
      *named = at_line(each, named->line);
    else if (!each.has_body)
      file.functions.push_back(each);
  file.variables.insert(file.variables.end(), library->variables.begin(), library->variables.end());
  return {};
}

} // namespace forewarp::frontend::ptx
