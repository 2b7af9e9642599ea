// What statements of a host program lead to: starts of kernels, allocations, the program's end.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend::host {

/// Name of what a call calls, without scope; "" where it is not known.
std::string called_name(const clang::CallExpr& call);

/// Whether `path` is the OpenCL wrapper among the own headers: the only ones whose functions are followed.
bool is_own_header(std::string_view path);

/// Whether a function that stands there is followed: the program's own, and the OpenCL wrapper's.
bool is_followed(clang::SourceLocation location, const clang::SourceManager& sources);

class Reach {
public:
  /// Whether a kernel is started, or memory of the device allocated or set up, in `statement` or in what it
  /// calls.
  bool matters(const clang::Stmt* statement);
  /// Whether a kernel is started there.
  bool launches(const clang::Stmt* statement);
  /// Whether the program or function always ends there.
  bool ends(const clang::Stmt* statement, unsigned depth = 0);
  /// Functions with a body that start kernels themselves, in the order of the file.
  static std::vector<const clang::FunctionDecl*> launching_functions(clang::ASTContext& context);
  /// Places in `function` that start kernels.
  static std::vector<const clang::CallExpr*> launches_in(const clang::FunctionDecl& function);
  /// Whether `place` stands in `statement`.
  static bool holds(const clang::Stmt* statement, const clang::Stmt* place);

private:
  struct Found {
    bool launches = false, matters = false;
  };
  Found look(const clang::Stmt* statement);
  Found look_into(const clang::FunctionDecl& function);
  std::map<const clang::FunctionDecl*, Found> functions_;
  std::map<const clang::Stmt*, Found> statements_;
};

} // namespace forewarp::frontend::host
