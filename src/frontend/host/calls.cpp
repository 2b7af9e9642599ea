#include "frontend/host/interpreter.h"

#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>

namespace forewarp::frontend::host {
namespace {

constexpr std::size_t deepest_calls = 40;
constexpr std::int64_t vector_data = 0, vector_count = 8; ///< cells of a std::vector, whatever its library

/// Element type of std::vector and Thrust's vectors; null for other types.
clang::QualType vector_element(clang::QualType type) {
  if (type.isNull())
    return {};
  if (type->isPointerType() || type->isReferenceType())
    type = type->getPointeeType();
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || record->getTemplateArgs().size() == 0 ||
      record->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  const llvm::StringRef name = record->getIdentifier() ? record->getName() : "";
  return name == "vector" || name == "device_vector" || name == "host_vector"
             ? record->getTemplateArgs()[0].getAsType()
             : clang::QualType();
}

bool is_on_device(clang::QualType type) {
  const auto* record =
      type->isPointerType() ? type->getPointeeType()->getAsCXXRecordDecl() : type->getAsCXXRecordDecl();
  return record && record->getIdentifier() && record->getName() == "device_vector";
}

const clang::FunctionDecl* own_definition(const clang::FunctionDecl* function,
                                          const clang::SourceManager& sources) {
  const clang::FunctionDecl* defined = nullptr;
  if (!function || !function->hasBody(defined) || !is_followed(defined->getLocation(), sources) ||
      defined->hasSkippedBody())
    return nullptr;
  return defined;
}

} // namespace

Value Interpreter::call(const clang::CallExpr& call) {
  calls_.push_back(&call);
  Value result = call_by_kind(call);
  calls_.pop_back();
  return result;
}

Value Interpreter::call_by_kind(const clang::CallExpr& call) {
  if (const auto* started = llvm::dyn_cast<clang::CUDAKernelCallExpr>(&call))
    return launch(*started);
  const std::string name = called_name(call);
  Arguments arguments(call.arg_begin(), call.arg_end());
  const clang::FunctionDecl* defined = own_definition(call.getDirectCallee(), context_.getSourceManager());

  if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&call)) {
    const clang::Expr* object = member->getImplicitObjectArgument();
    const clang::QualType type = object->getType();
    Place self;
    if (type->isPointerType()) {
      const Value value = evaluate(object);
      self = value.kind == Value::Kind::pointer ? value.place : Place{};
    } else {
      self = place_of(object);
    }
    if (!vector_element(type).isNull())
      if (auto value = vector_member(name, self, arguments, type))
        return *value;
    if (defined)
      return call_function(*defined, arguments, self);
    return call_unknown(arguments, name, call);
  }
  if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&call)) {
    const bool is_vector = !arguments.empty() && !vector_element(arguments[0]->getType()).isNull();
    if (is_vector && operation->getOperator() == clang::OO_Subscript)
      if (auto value =
              vector_member("operator[]", place_of(arguments[0]), {arguments[1]}, arguments[0]->getType()))
        return *value;
    if (operation->getOperator() == clang::OO_Equal && arguments.size() == 2 &&
        arguments[0]->getType()->isRecordType() && (!defined || defined->isTrivial() || is_vector)) {
      const Place to = place_of(arguments[0]);
      store(to, arguments[0]->getType(), evaluate(arguments[1]));
      return to.valid() ? pointer(to) : Value{};
    }
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(defined);
    if (method && method->isInstance() && !arguments.empty())
      return call_function(*defined, Arguments(arguments.begin() + 1, arguments.end()),
                           place_of(arguments[0]));
    if (defined)
      return call_function(*defined, arguments, {});
    return call_unknown(arguments, name, call);
  }
  if (!defined || name.starts_with("cuda") || name.starts_with("cl")) {
    if (auto value = call_runtime(name, arguments, call))
      return *value;
    if (auto value = call_library(name, arguments, call))
      return *value;
  }
  if (!defined && !call.getDirectCallee()) {
    const Value callee = evaluate(call.getCallee());
    if (callee.kind == Value::Kind::function)
      defined = own_definition(callee.function, context_.getSourceManager());
  }
  if (defined)
    return call_function(*defined, arguments, {});
  return call_unknown(arguments, name, call);
}

/// The arguments are evaluated; what a pointer to something that may be written points to is forgotten.
Value Interpreter::call_unknown(const Arguments& arguments, const std::string& name,
                                const clang::Expr& call) {
  const std::uint32_t why = cause(name.empty() ? "'" + text_of(&call) + "'" : "the result of '" + name + "'");
  for (const clang::Expr* argument : arguments) {
    if (argument->isTypeDependent()) {
      evaluate(argument);
      continue;
    }
    const Value value = evaluate(argument);
    const clang::QualType type = argument->IgnoreImpCasts()->getType();
    if (value.kind != Value::Kind::pointer || !value.place.valid() || memory_[value.place.object].on_device)
      continue;
    const bool may_write =
        argument->getType()->isPointerType() && !argument->getType()->getPointeeType().isConstQualified();
    if (may_write && !type->isFunctionType())
      memory_.forget(value.place,
                     memory_[value.place.object].is_array
                         ? 0
                         : bytes_of(type->isPointerType() ? type->getPointeeType() : type),
                     cause(name.empty() ? "a call" : "'" + name + "'"));
  }
  return unknown(why);
}

Value Interpreter::call_function(const clang::FunctionDecl& function, const Arguments& arguments,
                                 Place self) {
  if (frames_.size() >= deepest_calls)
    return unknown(cause("calls that go too deep"));
  Frame made;
  made.self = self;
  made.function = &function;
  for (unsigned k = 0; k < function.getNumParams(); ++k) {
    const clang::ParmVarDecl* parameter = function.getParamDecl(k);
    const clang::QualType type = parameter->getType();
    const clang::Expr* from = k < arguments.size() ? arguments[k]
                              : parameter->hasDefaultArg() && !parameter->hasUninstantiatedDefaultArg()
                                  ? parameter->getDefaultArg()
                                  : nullptr;
    const Place place{new_object(parameter->getNameAsString(), bytes_of(type), parameter->getLocation()), 0};
    if (from)
      initialise(place, type, from);
    if (const auto given = given_variable(parameter->getNameAsString()); given && type->isArithmeticType())
      store(place, type, real(*given));
    made.variables[parameter] = place;
  }
  if (frame().flow == Flow::leave_program)
    return {};
  frames_.push_back(std::move(made));
  const clang::QualType result_type = function.getReturnType();
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    for (const clang::CXXCtorInitializer* initialiser : constructor->inits()) {
      if (initialiser->isMemberInitializer())
        initialise(place_of_field(self, *initialiser->getMember()), initialiser->getMember()->getType(),
                   initialiser->getInit());
      else if (initialiser->isDelegatingInitializer())
        if (const auto* other =
                llvm::dyn_cast<clang::CXXConstructExpr>(initialiser->getInit()->IgnoreImplicit()))
          construct(*other, self);
    }
  const Flow flow = execute(function.getBody());
  const Value result = frame().result;
  const bool ended = flow == Flow::leave_program || frame().flow == Flow::leave_program;
  frames_.pop_back();
  if (ended)
    frame().flow = Flow::leave_program;
  return result_type->isVoidType() ? Value{}
         : result.is_unknown() && result.cause == 0
             ? unknown(cause("the result of '" + function.getNameAsString() + "'"))
             : result;
}

Value Interpreter::construct(const clang::CXXConstructExpr& expression, Place place) {
  Value made;
  made.kind = Value::Kind::record;
  made.place = place;
  if (!place.valid())
    return made;
  const clang::CXXConstructorDecl* constructor = expression.getConstructor();
  const clang::CXXRecordDecl* record = constructor->getParent();
  if (record->getIdentifier() && record->getName() == "dim3") {
    const bool is_copy = expression.getNumArgs() == 1 && expression.getArg(0)->getType()->isRecordType();
    const Value from = is_copy ? evaluate(expression.getArg(0)) : Value{};
    if (from.kind == Value::Kind::record) {
      memory_.copy(place, from.place, 12);
      return made;
    }
    for (unsigned k = 0; k < 3; ++k)
      memory_.store({place.object, place.offset + 4 * k},
                    k < expression.getNumArgs()
                        ? converted(evaluate(expression.getArg(k)), context_.UnsignedIntTy)
                        : whole(1));
    return made;
  }
  if (!vector_element(expression.getType()).isNull() && construct_vector(expression, place))
    return made;
  if (constructor->isCopyOrMoveConstructor() && expression.getNumArgs() > 0) {
    const Value from = evaluate(expression.getArg(0));
    store(place, expression.getType(),
          from.kind == Value::Kind::pointer && expression.getArg(0)->isGLValue()
              ? Value{Value::Kind::record, 0, 0, from.place}
              : from);
    return made;
  }
  const Arguments arguments(expression.arg_begin(), expression.arg_end());
  const clang::FunctionDecl* defined = nullptr;
  if (constructor->hasBody(defined) && is_followed(defined->getLocation(), context_.getSourceManager())) {
    calls_.push_back(&expression);
    call_function(*defined, arguments, place);
    calls_.pop_back();
  } else {
    for (const clang::Expr* argument : arguments)
      evaluate(argument);
  }
  return made;
}

bool Interpreter::construct_vector(const clang::CXXConstructExpr& expression, Place place) {
  const std::uint64_t element = bytes_of(vector_element(expression.getType()));
  const auto heap = [&](const Value& count) {
    const ObjectId object = new_object(memory_[place.object].name, 0, expression.getExprLoc());
    Object& made = memory_[object];
    made.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, count.as_integer())) * element;
    made.bytes_rest_on = count.rests_on;
    made.is_array = true;
    made.on_device = is_on_device(expression.getType());
    memory_.store({place.object, place.offset + vector_data}, pointer({object, 0}));
    memory_.store({place.object, place.offset + vector_count}, count);
  };
  if (expression.getConstructor()->isCopyOrMoveConstructor()) {
    const Value from = evaluate(expression.getArg(0));
    if (from.kind == Value::Kind::record || from.kind == Value::Kind::pointer)
      memory_.copy(place, from.place, 24);
    return true;
  }
  const clang::Expr* first =
      expression.getNumArgs() > 0 && !llvm::isa<clang::CXXDefaultArgExpr>(expression.getArg(0))
          ? expression.getArg(0)
          : nullptr;
  if (!first) {
    heap(whole(0));
  } else if (first->getType()->isIntegralOrEnumerationType()) {
    heap(evaluate(first));
  } else {
    const Value from = evaluate(first); // a range, a list or another vector
    const Value to = expression.getNumArgs() > 1 ? evaluate(expression.getArg(1)) : Value{};
    if (from.kind == Value::Kind::pointer && to.kind == Value::Kind::pointer && element > 0)
      heap(whole((to.place.offset - from.place.offset) / static_cast<std::int64_t>(element)));
    else if (from.kind == Value::Kind::record && !vector_element(first->getType()).isNull())
      heap(memory_.load({from.place.object, from.place.offset + vector_count}));
    else
      heap(unknown(cause("'" + text_of(&expression) + "'")));
  }
  return true;
}

std::optional<Value> Interpreter::vector_member(std::string_view name, Place vector,
                                                const Arguments& arguments, clang::QualType vector_type) {
  if (!vector.valid())
    return std::nullopt;
  const Place data{vector.object, vector.offset + vector_data},
      size{vector.object, vector.offset + vector_count};
  const auto element = static_cast<std::int64_t>(bytes_of(vector_element(vector_type)));
  const Value start = memory_.load(data);
  const Value count = memory_.load(size);
  if (name == "size")
    return count;
  if (name == "data" || name == "begin" || name == "cbegin")
    return start;
  if (name == "end" || name == "cend")
    return start.kind == Value::Kind::pointer && count.is_number()
               ? pointer({start.place.object, start.place.offset + count.as_integer() * element})
               : Value{};
  if (name == "empty")
    return count.is_number() ? whole(count.truth() ? 0 : 1, count.rests_on) : Value{};
  if (name == "operator[]" || name == "at") {
    const Value index = evaluate(arguments[0]);
    return start.kind == Value::Kind::pointer && index.is_number()
               ? pointer({start.place.object, start.place.offset + index.as_integer() * element})
               : Value{};
  }
  if (name == "resize" || name == "assign" || name == "push_back" || name == "emplace_back" ||
      name == "clear") {
    const bool one_more = name.ends_with("_back");
    const Value now = name == "clear"                 ? whole(0)
                      : one_more && count.is_number() ? whole(count.as_integer() + 1, count.rests_on)
                      : one_more                      ? count
                                                      : evaluate(arguments[0]);
    memory_.store(size, now);
    ObjectId heap = start.kind == Value::Kind::pointer ? start.place.object : no_object;
    if (heap == no_object) {
      heap = new_object(memory_[vector.object].name, 0, {});
      memory_[heap].is_array = true;
      memory_[heap].on_device = is_on_device(vector_type);
      memory_.store(data, pointer({heap, 0}));
    }
    memory_[heap].bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, now.as_integer() * element));
    memory_[heap].bytes_rest_on = now.rests_on;
    if (one_more && now.is_number() && !arguments.empty() && vector_element(vector_type)->isScalarType())
      memory_.store({heap, (now.as_integer() - 1) * element}, evaluate(arguments[0]));
    return Value{};
  }
  return std::nullopt;
}

void Interpreter::give_program_arguments(const clang::FunctionDecl& main, Frame& made) {
  const auto& given = request_.program_arguments;
  for (unsigned k = 0; k < main.getNumParams(); ++k) {
    const clang::ParmVarDecl* parameter = main.getParamDecl(k);
    const Place place{new_object(parameter->getNameAsString(), 8, parameter->getLocation()), 0};
    made.variables[parameter] = place;
    if (k == 0) {
      const Value none = open_number(unknown(cause("the number of the program's arguments")), true,
                                     parameter->getNameAsString(), nullptr);
      memory_.store(place,
                    given ? whole(static_cast<std::int64_t>(given->size()) + 1) : whole(1, none.rests_on));
      if (!given && !out_.open.empty())
        out_.open.front().value = 1;
      continue;
    }
    if (k > 1)
      continue;
    const ObjectId list = new_object(parameter->getNameAsString(), 0, parameter->getLocation());
    for (std::int64_t word = 0; word < 64; ++word) {
      const bool known = given && word >= 1 && word <= static_cast<std::int64_t>(given->size());
      if (given && !known && word > 0)
        continue;
      const ObjectId text = new_object("", 1, parameter->getLocation());
      memory_[text].cause = cause(parameter->getNameAsString() + "[" + std::to_string(word) + "]");
      memory_[text].is_array = true;
      if (known)
        memory_[text].text = (*given)[static_cast<std::size_t>(word - 1)];
      memory_.store({list, 8 * word}, pointer({text, 0}));
    }
    memory_.store(place, pointer({list, 0}));
  }
}

/// On its own: parameters are open numbers, pointers lead nowhere.
void Interpreter::run_function(const clang::FunctionDecl& function) {
  frames_.clear();
  loops_.clear();
  Frame made;
  made.function = &function;
  frames_.push_back({}); // what a call returns to
  if (function.isMain()) {
    give_program_arguments(function, made);
  } else {
    for (const clang::ParmVarDecl* parameter : function.parameters()) {
      const Place place{
          new_object(parameter->getNameAsString(), bytes_of(parameter->getType()), parameter->getLocation()),
          0};
      memory_[place.object].cause = cause("a parameter of '" + function.getNameAsString() + "'");
      if (const auto given = given_variable(parameter->getNameAsString());
          given && parameter->getType()->isArithmeticType())
        store(place, parameter->getType(), real(*given));
      if (parameter->getType()->isReferenceType()) {
        const Place target{new_object(parameter->getNameAsString(),
                                      bytes_of(parameter->getType()->getPointeeType()),
                                      parameter->getLocation()),
                           0};
        memory_[target.object].cause = memory_[place.object].cause;
        memory_.store(place, pointer(target));
      }
      made.variables[parameter] = place;
    }
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function); method && method->isInstance())
      made.self = {new_object("this", 0, function.getLocation()), 0};
  }
  frames_.push_back(std::move(made));
  execute(function.getBody());
  frames_.clear();
}

void Interpreter::run() {
  const auto launching = Reach::launching_functions(context_);
  const clang::FunctionDecl* main = nullptr;
  for (const clang::Decl* declaration : context_.getTranslationUnitDecl()->noload_decls())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
        function && function->isMain() && function->doesThisDeclarationHaveABody())
      main = function;
  if (main)
    run_function(*main);
  isolated_ = true;
  constexpr std::size_t most_sites = 200;
  std::size_t tried = 0;
  for (const clang::FunctionDecl* function : launching) {
    const bool on_device =
        function->hasAttr<clang::CUDAGlobalAttr>() ||
        (function->hasAttr<clang::CUDADeviceAttr>() && !function->hasAttr<clang::CUDAHostAttr>());
    if (on_device)
      continue;
    for (const clang::CallExpr* site : Reach::launches_in(*function)) {
      if (reached_.contains(site) || ++tried > most_sites)
        continue;
      target_ = site;
      steps_ = 0;
      run_function(*function);
    }
  }
}

} // namespace forewarp::frontend::host
