// Clang's view of the file system, with a note of all that it asks.
#pragma once

#include "frontend/store/file_log.h"

#include <llvm/Support/VirtualFileSystem.h>

namespace forewarp::frontend {

/// `log` must outlive the result.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
logged_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, FileLog& log);

} // namespace forewarp::frontend
