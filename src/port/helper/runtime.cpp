#include "port/helper/runtime.h"

#include "port/features/record/recorder.h"
#include "port/helper/serialise.h"
#include "port/helper/stopwatch.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>

namespace forewarp::port {
namespace {

constexpr std::size_t buffer_words = 16U << 10; // 128 KB: stays in the second-level cache

struct Runtime {
  explicit Runtime(RuntimeRequest asked) : request(std::move(asked)), watch(request.regions.size()) {}
  RuntimeRequest request;
  Objects objects;
  std::vector<RegionRecorder> recorders;
  std::vector<FeatureRecorder> counters; ///< of a features run: they take the recorders' place
  std::vector<std::uint32_t> running;    ///< regions that have begun, outermost first
  Stopwatch watch;
  std::uint64_t** cursor = nullptr;
  std::uint64_t** limit = nullptr;
  std::uint64_t* buffer = nullptr;
  bool ended = false;
};

// The program's recording code calls functions without a context.
Runtime* runtime = nullptr;

void drain() {
  if (!runtime->running.empty()) {
    const std::uint32_t region = runtime->running.back();
    if (runtime->counters.empty())
      runtime->recorders[region].words(runtime->buffer, *runtime->cursor);
    else
      runtime->counters[region].words(runtime->buffer, *runtime->cursor);
  }
  *runtime->cursor = runtime->buffer;
}

void flush() {
  drain();
  if (runtime->watch.seconds() > runtime->request.budget.seconds)
    finish_runtime(RunResult::End::time_budget, 0);
}

/// Its address tells the threads of the program apart.
thread_local char this_thread = 0;
const char* first_thread = nullptr;

/// What is recorded and timed is one thread.
void want_first_thread(std::uint32_t region) {
  if (&this_thread == first_thread)
    return;
  runtime->request.status->region = static_cast<int>(region);
  runtime->running.clear();
  finish_runtime(RunResult::End::exited, 1, "the program runs the region in a thread that it started");
}

void time_begin(std::uint32_t region) {
  want_first_thread(region);
  runtime->request.status->region = static_cast<int>(region);
  runtime->watch.begin(region);
}

void time_end(std::uint32_t region) {
  runtime->watch.end(region);
  runtime->request.status->region = -1;
}

void begin_region(std::uint32_t region) {
  want_first_thread(region);
  drain();
  runtime->running.push_back(region);
  time_begin(region);
  if (runtime->counters.empty())
    runtime->recorders[region].begin();
  else
    runtime->counters[region].begin();
}

void end_region(std::uint32_t region) {
  if (runtime->running.empty() || runtime->running.back() != region)
    return;
  drain();
  if (runtime->counters.empty())
    runtime->recorders[region].end();
  else
    runtime->counters[region].end();
  runtime->running.pop_back();
  time_end(region);
  runtime->request.status->region = runtime->running.empty() ? -1 : static_cast<int>(runtime->running.back());
}

bool recording() {
  return runtime != nullptr && !runtime->ended &&
         (runtime->request.kind == RunKind::survey || runtime->request.kind == RunKind::features);
}

/// Every run that records knows its own heap.
bool knows_heap() {
  return runtime != nullptr && runtime->request.kind != RunKind::timing && !runtime->ended;
}

void* note_allocation(void* memory, std::size_t size) {
  if (knows_heap() && memory != nullptr)
    runtime->objects.allocated(reinterpret_cast<std::uint64_t>(memory), size);
  return memory;
}

void stack_variable(void* address, std::uint32_t index) {
  if (recording())
    runtime->objects.on_stack(runtime->request.stack[index], reinterpret_cast<std::uint64_t>(address));
}

void own_free(void* memory) {
  if (knows_heap() && memory != nullptr)
    runtime->objects.freed(reinterpret_cast<std::uint64_t>(memory));
  std::free(memory);
}
void* own_malloc(std::size_t size) {
  return note_allocation(std::malloc(size), size);
}
void* own_calloc(std::size_t count, std::size_t size) {
  return note_allocation(std::calloc(count, size), count * size);
}
void* own_aligned_alloc(std::size_t alignment, std::size_t size) {
  return note_allocation(std::aligned_alloc(alignment, size), size);
}
int own_posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  const int code = posix_memalign(out, alignment, size);
  if (code == 0)
    note_allocation(*out, size);
  return code;
}
void* own_realloc(void* memory, std::size_t size) {
  if (knows_heap() && memory != nullptr)
    runtime->objects.freed(reinterpret_cast<std::uint64_t>(memory));
  return note_allocation(std::realloc(memory, size), size);
}
void* own_new(std::size_t size) {
  if (void* memory = own_malloc(size == 0 ? 1 : size))
    return memory;
  throw std::bad_alloc();
}
void* own_aligned_new(std::size_t size, std::size_t alignment) {
  if (void* memory = own_aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment))
    return memory;
  throw std::bad_alloc();
}
void own_delete(void* memory) {
  own_free(memory);
}
void own_sized_delete(void* memory, std::size_t) {
  own_free(memory);
}
void own_aligned_delete(void* memory, std::size_t, std::size_t) {
  own_free(memory);
}
void own_aligned_plain_delete(void* memory, std::size_t) {
  own_free(memory);
}

[[noreturn]] void own_exit(int code) {
  finish_runtime(RunResult::End::exited, code);
}
[[noreturn]] void own_abort() {
  finish_runtime(RunResult::End::signal, SIGABRT);
}

void on_signal(int number) {
  finish_runtime(RunResult::End::signal, number);
}

void catch_signals() {
  static char stack[64 << 10];
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  sigaltstack(&alternate, nullptr);
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    sigaction(number, &action, nullptr);
}

void write_all(int file, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + at, bytes.size() - at);
    if (written <= 0)
      return;
    at += static_cast<std::size_t>(written);
  }
}

std::uint64_t* make_buffer(std::uint64_t slack_words) {
  const std::size_t bytes = (buffer_words + slack_words + 1024) * sizeof(std::uint64_t);
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::uint64_t*>(memory);
}

} // namespace

std::vector<std::pair<std::string, void*>> runtime_symbols() {
  const auto at = [](auto* function) { return reinterpret_cast<void*>(function); };
  return {{"forewarp_flush", at(flush)},
          {"forewarp_begin", at(begin_region)},
          {"forewarp_end", at(end_region)},
          {"forewarp_stack", at(stack_variable)},
          {"forewarp_time_begin", at(time_begin)},
          {"forewarp_time_end", at(time_end)},
          {"exit", at(own_exit)},
          {"_exit", at(own_exit)},
          {"_Exit", at(own_exit)},
          {"abort", at(own_abort)},
          {"malloc", at(own_malloc)},
          {"calloc", at(own_calloc)},
          {"realloc", at(own_realloc)},
          {"free", at(own_free)},
          {"aligned_alloc", at(own_aligned_alloc)},
          {"posix_memalign", at(own_posix_memalign)},
          {"_Znwm", at(own_new)},
          {"_Znam", at(own_new)},
          {"_ZdlPv", at(own_delete)},
          {"_ZdaPv", at(own_delete)},
          {"_ZdlPvm", at(own_sized_delete)},
          {"_ZdaPvm", at(own_sized_delete)},
          {"_ZnwmSt11align_val_t", at(own_aligned_new)},
          {"_ZnamSt11align_val_t", at(own_aligned_new)},
          {"_ZdlPvmSt11align_val_t", at(own_aligned_delete)},
          {"_ZdaPvmSt11align_val_t", at(own_aligned_delete)},
          {"_ZdlPvSt11align_val_t", at(own_aligned_plain_delete)},
          {"_ZdaPvSt11align_val_t", at(own_aligned_plain_delete)}};
}

void start_runtime(RuntimeRequest request, std::uint64_t** cursor, std::uint64_t** limit,
                   void* const* globals) {
  runtime = new Runtime(std::move(request));
  RuntimeRequest& asked = runtime->request;
  runtime->objects.add_globals(asked.globals, globals);
  runtime->cursor = cursor;
  runtime->limit = limit;
  if (asked.kind != RunKind::timing) {
    runtime->recorders.reserve(asked.regions.size());
    for (const RegionPlan& plan : asked.regions)
      runtime->recorders.emplace_back(plan, asked.kind, runtime->objects, asked.budget);
    for (std::size_t i = 0; i < asked.features.size(); ++i)
      runtime->counters.emplace_back(asked.regions[i], asked.features[i], runtime->objects);
    runtime->buffer = make_buffer(asked.slack_words);
    if (runtime->buffer == nullptr)
      finish_runtime(RunResult::End::jit_error, 0, "no memory for the event buffer");
    *cursor = runtime->buffer;
    *limit = runtime->buffer + buffer_words;
  }
  catch_signals();
}

void start_clock() {
  first_thread = &this_thread;
  runtime->watch.start();
}

[[noreturn]] void finish_runtime(RunResult::End end, int code, const std::string& message) {
  if (runtime->ended) // a signal while the result was written
    _exit(1);
  runtime->ended = true;
  RunResult result;
  result.program_ms = runtime->watch.program_ms();
  result.end = end;
  result.code = code;
  result.message = message;
  if (!runtime->running.empty()) {
    RegionRecorder& recorder = runtime->recorders[runtime->running.back()];
    result.region = static_cast<int>(runtime->running.back());
    result.block = recorder.last_block(runtime->buffer, *runtime->cursor);
    for (const std::uint32_t region : runtime->running)
      runtime->recorders[region].end();
  } else if (end != RunResult::End::returned) {
    result.region = runtime->request.status->region;
  }
  for (RegionRecorder& recorder : runtime->recorders) {
    result.again = result.again || recorder.again();
    recorder.finish(result.regions.emplace_back());
  }
  for (FeatureRecorder& counter : runtime->counters)
    result.features.push_back(counter.finish());
  result.times = runtime->watch.times();
  write_all(runtime->request.result_file, to_bytes(result));
  runtime->request.status->finished = 1;
  _exit(0);
}

} // namespace forewarp::port
