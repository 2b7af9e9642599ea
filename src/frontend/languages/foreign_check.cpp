#include "frontend/languages/foreign_check.h"

#include "frontend/guard.h"
#include "frontend/newer_ir/rewrite.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forewarp::frontend {

namespace {

constexpr int child_seconds = 20;
constexpr rlim_t child_memory_bytes = rlim_t{4} << 30;

#if defined(__SANITIZE_ADDRESS__) // GCC
constexpr bool address_sanitizer = true;
#elif defined(__has_feature) // Clang
constexpr bool address_sanitizer = __has_feature(address_sanitizer);
#else
constexpr bool address_sanitizer = false;
#endif

enum ChildExit : int { child_ok = 0, child_refused = 1 };

/// Where LLVM's reader stopped, what it expected there, and the word that it found.
std::string not_read(const llvm::SMDiagnostic& diagnostic, std::string_view bytes) {
  std::string message;
  llvm::raw_string_ostream out(message);
  if (diagnostic.getLineNo() <= 0) {
    diagnostic.print(nullptr, out, /*ShowColors=*/false);
    return message.empty() ? "cannot be read as LLVM IR" : message;
  }
  const auto line = static_cast<unsigned>(diagnostic.getLineNo());
  const auto column = static_cast<unsigned>(std::max(0, diagnostic.getColumnNo()));
  out << diagnostic.getFilename() << ':' << line << ':' << column + 1
      << ": error: " << diagnostic.getMessage();
  if (const std::string word = newer_ir::word_at(bytes, line, column); !word.empty())
    out << ", found '" << word << "'";
  return message;
}

/// "" when the module is sound; it is then written to `rewritten`.
std::string read_and_verify(std::string_view bytes, const std::string& path, llvm::raw_ostream& rewritten) {
  const auto own = std::make_unique<llvm::LLVMContext>(); // on the heap: where LLVM crashes it stays
  llvm::LLVMContext& context = *own;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
  llvm::SMDiagnostic diagnostic;
  std::string message;
  llvm::raw_string_ostream out(message);
  auto module = llvm::parseIR(llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), path),
                              diagnostic, context);
  if (!module) {
    return not_read(diagnostic, bytes);
  }
  if (llvm::verifyModule(*module, &out))
    return "broken IR: " + message;
  llvm::WriteBitcodeToFile(*module, rewritten);
  return {};
}

void limit_child() {
  rlimit seconds{child_seconds, child_seconds};
  setrlimit(RLIMIT_CPU, &seconds);
  if constexpr (!address_sanitizer) { // whose shadow is larger than any limit
    rlimit memory{child_memory_bytes, child_memory_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

[[noreturn]] void run_child(int out, int out_file, std::string_view bytes, const std::string& path) {
  llvm::CrashRecoveryContext::Disable();
  for (int crash : {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP})
    signal(crash, SIG_DFL);
  limit_child();
  int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  llvm::raw_fd_ostream file(out_file, /*shouldClose=*/false);
  std::string message = read_and_verify(bytes, path, file);
  file.flush();
  if (message.empty())
    _exit(child_ok);
  message.resize(std::min<std::size_t>(message.size(), 4000));
  [[maybe_unused]] ssize_t written = write(out, message.data(), message.size());
  _exit(child_refused);
}

/// Everything that the child says, until it closes the pipe or time is over.
std::string read_all(int in, bool& timed_out) {
  std::string text;
  char buffer[4096];
  int left_ms = (child_seconds + 5) * 1000;
  while (true) {
    pollfd wait{in, POLLIN, 0};
    int ready = poll(&wait, 1, left_ms);
    if (ready < 0 && errno == EINTR)
      continue;
    timed_out = ready == 0;
    if (ready <= 0)
      return text;
    ssize_t n = read(in, buffer, sizeof buffer);
    if (n <= 0)
      return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

/// A file descriptor that is closed at the end of its scope.
class Descriptor {
public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  void close() {
    if (number_ >= 0)
      ::close(number_);
    number_ = -1;
  }

private:
  int number_;
};

std::string contents_of(const Descriptor& file) {
  off_t size = lseek(file.number(), 0, SEEK_END);
  std::string bytes(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = pread(file.number(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (n <= 0)
      return {};
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

constexpr const char* what_is_read =
    "LLVM 19 reads its own IR and earlier, and of newer IR as text what docs/reference/llvm_ir.md lists";

/// The reader's words name file, line and column.
Error refused(std::string message, const std::string& path) {
  while (!message.empty() && message.back() == '\n')
    message.pop_back();
  return {ErrorCode::bad_input, message, message.starts_with(path) ? "" : path, what_is_read};
}

Error refusal(int status, bool timed_out, std::string message, const std::string& path) {
  if (WIFEXITED(status) && WEXITSTATUS(status) == child_refused)
    return refused(std::move(message), path);
  return {ErrorCode::bad_input,
          timed_out ? "reading the file takes longer than " + std::to_string(child_seconds) + " s"
                    : "the file is damaged: LLVM's reader crashed on it",
          path, what_is_read};
}

/// The reader of text stops at what it does not know, in a time that goes with the text's length.
Result<std::string> rewrite_text(std::string_view bytes, const std::string& path) {
  std::string message, rewritten;
  auto ran = run_guarded("the reader", [&] {
    llvm::raw_string_ostream out(rewritten);
    message = read_and_verify(bytes, path, out);
  });
  if (!ran)
    return fail(ErrorCode::bad_input, ran.error().message, path, what_is_read);
  if (!message.empty())
    return tl::unexpected(refused(std::move(message), path));
  return rewritten;
}

} // namespace

Result<std::string> rewrite_foreign_ir(std::string_view bytes, const std::string& path) {
  if (newer_ir::is_assembly(bytes))
    return rewrite_text(bytes, path);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return fail(ErrorCode::internal, "no pipe for the checking process", path);
  Descriptor in(ends[0]), out(ends[1]), file(memfd_create("forewarp-ir", MFD_CLOEXEC));
  pid_t child = file.number() < 0 ? -1 : fork();
  if (child < 0)
    return fail(ErrorCode::internal, "no process for checking the file", path);
  if (child == 0)
    run_child(out.number(), file.number(), bytes, path);
  out.close();
  bool timed_out = false;
  std::string message = read_all(in.number(), timed_out);
  if (timed_out)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != child_ok)
    return tl::unexpected(refusal(status, timed_out, std::move(message), path));
  std::string rewritten = contents_of(file);
  if (rewritten.empty())
    return fail(ErrorCode::internal, "the checking process gave nothing back", path);
  return rewritten;
}

} // namespace forewarp::frontend
