// The C and C++ library as far as sizes go through it.
#include "frontend/host/interpreter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

namespace forewarp::frontend::host {
namespace {

using Unary = double (*)(double);
const std::map<std::string_view, Unary> unary_functions = {
    {"sqrt", std::sqrt},   {"sqrtf", std::sqrt},   {"ceil", std::ceil},   {"ceilf", std::ceil},
    {"floor", std::floor}, {"floorf", std::floor}, {"round", std::round}, {"roundf", std::round},
    {"log2", std::log2},   {"log2f", std::log2},   {"log", std::log},     {"logf", std::log},
    {"log10", std::log10}, {"exp", std::exp},      {"expf", std::exp},    {"exp2", std::exp2},
    {"fabs", std::fabs},   {"fabsf", std::fabs},   {"cbrt", std::cbrt},   {"trunc", std::trunc}};

const std::set<std::string_view> text_to_whole = {"atoi",     "atol", "atoll", "strtol", "strtoul", "strtoll",
                                                  "strtoull", "stoi", "stol",  "stoul",  "stoll",   "stoull"};
const std::set<std::string_view> text_to_real = {"atof", "strtod", "strtof", "stof", "stod"};
const std::set<std::string_view> reads_numbers = {"scanf", "fscanf",  "sscanf", "fread",
                                                  "fgets", "getline", "read"};

} // namespace

std::string Interpreter::text_at(const Value& value) {
  if (value.kind != Value::Kind::pointer || !value.place.valid())
    return {};
  const std::string& text = memory_[value.place.object].text;
  const auto offset = static_cast<std::size_t>(std::max<std::int64_t>(0, value.place.offset));
  return offset < text.size() ? text.substr(offset) : "";
}

Value Interpreter::to_number(const Value& text, bool is_whole, const clang::Expr& call) {
  if (const std::string known = text_at(text); !known.empty()) {
    char* end = nullptr;
    const double value = std::strtod(known.c_str(), &end);
    if (end != known.c_str())
      return is_whole ? whole(std::strtoll(known.c_str(), nullptr, 10)) : real(value);
  }
  const std::uint32_t why =
      text.kind == Value::Kind::pointer && text.place.valid() ? memory_[text.place.object].cause : text.cause;
  const Value nothing = unknown(why != 0 ? why : cause("'" + text_of(&call) + "'"));
  return open_number(nothing, is_whole, causes_[nothing.cause], &call);
}

Value Interpreter::allocate_host(const Value& bytes, bool zeros, const clang::Expr& call) {
  const ObjectId object = new_object(
      "", static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes.as_integer())), call.getExprLoc());
  Object& made = memory_[object];
  made.bytes_rest_on = bytes.rests_on;
  made.zeros = zeros;
  made.is_array = true;
  made.cause = cause("memory of line " + std::to_string(made.line));
  return pointer({object, 0});
}

std::optional<Value> Interpreter::call_library(std::string_view name, const Arguments& arguments,
                                               const clang::Expr& call) {
  const std::size_t count = arguments.size();
  if ((name == "exit" || name == "_exit" || name == "abort" || name == "_Exit") && count <= 1) {
    for (Frame& each : frames_)
      each.flow = Flow::leave_program;
    return Value{};
  }
  if (text_to_whole.contains(name) && count >= 1)
    return to_number(evaluate(arguments[0]), true, call);
  if (text_to_real.contains(name) && count >= 1)
    return to_number(evaluate(arguments[0]), false, call);
  if (reads_numbers.contains(name)) {
    for (const clang::Expr* argument : arguments) {
      const Value to = evaluate(argument);
      const clang::QualType type = argument->IgnoreParenImpCasts()->getType();
      if (to.kind == Value::Kind::pointer && to.place.valid() && memory_[to.place.object].text.empty() &&
          type->isPointerType() && !type->getPointeeType()->isRecordType())
        memory_.forget(
            to.place, memory_[to.place.object].is_array ? 0 : bytes_of(type->getPointeeType()),
            cause("'" + std::string(name) + "' (line " + std::to_string(line_of(call.getExprLoc())) + ")"));
    }
    return whole(
        static_cast<std::int64_t>(std::max<std::size_t>(count, 2) - 2)); // as many as it was asked for
  }
  if ((name == "getopt" || name == "getopt_long") && count >= 3) {
    if (!request_.program_arguments)
      return whole(-1); // without options
    return unknown(cause("'getopt'"));
  }
  if (name == "getenv")
    return whole(0);
  if (name == "fopen" || name == "popen")
    return pointer({new_object("file", 8, call.getExprLoc()), 0});
  if (name == "rand" || name == "random" || name == "time" || name == "clock") {
    for (const clang::Expr* argument : arguments)
      evaluate(argument);
    return unknown(cause("'" + std::string(name) + "'"));
  }
  if (name == "malloc" && count == 1)
    return allocate_host(evaluate(arguments[0]), false, call);
  if (name == "aligned_alloc" && count == 2)
    return allocate_host(evaluate(arguments[1]), false, call);
  if (name == "realloc" && count == 2)
    return allocate_host(evaluate(arguments[1]), false, call);
  if (name == "calloc" && count == 2)
    return allocate_host(arithmetic(clang::BO_Mul, evaluate(arguments[0]), evaluate(arguments[1]), call),
                         true, call);
  if (name == "posix_memalign" && count == 3) {
    const Value where = evaluate(arguments[0]);
    if (where.kind == Value::Kind::pointer)
      memory_.store(where.place, allocate_host(evaluate(arguments[2]), false, call));
    return whole(0);
  }
  if ((name == "memset" || name == "bzero") && count >= 2) {
    const Value where = evaluate(arguments[0]);
    const Value bytes = evaluate(arguments[count - 1]);
    const Value with = name == "memset" ? evaluate(arguments[1]) : whole(0);
    if (where.kind == Value::Kind::pointer && where.place.valid()) {
      memory_.forget(where.place, bytes.is_number() ? static_cast<std::uint64_t>(bytes.as_integer()) : 0,
                     cause("'memset'"));
      if (with.is_number() && with.as_integer() == 0 && where.place.offset == 0)
        memory_[where.place.object].zeros = true;
    }
    return where;
  }
  if ((name == "memcpy" || name == "memmove") && count == 3) {
    const Value to = evaluate(arguments[0]), from = evaluate(arguments[1]), bytes = evaluate(arguments[2]);
    if (to.kind == Value::Kind::pointer && from.kind == Value::Kind::pointer && bytes.is_number())
      memory_.copy(to.place, from.place, static_cast<std::uint64_t>(bytes.as_integer()));
    return to;
  }
  if (name == "strlen" && count == 1) {
    const std::string text = text_at(evaluate(arguments[0]));
    return text.empty() ? unknown(cause("'strlen'")) : whole(static_cast<std::int64_t>(text.size()));
  }
  if ((name == "strcmp" || name == "strncmp") && count >= 2) {
    const Value left = evaluate(arguments[0]), right = evaluate(arguments[1]);
    const std::string a = text_at(left), b = text_at(right);
    if (a.empty() || b.empty())
      return unknown(cause("'" + std::string(name) + "'"));
    std::size_t most = std::string::npos;
    if (count == 3)
      most = static_cast<std::size_t>(std::max<std::int64_t>(0, evaluate(arguments[2]).as_integer()));
    return whole(a.substr(0, most).compare(b.substr(0, most)));
  }
  if ((name == "printf" || name == "fprintf" || name == "puts" || name == "free" || name == "fclose" ||
       name == "srand")) {
    for (const clang::Expr* argument : arguments)
      evaluate(argument);
    return whole(0);
  }
  if (count == 1)
    if (const auto function = unary_functions.find(name); function != unary_functions.end()) {
      const Value value = evaluate(arguments[0]);
      return value.is_number() ? real(function->second(value.as_real()), value.rests_on)
                               : unknown(value.cause);
    }
  if ((name == "abs" || name == "labs") && count == 1) {
    const Value value = evaluate(arguments[0]);
    if (value.kind == Value::Kind::integer)
      return whole(std::abs(value.integer), value.rests_on);
    return value.is_number() ? real(std::fabs(value.real), value.rests_on) : unknown(value.cause);
  }
  if ((name == "pow" || name == "powf" || name == "fmod") && count == 2) {
    const Value a = evaluate(arguments[0]), b = evaluate(arguments[1]);
    if (!a.is_number() || !b.is_number())
      return unknown(a.is_number() ? b.cause : a.cause);
    return real(name == "fmod" ? std::fmod(a.as_real(), b.as_real()) : std::pow(a.as_real(), b.as_real()),
                a.rests_on | b.rests_on);
  }
  if ((name == "min" || name == "max" || name == "fmin" || name == "fmax" || name == "fminf" ||
       name == "fmaxf") &&
      count == 2) {
    const Value a = evaluate(arguments[0]), b = evaluate(arguments[1]);
    if (!a.is_number() || !b.is_number())
      return unknown(a.is_number() ? b.cause : a.cause);
    const bool first = (a.as_real() < b.as_real()) == (name.find("min") != std::string_view::npos);
    Value chosen = first ? a : b;
    chosen.rests_on |= (first ? b : a).rests_on;
    return chosen;
  }
  if ((name == "move" || name == "forward" || name == "raw_pointer_cast" || name == "ref") && count == 1) {
    const Place place = arguments[0]->isGLValue() ? place_of(arguments[0]) : Place{};
    if (!place.valid())
      return evaluate(arguments[0]);
    const Value held = memory_.load(place);
    return name == "raw_pointer_cast" ? held : pointer(place);
  }
  if (name == "swap" && count == 2) {
    const Place a = place_of(arguments[0]), b = place_of(arguments[1]);
    const Value left = memory_.load(a), right = memory_.load(b);
    memory_.store(a, right);
    memory_.store(b, left);
    return Value{};
  }
  return std::nullopt;
}

} // namespace forewarp::frontend::host
