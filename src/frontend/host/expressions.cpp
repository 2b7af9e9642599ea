#include "frontend/host/interpreter.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecordLayout.h>

#include <cmath>

namespace forewarp::frontend::host {

Value Interpreter::evaluate(const clang::Expr* expression) {
  if (!expression || out_of_steps() || (!frames_.empty() && frame().flow == Flow::leave_program))
    return {};
  return evaluate_kind(expression);
}

/// What is not understood is gone through for its effects.
Value Interpreter::evaluate_children(const clang::Expr& expression) {
  Value only;
  unsigned count = 0;
  for (const clang::Stmt* child : expression.children())
    if (const auto* inner = llvm::dyn_cast_or_null<clang::Expr>(child)) {
      only = evaluate(inner);
      ++count;
    }
  return count == 1 ? only : unknown(cause("'" + text_of(&expression) + "'"));
}

Value Interpreter::constant_of(const clang::Expr& expression) {
  clang::Expr::EvalResult result;
  if (expression.isValueDependent() || expression.containsErrors() ||
      !expression.EvaluateAsRValue(result, context_))
    return evaluate_children(expression);
  if (result.Val.isInt())
    return whole(result.Val.getInt().getExtValue());
  if (result.Val.isFloat())
    return real(result.Val.getFloat().convertToDouble());
  return evaluate_children(expression);
}

Value Interpreter::evaluate_kind(const clang::Expr* expression) {
  using clang::Stmt;
  switch (expression->getStmtClass()) {
  case Stmt::IntegerLiteralClass: {
    const llvm::APInt value = llvm::cast<clang::IntegerLiteral>(expression)->getValue();
    return whole(static_cast<std::int64_t>(value.getZExtValue()));
  }
  case Stmt::FloatingLiteralClass:
    return real(llvm::cast<clang::FloatingLiteral>(expression)->getValueAsApproximateDouble());
  case Stmt::CXXBoolLiteralExprClass:
    return whole(llvm::cast<clang::CXXBoolLiteralExpr>(expression)->getValue() ? 1 : 0);
  case Stmt::CharacterLiteralClass:
    return whole(llvm::cast<clang::CharacterLiteral>(expression)->getValue());
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
    return whole(0);
  case Stmt::UnaryExprOrTypeTraitExprClass: {
    const auto* trait = llvm::cast<clang::UnaryExprOrTypeTraitExpr>(expression);
    if (trait->getKind() == clang::UETT_SizeOf && !trait->isArgumentType())
      if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(trait->getArgumentExpr()->IgnoreParens()))
        if (named->getType()->isVariableArrayType())
          if (const Place place = place_of(named); place.valid())
            return whole(static_cast<std::int64_t>(memory_[place.object].bytes));
    return constant_of(*expression);
  }
  case Stmt::ParenExprClass:
    return evaluate(llvm::cast<clang::ParenExpr>(expression)->getSubExpr());
  case Stmt::ExprWithCleanupsClass:
  case Stmt::ConstantExprClass:
    return evaluate(llvm::cast<clang::FullExpr>(expression)->getSubExpr());
  case Stmt::MaterializeTemporaryExprClass:
    return evaluate(llvm::cast<clang::MaterializeTemporaryExpr>(expression)->getSubExpr());
  case Stmt::CXXBindTemporaryExprClass:
    return evaluate(llvm::cast<clang::CXXBindTemporaryExpr>(expression)->getSubExpr());
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return evaluate(llvm::cast<clang::SubstNonTypeTemplateParmExpr>(expression)->getReplacement());
  case Stmt::CXXDefaultArgExprClass:
    return evaluate(llvm::cast<clang::CXXDefaultArgExpr>(expression)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return evaluate(llvm::cast<clang::CXXDefaultInitExpr>(expression)->getExpr());
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return expression->getType()->isArithmeticType() ? whole(0) : unknown(0);
  case Stmt::DeclRefExprClass:
    return reference_to(*llvm::cast<clang::DeclRefExpr>(expression)->getDecl(), *expression);
  case Stmt::MemberExprClass:
  case Stmt::ArraySubscriptExprClass:
    return load(place_of(expression), expression->getType(), expression);
  case Stmt::ImplicitCastExprClass:
  case Stmt::CStyleCastExprClass:
  case Stmt::CXXStaticCastExprClass:
  case Stmt::CXXFunctionalCastExprClass:
  case Stmt::CXXReinterpretCastExprClass:
  case Stmt::CXXConstCastExprClass:
  case Stmt::CXXDynamicCastExprClass:
    return cast(*llvm::cast<clang::CastExpr>(expression));
  case Stmt::UnaryOperatorClass:
    return unary(*llvm::cast<clang::UnaryOperator>(expression));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return binary(*llvm::cast<clang::BinaryOperator>(expression));
  case Stmt::ConditionalOperatorClass: {
    const auto* conditional = llvm::cast<clang::ConditionalOperator>(expression);
    const Value condition = evaluate(conditional->getCond());
    Value chosen = evaluate(choose(condition, conditional->getTrueExpr(), conditional->getFalseExpr())
                                ? conditional->getTrueExpr()
                                : conditional->getFalseExpr());
    chosen.rests_on |= condition.rests_on;
    return chosen;
  }
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass: {
    const auto* construction = llvm::cast<clang::CXXConstructExpr>(expression);
    return construct(*construction,
                     {new_object("", bytes_of(expression->getType()), expression->getExprLoc()), 0});
  }
  case Stmt::CXXThisExprClass:
    return pointer(frame().self);
  case Stmt::StringLiteralClass: {
    const auto* literal = llvm::cast<clang::StringLiteral>(expression);
    const ObjectId object = new_object("", literal->getByteLength() + 1, expression->getExprLoc());
    if (literal->getCharByteWidth() == 1)
      memory_[object].text = literal->getString().str();
    return pointer({object, 0});
  }
  case Stmt::CallExprClass:
  case Stmt::CXXMemberCallExprClass:
  case Stmt::CXXOperatorCallExprClass:
  case Stmt::CUDAKernelCallExprClass:
  case Stmt::UserDefinedLiteralClass:
    return call(*llvm::cast<clang::CallExpr>(expression));
  case Stmt::CXXNewExprClass: {
    const auto* made = llvm::cast<clang::CXXNewExpr>(expression);
    Value count = whole(1);
    if (made->isArray() && made->getArraySize() && *made->getArraySize())
      count = evaluate(*made->getArraySize());
    Value bytes =
        arithmetic(clang::BO_Mul, count, whole(static_cast<std::int64_t>(bytes_of(made->getAllocatedType()))),
                   *expression);
    const Value at = allocate_host(bytes, false, *expression);
    if (!made->isArray() && made->getConstructExpr())
      construct(*made->getConstructExpr(), at.place);
    else if (!made->isArray() && made->hasInitializer())
      initialise(at.place, made->getAllocatedType(), made->getInitializer());
    return at;
  }
  case Stmt::InitListExprClass: {
    const Place place{new_object("", bytes_of(expression->getType()), expression->getExprLoc()), 0};
    initialise_list(place, expression->getType(), *llvm::cast<clang::InitListExpr>(expression));
    return load(place, expression->getType(), nullptr);
  }
  case Stmt::CompoundLiteralExprClass:
    return evaluate(llvm::cast<clang::CompoundLiteralExpr>(expression)->getInitializer());
  case Stmt::CXXUnresolvedConstructExprClass: {
    // `T(x)` of a template that nothing instantiates
    const auto* made = llvm::cast<clang::CXXUnresolvedConstructExpr>(expression);
    return made->getNumArgs() == 1 ? evaluate(made->getArg(0)) : evaluate_children(*expression);
  }
  case Stmt::LambdaExprClass:
  case Stmt::PredefinedExprClass:
    return unknown(0);
  default:
    return constant_of(*expression);
  }
}

Value Interpreter::converted(Value value, clang::QualType type) const {
  if (!value.is_number() || type.isNull() || type->isDependentType())
    return value;
  if (type->isBooleanType())
    return whole(value.truth() ? 1 : 0, value.rests_on);
  if (type->isIntegralOrEnumerationType()) {
    std::int64_t number = value.as_integer();
    const std::uint64_t bits = 8 * bytes_of(type);
    if (bits < 64) {
      const auto shift = static_cast<unsigned>(64 - bits);
      const std::uint64_t top = static_cast<std::uint64_t>(number) << shift;
      number = type->isUnsignedIntegerOrEnumerationType() ? static_cast<std::int64_t>(top >> shift)
                                                          : static_cast<std::int64_t>(top) >> shift;
    }
    return whole(number, value.rests_on);
  }
  if (type->isRealFloatingType()) {
    const double number = value.as_real();
    const bool is_float = type->isSpecificBuiltinType(clang::BuiltinType::Float);
    return real(is_float ? static_cast<double>(static_cast<float>(number)) : number, value.rests_on);
  }
  return value;
}

Value Interpreter::cast(const clang::CastExpr& expression) {
  switch (expression.getCastKind()) {
  case clang::CK_LValueToRValue:
    return load(place_of(expression.getSubExpr()), expression.getType(), expression.getSubExpr());
  case clang::CK_ArrayToPointerDecay: {
    const clang::Expr* inner = expression.getSubExpr()->IgnoreParens();
    if (llvm::isa<clang::StringLiteral>(inner))
      return evaluate(inner);
    const Place place = place_of(inner);
    return place.valid() ? pointer(place) : evaluate(inner);
  }
  case clang::CK_FunctionToPointerDecay:
    return evaluate(expression.getSubExpr());
  case clang::CK_ToVoid:
    return evaluate(expression.getSubExpr());
  case clang::CK_NullToPointer:
    return whole(0);
  case clang::CK_ConstructorConversion:
  case clang::CK_UserDefinedConversion:
    return evaluate(expression.getSubExpr());
  default: {
    const Value value = evaluate(expression.getSubExpr());
    return converted(value, expression.getType());
  }
  }
}

Value Interpreter::reference_to(const clang::ValueDecl& declaration, const clang::Expr& expression) {
  if (const auto* constant = llvm::dyn_cast<clang::EnumConstantDecl>(&declaration))
    return whole(constant->getInitVal().getExtValue());
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
    Value value;
    value.kind = Value::Kind::function;
    value.function = function;
    return value;
  }
  if (const auto* parameter = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(&declaration))
    return unknown(cause("template parameter '" + parameter->getNameAsString() + "'"));
  return load(place_of(&expression), expression.getType(), &expression);
}

Place Interpreter::place_of_variable(const clang::VarDecl& variable) {
  for (std::size_t k = frames_.size(); k-- > 0;)
    if (const auto found = frames_[k].variables.find(&variable); found != frames_[k].variables.end())
      return found->second;
  if (const auto found = globals_.find(&variable); found != globals_.end())
    return found->second;
  const Place place{
      new_object(variable.getNameAsString(), bytes_of(variable.getType()), variable.getLocation()), 0};
  memory_[place.object].is_array = variable.getType()->isArrayType();
  memory_[place.object].zeros =
      variable.hasGlobalStorage() && variable.hasDefinition() != clang::VarDecl::DeclarationOnly;
  globals_[&variable] = place;
  if (const auto given = given_variable(variable.getNameAsString());
      given && variable.getType()->isArithmeticType())
    store(place, variable.getType(), converted(real(*given), variable.getType()));
  else if (const clang::Expr* from = variable.getAnyInitializer())
    initialise(place, variable.getType(), from);
  return place;
}

Place Interpreter::place_of_field(Place record, const clang::ValueDecl& declaration) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(&declaration);
  if (!field || !record.valid() || field->getParent()->isInvalidDecl() ||
      field->getParent()->isDependentType())
    return {};
  const auto& layout = context_.getASTRecordLayout(field->getParent());
  return {record.object,
          record.offset + static_cast<std::int64_t>(layout.getFieldOffset(field->getFieldIndex()) / 8)};
}

Place Interpreter::place_of(const clang::Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
    if (!variable)
      return {};
    const Place place = place_of_variable(*variable);
    if (!variable->getType()->isReferenceType())
      return place;
    const Value target = memory_.load(place);
    return target.kind == Value::Kind::pointer || target.kind == Value::Kind::record ? target.place : Place{};
  }
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(expression)) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      return place_of_variable(*variable);
    Place base;
    if (member->isArrow()) {
      const Value value = evaluate(member->getBase());
      base = value.kind == Value::Kind::pointer ? value.place : Place{};
    } else {
      base = place_of(member->getBase());
    }
    const Place place = place_of_field(base, *member->getMemberDecl());
    if (place.valid() && member->getMemberDecl()->getType()->isReferenceType()) {
      const Value target = memory_.load(place);
      return target.kind == Value::Kind::pointer ? target.place : Place{};
    }
    return place;
  }
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(expression)) {
    const Value base = evaluate(element->getBase());
    const Value index = evaluate(element->getIdx());
    if (base.kind != Value::Kind::pointer || !index.is_number())
      return {};
    return {base.place.object, base.place.offset + index.as_integer() * static_cast<std::int64_t>(
                                                                            bytes_of(expression->getType()))};
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (operation->getOpcode() == clang::UO_Deref) {
      const Value value = evaluate(operation->getSubExpr());
      return value.kind == Value::Kind::pointer ? value.place : Place{};
    }
    if (operation->isPrefix() && operation->isIncrementDecrementOp()) {
      unary(*operation);
      return place_of(operation->getSubExpr());
    }
  }
  if (const auto* inner = llvm::dyn_cast<clang::CastExpr>(expression);
      inner && (inner->getCastKind() == clang::CK_NoOp || inner->getCastKind() == clang::CK_LValueBitCast ||
                inner->getCastKind() == clang::CK_DerivedToBase ||
                inner->getCastKind() == clang::CK_UncheckedDerivedToBase ||
                inner->getCastKind() == clang::CK_BaseToDerived))
    return place_of(inner->getSubExpr());
  if (const auto* binary_operation = llvm::dyn_cast<clang::BinaryOperator>(expression);
      binary_operation && binary_operation->isAssignmentOp()) {
    binary(*binary_operation);
    return place_of(binary_operation->getLHS());
  }
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expression))
    return place_of(full->getSubExpr());
  const Value value = evaluate(expression);
  if (value.kind == Value::Kind::record || (value.kind == Value::Kind::pointer && expression->isGLValue()))
    return value.place;
  if (value.is_unknown() || expression->isGLValue())
    return {};
  const Place place{new_object("", bytes_of(expression->getType()), expression->getExprLoc()), 0};
  memory_.store(place, value);
  return place;
}

Value Interpreter::load(Place place, clang::QualType type, const clang::Expr* named) {
  if (!place.valid()) {
    const bool is_number = !type.isNull() && (type->isArithmeticType() || type->isEnumeralType());
    const Value nothing = unknown(cause(named ? "'" + text_of(named) + "'" : ""));
    return is_number && named
               ? open_number(nothing, type->isIntegralOrEnumerationType(), text_of(named), named)
               : nothing;
  }
  if (!type.isNull() && type->isReferenceType())
    type = type->getPointeeType();
  if (!type.isNull() && (type->isRecordType() || type->isArrayType())) {
    Value record;
    record.kind = Value::Kind::record;
    record.place = place;
    return record;
  }
  const Value value = memory_.load(place);
  if (!value.is_unknown() || type.isNull() || !(type->isArithmeticType() || type->isEnumeralType()))
    return value;
  if (type->isAnyCharacterType() || type->isBooleanType())
    return value;
  Object& object = memory_[place.object];
  const bool shared = object.is_array || object.name.empty();
  Value opened = open_number(value, type->isIntegralOrEnumerationType(),
                             shared || !named ? object.name : text_of(named), named);
  if (!shared)
    object.cells[place.offset] = opened;
  return opened;
}

void Interpreter::store(Place place, clang::QualType type, const Value& value) {
  if (!place.valid())
    return;
  if (value.kind == Value::Kind::record) {
    memory_.copy(place, value.place, bytes_of(type));
    return;
  }
  if (value.is_unknown() && !type.isNull() && type->isRecordType()) {
    memory_.forget(place, bytes_of(type), value.cause);
    return;
  }
  memory_.store(place, type.isNull() ? value : converted(value, type));
}

void Interpreter::initialise(Place place, clang::QualType type, const clang::Expr* from) {
  if (type->isReferenceType()) {
    Place target = place_of(from);
    if (const auto* made = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(from->IgnoreParens());
        made && !target.valid()) { // a temporary lives as long as what refers to it
      target = {new_object("", bytes_of(made->getType()), from->getExprLoc()), 0};
      initialise(target, made->getType(), made->getSubExpr());
    }
    memory_.store(place, target.valid() ? pointer(target) : unknown(0));
    return;
  }
  const clang::Expr* bare = from;
  while (const auto* full = llvm::dyn_cast<clang::FullExpr>(bare))
    bare = full->getSubExpr();
  if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(bare))
    bare = bound->getSubExpr();
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(bare))
    return initialise_list(place, type, *list);
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(bare)) {
    construct(*construction, place);
    return;
  }
  if (const auto* list = llvm::dyn_cast<clang::ParenListExpr>(bare)) {
    // `dim3 grid(a, b)` where an argument could not be understood
    const auto size = static_cast<std::int64_t>(4);
    memory_[place.object].zeros = false;
    for (unsigned k = 0; k < list->getNumExprs(); ++k)
      memory_.store({place.object, place.offset + size * k}, evaluate(list->getExpr(k)));
    for (unsigned k = list->getNumExprs(); k < 3; ++k)
      memory_.store({place.object, place.offset + size * k}, whole(1));
    return;
  }
  if (const auto* text = llvm::dyn_cast<clang::StringLiteral>(bare->IgnoreParens())) {
    memory_[place.object].text = text->getCharByteWidth() == 1 ? text->getString().str() : "";
    return;
  }
  store(place, type, evaluate(from));
}

void Interpreter::initialise_list(Place place, clang::QualType type, const clang::InitListExpr& given) {
  const clang::InitListExpr& list =
      given.isSemanticForm() || !given.getSemanticForm() ? given : *given.getSemanticForm();
  memory_.forget(place, bytes_of(type), 0);
  if (const auto* array = context_.getAsArrayType(type)) {
    const auto size = static_cast<std::int64_t>(bytes_of(array->getElementType()));
    memory_[place.object].zeros = true; // elements that are not listed
    for (unsigned k = 0; k < list.getNumInits(); ++k)
      initialise({place.object, place.offset + size * k}, array->getElementType(), list.getInit(k));
    return;
  }
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (!record || record->isInvalidDecl() || record->isDependentContext()) {
    if (list.getNumInits() == 1 && (!record))
      store(place, type, evaluate(list.getInit(0)));
    else if (list.getNumInits() == 0 && type->isScalarType())
      memory_.store(place, whole(0));
    return;
  }
  unsigned k = 0;
  if (const auto* cxx = llvm::dyn_cast<clang::CXXRecordDecl>(record))
    k = cxx->getNumBases(); // bases stand first; their fields stay unknown
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField())
      continue;
    if (record->isUnion() && field != list.getInitializedFieldInUnion())
      continue;
    if (k >= list.getNumInits())
      break;
    initialise(place_of_field(place, *field), field->getType(), list.getInit(k++));
  }
}

} // namespace forewarp::frontend::host
