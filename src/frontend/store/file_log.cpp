#include "frontend/store/file_log.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

namespace forewarp::frontend {
namespace {

bool is_the_same(const std::string& path, const FileSeen& seen) {
  llvm::sys::fs::file_status status;
  const bool there = !llvm::sys::fs::status(path, status) && llvm::sys::fs::exists(status);
  switch (seen.kind) {
  case FileSeen::Kind::missing:
    return !there;
  case FileSeen::Kind::folder:
    return there && llvm::sys::fs::is_directory(status);
  case FileSeen::Kind::present:
    return there && !llvm::sys::fs::is_directory(status);
  case FileSeen::Kind::read:
    break;
  }
  if (!there)
    return false;
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer && hash_of((*buffer)->getBuffer()) == seen.content;
}

} // namespace

ContentHash hash_of(std::string_view bytes) {
  const llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  return {hash.low64, hash.high64};
}

void note(FileLog& log, const std::string& path, const FileSeen& seen) {
  FileSeen& known = log.seen[path];
  if (seen.kind > known.kind)
    known = seen;
}

bool still_the_same(const FileLog& log) {
  for (const auto& [path, seen] : log.seen)
    if (!is_the_same(path, seen))
      return false;
  return true;
}

} // namespace forewarp::frontend
