#include "port/helper/jit.h"

#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <set>

namespace forewarp::port {
namespace {

namespace orc = llvm::orc;
using Destructor = void (*)(void*);

/// The process ends without the destructors of static objects.
int no_registration(Destructor, void*, void*) {
  return 0;
}

/// Errors before the runtime is there.
[[noreturn]] void give_up(RuntimeRequest request, const std::string& why) {
  request.kind = RunKind::timing;
  request.regions.clear();
  request.globals.clear();
  start_runtime(std::move(request), nullptr, nullptr, nullptr);
  start_clock();
  finish_runtime(RunResult::End::jit_error, 0, why);
}

/// What the linker said; its own error then only tells that it failed.
std::string& linker_words() {
  static std::string words;
  return words;
}

template <class T> T check(llvm::Expected<T> value, const RuntimeRequest& request) {
  if (!value) {
    const std::string why = llvm::toString(value.takeError());
    give_up(request, linker_words().empty() ? why : linker_words());
  }
  return std::move(*value);
}

void check(llvm::Error error, const RuntimeRequest& request) {
  if (error)
    give_up(request, llvm::toString(std::move(error)));
}

void define_runtime(orc::LLJIT& jit, const RuntimeRequest& request) {
  orc::SymbolMap symbols;
  const auto add = [&](const std::string& name, void* address) {
    symbols[jit.mangleAndIntern(name)] = {orc::ExecutorAddr::fromPtr(address),
                                          llvm::JITSymbolFlags::Exported};
  };
  for (const auto& [name, address] : runtime_symbols())
    add(name, address);
  add("__cxa_atexit", reinterpret_cast<void*>(no_registration));
  check(jit.getMainJITDylib().define(orc::absoluteSymbols(std::move(symbols))), request);
}

void load_libraries(orc::LLJIT& jit, const ProgramCode& code, const RuntimeRequest& request) {
  const char prefix = jit.getDataLayout().getGlobalPrefix();
  jit.getMainJITDylib().addGenerator(
      check(orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(prefix), request));
  static const std::set<std::string> of_libc = {"m", "c", "pthread", "dl", "rt", "util", "stdc++"};
  std::vector<std::string> names = {"libm.so.6"};
  for (const std::string& library : code.libraries)
    if (!of_libc.contains(library))
      names.push_back(library.find('/') != std::string::npos ? library : "lib" + library + ".so");
  for (const std::string& name : names) {
    auto loaded = orc::DynamicLibrarySearchGenerator::Load(name.c_str(), prefix);
    if (!loaded)
      give_up(request, "the library cannot be loaded: " + llvm::toString(loaded.takeError()));
    jit.getMainJITDylib().addGenerator(std::move(*loaded));
  }
}

int call_main(orc::ExecutorAddr address, const ProgramCode& code) {
  std::vector<std::string> words = {"program"};
  words.insert(words.end(), code.arguments.begin(), code.arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return address.toPtr<int (*)(int, char**)>()(static_cast<int>(words.size()), pointers.data());
}

} // namespace

[[noreturn]] void run_program(const ProgramCode& code, RuntimeRequest request) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  const auto jit = check(orc::LLJITBuilder().create(), request);
  jit->getExecutionSession().setErrorReporter(
      [](llvm::Error error) { linker_words() += llvm::toString(std::move(error)); });
  define_runtime(*jit, request);
  load_libraries(*jit, code, request);
  check(jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(code.object, "program")), request);
  const auto find = [&](const char* name) { return check(jit->lookup(name), request); };
  const orc::ExecutorAddr main = find("main");
  const orc::ExecutorAddr constructors = find("forewarp_constructors");
  std::uint64_t **cursor = nullptr, **limit = nullptr;
  void** globals = nullptr;
  if (code.recorded) {
    cursor = find("forewarp_cursor").toPtr<std::uint64_t**>();
    limit = find("forewarp_limit").toPtr<std::uint64_t**>();
    globals = find("forewarp_globals").toPtr<void**>();
  } else {
    request.globals.clear();
  }
  start_runtime(std::move(request), cursor, limit, globals);
  start_clock();
  try {
    constructors.toPtr<void (*)()>()();
    start_clock();
    finish_runtime(RunResult::End::returned, call_main(main, code));
  } catch (const std::exception& exception) {
    finish_runtime(RunResult::End::exited, 1, std::string("an exception left main: ") + exception.what());
  } catch (...) {
    finish_runtime(RunResult::End::exited, 1, "an exception left main");
  }
}

} // namespace forewarp::port
