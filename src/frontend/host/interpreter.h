// Follows a host program on the numbers that it holds itself (host_program.h).
#pragma once

#include "frontend/host/memory.h"
#include "frontend/host/reach.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/ExprCXX.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend::host {

class Interpreter {
public:
  Interpreter(clang::ASTContext& context, const HostRequest& request, HostProgram& out)
      : context_(context), request_(request), out_(out) {}
  /// From `main`, then each function that starts a kernel which `main` does not lead to.
  void run();

private:
  enum class Flow : std::uint8_t { next, leave_loop, next_round, leave_function, leave_program };
  struct Frame {
    std::map<const clang::VarDecl*, Place> variables;
    Place self; ///< *this
    const clang::FunctionDecl* function = nullptr;
    Value result;
    Flow flow = Flow::next;
  };
  using Arguments = std::vector<const clang::Expr*>;

  // statements.cpp
  Flow execute(const clang::Stmt* statement);
  Flow execute_if(const clang::IfStmt& statement);
  Flow execute_switch(const clang::SwitchStmt& statement);
  Flow execute_loop(const clang::Stmt* statement);
  Flow execute_range(const clang::CXXForRangeStmt& statement);
  Flow execute_compound(const clang::CompoundStmt& statement);
  /// Which way to go: where the outcome rests on what is open, not out of the program, and to its launches.
  bool choose(const Value& condition, const clang::Stmt* then_way, const clang::Stmt* else_way);
  void declare(const clang::VarDecl& variable);
  void leave_unfinished(const clang::Stmt& loop);
  bool out_of_steps();

  // expressions.cpp
  Value evaluate(const clang::Expr* expression);
  Value evaluate_kind(const clang::Expr* expression);
  Value evaluate_children(const clang::Expr& expression);
  Value constant_of(const clang::Expr& expression);
  Value cast(const clang::CastExpr& expression);
  Value unary(const clang::UnaryOperator& expression);
  Value binary(const clang::BinaryOperator& expression);
  Value arithmetic(clang::BinaryOperatorKind operation, const Value& left, const Value& right,
                   const clang::Expr& expression);
  Value assign(const clang::BinaryOperator& expression);
  Value reference_to(const clang::ValueDecl& declaration, const clang::Expr& expression);
  Place place_of(const clang::Expr* expression);
  Place place_of_variable(const clang::VarDecl& variable);
  Place place_of_field(Place record, const clang::ValueDecl& field);
  Value load(Place place, clang::QualType type, const clang::Expr* named);
  void store(Place place, clang::QualType type, const Value& value);
  void initialise(Place place, clang::QualType type, const clang::Expr* from);
  void initialise_list(Place place, clang::QualType type, const clang::InitListExpr& list);
  Value converted(Value value, clang::QualType type) const;

  // calls.cpp
  Value call(const clang::CallExpr& call);
  Value call_by_kind(const clang::CallExpr& call);
  Value call_function(const clang::FunctionDecl& function, const Arguments& arguments, Place self);
  Value call_unknown(const Arguments& arguments, const std::string& name, const clang::Expr& call);
  Value construct(const clang::CXXConstructExpr& expression, Place place);
  bool construct_vector(const clang::CXXConstructExpr& expression, Place place);
  std::optional<Value> vector_member(std::string_view name, Place vector, const Arguments& arguments,
                                     clang::QualType vector_type);
  void run_function(const clang::FunctionDecl& function);
  void give_program_arguments(const clang::FunctionDecl& main, Frame& frame);
  Value launch(const clang::CUDAKernelCallExpr& call);

  // library.cpp
  std::optional<Value> call_library(std::string_view name, const Arguments& arguments,
                                    const clang::Expr& call);
  Value to_number(const Value& text, bool is_whole, const clang::Expr& call);
  Value allocate_host(const Value& bytes, bool zeros, const clang::Expr& call);
  std::string text_at(const Value& pointer);

  // runtime.cpp
  std::optional<Value> call_runtime(std::string_view name, const Arguments& arguments,
                                    const clang::Expr& call);
  Value allocate_device(const clang::Expr& where, const Value& bytes, const clang::Expr& call);
  Value occupancy(std::string_view name, const Arguments& arguments);
  Value launch_by_address(const Arguments& arguments, const clang::Expr& call);
  // images.cpp
  std::optional<Value> call_images(std::string_view name, const Arguments& arguments,
                                   const clang::CallExpr& call);
  std::optional<Value> call_opencl_images(std::string_view name, const Arguments& arguments,
                                          const clang::Expr& call);
  Value make_image(const clang::Expr* to, const std::string& format, const std::vector<Value>& sizes,
                   bool by_rows, const clang::Expr& call);
  Value describe_channels(const clang::CallExpr& call, const Arguments& arguments);
  Value make_texture(const Arguments& arguments, const clang::Expr& call);
  Value bind_texture(std::string_view name, const Arguments& arguments, const clang::CallExpr& call);
  std::string reference_sampler(const clang::VarDecl& texture);
  std::string channel_format(Place description);
  /// The value of a field of a field ... of the record of that type; unknown where there is none.
  Value field_value(Place record, clang::QualType type, std::initializer_list<std::string_view> path);
  std::optional<HostArgument> image_argument(const Value& value);

  // driver_api.cpp
  std::optional<Value> call_driver(std::string_view name, const Arguments& arguments,
                                   const clang::Expr& call);
  Value launch_of_module(const Arguments& arguments, const clang::Expr& call);

  // opencl.cpp
  std::optional<Value> call_opencl(std::string_view name, const Arguments& arguments,
                                   const clang::Expr& call);
  Value set_opencl_argument(const Arguments& arguments);
  Value enqueue(const Arguments& arguments, const clang::Expr& call);
  void record(FoundLaunch found, const clang::Expr& call);
  void name_kernel(FoundLaunch& found, const clang::FunctionDecl* kernel, const clang::Expr* written);
  void serialise(Place place, clang::QualType type, HostArgument& out, std::uint64_t at);
  std::optional<InnerBuffer> inner_buffer(const Value& value, std::uint64_t at);
  HostArgument argument_of(const Value& value, clang::QualType type, const clang::Expr* from);
  HostArgument buffer_argument(const Value& value);
  facts::Dim3 dims_of(const Value& value, RestsOn& rests_on, const clang::Expr& from);
  std::uint64_t size_of_launch(const Value& value, RestsOn& rests_on, const clang::Expr& from);

  // open.cpp
  std::uint32_t cause(const std::string& text);
  /// A number of its own for something that is not known: named by `name`.
  Value open_number(const Value& unknown, bool is_whole, const std::string& name, const clang::Expr* at);
  std::optional<double> given_variable(const std::string& name) const;
  std::uint64_t bytes_of(clang::QualType type) const;
  std::string text_of(const clang::Expr* expression) const;
  std::string definition_of(const clang::Expr* expression) const;
  std::uint32_t line_of(clang::SourceLocation location) const;
  clang::SourceLocation of_the_program(clang::SourceLocation place) const;
  std::string file_of(clang::SourceLocation location) const;
  ObjectId new_object(std::string name, std::uint64_t bytes, clang::SourceLocation at);
  Frame& frame() { return frames_.back(); }

  clang::ASTContext& context_;
  const HostRequest& request_;
  HostProgram& out_;
  Reach reach_;
  Memory memory_;
  std::vector<Frame> frames_;
  std::map<const clang::VarDecl*, Place> globals_;
  std::vector<std::string> causes_{""};
  std::map<std::string, std::uint32_t> cause_numbers_;
  std::vector<const clang::Expr*> calls_; ///< and constructions, around where the program stands
  std::vector<RestsOn> loops_;            ///< around where the program stands: what their lengths rest on
  std::map<const clang::VarDecl*, Place> symbols_; ///< variables of the device that were set
  std::map<std::string, Place> references_;        ///< images of texture references
  std::set<const clang::Expr*> reached_;           ///< places that start a kernel
  const clang::CallExpr* target_ = nullptr;        ///< the place that is looked for
  std::uint64_t idle_rounds_ = 0;                  ///< of loops that nothing hangs on
  bool is_idle_ = false;
  std::uint64_t steps_ = 0;
  bool isolated_ = false;
};

} // namespace forewarp::frontend::host
