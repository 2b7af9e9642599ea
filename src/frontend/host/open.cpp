#include "frontend/host/interpreter.h"

#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

namespace forewarp::frontend::host {

std::uint32_t Interpreter::cause(const std::string& text) {
  const auto [entry, is_new] = cause_numbers_.try_emplace(text, static_cast<std::uint32_t>(causes_.size()));
  if (is_new)
    causes_.push_back(text);
  return entry->second;
}

std::optional<double> Interpreter::given_variable(const std::string& name) const {
  auto found = request_.variables.find(name);
  if (const std::size_t member = name.find_last_of(".>");
      found == request_.variables.end() && member != std::string::npos)
    found = request_.variables.find(name.substr(member + 1));
  return found == request_.variables.end() ? std::nullopt : std::optional(found->second);
}

Value Interpreter::open_number(const Value& unknown, bool is_whole, const std::string& name,
                               const clang::Expr* at) {
  OpenNumber number{name,
                    unknown.cause < causes_.size() ? causes_[unknown.cause] : "",
                    at ? file_of(at->getExprLoc()) : "",
                    at ? line_of(at->getExprLoc()) : 0,
                    is_whole ? static_cast<double>(request_.assumed) : 1.0,
                    is_whole};
  if (const auto given = given_variable(name))
    return is_whole ? whole(static_cast<std::int64_t>(*given)) : real(*given);
  const auto same = std::find_if(out_.open.begin(), out_.open.end(), [&](const OpenNumber& known) {
    return known.name == number.name && known.origin == number.origin && known.file == number.file &&
           known.line == number.line;
  });
  const auto index = static_cast<unsigned>(same - out_.open.begin());
  const RestsOn bit = RestsOn{1} << std::min(index, most_open_numbers);
  if (same == out_.open.end())
    out_.open.push_back(std::move(number));
  const double value = out_.open[index].value;
  return is_whole ? whole(static_cast<std::int64_t>(value), bit) : real(value, bit);
}

std::uint64_t Interpreter::bytes_of(clang::QualType type) const {
  constexpr std::uint64_t usual = 8;
  if (type.isNull() || type->isDependentType() || type->isUndeducedType())
    return usual;
  if (type->isReferenceType())
    return usual;
  if (type->isIncompleteType() || type->isFunctionType() || type->isVariableArrayType())
    return type->isVoidType() ? 1 : usual;
  if (const auto* record = type->getAsRecordDecl(); record && record->isInvalidDecl())
    return usual;
  return static_cast<std::uint64_t>(context_.getTypeSizeInChars(type).getQuantity());
}

std::string Interpreter::text_of(const clang::Expr* expression) const {
  if (!expression)
    return {};
  const clang::SourceManager& sources = context_.getSourceManager();
  const auto range = clang::CharSourceRange::getTokenRange(expression->getSourceRange());
  // Inside of a macro's argument its own text, else the macro's call.
  const auto own = clang::Lexer::makeFileCharRange(range, sources, context_.getLangOpts());
  std::string text = clang::Lexer::getSourceText(own.isValid() ? own : sources.getExpansionRange(range),
                                                 sources, context_.getLangOpts())
                         .str();
  std::string flat;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!blank || (!flat.empty() && flat.back() != ' '))
      flat += blank ? ' ' : c;
  }
  constexpr std::size_t longest = 100;
  return flat.size() > longest ? flat.substr(0, longest) + "..." : flat;
}

/// Of a variable: what it was initialised with, where that is not another variable alone.
std::string Interpreter::definition_of(const clang::Expr* expression) const {
  if (!expression)
    return {};
  const clang::Expr* bare = expression->IgnoreUnlessSpelledInSource();
  if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(bare);
      construction && construction->getNumArgs() == 1)
    bare = construction->getArg(0)->IgnoreUnlessSpelledInSource();
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(bare))
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(named->getDecl());
        variable && variable->hasInit()) {
      const std::string made = text_of(variable->getInit());
      if (!made.empty())
        return made.starts_with(variable->getNameAsString()) ? made
                                                             : variable->getNameAsString() + " = " + made;
    }
  return text_of(expression);
}

std::uint32_t Interpreter::line_of(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return at.isValid() ? at.getLine() : 0;
}

std::string Interpreter::file_of(clang::SourceLocation location) const {
  const clang::SourceManager& sources = context_.getSourceManager();
  const clang::PresumedLoc at = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return at.isValid() ? at.getFilename() : "";
}

/// Of the call of the program's own that leads to a place in the OpenCL wrapper; else the place itself.
clang::SourceLocation Interpreter::of_the_program(clang::SourceLocation place) const {
  for (auto outer = calls_.rbegin(); outer != calls_.rend() && is_own_header(file_of(place)); ++outer)
    place = (*outer)->getExprLoc();
  return place;
}

ObjectId Interpreter::new_object(std::string name, std::uint64_t bytes, clang::SourceLocation at) {
  Object object;
  object.cause = name.empty() ? 0 : cause("'" + name + "', which has no value there");
  object.name = std::move(name);
  object.bytes = bytes;
  object.line = line_of(of_the_program(at));
  return memory_.add(std::move(object));
}

} // namespace forewarp::frontend::host
