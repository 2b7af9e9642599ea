#include "frontend/store/logged_files.h"

#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>

namespace forewarp::frontend {
namespace {

bool is_ignored(const FileLog& log, const std::string& path) {
  return path.empty() || path.front() == '<' ||
         std::any_of(log.ignored_folders.begin(), log.ignored_folders.end(),
                     [&](const std::string& folder) { return path.starts_with(folder); });
}

void note_machine_file(FileLog& log, const std::string& path, const FileSeen& seen) {
  if (!is_ignored(log, path))
    note(log, path, seen);
}

class LoggedFile final : public llvm::vfs::File {
public:
  LoggedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, FileLog& log)
      : file_(std::move(file)), path_(std::move(path)), log_(log) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool terminated, bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, terminated, is_volatile);
    if (buffer)
      note_machine_file(log_, path_, {FileSeen::Kind::read, hash_of((*buffer)->getBuffer())});
    return buffer;
  }

private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string path_;
  FileLog& log_;
};

class LoggedFiles final : public llvm::vfs::ProxyFileSystem {
public:
  LoggedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, FileLog& log)
      : ProxyFileSystem(std::move(files)), log_(log) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    note_machine_file(log_, path.str(),
                      {!status                 ? FileSeen::Kind::missing
                       : status->isDirectory() ? FileSeen::Kind::folder
                                               : FileSeen::Kind::present});
    return status;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) {
      note_machine_file(log_, path.str(), {FileSeen::Kind::missing});
      return file;
    }
    note_machine_file(log_, path.str(), {FileSeen::Kind::present});
    return std::make_unique<LoggedFile>(std::move(*file), path.str(), log_);
  }

private:
  FileLog& log_;
};

} // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
logged_files(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, FileLog& log) {
  return llvm::makeIntrusiveRefCnt<LoggedFiles>(std::move(files), log);
}

} // namespace forewarp::frontend
