#include "program/cuda/execute.h"

#include "program/cuda/exchange.h"
#include "program/cuda/state.h"

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <set>
#include <sys/mman.h>

namespace forewarp::program {
namespace {

using native::Exchange;
using native::ExchangeKind;
using native::Group;

/// What a launch's code needs beside the program's memory. One launch at a time (State::lock).
struct Room {
  std::vector<unsigned char> shared;
  std::vector<Exchange> exchange;
  std::vector<void*> frames;
  std::vector<unsigned char> frame_bytes; ///< of all work-items of a group
  std::size_t frames_used = 0, frame_size = 0;
  std::size_t frames_wanted = 0; ///< of all groups that are there at once
  std::vector<Group> together;   ///< those that wait for each other
  std::vector<std::vector<unsigned char>> shared_of;
  std::vector<Group*> at_barrier;
  std::jmp_buf leave;
  const NativeLaunch* launch = nullptr;
  NativeEnd end;
};

Room& room() {
  static auto* only = new Room;
  return *only;
}

unsigned char* aligned(unsigned char* at) {
  return reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(at) + 63) / 64 * 64);
}

struct Place {
  std::uint32_t x, y, z;
};

Place place_of(const Group& group) {
  const std::uint32_t row = group.item / group.size[0];
  return {group.item % group.size[0], row % group.size[1], row / group.size[1]};
}

std::string readable(const char* symbol) {
  int status = 0;
  char* name = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string text = status == 0 && name ? name : symbol;
  std::free(name);
  return text;
}

std::string where(const Group& group, const native::SiteFacts* site) {
  const Place at = place_of(group);
  const auto triple = [](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return "(" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + ")";
  };
  return std::string(site->file) + ":" + std::to_string(site->line) + ": kernel " +
         readable(room().launch->kernel->symbol) + ", block " +
         triple(group.id[0], group.id[1], group.id[2]) + ", thread " + triple(at.x, at.y, at.z);
}

constexpr std::uint64_t page_of_cards = std::uint64_t{2} << 20;
/// What is read, and where is written, near a buffer.
alignas(64) unsigned char elsewhere[256] = {};

std::string name_of(const Allocation& allocation) {
  const std::string name = allocation.name.empty() ? "buffer " + std::to_string(allocation.number)
                           : allocation.kind == MemoryKind::variable ? "variable " + allocation.name
                                                                     : allocation.name;
  return name + " of " + std::to_string(allocation.bytes) + " bytes";
}

/// The allocation nearest to an address that lies in none.
std::string nearest(std::uint64_t address) {
  State& s = state();
  if (address < 4096)
    return "the address is null or near it";
  const auto above = s.memory.upper_bound(address);
  if (above != s.memory.end() && above->first - address <= page_of_cards)
    return std::to_string(above->first - address) + " bytes before the begin of " + name_of(above->second);
  if (above == s.memory.begin())
    return "no buffer lies before it";
  const Allocation& before = std::prev(above)->second;
  return std::to_string(address - before.begin - before.bytes) + " bytes behind the end of " +
         name_of(before);
}

/// Cards map memory in pages of this size: what lies so near to a buffer can mostly be read.
bool is_near(std::uint64_t address) {
  const auto above = state().memory.upper_bound(address);
  if (above != state().memory.end() && above->first - address <= page_of_cards)
    return true;
  return above != state().memory.begin() &&
         address - std::prev(above)->second.begin - std::prev(above)->second.bytes < page_of_cards;
}

/// Where `bytes` bytes at an address lie; bytes 0: nowhere.
native::Span span_of(const Group& group, std::uint64_t address, std::uint64_t bytes) {
  const auto shared = reinterpret_cast<std::uint64_t>(group.shared);
  if (address - shared < group.shared_bytes && address - shared + bytes <= group.shared_bytes)
    return {shared, group.shared_bytes};
  if (const Allocation* found = allocation_at(reinterpret_cast<const void*>(address));
      found && address - found->begin + bytes <= found->bytes)
    return {found->begin, found->bytes};
  const char here = 0; // a private array of this work-item
  const auto stack = reinterpret_cast<std::uint64_t>(&here);
  if (address > stack && address - stack < (std::uint64_t{1} << 20))
    return {address, bytes};
  const auto frames = reinterpret_cast<std::uint64_t>(room().frame_bytes.data());
  return address - frames < room().frame_bytes.size() ? native::Span{address, bytes} : native::Span{};
}

[[noreturn]] void leave(cudaError_t error, std::string fault) {
  room().end.faults.push_back(std::move(fault));
  room().end.error = error;
  std::longjmp(room().leave, 1);
}

void run_plain(Group& group, const NativeLaunch& launch) {
  using Code = void (*)(Group*, void**);
  reinterpret_cast<Code>(launch.kernel->code)(&group, launch.arguments);
}

/// The first frame of a group. Several groups lie side by side where they wait for each other.
void** frames_of(const Group& group) {
  return room().frames.data() + (group.exchange - room().exchange.data());
}

void resume(Group& group, std::uint32_t item) {
  void* frame = frames_of(group)[item];
  group.item = item;
  const auto code = *static_cast<native::Resume*>(frame);
  group.exchange[item].kind = static_cast<std::uint32_t>(ExchangeKind::none);
  code(frame);
}

/// Runs every warp until all of it waits for the group or has finished. True: somebody waits.
bool run_warps(Group& group, std::uint32_t items) {
  Exchange* exchange = group.exchange;
  bool waiting = false;
  for (std::uint32_t first = 0; first < items; first += warp_width) {
    const std::uint32_t lanes = std::min(warp_width, items - first);
    while (const std::uint32_t ready = answer_warp(exchange + first, lanes))
      for (std::uint32_t k = 0; k < lanes; ++k)
        if ((ready >> k & 1U) != 0)
          resume(group, first + k);
    for (std::uint32_t k = 0; k < lanes; ++k)
      waiting = waiting || exchange[first + k].kind != static_cast<std::uint32_t>(ExchangeKind::finished);
  }
  return waiting;
}

/// Some wait for other groups, and all others have finished.
bool waits_for_grid(const Group& group, std::uint32_t items) {
  return std::all_of(group.exchange, group.exchange + items, [](const Exchange& each) {
    return each.kind == static_cast<std::uint32_t>(ExchangeKind::grid_barrier) ||
           each.kind == static_cast<std::uint32_t>(ExchangeKind::finished);
  });
}

/// How many work-items have come to a plain barrier of the group, and how many to their end.
struct Arrived {
  std::uint32_t at_barrier = 0, finished = 0;

  void count(const Exchange& exchange) {
    at_barrier += exchange.kind == static_cast<std::uint32_t>(ExchangeKind::barrier) ? 1 : 0;
    finished += exchange.kind == static_cast<std::uint32_t>(ExchangeKind::finished) ? 1 : 0;
  }
};

Arrived start_items(Group& group, const NativeLaunch& launch) {
  using Code = void* (*)(Group*, void**, std::uint32_t, std::uint32_t, std::uint32_t);
  const auto code = reinterpret_cast<Code>(launch.kernel->code);
  void** frames = frames_of(group);
  Arrived arrived;
  std::uint32_t item = 0;
  for (std::uint32_t z = 0; z < group.size[2]; ++z)
    for (std::uint32_t y = 0; y < group.size[1]; ++y)
      for (std::uint32_t x = 0; x < group.size[0]; ++x, ++item) {
        group.item = item;
        frames[item] = code(&group, launch.arguments, x, y, z);
        arrived.count(group.exchange[item]);
      }
  return arrived;
}

Arrived resume_all(Group& group, std::uint32_t items) {
  Arrived arrived;
  for (std::uint32_t k = 0; k < items; ++k) {
    if (group.exchange[k].kind != static_cast<std::uint32_t>(ExchangeKind::finished))
      resume(group, k);
    arrived.count(group.exchange[k]);
  }
  return arrived;
}

/// Until its work-items have finished, or wait for other groups (true). Most groups only go from barrier to
/// barrier, all together: then no warp has to be asked.
bool run_items(Group& group, std::uint32_t items, Arrived arrived) {
  while (true) {
    if (arrived.at_barrier + arrived.finished < items) {
      if (!run_warps(group, items))
        return false;
      if (waits_for_grid(group, items))
        return true;
      answer_barrier(group.exchange, items);
    } else if (arrived.at_barrier == 0) {
      return false;
    }
    arrived = resume_all(group, items);
  }
}

std::uint32_t items_of(const Group& group) {
  return group.size[0] * group.size[1] * group.size[2];
}

void run_waiting(Group& group, const NativeLaunch& launch) {
  room().frames_used = 0;
  run_items(group, items_of(group), start_items(group, launch));
}

template <class Run> void each_group(Group& group, const NativeLaunch& launch, Run run) {
  for (group.id[2] = 0; group.id[2] < launch.groups.z; ++group.id[2])
    for (group.id[1] = 0; group.id[1] < launch.groups.y; ++group.id[1])
      for (group.id[0] = 0; group.id[0] < launch.groups.x; ++group.id[0])
        run();
}

/// All groups are there at once: each runs up to a barrier of the grid, then all of them go on.
void run_meeting(Group& group, const NativeLaunch& launch) {
  Room& r = room();
  const std::uint32_t items = items_of(group);
  r.together.clear();
  r.shared_of.clear();
  each_group(group, launch, [&] {
    Group& own = r.together.emplace_back(group);
    r.shared_of.emplace_back(own.shared_bytes + 64);
    own.shared = aligned(r.shared_of.back().data());
    own.exchange = r.exchange.data() + (r.together.size() - 1) * items;
  });
  r.frames_used = 0;
  r.at_barrier.clear();
  for (Group& own : r.together) {
    if (run_items(own, items, start_items(own, launch)))
      r.at_barrier.push_back(&own);
  }
  while (!r.at_barrier.empty())
    std::erase_if(r.at_barrier, [&](Group* own) { return !run_items(*own, items, resume_all(*own, items)); });
}

void run_grid(Group& group, const NativeLaunch& launch) {
  switch (static_cast<native::KernelKind>(launch.kernel->kind)) {
  case native::KernelKind::meeting:
    return run_meeting(group, launch);
  case native::KernelKind::waiting:
    return each_group(group, launch, [&] { run_waiting(group, launch); });
  default:
    return each_group(group, launch, [&] { run_plain(group, launch); });
  }
}

} // namespace

void fault_in_kernel(const native::Group& group, const std::string& what) {
  const native::SiteFacts nowhere{"(a texture's fetch)", 0, 0};
  leave(cudaErrorIllegalAddress, where(group, &nowhere) + " accesses " + what);
}

NativeEnd execute(const NativeLaunch& launch) {
  Room& r = room();
  const bool together = launch.kernel->kind == static_cast<std::uint32_t>(native::KernelKind::meeting);
  const std::size_t items = std::size_t{launch.size.x} * launch.size.y * launch.size.z *
                            (together ? std::size_t{launch.groups.x} * launch.groups.y * launch.groups.z : 1);
  r.frames_wanted = items;
  const std::uint64_t shared = launch.kernel->shared_bytes + launch.dynamic_shared_bytes;
  if (r.shared.size() < shared + 64)
    r.shared.resize(shared + 64);
  if (r.exchange.size() < items) {
    r.exchange.resize(items);
    r.frames.resize(items);
  }
  r.frame_size = 0;
  r.launch = &launch;
  r.end = {};
  Group group;
  group.size[0] = launch.size.x, group.size[1] = launch.size.y, group.size[2] = launch.size.z;
  group.groups[0] = launch.groups.x, group.groups[1] = launch.groups.y, group.groups[2] = launch.groups.z;
  group.shared = aligned(r.shared.data());
  group.shared_bytes = shared;
  group.exchange = r.exchange.data();
  group.argument = launch.spans.data();
  if (setjmp(r.leave) == 0)
    run_grid(group, launch);
  r.launch = nullptr;
  return r.end;
}

} // namespace forewarp::program

using namespace forewarp::program;

/// All frames of a kernel have one size: they lie side by side.
FOREWARP_API void* forewarp_frame(forewarp::native::Group*, std::uint64_t bytes) {
  Room& r = room();
  if (r.frame_size == 0) {
    r.frame_size = (bytes + 63) / 64 * 64;
    if (r.frame_bytes.size() < r.frames_wanted * r.frame_size + 64)
      r.frame_bytes.resize(r.frames_wanted * r.frame_size + 64);
  }
  return aligned(r.frame_bytes.data()) + r.frame_size * r.frames_used++;
}

FOREWARP_API void* forewarp_context(forewarp::native::Group*, std::uint64_t bytes) {
  Room& r = room();
  if (r.frame_bytes.size() < bytes + 64)
    r.frame_bytes.resize(bytes + 64);
  return aligned(r.frame_bytes.data());
}

FOREWARP_API void forewarp_find(forewarp::native::Group* group, std::uint64_t address, std::uint64_t bytes,
                                const forewarp::native::SiteFacts* site, forewarp::native::AccessKind kind,
                                forewarp::native::Found* found) {
  *found = {span_of(*group, address, bytes), address};
  if (found->span.bytes > 0)
    return;
  const bool reads = kind == forewarp::native::AccessKind::read;
  const std::string fault = where(*group, site) + (reads ? " reads " : " accesses ") + std::to_string(bytes) +
                            " bytes outside of every buffer: " + nearest(address);
  if (kind == forewarp::native::AccessKind::range || !is_near(address) || bytes > sizeof(elsewhere))
    leave(cudaErrorIllegalAddress, fault);
  static auto* const named = new std::set<const void*>;
  if (named->insert(site).second)
    room().end.faults.push_back(fault + (reads ? "; it is given zeros" : "; what is written there is lost"));
  std::memset(elsewhere, 0, sizeof(elsewhere));
  found->address = reinterpret_cast<std::uint64_t>(&elsewhere);
}

FOREWARP_API void forewarp_trap(forewarp::native::Group* group, const forewarp::native::SiteFacts* site) {
  leave(cudaErrorAssert, where(*group, site) + ": an assertion failed, or the kernel stopped itself");
}

FOREWARP_API unsigned char* forewarp_heap() {
  constexpr std::size_t bytes = std::size_t{1} << 32;
  static auto* const heap = static_cast<unsigned char*>([] {
    void* at =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    add_allocation(at, bytes, MemoryKind::variable).name = "device heap";
    return at;
  }());
  return heap;
}

FOREWARP_API std::uint32_t forewarp_dot4_s(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned k = 0; k < 32; k += 8)
    c += static_cast<std::uint32_t>(static_cast<std::int8_t>(a >> k) * static_cast<std::int8_t>(b >> k));
  return c;
}

FOREWARP_API std::uint32_t forewarp_dot4_u(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned k = 0; k < 32; k += 8)
    c += (a >> k & 255U) * (b >> k & 255U);
  return c;
}
