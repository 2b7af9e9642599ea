#include "port/source/pragma.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/LiteralSupport.h>

namespace forewarp::port {
namespace {

constexpr std::uint64_t largest_block_side = 1024;

class ParallelHandler : public clang::PragmaHandler {
public:
  explicit ParallelHandler(std::vector<FoundPragma>& found)
      : clang::PragmaHandler("parallel"), found_(found) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token&) override {
    FoundPragma pragma;
    pragma.location = introducer.Loc;
    clang::Token token;
    preprocessor.Lex(token);
    while (token.isNot(clang::tok::eod)) {
      if (!clause(preprocessor, token, pragma.mark)) {
        preprocessor.DiscardUntilEndOfDirective();
        return;
      }
      preprocessor.Lex(token);
    }
    found_.push_back(std::move(pragma));
  }

  /// Reads one clause; `token` is its name.
  static bool clause(clang::Preprocessor& preprocessor, const clang::Token& token, RegionMark& mark);

private:
  static bool error(clang::Preprocessor& preprocessor, const clang::Token& at, const std::string& text) {
    clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    diagnostics.Report(at.getLocation(), id) << text;
    return false;
  }

  /// The words between the parentheses; token is left on ')'.
  static bool words(clang::Preprocessor& preprocessor, const clang::Token& clause_name,
                    std::vector<std::string>& out) {
    clang::Token token;
    preprocessor.Lex(token);
    if (token.isNot(clang::tok::l_paren))
      return error(preprocessor, clause_name, "expected '(' after the clause");
    for (;;) {
      preprocessor.Lex(token);
      if (token.is(clang::tok::string_literal)) {
        const clang::StringLiteralParser literal(token, preprocessor);
        out.push_back(literal.GetString().str());
      } else if (token.isAnyIdentifier() || token.is(clang::tok::numeric_constant)) {
        out.push_back(preprocessor.getSpelling(token));
      } else {
        return error(preprocessor, token.is(clang::tok::eod) ? clause_name : token,
                     "expected a name or a number in the clause");
      }
      preprocessor.Lex(token);
      if (token.is(clang::tok::r_paren))
        return true;
      if (token.isNot(clang::tok::comma))
        return error(preprocessor, token.is(clang::tok::eod) ? clause_name : token, "expected ',' or ')'");
    }
  }

  static bool number(const std::string& word, std::uint64_t& value) {
    return !llvm::StringRef(word).getAsInteger(0, value) && value > 0;
  }

  static bool trips(clang::Preprocessor& preprocessor, const clang::Token& at, const std::string& word,
                    RegionMark& mark) {
    std::uint64_t value = 0;
    if (!number(word, value))
      return error(preprocessor, at, "trips(...) takes a number of iterations from 1 on");
    mark.trips = static_cast<double>(value);
    return true;
  }

  static bool taken(clang::Preprocessor& preprocessor, const clang::Token& at, const std::string& word,
                    RegionMark& mark) {
    if (llvm::StringRef(word).getAsDouble(mark.taken) || mark.taken < 0 || mark.taken > 1)
      return error(preprocessor, at, "taken(...) takes a number from 0 to 1");
    return true;
  }

  static bool block(clang::Preprocessor& preprocessor, const clang::Token& at,
                    const std::vector<std::string>& arguments, RegionMark& mark) {
    if (arguments.size() > 3)
      return error(preprocessor, at, "block(...) takes one to three sizes");
    mark.block = {1, 1, 1};
    mark.block_dimensions = static_cast<unsigned>(arguments.size());
    std::uint64_t threads = 1;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (!number(arguments[i], mark.block[i]) || mark.block[i] > largest_block_side)
        return error(preprocessor, at, "a side of block(...) is a number from 1 to 1024");
      threads *= mark.block[i];
    }
    if (threads > largest_block_side)
      return error(preprocessor, at, "block(...) has more than 1024 threads");
    return true;
  }

  std::vector<FoundPragma>& found_;
};

bool ParallelHandler::clause(clang::Preprocessor& preprocessor, const clang::Token& token, RegionMark& mark) {
  if (!token.isAnyIdentifier())
    return error(preprocessor, token, "expected a clause: name, block, shared, tile, trips or taken");
  const std::string name = preprocessor.getSpelling(token);
  if (name != "name" && name != "block" && name != "shared" && name != "tile" && name != "trips" &&
      name != "taken")
    return error(preprocessor, token,
                 "unknown clause '" + name +
                     "' of '#pragma forewarp parallel': name, block, shared, tile, trips and taken exist");
  std::vector<std::string> arguments;
  if (!words(preprocessor, token, arguments))
    return false;
  if (name == "block")
    return block(preprocessor, token, arguments, mark);
  if (name == "shared") {
    mark.shared.insert(mark.shared.end(), arguments.begin(), arguments.end());
    return true;
  }
  if (arguments.size() != 1)
    return error(preprocessor, token, name + "(...) takes one word");
  if (name == "name")
    mark.name = arguments.front();
  else if (name == "trips")
    return trips(preprocessor, token, arguments.front(), mark);
  else if (name == "taken")
    return taken(preprocessor, token, arguments.front(), mark);
  else if (!number(arguments.front(), mark.tile) || mark.tile > largest_block_side)
    return error(preprocessor, token, "tile(...) takes a number from 1 to 1024");
  return true;
}

/// `#pragma forewarp trips(n)`.
class TripsHandler : public clang::PragmaHandler {
public:
  explicit TripsHandler(std::vector<FoundPragma>& found) : clang::PragmaHandler("trips"), found_(found) {}

  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer introducer,
                    clang::Token& name) override {
    FoundPragma pragma;
    pragma.location = introducer.Loc;
    pragma.parallel = false;
    if (ParallelHandler::clause(preprocessor, name, pragma.mark))
      found_.push_back(std::move(pragma));
    else
      preprocessor.DiscardUntilEndOfDirective();
  }

private:
  std::vector<FoundPragma>& found_;
};

/// A word after `forewarp` that is not known.
class UnknownHandler : public clang::PragmaHandler {
public:
  UnknownHandler() : clang::PragmaHandler("") {}
  void HandlePragma(clang::Preprocessor& preprocessor, clang::PragmaIntroducer,
                    clang::Token& first) override {
    clang::DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
    const unsigned id = diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error, "unknown '#pragma forewarp': 'parallel' and 'trips' exist");
    diagnostics.Report(first.getLocation(), id);
  }
};

} // namespace

void add_pragma_handler(clang::Preprocessor& preprocessor, std::vector<FoundPragma>& found) {
  preprocessor.AddPragmaHandler("forewarp", new ParallelHandler(found)); // the preprocessor owns them
  preprocessor.AddPragmaHandler("forewarp", new TripsHandler(found));
  preprocessor.AddPragmaHandler("forewarp", new UnknownHandler);
}

} // namespace forewarp::port
