#include "frontend/host/interpreter.h"

#include <clang/AST/StmtCXX.h>

#include <algorithm>

namespace forewarp::frontend::host {
namespace {

constexpr std::uint64_t most_steps = 3'000'000;
constexpr std::uint64_t most_idle_rounds =
    2000;                                  ///< of a nest of loops that starts no kernel and allocates nothing
constexpr std::uint64_t most_rounds = 512; ///< of a loop that allocates
constexpr std::uint64_t most_launching_rounds = 128; ///< of one that starts kernels

} // namespace

bool Interpreter::out_of_steps() {
  return ++steps_ > most_steps;
}

Interpreter::Flow Interpreter::execute(const clang::Stmt* statement) {
  if (!statement || out_of_steps())
    return out_of_steps() ? Flow::leave_program : Flow::next;
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    evaluate(expression);
    const Flow flow = frame().flow; // set by a call that ends the program
    return flow;
  }
  switch (statement->getStmtClass()) {
  case clang::Stmt::CompoundStmtClass:
    return execute_compound(*llvm::cast<clang::CompoundStmt>(statement));
  case clang::Stmt::DeclStmtClass:
    for (const clang::Decl* declaration : llvm::cast<clang::DeclStmt>(statement)->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
        declare(*variable);
    return frame().flow;
  case clang::Stmt::IfStmtClass:
    return execute_if(*llvm::cast<clang::IfStmt>(statement));
  case clang::Stmt::SwitchStmtClass:
    return execute_switch(*llvm::cast<clang::SwitchStmt>(statement));
  case clang::Stmt::ForStmtClass:
  case clang::Stmt::WhileStmtClass:
  case clang::Stmt::DoStmtClass:
    return execute_loop(statement);
  case clang::Stmt::CXXForRangeStmtClass:
    return execute_range(*llvm::cast<clang::CXXForRangeStmt>(statement));
  case clang::Stmt::BreakStmtClass:
    return Flow::leave_loop;
  case clang::Stmt::ContinueStmtClass:
    return Flow::next_round;
  case clang::Stmt::ReturnStmtClass: {
    const clang::Expr* value = llvm::cast<clang::ReturnStmt>(statement)->getRetValue();
    if (value && frame().function && frame().function->getReturnType()->isReferenceType()) {
      const Place place = place_of(value);
      frame().result = place.valid() ? pointer(place) : Value{};
    } else if (value) {
      frame().result = evaluate(value);
    }
    return frame().flow == Flow::leave_program ? Flow::leave_program : Flow::leave_function;
  }
  case clang::Stmt::CXXTryStmtClass:
    return execute(llvm::cast<clang::CXXTryStmt>(statement)->getTryBlock());
  case clang::Stmt::LabelStmtClass:
    return execute(llvm::cast<clang::LabelStmt>(statement)->getSubStmt());
  case clang::Stmt::AttributedStmtClass:
    return execute(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt());
  case clang::Stmt::CaseStmtClass:
  case clang::Stmt::DefaultStmtClass:
    return execute(llvm::cast<clang::SwitchCase>(statement)->getSubStmt());
  default:
    for (const clang::Stmt* child : statement->children())
      if (const Flow flow = execute(child); flow != Flow::next)
        return flow;
    return Flow::next;
  }
}

Interpreter::Flow Interpreter::execute_compound(const clang::CompoundStmt& statement) {
  for (const clang::Stmt* child : statement.body())
    if (const Flow flow = execute(child); flow != Flow::next)
      return flow;
  return Flow::next;
}

bool Interpreter::choose(const Value& condition, const clang::Stmt* then_way, const clang::Stmt* else_way) {
  if (target_ && Reach::holds(then_way, target_))
    return true;
  if (target_ && Reach::holds(else_way, target_))
    return false;
  const bool rests_on_open = condition.is_unknown() || condition.rests_on != 0;
  const bool straight = !condition.is_unknown() && condition.truth();
  if (!rests_on_open)
    return straight;
  const bool then_launches = reach_.launches(then_way), else_launches = reach_.launches(else_way);
  if (then_launches != else_launches)
    return condition.is_unknown() || (straight ? else_launches : then_launches) ? then_launches : straight;
  const bool then_ends = reach_.ends(then_way), else_ends = reach_.ends(else_way);
  if (then_ends != else_ends && !(then_ends && then_launches))
    return else_ends;
  return straight;
}

Interpreter::Flow Interpreter::execute_if(const clang::IfStmt& statement) {
  if (statement.getInit())
    execute(statement.getInit());
  if (const clang::VarDecl* variable = statement.getConditionVariable())
    declare(*variable);
  const Value condition = evaluate(statement.getCond());
  if (frame().flow == Flow::leave_program)
    return Flow::leave_program;
  return execute(choose(condition, statement.getThen(), statement.getElse()) ? statement.getThen()
                                                                             : statement.getElse());
}

Interpreter::Flow Interpreter::execute_switch(const clang::SwitchStmt& statement) {
  const Value value = evaluate(statement.getCond());
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(statement.getBody());
  if (!body)
    return Flow::next;
  // The label that is taken: the value's, else the default, else the first that starts a kernel.
  const clang::Stmt* from = nullptr;
  const clang::Stmt* otherwise = nullptr;
  const clang::Stmt* launching = nullptr;
  for (const clang::Stmt* child : body->body())
    for (const clang::Stmt* label = child; label && llvm::isa<clang::SwitchCase>(label);
         label = llvm::cast<clang::SwitchCase>(label)->getSubStmt()) {
      if (!launching && reach_.launches(child))
        launching = child;
      if (llvm::isa<clang::DefaultStmt>(label)) {
        otherwise = child;
      } else if (const Value of = evaluate(llvm::cast<clang::CaseStmt>(label)->getLHS());
                 !from && value.is_number() && of.is_number() && of.as_integer() == value.as_integer()) {
        from = child;
      }
    }
  if (!from)
    from = otherwise && !reach_.ends(otherwise)                  ? otherwise
           : launching && (value.is_unknown() || value.rests_on) ? launching
                                                                 : otherwise;
  bool on = false;
  for (const clang::Stmt* child : body->body()) {
    on |= child == from;
    if (!on)
      continue;
    const Flow flow = execute(child);
    if (flow == Flow::leave_loop)
      return Flow::next;
    if (flow != Flow::next)
      return flow;
  }
  return Flow::next;
}

void Interpreter::leave_unfinished(const clang::Stmt& loop) {
  struct Assigned {
    Interpreter& self;
    std::uint32_t why;
    void visit(const clang::Stmt* statement) {
      if (!statement)
        return;
      const clang::Expr* target = nullptr;
      if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
          binary && binary->isAssignmentOp())
        target = binary->getLHS();
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
          unary && unary->isIncrementDecrementOp())
        target = unary->getSubExpr();
      const auto* named =
          target ? llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParenImpCasts()) : nullptr;
      if (named)
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
            variable && variable->getType()->isArithmeticType())
          self.memory_.forget(self.place_of_variable(*variable), 8, why);
      for (const clang::Stmt* child : statement->children())
        visit(child);
    }
  };
  Assigned{*this, cause("a loop that was not followed to its end (line " +
                        std::to_string(line_of(loop.getBeginLoc())) + ")")}
      .visit(&loop);
}

Interpreter::Flow Interpreter::execute_loop(const clang::Stmt* statement) {
  const auto* for_loop = llvm::dyn_cast<clang::ForStmt>(statement);
  const auto* while_loop = llvm::dyn_cast<clang::WhileStmt>(statement);
  const auto* do_loop = llvm::dyn_cast<clang::DoStmt>(statement);
  const clang::Expr* condition = for_loop     ? for_loop->getCond()
                                 : while_loop ? while_loop->getCond()
                                              : do_loop->getCond();
  const clang::Stmt* body = for_loop     ? for_loop->getBody()
                            : while_loop ? while_loop->getBody()
                                         : do_loop->getBody();
  const bool launches = reach_.launches(body), matters = launches || reach_.matters(body);
  if (for_loop && for_loop->getInit())
    execute(for_loop->getInit());
  const std::uint64_t most = launches ? most_launching_rounds : most_rounds;
  const bool outermost_idle = !matters && !is_idle_;
  if (outermost_idle) {
    is_idle_ = true;
    idle_rounds_ = 0;
  }
  loops_.push_back(0);
  Flow flow = Flow::next;
  for (std::uint64_t round = 0;; ++round) {
    if (condition && (!do_loop || round > 0)) {
      const Value value = evaluate(condition);
      loops_.back() |= value.rests_on;
      // What is not known lets a loop that matters go round once, and another not at all.
      if (value.is_unknown() && (round > 0 || !matters)) {
        leave_unfinished(*statement);
        break;
      }
      if (!value.is_unknown() && !value.truth() && !(round == 0 && launches && value.rests_on))
        break;
    }
    if ((matters ? round == most : ++idle_rounds_ > most_idle_rounds) || steps_ > most_steps) {
      leave_unfinished(*statement);
      break;
    }
    flow = execute(body);
    if (flow == Flow::leave_loop || flow == Flow::leave_function || flow == Flow::leave_program)
      break;
    if (for_loop && for_loop->getInc())
      evaluate(for_loop->getInc());
  }
  loops_.pop_back();
  if (outermost_idle)
    is_idle_ = false;
  return flow == Flow::leave_function || flow == Flow::leave_program ? flow : Flow::next;
}

/// Not followed by element: the body once, where it matters.
Interpreter::Flow Interpreter::execute_range(const clang::CXXForRangeStmt& statement) {
  if (!reach_.matters(statement.getBody()))
    return Flow::next;
  if (const clang::VarDecl* variable = statement.getLoopVariable())
    frame().variables[variable] = {
        new_object(variable->getNameAsString(), bytes_of(variable->getType()), variable->getLocation()), 0};
  const Flow flow = execute(statement.getBody());
  return flow == Flow::leave_function || flow == Flow::leave_program ? flow : Flow::next;
}

void Interpreter::declare(const clang::VarDecl& variable) {
  if (variable.isStaticLocal()) {
    place_of_variable(variable);
    return;
  }
  const clang::QualType type = variable.getType();
  const Place place{new_object(variable.getNameAsString(), bytes_of(type), variable.getLocation()), 0};
  memory_[place.object].is_array = type->isArrayType();
  frame().variables[&variable] = place;
  if (const auto given = given_variable(variable.getNameAsString()); given && type->isArithmeticType()) {
    store(place, type, converted(real(*given), type));
    return;
  }
  if (const auto* array = context_.getAsVariableArrayType(type)) {
    const Value count = evaluate(array->getSizeExpr());
    memory_[place.object].bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, count.as_integer())) *
                                  bytes_of(array->getElementType());
  }
  if (variable.hasInit())
    initialise(place, type, variable.getInit());
}

} // namespace forewarp::frontend::host
