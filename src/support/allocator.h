// How the C library keeps memory that was freed.
#pragma once

namespace forewarp {

/// Freed memory stays with the process, up to half a gibibyte: predictions one after the other then reuse it
/// in place of asking the system for fresh pages each time. For a program's main; nothing where the C library
/// has no such setting.
void keep_freed_memory();

} // namespace forewarp
