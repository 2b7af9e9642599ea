// One call of a language built-in, as the rows' emitters see it, and the row itself.
//
// To add built-ins (CUDA's header, another language): write rows in a table_<subject>.cpp and list its table
// in tables.h. A row's name is the demangled base name without arguments, or the plain symbol of an unmangled
// function.
#pragma once

#include "ir/kernel_module.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

namespace forewarp::frontend::lowering {

struct Problem {
  std::string function; ///< as the source names it
  std::string message;
  std::string where;                     ///< "file:line:column"
  std::vector<std::string> kernels = {}; ///< symbols of those that reach the place
  std::string remedy = {};               ///< "": that of an unknown function
};

/// What the pass found; errors do not stop it, so that all of them can be reported.
struct Report {
  std::vector<Problem> problems;
  std::vector<facts::Note> notes; ///< `location.line` is set; the file is the main file
};

/// A parameter's type as the mangled name spells it; opaque pointers and integers carry no such facts in IR.
struct SourceType {
  std::string text;
  bool is_unsigned = false;
};

/// `pure`: reads no memory; `convergent`: exchange between work-items.
enum class MarkerEffect { pure, convergent, memory_read, memory_write };

/// Call of the marker "forewarp.NAME" (ir/builtins.h).
llvm::CallInst* call_marker(llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* result,
                            llvm::ArrayRef<llvm::Value*> arguments, MarkerEffect effect);

struct Row;

struct BuiltinCall {
  llvm::CallInst& call;
  llvm::IRBuilder<> b;
  const Row& row;
  std::string name;
  llvm::SmallVector<SourceType, 4> types; ///< empty for unmangled names
  ir::TargetFamily family;
  unsigned warp_width;
  Report& report;
  bool malformed = false;
  bool whole_global_ids = false; ///< get_global_id stays one call until expand_global_ids

  unsigned count() const { return call.arg_size(); }
  /// Argument i. Foreign IR may declare too few: then `malformed` is set and the value is poison.
  llvm::Value* arg(unsigned i);
  llvm::Type* type() const { return call.getType(); }
  llvm::Module& module() const { return *call.getModule(); }
  bool is_unsigned(unsigned i) const { return i < types.size() && types[i].is_unsigned; }
  bool nvidia() const { return family == ir::TargetFamily::nvidia; }

  /// Argument i, splat to `wanted` where that is a vector and the argument is not.
  llvm::Value* arg_as(unsigned i, llvm::Type* wanted);
  llvm::Value* arg_as_result(unsigned i) { return arg_as(i, type()); }

  /// Call of an intrinsic overloaded on `types`; keeps !fpmath of the built-in's call.
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type*> overloads,
                         llvm::ArrayRef<llvm::Value*> arguments);
  using Effect = MarkerEffect;
  /// Call of a marker.
  llvm::CallInst* marker(const std::string& name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                         Effect effect = Effect::pure);
  /// Says so in the answer, with the line of the call.
  void assume(std::string text);
  /// Applies `lane` to each component of vector operands (scalars are handed to every component).
  llvm::Value* per_component(llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments,
                             llvm::function_ref<llvm::Value*(llvm::ArrayRef<llvm::Value*>)> lane);
};

/// Replacement of the call, or null where the row does not serve these types. A call of void type may return
/// any non-null value (the call's own operand, a constant).
using Emitter = llvm::Value* (*)(BuiltinCall& call);

struct Row {
  const char* name;
  Emitter emit;
  unsigned code = 0;          ///< intrinsic, opcode, predicate: the emitter's business
  const char* word = nullptr; ///< marker name or similar
};

/// Suffix of a scalar type: "i32", "f32", ...
std::string type_suffix(llvm::Type* type);
/// What a void built-in returns when it is done.
llvm::Value* done(BuiltinCall& call);

} // namespace forewarp::frontend::lowering
