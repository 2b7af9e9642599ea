#include "port/source/loop_visitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

#include <map>
#include <optional>

namespace forewarp::port {
namespace {

struct Place {
  unsigned offset = 0;
  bool is_loop = false;
  int loop = -1;
};

std::string variable_of(const clang::ForStmt& loop) {
  if (const auto* declaration = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit()))
    if (declaration->isSingleDecl())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration->getSingleDecl()))
        return variable->getNameAsString();
  if (const auto* step = llvm::dyn_cast_or_null<clang::UnaryOperator>(loop.getInc()))
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(step->getSubExpr()->IgnoreParenImpCasts()))
      return name->getDecl()->getNameAsString();
  if (const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop.getInc()))
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(step->getLHS()->IgnoreParenImpCasts()))
      return name->getDecl()->getNameAsString();
  return {};
}

class Visitor : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(clang::ASTContext& context, UnitLoops& out) : sources_(context.getSourceManager()), out_(out) {}

  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseFunctionDecl(clang::FunctionDecl* function) {
    return in_function(function, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(function); });
  }
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* function) {
    return in_function(function, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(function); });
  }

  bool dataTraverseStmtPre(clang::Stmt* statement) {
    const clang::SourceLocation begin = sources_.getExpansionLoc(statement->getBeginLoc());
    if (begin.isInvalid() || sources_.isInSystemHeader(begin) || function_.empty())
      return true;
    const std::optional<SourceLoop::Kind> kind = kind_of(*statement);
    if (kind)
      add_loop(*statement, *kind, begin);
    places_[sources_.getFileID(begin)].push_back({sources_.getFileOffset(begin), kind.has_value(),
                                                  kind ? static_cast<int>(out_.loops.size()) - 1 : -1});
    return true;
  }
  bool dataTraverseStmtPost(clang::Stmt* statement) {
    if (!stack_.empty() && stack_.back().first == statement)
      stack_.pop_back();
    return true;
  }

  /// The loop after `pragma`; -1: another statement, or none, comes first.
  int loop_after(clang::SourceLocation pragma) {
    const clang::SourceLocation at = sources_.getExpansionLoc(pragma);
    const unsigned offset = sources_.getFileOffset(at);
    const Place* best = nullptr;
    for (const Place& place : places_[sources_.getFileID(at)])
      if (place.offset > offset && (!best || place.offset < best->offset ||
                                    (place.offset == best->offset && place.is_loop && !best->is_loop)))
        best = &place;
    return best && best->is_loop ? best->loop : -1;
  }

private:
  template <class Inner> bool in_function(const clang::FunctionDecl* function, const Inner& inner) {
    std::string outer = std::move(function_);
    function_ = function->getNameAsString();
    const bool result = inner();
    function_ = std::move(outer);
    return result;
  }

  static std::optional<SourceLoop::Kind> kind_of(const clang::Stmt& statement) {
    switch (statement.getStmtClass()) {
    case clang::Stmt::ForStmtClass:
      return SourceLoop::Kind::for_loop;
    case clang::Stmt::CXXForRangeStmtClass:
      return SourceLoop::Kind::range_for;
    case clang::Stmt::WhileStmtClass:
      return SourceLoop::Kind::while_loop;
    case clang::Stmt::DoStmtClass:
      return SourceLoop::Kind::do_loop;
    default:
      return {};
    }
  }

  void add_loop(clang::Stmt& statement, SourceLoop::Kind kind, clang::SourceLocation begin) {
    const clang::PresumedLoc place = sources_.getPresumedLoc(begin);
    SourceLoop loop;
    loop.kind = kind;
    loop.file = place.getFilename();
    loop.line = place.getLine();
    loop.column = place.getColumn();
    loop.function = function_;
    if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(&statement))
      loop.variable = variable_of(*counted);
    loop.parent = stack_.empty() ? -1 : stack_.back().second;
    stack_.emplace_back(&statement, static_cast<int>(out_.loops.size()));
    out_.loops.push_back(std::move(loop));
  }

  clang::SourceManager& sources_;
  UnitLoops& out_;
  std::string function_;
  std::vector<std::pair<clang::Stmt*, int>> stack_;
  std::map<clang::FileID, std::vector<Place>> places_;
};

} // namespace

UnitLoops collect_loops(clang::ASTContext& context, const std::vector<FoundPragma>& pragmas) {
  UnitLoops result;
  Visitor visitor(context, result);
  visitor.TraverseDecl(context.getTranslationUnitDecl());
  for (const FoundPragma& pragma : pragmas) {
    const clang::PresumedLoc at = context.getSourceManager().getPresumedLoc(pragma.location);
    const int index = visitor.loop_after(pragma.location);
    if (index < 0) {
      result.errors.push_back({ErrorCode::bad_input,
                               pragma.parallel ? "no loop follows '#pragma forewarp parallel'"
                                               : "no loop follows '#pragma forewarp trips'",
                               std::string(at.getFilename()) + ":" + std::to_string(at.getLine()),
                               "the pragma stands directly before a for loop"});
      continue;
    }
    SourceLoop& loop = result.loops[static_cast<std::size_t>(index)];
    if (pragma.mark.trips > 0)
      loop.trips = pragma.mark.trips;
    if (!pragma.parallel)
      continue;
    RegionMark mark = pragma.mark;
    mark.file = loop.file;
    mark.line = loop.line;
    mark.column = loop.column;
    mark.function = loop.function;
    result.marks.push_back(std::move(mark));
  }
  return result;
}

} // namespace forewarp::port
