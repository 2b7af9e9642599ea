// The kernel IR: an optimised LLVM module of one target with its kernels' signatures. The only room that
// hands LLVM to others.
#pragma once

#include "facts/launch.h"
#include "facts/source_location.h"
#include "facts/trace.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class Function;
class Instruction;
} // namespace llvm

namespace forewarp::ir {

enum class SourceLanguage { opencl, cuda, hip, llvm_ir, ptx, c };
enum class TargetFamily { nvidia, amd };

enum class AddressSpace : std::uint8_t { none, global, shared, constant, local, generic };

/// One kernel parameter as the source declares it.
struct Parameter {
  std::string name; ///< "" where the input has no names
  std::string
      type_name; ///< "float", "uint4", "struct node"; as spelled; "" where the input has no types' names
  bool is_pointer = false;
  bool is_image = false, is_sampler = false;
  AddressSpace space =
      AddressSpace::none;       ///< of the pointee; shared: size given at launch (`local` pointers of OpenCL)
  std::uint32_t size_bytes = 0; ///< of the value (8 for pointers)
  std::optional<facts::ScalarType> scalar; ///< of the value or pointee; empty: struct, void or opaque
  std::uint32_t components = 1;            ///< vector width of the value or pointee
  std::uint32_t pointee_bytes = 0;         ///< size of one pointee element; 0 unknown
  bool is_const = false, is_restrict = false;
  std::uint32_t offset_bytes = 0; ///< of a field: from the start of its struct
  /// Of a struct by value: its fields, those of inner structs and short arrays in its place ("a", "inner.x",
  /// "m[1]"). Of a pointer to what holds pointers: the fields of one element; a pointer to a pointer has one
  /// field, without a name. Empty where the layout is not known (unions, bit fields, long arrays).
  std::vector<Parameter> fields = {};
};

struct KernelSignature {
  std::string name;   ///< as the user calls it (demangled for CUDA: "scale<float>")
  std::string symbol; ///< in the module
  std::vector<Parameter> parameters;
  std::optional<facts::Dim3> required_group_size; ///< reqd_work_group_size
  std::optional<unsigned> max_group_threads;      ///< __launch_bounds__, first argument
  std::optional<unsigned> min_groups_per_sm;      ///< __launch_bounds__, second argument
  std::optional<facts::Dim3> required_cluster;    ///< groups of a cluster (PTX: .reqnctapercluster)
  std::uint64_t static_shared_bytes = 0;
  bool uses_dynamic_shared = false;
  facts::SourceLocation location;
};

/// Owns context and module. Every defined function has been inlined into the kernels; each kernel is one
/// function whose calls are LLVM intrinsics and the markers of ir/builtins.h only (verified by the front
/// end).
class KernelModule {
public:
  KernelModule(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module);
  KernelModule(KernelModule&&) noexcept;
  KernelModule& operator=(KernelModule&&) noexcept;
  ~KernelModule();

  llvm::Module& module() const { return *module_; }
  /// Leaks context and module: after a crash inside LLVM they may not be destroyed.
  void abandon();

  SourceLanguage language = SourceLanguage::opencl;
  TargetFamily family = TargetFamily::nvidia;
  std::string target; ///< "sm_75", "gfx90a"
  unsigned warp_width = 32;
  bool non_uniform_groups_allowed = false; ///< OpenCL 2.0 and later
  std::vector<KernelSignature> kernels;
  /// Kernels that reach what is not modelled; the others can be predicted.
  struct Refusal {
    std::string symbol;
    Error error;
  };
  std::vector<Refusal> refused;
  facts::SourceFiles files;
  std::string diagnostics;        ///< warnings, as the compiler words them
  std::vector<facts::Note> notes; ///< what the front end left out or assumed (printf, ...)

private:
  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

/// Source place of an instruction: the innermost frame of its inlined-at chain that lies in one of `files`
/// (the user's files; headers of the compiler and of this program are not among them). Line 0 when none is
/// known.
facts::SourceLocation location_of(const llvm::Instruction& instruction, const facts::SourceFiles& files);

/// Numbering that trace and machine program share: block index = position in the function; memory sites =
/// memory instructions (loads, stores, atomics, memory intrinsics that touch
/// global/shared/constant/local/generic memory) in function order. Loads from the kernel-parameter space are
/// no sites.
struct Numbering {
  struct Site {
    const llvm::Instruction* instruction;
    std::uint32_t block, index_in_block;
  };
  std::vector<Site> sites;
  std::vector<std::uint32_t> sites_of_block; ///< count per block
};
Numbering number(const llvm::Function& kernel);
/// True for an instruction that is a memory site.
bool is_memory_site(const llvm::Instruction& instruction);

} // namespace forewarp::ir
