#include "frontend/host/reach.h"

#include "frontend/languages/cuda/cuda_headers.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <set>

namespace forewarp::frontend::host {
namespace {

const std::set<std::string, std::less<>> launching_names = {"cudaLaunchKernel",
                                                            "cudaLaunchCooperativeKernel",
                                                            "clEnqueueNDRangeKernel",
                                                            "enqueueNDRangeKernel",
                                                            "clEnqueueTask",
                                                            "cuLaunchKernel",
                                                            "cuLaunchCooperativeKernel",
                                                            "hipModuleLaunchKernel"};
const std::set<std::string, std::less<>> ending_names = {"exit", "_exit", "abort", "quick_exit", "_Exit"};

bool sets_up(const std::string& name) {
  return name.starts_with("cudaM") || name.starts_with("cuM") || name.starts_with("cl") || name == "setArg" ||
         name == "malloc" || name == "calloc";
}

bool is_launch(const clang::Stmt& statement) {
  if (llvm::isa<clang::CUDAKernelCallExpr>(statement))
    return true;
  const auto* call = llvm::dyn_cast<clang::CallExpr>(&statement);
  return call && launching_names.contains(called_name(*call));
}

bool holds_launch(const clang::Stmt* statement) {
  if (!statement)
    return false;
  if (is_launch(*statement))
    return true;
  const auto children = statement->children();
  return std::any_of(children.begin(), children.end(), holds_launch);
}

class LaunchingFunctions {
public:
  explicit LaunchingFunctions(const clang::SourceManager& sources) : sources_(sources) {}

  void visit(const clang::DeclContext& scope) {
    for (const clang::Decl* declaration : scope.noload_decls())
      if (!sources_.isInSystemHeader(declaration->getLocation()))
        visit(*declaration);
  }

  std::vector<const clang::FunctionDecl*> found;

private:
  void visit(const clang::Decl& declaration) {
    if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(&declaration)) {
      bool has_instance = false;
      for (const clang::FunctionDecl* instance : function_template->specializations()) {
        has_instance |= instance->hasBody();
        add(*instance);
      }
      if (!has_instance)
        add(*function_template->getTemplatedDecl());
    } else if (const auto* class_template = llvm::dyn_cast<clang::ClassTemplateDecl>(&declaration)) {
      bool has_instance = false;
      for (const clang::ClassTemplateSpecializationDecl* instance : class_template->specializations()) {
        has_instance = true;
        visit(*static_cast<const clang::DeclContext*>(instance));
      }
      if (!has_instance)
        visit(*static_cast<const clang::DeclContext*>(class_template->getTemplatedDecl()));
    } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
      add(*function);
    } else if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::CXXRecordDecl>(declaration)) {
      visit(*llvm::cast<clang::DeclContext>(&declaration));
    }
  }
  void add(const clang::FunctionDecl& function) {
    if (function.doesThisDeclarationHaveABody() && holds_launch(function.getBody()))
      found.push_back(&function);
  }
  const clang::SourceManager& sources_;
};

void collect_calls(const clang::Stmt* statement, std::vector<const clang::CallExpr*>& found) {
  if (!statement)
    return;
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement); call && is_launch(*call))
    found.push_back(call);
  for (const clang::Stmt* child : statement->children())
    collect_calls(child, found);
}

} // namespace

bool is_own_header(std::string_view path) {
  return path.starts_with(own_include_folder) && path.find("/CL/") != std::string_view::npos;
}

bool is_followed(clang::SourceLocation location, const clang::SourceManager& sources) {
  return !sources.isInSystemHeader(location) || is_own_header(sources.getFilename(location));
}

std::vector<const clang::CallExpr*> Reach::launches_in(const clang::FunctionDecl& function) {
  std::vector<const clang::CallExpr*> found;
  collect_calls(function.getBody(), found);
  return found;
}

bool Reach::holds(const clang::Stmt* statement, const clang::Stmt* place) {
  if (!statement)
    return false;
  for (const clang::Stmt* child : statement->children())
    if (child == place || holds(child, place))
      return true;
  return statement == place;
}

std::string called_name(const clang::CallExpr& call) {
  if (const clang::FunctionDecl* function = call.getDirectCallee())
    return function->getDeclName().isIdentifier() ? function->getName().str() : std::string();
  const clang::Expr* callee = call.getCallee() ? call.getCallee()->IgnoreParenImpCasts() : nullptr;
  if (const auto* lookup = llvm::dyn_cast_or_null<clang::OverloadExpr>(callee))
    return lookup->getName().getAsString();
  if (const auto* member = llvm::dyn_cast_or_null<clang::CXXDependentScopeMemberExpr>(callee))
    return member->getMember().getAsString();
  if (const auto* scope = llvm::dyn_cast_or_null<clang::DependentScopeDeclRefExpr>(callee))
    return scope->getDeclName().getAsString();
  if (const auto* member = llvm::dyn_cast_or_null<clang::MemberExpr>(callee))
    return member->getMemberDecl()->getNameAsString();
  return {};
}

Reach::Found Reach::look_into(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* defined = nullptr;
  if (!function.hasBody(defined))
    return {};
  const auto [entry, is_new] = functions_.try_emplace(defined);
  if (!is_new)
    return entry->second; // of a recursion: nothing
  const Found found = look(defined->getBody());
  return functions_[defined] = found;
}

Reach::Found Reach::look(const clang::Stmt* statement) {
  if (!statement)
    return {};
  const bool is_kept = llvm::isa<clang::CompoundStmt, clang::IfStmt, clang::ForStmt, clang::WhileStmt,
                                 clang::DoStmt, clang::CXXForRangeStmt>(statement);
  if (is_kept)
    if (const auto known = statements_.find(statement); known != statements_.end())
      return known->second;
  Found found;
  if (is_launch(*statement))
    found = {true, true};
  else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    found.matters = sets_up(called_name(*call));
    if (const clang::FunctionDecl* function = call->getDirectCallee()) {
      const Found inner = look_into(*function);
      found.launches |= inner.launches;
      found.matters |= inner.matters;
    }
  } else if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(statement)) {
    found = look_into(*construction->getConstructor());
  } else if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    found = look(lambda->getBody());
  }
  for (const clang::Stmt* child : statement->children()) {
    const Found inner = look(child);
    found.launches |= inner.launches;
    found.matters |= inner.matters;
  }
  if (is_kept)
    statements_[statement] = found;
  return found;
}

bool Reach::matters(const clang::Stmt* statement) {
  return look(statement).matters;
}
bool Reach::launches(const clang::Stmt* statement) {
  return look(statement).launches;
}

bool Reach::ends(const clang::Stmt* statement, unsigned depth) {
  constexpr unsigned deepest = 12;
  if (!statement || depth > deepest)
    return false;
  if (llvm::isa<clang::ReturnStmt, clang::CXXThrowExpr>(statement))
    return true;
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt* child : compound->body())
      if (ends(child, depth + 1))
        return true;
    return false;
  }
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement))
    return branch->getElse() && ends(branch->getThen(), depth + 1) && ends(branch->getElse(), depth + 1);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    if (ending_names.contains(called_name(*call)))
      return true;
    const clang::FunctionDecl* function = call->getDirectCallee();
    const clang::FunctionDecl* defined = nullptr;
    if (!function || !function->hasBody(defined))
      return function && function->isNoReturn();
    // A function that returns does not end its caller.
    const auto* body = llvm::dyn_cast<clang::CompoundStmt>(defined->getBody());
    if (!body)
      return false;
    for (const clang::Stmt* child : body->body())
      if (!llvm::isa<clang::ReturnStmt>(child) && ends(child, depth + 1) && !launches(child))
        return llvm::isa<clang::CallExpr>(child);
    return false;
  }
  if (const auto* wrapper = llvm::dyn_cast<clang::ExprWithCleanups>(statement))
    return ends(wrapper->getSubExpr(), depth + 1);
  return false;
}

std::vector<const clang::FunctionDecl*> Reach::launching_functions(clang::ASTContext& context) {
  LaunchingFunctions functions(context.getSourceManager());
  functions.visit(*static_cast<const clang::DeclContext*>(context.getTranslationUnitDecl()));
  return std::move(functions.found);
}

} // namespace forewarp::frontend::host
