#include "frontend/newer_ir/rewrite.h"

#include "frontend/newer_ir/float_literals.h"
#include "frontend/newer_ir/tokens.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace forewarp::frontend::newer_ir {
namespace {

template <std::size_t n> bool is_one_of(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Attributes after LLVM 19 that promise something and ask for nothing; with or without "(...)".
constexpr std::array<std::string_view, 6> promises = {
    "nocreateundeforpoison", "dead_on_return", "initializes", "nodivergencesource", "noext", "noipa"};
// Fields of debug information after LLVM 19.
constexpr std::array<std::string_view, 6> debug_fields = {"atomGroup", "atomRank",  "keyInstructions",
                                                          "dataSize",  "bitStride", "sourceLanguageVersion"};
// Places of `memory(...)` that LLVM 19 knows; an effect without a place is one of all.
constexpr std::array<std::string_view, 2> memory_places = {"argmem", "inaccessiblemem"};
// Conversions that take fast-math flags since LLVM 20.
constexpr std::array<std::string_view, 4> flagged_conversions = {"fptrunc", "fpext", "uitofp", "sitofp"};
constexpr std::array<std::string_view, 8> math_flags = {"fast", "nnan",     "ninf", "nsz",
                                                        "arcp", "contract", "afn",  "reassoc"};
constexpr std::array<std::string_view, 7> float_types = {"half",     "bfloat", "float",    "double",
                                                         "x86_fp80", "fp128",  "ppc_fp128"};
constexpr std::array<std::string_view, 4> signed_nans = {"+nan", "-nan", "+snan", "-snan"};
constexpr std::array<std::string_view, 4> openers = {"declare", "define", "call", "invoke"};

constexpr std::size_t nowhere = SIZE_MAX;

class Rewriter {
public:
  Rewriter(std::string_view module, const std::string& path)
      : module_(module), path_(path), tokens_(tokens_of(module)) {}

  Result<std::string> run() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      if (token.kind == TokenKind::word)
        rewrite_word(token.text);
      else if (token.kind == TokenKind::name && opener_ != "define")
        rewrite_callee(token.text);
      if (error_)
        return tl::unexpected(*error_);
    }
    return edited();
  }

private:
  struct Edit {
    std::size_t begin, length;
    std::string text;
  };

  void rewrite_word(std::string_view word) {
    if (is_one_of(float_types, word))
      float_type_ = word;
    else if (is_one_of(openers, word))
      opener_ = word;
    else if (word == "captures" && follows("("))
      rewrite_captures();
    else if (word == "samesign" && at_ > 0 && tokens_[at_ - 1].is("icmp"))
      drop(at_, at_);
    else if (is_one_of(promises, word))
      drop(at_, follows("(") ? closing(at_ + 1) : at_);
    else if (word == "memory" && follows("("))
      rewrite_memory();
    else if (is_one_of(flagged_conversions, word))
      drop_flags();
    else if (word == "ptrtoaddr")
      replace(at_, at_, "ptrtoint");
    else if (word == "triple" && follows("="))
      rewrite_triple();
    else if (is_newer_float(word) || is_one_of(signed_nans, word))
      rewrite_float();
    else if (is_decimal_float(word))
      rewrite_decimal(word);
    else if (follows(":"))
      rewrite_field(word);
  }

  bool follows(std::string_view text) const { return at_ + 1 < tokens_.size() && tokens_[at_ + 1].is(text); }

  /// Of the bracket at `open`; the last token where none closes it.
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (tokens_[i].is("(") || tokens_[i].is("[") || tokens_[i].is("{") || tokens_[i].is("<"))
        ++depth;
      else if (tokens_[i].is(")") || tokens_[i].is("]") || tokens_[i].is("}") || tokens_[i].is(">"))
        --depth;
      if (depth == 0)
        return i;
    }
    return tokens_.size() - 1;
  }

  std::size_t begin_of(std::size_t i) const {
    return static_cast<std::size_t>(tokens_[i].text.data() - module_.data());
  }

  void replace(std::size_t first, std::size_t last, std::string text) {
    const std::size_t begin = begin_of(first);
    edits_.push_back({begin, begin_of(last) + tokens_[last].text.size() - begin, std::move(text)});
  }
  void drop(std::size_t first, std::size_t last) {
    replace(first, last, "");
    at_ = last;
  }
  void insert(std::size_t before, std::string text) {
    edits_.push_back({begin_of(before), 0, std::move(text)});
  }

  /// What LLVM 19 can say is that nothing is captured.
  void rewrite_captures() {
    const std::size_t open = at_ + 1, close = closing(open);
    const bool none = close == open + 2 && tokens_[open + 1].is("none");
    replace(at_, close, none ? "nocapture" : "");
    at_ = close;
  }

  void rewrite_memory() {
    const std::size_t open = at_ + 1, close = closing(open);
    std::string kept;
    bool changed = false;
    for (std::size_t i = open + 1; i < close;) {
      const bool placed = i + 2 < close && tokens_[i + 1].is(":");
      if (placed && !is_one_of(memory_places, tokens_[i].text))
        changed = true;
      else
        kept += (kept.empty() ? "" : ", ") + (placed ? std::string(tokens_[i].text) + ": " : "") +
                std::string(tokens_[placed ? i + 2 : i].text);
      i += placed ? 3 : 1;
      i += i < close && tokens_[i].is(",") ? 1 : 0;
    }
    if (changed)
      replace(at_, close, kept.empty() ? "" : "memory(" + kept + ")");
    at_ = close;
  }

  void drop_flags() {
    while (at_ + 1 < tokens_.size() && is_one_of(math_flags, tokens_[at_ + 1].text)) {
      ++at_;
      replace(at_, at_, "");
    }
  }

  /// "amdgpu9.42-amd-amdhsa" names the processor too.
  void rewrite_triple() {
    if (at_ + 2 >= tokens_.size() || !tokens_[at_ + 2].text.starts_with("\"amdgpu"))
      return;
    const std::string_view triple = tokens_[at_ + 2].text;
    const std::size_t vendor = triple.find('-');
    if (vendor != std::string_view::npos)
      replace(at_ + 2, at_ + 2, "\"amdgcn" + std::string(triple.substr(vendor)));
  }

  /// Its type is the last one that was named.
  void rewrite_float() {
    const std::size_t first = at_;
    std::string literal(tokens_[at_].text);
    if (is_one_of(signed_nans, tokens_[at_].text)) {
      if (!follows("("))
        return;
      const std::size_t close = closing(at_ + 1);
      for (std::size_t i = at_ + 1; i <= close; ++i)
        literal += tokens_[i].text;
      at_ = close;
    }
    auto older = older_float(literal, float_type_);
    if (!older)
      error_ =
          Error{ErrorCode::bad_input, fmt::format("'{}' is no number of the type '{}'", literal, float_type_),
                fmt::format("{}:{}", path_, tokens_[first].line), "write the file again with its compiler"};
    else
      replace(first, at_, std::move(*older));
  }

  void rewrite_decimal(std::string_view literal) {
    if (auto exact = exact_float(literal, float_type_))
      replace(at_, at_, std::move(*exact));
  }

  void rewrite_field(std::string_view name) {
    if (at_ + 2 >= tokens_.size())
      return;
    if (name == "sourceLanguageName")
      return replace(at_, at_ + 2, "language: DW_LANG_C99");
    if (!is_one_of(debug_fields, name))
      return;
    const bool comma_before = at_ > 0 && tokens_[at_ - 1].is(",");
    const bool comma_behind = at_ + 3 < tokens_.size() && tokens_[at_ + 3].is(",");
    if (comma_before)
      drop(at_ - 1, at_ + 2);
    else
      drop(at_, at_ + (comma_behind ? 3 : 2));
  }

  /// Intrinsics whose operands changed.
  void rewrite_callee(std::string_view name) {
    if (!follows("("))
      return;
    if (name.starts_with("@llvm.lifetime.") && at_ + 2 < tokens_.size() && tokens_[at_ + 2].is("ptr"))
      insert(at_ + 2, opener_ == "declare" ? "i64 immarg, " : "i64 -1, "); // its size, until LLVM 21
    else if (name.starts_with("@llvm.amdgcn.make.buffer.rsrc."))
      narrow_records();
  }

  /// The first token of argument `index` of the call at hand.
  std::size_t argument(unsigned index) const {
    const std::size_t open = at_ + 1, close = closing(open);
    unsigned commas = 0;
    for (std::size_t i = open + 1; i < close; ++i) {
      if (commas == index)
        return i;
      if (tokens_[i].is("(") || tokens_[i].is("<"))
        i = closing(i);
      else if (tokens_[i].is(","))
        ++commas;
    }
    return nowhere;
  }

  /// The number of bytes behind a buffer's resource: 64 bits since LLVM 21, 32 before.
  void narrow_records() {
    constexpr unsigned records = 2;
    const std::size_t type = argument(records);
    if (type == nowhere || type + 1 >= tokens_.size() || !tokens_[type].is("i64"))
      return;
    replace(type, type, "i32");
    if (opener_ == "declare")
      return;
    const std::string_view bytes = tokens_[type + 1].text;
    std::uint64_t count = 0;
    const auto [end, failed] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), count);
    if (failed == std::errc() && end == bytes.data() + bytes.size())
      return replace(type + 1, type + 1, std::to_string(std::min<std::uint64_t>(count, UINT32_MAX)));
    const std::string cut = "%forewarp.records." + std::to_string(cuts_++);
    insert(statement_begin(), fmt::format("{} = trunc i64 {} to i32 ", cut, bytes));
    replace(type + 1, type + 1, cut);
  }

  /// Of "%r = tail call ... @f(", standing at the function's name.
  std::size_t statement_begin() const {
    std::size_t i = at_;
    while (i > 0 && !tokens_[i].is("call") && !tokens_[i].is("invoke"))
      --i;
    while (i > 0 &&
           (tokens_[i - 1].is("tail") || tokens_[i - 1].is("musttail") || tokens_[i - 1].is("notail")))
      --i;
    return i >= 2 && tokens_[i - 1].is("=") ? i - 2 : i;
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    out.reserve(module_.size());
    std::size_t from = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < from) // inside of one that is gone
        continue;
      out += module_.substr(from, edit.begin - from);
      out += edit.text;
      from = edit.begin + edit.length;
    }
    return out += module_.substr(from);
  }

  std::string_view module_;
  const std::string& path_;
  std::vector<Token> tokens_;
  std::vector<Edit> edits_;
  std::optional<Error> error_;
  std::size_t at_ = 0;
  std::string_view float_type_, opener_; ///< the last of each
  unsigned cuts_ = 0;
};

} // namespace

Result<std::string> in_older_words(std::string_view module, const std::string& path) {
  return Rewriter(module, path).run();
}

bool is_assembly(std::string_view bytes) {
  return !bytes.starts_with("BC\xC0\xDE") && !bytes.starts_with("\xDE\xC0\x17\x0B");
}

std::string word_at(std::string_view module, unsigned line, unsigned column) {
  std::size_t begin = 0;
  for (unsigned i = 1; i < line && begin != std::string_view::npos; ++i) {
    begin = module.find('\n', begin);
    begin += begin == std::string_view::npos ? 0 : 1;
  }
  if (begin == std::string_view::npos || begin + column >= module.size())
    return {};
  const std::string_view rest =
      module.substr(begin + column, module.find('\n', begin + column) - begin - column);
  const std::vector<Token> tokens = tokens_of(rest);
  return tokens.empty() ? std::string() : std::string(tokens.front().text.substr(0, 80));
}

} // namespace forewarp::frontend::newer_ir
