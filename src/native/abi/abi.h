// What compiled kernels (native/compile.h) and the library that runs them agree on. Plain C data: one side is
// machine code that LLVM made, the other one lives in the user's program.
#pragma once

#include <cstdint>

namespace forewarp::native {

/// What a work-item asks of its warp or group before it waits.
enum class ExchangeKind : std::uint32_t {
  none,
  finished,
  barrier,
  barrier_count, ///< how many work-items of the group have a value that is not 0
  barrier_and,
  barrier_or,
  grid_barrier, ///< of all groups of the launch
  warp_barrier, ///< from here on of the warp only
  shuffle_index,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  vote_all,
  vote_any,
  vote_uniform,
  ballot,
  active_mask,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_umin,
  reduce_umax,
  reduce_and,
  reduce_or,
  reduce_xor,
};

/// One for each work-item of the group. `value` is asked with and answered in.
struct Exchange {
  std::uint32_t kind = 0;
  std::uint32_t site = 0;    ///< place in the kernel: those that wait at one place answer each other
  std::uint32_t members = 0; ///< lanes that take part; 0: those that are there
  std::uint32_t operand = 0, clamp = 0;
  std::uint32_t predicate = 0; ///< answered: a shuffle's source lane is in range, a match is complete
  std::uint64_t value = 0;
};

struct Span {
  std::uint64_t begin = 0, bytes = 0;
};

/// An access outside of the buffer that its pointer seemed to come from.
struct Found {
  Span span;                 ///< the buffer that holds it
  std::uint64_t address = 0; ///< where the access is made
};
enum class AccessKind : std::uint32_t { read, write, range }; ///< range: of a copy or a fill

/// A work-group that runs. The first members are read by compiled code, at these places.
struct Group {
  std::uint32_t size[3] = {1, 1, 1}, groups[3] = {1, 1, 1}, id[3] = {0, 0, 0};
  std::uint32_t item = 0; ///< linear id of the work-item that runs
  std::uint64_t shared_bytes = 0;
  unsigned char* shared = nullptr;
  Exchange* exchange = nullptr;   ///< by linear id
  const Span* argument = nullptr; ///< the buffer behind each pointer argument; bytes 0: none is known
};

enum class KernelKind : std::uint32_t {
  refused, ///< not compiled: `problem` says why
  plain,   ///< void code(Group*, void** arguments): all work-items of the group
  waiting, ///< void* code(Group*, void** arguments, x, y, z): starts one work-item, gives its frame
  meeting, ///< the same, and groups wait for each other
};

struct ParameterFacts {
  std::uint32_t bytes = 0, is_pointer = 0;
  std::uint32_t is_read = 0, is_written = 0; ///< by accesses whose pointer plainly comes from it
};

struct KernelFacts {
  const char* symbol = nullptr;
  const char* problem = nullptr;
  void* code = nullptr;
  const ParameterFacts* parameters = nullptr;
  std::uint32_t kind = 0, parameter_count = 0;
  std::uint64_t shared_bytes = 0; ///< static ones; those of the launch lie behind
  /// A second launch like it changes nothing, where no buffer is both read and written.
  std::uint32_t is_repeatable = 0, unused = 0;
};

struct VariableFacts {
  const char* name = nullptr;
  void* address = nullptr;
  std::uint64_t bytes = 0;
};

struct SiteFacts {
  const char* file = nullptr;
  std::uint32_t line = 0, column = 0;
};

/// Of one source; its object hands it over before `main`.
struct ModuleFacts {
  const char* name = nullptr; ///< what stands in the program's "fat binary"
  const KernelFacts* kernels = nullptr;
  const VariableFacts* variables = nullptr;
  std::uint64_t kernel_count = 0, variable_count = 0;
};

/// What a texture's fetch gives, or a surface's write takes: four of it.
enum class Texel : std::uint32_t { none, f32, i32, i16, i8 };
/// An access of an image: the number of its axes, `Texel` from bit 4 on, and these.
inline constexpr std::uint32_t image_whole = 256; ///< coordinates are whole numbers, else floats
inline constexpr std::uint32_t image_bytes = 512; ///< a surface: x counts bytes
inline constexpr std::uint32_t image_writes = 1024;

/// A frame begins with the function that runs its work-item on; null: it has finished.
using Resume = void (*)(void*);

} // namespace forewarp::native

// What compiled code calls.
extern "C" {
void forewarp_register_module(const forewarp::native::ModuleFacts* module);
void* forewarp_frame(forewarp::native::Group* group, std::uint64_t bytes);
/// What the items of a group keep from one barrier to the next.
void* forewarp_context(forewarp::native::Group* group, std::uint64_t bytes);
/// The buffer that holds `bytes` bytes at `address`. Where there is none, an access near a buffer is named:
/// cards give a read some value there, here zeros, and let a write pass, which is lost here. Any other access
/// ends the launch: no return.
void forewarp_find(forewarp::native::Group* group, std::uint64_t address, std::uint64_t bytes,
                   const forewarp::native::SiteFacts* site, forewarp::native::AccessKind kind,
                   forewarp::native::Found* found);
[[noreturn]] void forewarp_trap(forewarp::native::Group* group, const forewarp::native::SiteFacts* site);
/// Reads or writes one texel of a texture or surface. `image`: its number, or the address of the variable
/// that names it; `at`: coordinates, 4 bytes each; `texel`: 4 values of the kind that `how` says.
void forewarp_image(forewarp::native::Group* group, const void* image, const void* at, std::uint32_t how,
                    void* texel);
/// printf of a kernel: the arguments, as C promotes them, take 8 bytes each.
std::int32_t forewarp_print(const char* format, const std::uint64_t* arguments);
unsigned char* forewarp_heap();
std::uint32_t forewarp_dot4_s(std::uint32_t a, std::uint32_t b, std::uint32_t c);
std::uint32_t forewarp_dot4_u(std::uint32_t a, std::uint32_t b, std::uint32_t c);
}
