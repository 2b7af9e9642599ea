#include "frontend/host/interpreter.h"

#include <cmath>

namespace forewarp::frontend::host {
namespace {

Value compared(clang::BinaryOperatorKind operation, const Value& left, const Value& right) {
  const RestsOn rests = left.rests_on | right.rests_on;
  if (left.kind == Value::Kind::pointer || right.kind == Value::Kind::pointer) {
    const bool both = left.kind == right.kind;
    const bool same =
        both && left.place.object == right.place.object && left.place.offset == right.place.offset;
    if (operation == clang::BO_EQ || operation == clang::BO_NE)
      return whole(same == (operation == clang::BO_EQ) ? 1 : 0, rests);
    return both && left.place.object == right.place.object
               ? compared(operation, whole(left.place.offset), whole(right.place.offset))
               : unknown(0);
  }
  if (left.kind == Value::Kind::integer && right.kind == Value::Kind::integer) {
    const std::int64_t a = left.integer, b = right.integer;
    const bool holds = operation == clang::BO_LT   ? a < b
                       : operation == clang::BO_GT ? a > b
                       : operation == clang::BO_LE ? a <= b
                       : operation == clang::BO_GE ? a >= b
                       : operation == clang::BO_EQ ? a == b
                                                   : a != b;
    return whole(holds ? 1 : 0, rests);
  }
  const double a = left.as_real(), b = right.as_real();
  const bool holds = operation == clang::BO_LT   ? a < b
                     : operation == clang::BO_GT ? a > b
                     : operation == clang::BO_LE ? a <= b
                     : operation == clang::BO_GE ? a >= b
                     : operation == clang::BO_EQ ? a == b
                                                 : a != b;
  return whole(holds ? 1 : 0, rests);
}

Value of_reals(clang::BinaryOperatorKind operation, double a, double b, RestsOn rests) {
  switch (operation) {
  case clang::BO_Mul:
    return real(a * b, rests);
  case clang::BO_Div:
    return b == 0 ? unknown(0) : real(a / b, rests);
  case clang::BO_Add:
    return real(a + b, rests);
  case clang::BO_Sub:
    return real(a - b, rests);
  default:
    return unknown(0);
  }
}

Value of_wholes(clang::BinaryOperatorKind operation, std::int64_t a, std::int64_t b, RestsOn rests) {
  const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
  const auto made = [&](std::uint64_t value) { return whole(static_cast<std::int64_t>(value), rests); };
  constexpr std::int64_t least = INT64_MIN;
  switch (operation) {
  case clang::BO_Mul:
    return made(ua * ub);
  case clang::BO_Div:
    return b == 0 || (a == least && b == -1) ? unknown(0) : whole(a / b, rests);
  case clang::BO_Rem:
    return b == 0 || (a == least && b == -1) ? unknown(0) : whole(a % b, rests);
  case clang::BO_Add:
    return made(ua + ub);
  case clang::BO_Sub:
    return made(ua - ub);
  case clang::BO_Shl:
    return b < 0 || b > 63 ? unknown(0) : made(ua << ub);
  case clang::BO_Shr:
    return b < 0 || b > 63 ? unknown(0) : whole(a >> b, rests);
  case clang::BO_And:
    return made(ua & ub);
  case clang::BO_Or:
    return made(ua | ub);
  case clang::BO_Xor:
    return made(ua ^ ub);
  default:
    return unknown(0);
  }
}

} // namespace

Value Interpreter::arithmetic(clang::BinaryOperatorKind operation, const Value& left, const Value& right,
                              const clang::Expr& expression) {
  if (clang::BinaryOperator::isComparisonOp(operation) && !left.is_unknown() && !right.is_unknown())
    return compared(operation, left, right);
  if (left.is_unknown() || right.is_unknown())
    return unknown(left.is_unknown() ? left.cause : right.cause);
  const RestsOn rests = left.rests_on | right.rests_on;
  const bool is_sum = operation == clang::BO_Add || operation == clang::BO_Sub;
  if (is_sum && (left.kind == Value::Kind::pointer) != (right.kind == Value::Kind::pointer)) {
    const Value& base = left.kind == Value::Kind::pointer ? left : right;
    const Value& count = left.kind == Value::Kind::pointer ? right : left;
    const auto size = static_cast<std::int64_t>(bytes_of(expression.getType()->getPointeeType().isNull()
                                                             ? context_.CharTy
                                                             : expression.getType()->getPointeeType()));
    const std::int64_t moved = count.as_integer() * size;
    return pointer({base.place.object, base.place.offset + (operation == clang::BO_Sub ? -moved : moved)},
                   rests);
  }
  if (!left.is_number() || !right.is_number()) {
    if (operation == clang::BO_Sub && left.kind == right.kind && left.kind == Value::Kind::pointer &&
        left.place.object == right.place.object)
      return whole(left.place.offset - right.place.offset,
                   rests); // bytes: what is apart rarely sizes a launch
    return unknown(0);
  }
  if (left.kind == Value::Kind::real || right.kind == Value::Kind::real)
    return of_reals(operation, left.as_real(), right.as_real(), rests);
  const bool is_unsigned_long =
      !expression.getType().isNull() && expression.getType()->isUnsignedIntegerType() &&
      (operation == clang::BO_Div || operation == clang::BO_Rem || operation == clang::BO_Shr) &&
      (left.integer < 0 || right.integer < 0);
  return is_unsigned_long ? unknown(0) : of_wholes(operation, left.integer, right.integer, rests);
}

Value Interpreter::binary(const clang::BinaryOperator& expression) {
  if (expression.isAssignmentOp())
    return assign(expression);
  const clang::BinaryOperatorKind operation = expression.getOpcode();
  if (operation == clang::BO_Comma) {
    evaluate(expression.getLHS());
    return evaluate(expression.getRHS());
  }
  const Value left = evaluate(expression.getLHS());
  if (operation == clang::BO_LAnd || operation == clang::BO_LOr) {
    const bool decides = !left.is_unknown() && left.truth() == (operation == clang::BO_LOr);
    if (decides)
      return whole(operation == clang::BO_LOr ? 1 : 0, left.rests_on);
    const Value right = evaluate(expression.getRHS());
    if (!right.is_unknown() && right.truth() == (operation == clang::BO_LOr))
      return whole(operation == clang::BO_LOr ? 1 : 0, left.rests_on | right.rests_on);
    if (left.is_unknown() || right.is_unknown())
      return unknown(left.is_unknown() ? left.cause : right.cause);
    return whole(right.truth() ? 1 : 0, left.rests_on | right.rests_on);
  }
  const Value value = arithmetic(operation, left, evaluate(expression.getRHS()), expression);
  return converted(value, expression.getType());
}

Value Interpreter::assign(const clang::BinaryOperator& expression) {
  const clang::Expr* target = expression.getLHS();
  const clang::QualType type = target->getType();
  Value value = evaluate(expression.getRHS());
  const Place place = place_of(target);
  if (expression.isCompoundAssignmentOp()) {
    const Value before = load(place, type, target);
    value = arithmetic(clang::BinaryOperator::getOpForCompoundAssignment(expression.getOpcode()), before,
                       value, expression);
  }
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(target->IgnoreParens()))
    if (const auto given = given_variable(named->getDecl()->getNameAsString());
        given && type->isArithmeticType())
      value = real(*given);
  value = type->isDependentType() ? value : converted(value, type);
  store(place, type, value);
  return value;
}

Value Interpreter::unary(const clang::UnaryOperator& expression) {
  const clang::Expr* inner = expression.getSubExpr();
  switch (expression.getOpcode()) {
  case clang::UO_AddrOf: {
    if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(inner->IgnoreParens());
        named && llvm::isa<clang::FunctionDecl>(named->getDecl()))
      return evaluate(inner);
    const Place place = place_of(inner);
    return place.valid() ? pointer(place) : unknown(cause("'" + text_of(&expression) + "'"));
  }
  case clang::UO_Deref:
    return load(place_of(&expression), expression.getType(), &expression);
  case clang::UO_PostInc:
  case clang::UO_PostDec:
  case clang::UO_PreInc:
  case clang::UO_PreDec: {
    const Place place = place_of(inner);
    const Value before = load(place, inner->getType(), inner);
    const Value after = converted(
        arithmetic(expression.isIncrementOp() ? clang::BO_Add : clang::BO_Sub, before, whole(1), expression),
        inner->getType());
    store(place, inner->getType(), after);
    return expression.isPostfix() ? before : after;
  }
  case clang::UO_Minus: {
    const Value value = evaluate(inner);
    if (value.kind == Value::Kind::real)
      return real(-value.real, value.rests_on);
    return converted(arithmetic(clang::BO_Sub, whole(0), value, expression), expression.getType());
  }
  case clang::UO_Not: {
    const Value value = evaluate(inner);
    return value.kind == Value::Kind::integer
               ? converted(whole(~value.integer, value.rests_on), expression.getType())
               : unknown(value.cause);
  }
  case clang::UO_LNot: {
    const Value value = evaluate(inner);
    return value.is_unknown() ? value : whole(value.truth() ? 0 : 1, value.rests_on);
  }
  default:
    return evaluate(inner);
  }
}

} // namespace forewarp::frontend::host
