// Recording code in the optimised module, and time marks in the unoptimised one.
//
// Words that a recorded region leaves in the buffer, 8 bytes each, in the order of execution:
//   block b ran:      b, then one address for each of its sites
//   loop l entered:   loop_entry_flag | l, then the first value of its induction variable (0 when there is
//   none)
//   run r (static/affine_runs.h) begins: run_flag | r, its number of iterations where it is known, then for
//   each of its sites the first address and the bytes to the next one (0 and 0 where the iterations leave it,
//   one word each); where its iterations go several ways, words of iterations and path, then end_of_run
//   (helper/plan.h)
// Begin and end of a region are calls.
#pragma once

#include "port/helper/plan.h"
#include "port/static/region.h"

namespace forewarp::port {

/// Names that the runtime defines or finds.
namespace symbols {
inline constexpr const char* cursor = "forewarp_cursor"; ///< variable of the module: next free word
inline constexpr const char* limit =
    "forewarp_limit"; ///< variable of the module: flush when the cursor reaches it
inline constexpr const char* flush = "forewarp_flush"; ///< void()
inline constexpr const char* begin = "forewarp_begin"; ///< void(i32 region)
inline constexpr const char* end = "forewarp_end";     ///< void(i32 region)
inline constexpr const char* time_begin = "forewarp_time_begin";
inline constexpr const char* time_end = "forewarp_time_end";
inline constexpr const char* stack = "forewarp_stack";
inline constexpr const char* globals =
    "forewarp_globals"; ///< table {ptr address, i64 bytes} of the module's variables
} // namespace symbols

struct Recording {
  std::uint64_t slack_words = 0;          ///< words that may follow the limit before the next check
  std::vector<std::vector<RunPlan>> runs; ///< by region
};

/// Adds recording to the regions.
Recording instrument(llvm::Module& module, const std::vector<StaticRegion>& regions);

/// Names and sizes of the table `forewarp_globals`, in its order; added to the module.
struct GlobalVariableInfo {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::uint32_t element_bytes = 4;
};
std::vector<GlobalVariableInfo> add_global_table(llvm::Module& module);

/// Announces the arrays and structures on the stack of each function that it enters (void(ptr, i32 number)).
struct StackVariableInfo {
  std::string name;
  std::uint64_t size_bytes = 0;
  std::uint32_t element_bytes = 4;
};
std::vector<StackVariableInfo> add_stack_marks(llvm::Module& module);

/// Marks begin and end of each mark's loop in an unoptimised module. Returns, for each mark, whether its loop
/// is there.
std::vector<bool> add_time_marks(llvm::Module& module, const std::vector<RegionMark>& marks);

/// Functions that hold marked loops stay functions of their own.
void keep_region_functions(llvm::Module& module, const std::vector<RegionMark>& marks);

} // namespace forewarp::port
