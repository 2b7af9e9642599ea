#include "frontend/languages/cuda/cuda_host_code.h"

#include "frontend/languages/cuda/cuda_headers.h"
#include "frontend/languages/cuda/cuda_kernel_templates.h"
#include "frontend/languages/diagnostic_filter.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaConsumer.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>

namespace forewarp::frontend {

namespace {

bool is_lambda_body(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return method && method->getParent()->isLambda();
}

/// Clang makes lambdas and constexpr functions callable from both sides; a lambda is then what is around it.
bool is_device(const clang::FunctionDecl& function) {
  const auto* device = function.getAttr<clang::CUDADeviceAttr>();
  bool is_explicit = (device && !device->isImplicit()) || function.hasAttr<clang::CUDAGlobalAttr>();
  return is_explicit || (function.isConstexpr() && !is_lambda_body(function));
}

bool is_host(const clang::FunctionDecl& function) {
  return !function.hasAttr<clang::CUDAGlobalAttr>() && !function.hasAttr<clang::CUDADeviceAttr>();
}

/// The outermost host function around the place where Sema stands; null in device code and outside of
/// functions.
const clang::FunctionDecl* host_function_around(const clang::Sema& sema) {
  const clang::FunctionDecl* outermost = nullptr;
  for (const clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context)) {
      if (is_device(*function))
        return nullptr;
      outermost = function;
    }
  return outermost;
}

/// The outermost function around the place where Sema stands, if it is a device function.
clang::FunctionDecl* device_function_around(const clang::Sema& sema) {
  clang::FunctionDecl* outermost = outermost_function(sema);
  return outermost && is_device(*outermost) && !outermost->hasAttr<clang::CUDAGlobalAttr>() ? outermost
                                                                                            : nullptr;
}

bool inside_function(const clang::Sema& sema) {
  for (const clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (context->isFunctionOrMethod())
      return true;
  return false;
}

/// From the end of the declaration before `offset` to the body or end of the one around it.
llvm::StringRef declaration_around(llvm::StringRef text, unsigned offset) {
  std::size_t start = text.substr(0, offset).find_last_of(";}");
  std::size_t end = text.find_first_of(";{", offset);
  start = start == llvm::StringRef::npos ? 0 : start + 1;
  return text.slice(start, end == llvm::StringRef::npos ? text.size() : end);
}

/// Not what a kernel or a variable of the device is declared by: the code generator would meet it.
bool can_be_passed_over(llvm::StringRef declaration) {
  for (const char* keyword : {"__global__", "__constant__", "__shared__", "__managed__"})
    if (declaration.contains(keyword))
      return false;
  return !declaration.contains("__device__") || (declaration.contains('(') && !declaration.contains('='));
}

/// A kernel or function of the device is around the place where Sema stands.
bool inside_device_code(const clang::Sema& sema) {
  for (const clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(context))
      return is_device(*function);
  return false;
}

/// What stands between the first quotes behind `before`; "": the text is another.
std::string quoted_behind(llvm::StringRef text, llvm::StringRef before) {
  const std::size_t at = text.find(before);
  return at == llvm::StringRef::npos ? "" : text.substr(at + before.size()).split('\'').first.str();
}

/// Runtime, driver and libraries of the vendors: cudaMalloc, CUdevice, cublasHandle_t, CUDNN_STATUS_SUCCESS.
bool is_toolkit_name(llvm::StringRef name) {
  for (const char* front :
       {"cuda",     "cu",      "cublas", "cublasLt", "cudnn", "cufft",   "curand", "cusolver",
        "cusparse", "CUDA",    "CUBLAS", "CUDNN",    "CUFFT", "CURAND",  "hip",    "hipblas",
        "hipfft",   "hiprand", "nvml",   "nvrtc",    "nvtx",  "rocblas", "rocfft", "rocrand"})
    if (llvm::StringRef rest = name;
        rest.consume_front(front) && !rest.empty() && (llvm::isUpper(rest.front()) || rest.front() == '_'))
      return true;
  return name.size() > 2 && name.starts_with("CU") && llvm::isLower(name[2]);
}

/// The kernel that the statement starts, or the host's function that it calls; "": the error is another.
std::string asked_of_runtime(llvm::StringRef error) {
  if (std::string kernel = quoted_behind(error, "reference to __global__ function '"); !kernel.empty())
    return kernel;
  const std::string function = quoted_behind(error, "reference to __host__ function '");
  return is_toolkit_name(function) ? function : "";
}

bool misses_toolkit_name(llvm::StringRef error) {
  for (const char* before : {"unknown type name '", "use of undeclared identifier '"})
    if (is_toolkit_name(quoted_behind(error, before)))
      return true;
  return false;
}

/// "file:line"; "": nowhere.
std::string line_of(const clang::SourceManager& sources, clang::SourceLocation location) {
  const clang::PresumedLoc at = sources.getPresumedLoc(location);
  return at.isValid() ? std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) : std::string();
}

/// Hands diagnostics on, except errors (and their notes) that Sema reports while it is inside a host
/// function.
class HostErrorFilter : public DiagnosticFilter {
public:
  HostErrorFilter(clang::DiagnosticsEngine& engine, std::unique_ptr<clang::DiagnosticConsumer> next,
                  HostCodeReport& report)
      : DiagnosticFilter(engine, std::move(next)), report_(report) {}

  /// Host functions with errors, in the order of their first error.
  const std::vector<const clang::FunctionDecl*>& skipped() const { return skipped_; }
  /// Whether `function` is a device function with errors that were dropped.
  bool is_broken(const clang::FunctionDecl* function) const {
    return std::find(broken_.begin(), broken_.end(), function) != broken_.end();
  }
  /// Of a template only the instances: they need its body.
  void take_bodies_of_broken() {
    for (clang::FunctionDecl* function : broken_)
      if (!function->isDependentContext())
        function->setBody(nullptr);
  }
  /// Whether `function` may be lost: then it is, for the error `text`.
  bool lose(clang::FunctionDecl* function, const std::string& text) {
    if (!lacks_something() || function->hasAttr<clang::CUDAGlobalAttr>())
      return false;
    if (!is_broken(function)) {
      broken_.push_back(function);
      report_.broken_device_functions.push_back(function->getNameAsString() + " (" + text + ")");
    }
    return true;
  }

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    if (level == clang::DiagnosticsEngine::Note && dropping_)
      return;
    dropping_ = false;
    if (level >= clang::DiagnosticsEngine::Error && drop(diagnostic)) {
      dropping_ = true;
      return;
    }
    next_->HandleDiagnostic(level, diagnostic);
    if (level >= clang::DiagnosticsEngine::Error && !engine_.hasErrorOccurred()) // taken by the next
      return;
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    errors_kept_ |= level >= clang::DiagnosticsEngine::Error;
  }

private:
  bool lacks_something() const { return !report_.missing_headers.empty() || report_.lacks_toolkit_names; }

  bool drop(const clang::Diagnostic& diagnostic) {
    if (!sema_)
      return false;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    const clang::FunctionDecl* function = host_function_around(*sema_);
    report_.lacks_toolkit_names |= function == nullptr && misses_toolkit_name(text);
    if (is_local_use_of_library(text, diagnostic))
      return forget_error();
    if (function != nullptr) {
      add_once(report_.skipped_functions, function->getNameAsString(), diagnostic);
      if (std::find(skipped_.begin(), skipped_.end(), function) == skipped_.end())
        skipped_.push_back(function);
    } else if (is_dispensable_declaration(diagnostic))
      pass_over_declaration(diagnostic);
    else if (const std::string asked = asked_of_runtime(text); !asked.empty() && inside_device_code(*sema_))
      report_.left_out_of_kernels.push_back(asked + " (" + place_of(diagnostic) + ")");
    else if (clang::FunctionDecl* broken = device_function_around(*sema_);
             broken && lose(broken, text_of(diagnostic)))
      ;
    else
      return false;
    return forget_error();
  }

  /// The engine has counted this error already and would keep the code generator from running.
  bool forget_error() {
    if (!errors_kept_)
      engine_.Reset(/*soft=*/true);
    return true;
  }

  /// Own headers declare a library's host functions; with a type of the caller's own (a lambda's), nobody
  /// could define them elsewhere.
  static bool is_local_use_of_library(llvm::StringRef text, const clang::Diagnostic& diagnostic) {
    return text.contains("is used but not defined in this translation unit, and cannot be defined") &&
           diagnostic.hasSourceManager() &&
           diagnostic.getSourceManager().isInSystemHeader(diagnostic.getLocation());
  }

  void add_once(std::vector<std::string>& list, std::string entry, const clang::Diagnostic& diagnostic) {
    if (std::find(list.begin(), list.end(), entry) != list.end())
      return;
    list.push_back(std::move(entry));
    if (report_.first_error.empty())
      report_.first_error = text_of(diagnostic);
  }
  void pass_over_declaration(const clang::Diagnostic& diagnostic) {
    add_once(report_.skipped_declarations, place_of(diagnostic), diagnostic);
    if (report_.first_declaration_error.empty())
      report_.first_declaration_error = text_of(diagnostic);
  }

  static std::string text_of(const clang::Diagnostic& diagnostic) {
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    return place_of(diagnostic) + ": " + text.c_str();
  }

  /// Outside of functions, when a header is missing, all but kernels and variables of the device: what device
  /// code needs of such a declaration gives an error there.
  bool is_dispensable_declaration(const clang::Diagnostic& diagnostic) const {
    if (!lacks_something() || inside_function(*sema_) || !diagnostic.hasSourceManager())
      return false;
    const clang::SourceManager& sources = diagnostic.getSourceManager();
    auto [file, offset] = sources.getDecomposedExpansionLoc(diagnostic.getLocation());
    bool invalid = false;
    llvm::StringRef text = sources.getBufferData(file, &invalid);
    return !invalid && can_be_passed_over(declaration_around(text, offset));
  }

  static std::string place_of(const clang::Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || !diagnostic.getLocation().isValid())
      return {};
    return line_of(diagnostic.getSourceManager(), diagnostic.getLocation());
  }

  HostCodeReport& report_;
  std::vector<const clang::FunctionDecl*> skipped_;
  std::vector<clang::FunctionDecl*> broken_;
  bool dropping_ = false, errors_kept_ = false;
};

/// A class with a member that could not be understood has no layout.
bool has_no_layout(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.isNull() ? nullptr : type->getAsCXXRecordDecl();
  return record && record->isInvalidDecl();
}

/// The first, innermost expression that Clang could not make sense of.
const clang::Expr* misunderstood(const clang::Stmt* statement) {
  if (!statement)
    return nullptr;
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  if (expression && has_no_layout(expression->getType()))
    return expression;
  for (const clang::Stmt* child : statement->children())
    if (const clang::Expr* found = misunderstood(child))
      return found;
  return expression && expression->containsErrors() ? expression : nullptr;
}

/// Where `function` uses what could not be understood; invalid: nowhere.
clang::SourceLocation misunderstood_in(const clang::FunctionDecl& function) {
  for (const clang::ParmVarDecl* parameter : function.parameters())
    if (has_no_layout(parameter->getType()))
      return parameter->getBeginLoc();
  const clang::Expr* found = misunderstood(function.getBody());
  return found ? found->getBeginLoc() : clang::SourceLocation();
}

/// Tells the filter when there is a Sema to ask.
class SemaWatcher : public clang::SemaConsumer {
public:
  SemaWatcher(HostErrorFilter& filter, HostCodeReport& report, HostFunctions read)
      : filter_(filter), report_(report), read_(read) {}
  void InitializeSema(clang::Sema& sema) override {
    sema_ = &sema;
    filter_.attach(&sema);
  }
  void ForgetSema() override {
    sema_ = nullptr;
    filter_.attach(nullptr);
  }
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group)
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        check(*function);
    filter_.take_bodies_of_broken();
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override { check(*function); }
  /// Asked where FrontendOptions::SkipFunctionBodies is set.
  bool shouldSkipFunctionBody(clang::Decl* declaration) override {
    const clang::FunctionDecl* function = declaration->getAsFunction();
    if (!function || !sema_)
      return false;
    return read_ == HostFunctions::none ? is_host(*function)
                                        : is_library_host_function(*function, sema_->getSourceManager());
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    filter_.take_bodies_of_broken();
    if (sema_ && !context.getDiagnostics().hasErrorOccurred())
      instantiate_named_kernels(*sema_, filter_.skipped());
    report_.kernels_without_instance = kernels_without_instance(context);
  }

private:
  /// Device code that uses a declaration which was passed over has placeholders and, so far, no error; the
  /// code generator must not see it.
  void check(clang::FunctionDecl& function) {
    if (!sema_ || function.isDependentContext() || filter_.is_broken(&function) ||
        !(function.hasAttr<clang::CUDAGlobalAttr>() || function.hasAttr<clang::CUDADeviceAttr>()))
      return;
    const clang::SourceLocation place = misunderstood_in(function);
    static constexpr char text[] = "this uses a declaration that could not be understood";
    if (place.isInvalid() || filter_.lose(&function, line_of(sema_->getSourceManager(), place) + ": " + text))
      return;
    clang::DiagnosticsEngine& engine = sema_->getDiagnostics();
    engine.Report(place, engine.getCustomDiagID(clang::DiagnosticsEngine::Error, text));
  }

  HostErrorFilter& filter_;
  HostCodeReport& report_;
  HostFunctions read_;
  clang::Sema* sema_ = nullptr;
};

class MissingHeaders : public clang::PPCallbacks {
public:
  explicit MissingHeaders(HostCodeReport& report) : report_(report) {}
  bool FileNotFound(llvm::StringRef name) override {
    auto& missing = report_.missing_headers;
    if (std::find(missing.begin(), missing.end(), name) == missing.end())
      missing.push_back(name.str());
    return true;
  }

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef name, bool,
                          clang::CharSourceRange, clang::OptionalFileEntryRef, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    report_.lacks_toolkit_names |= name == stand_in;
  }

private:
  static constexpr llvm::StringLiteral stand_in = "forewarp_cuda/torch.h"; ///< a small part of its library
  HostCodeReport& report_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> tolerate_host_errors(clang::CompilerInstance& compiler,
                                                         HostCodeReport& report, HostFunctions read) {
  clang::DiagnosticsEngine& engine = compiler.getDiagnostics();
  std::unique_ptr<clang::DiagnosticConsumer> next = engine.takeClient();
  if (!next) // not owned: the compiler instance keeps the printer
    return nullptr;
  auto* filter = new HostErrorFilter(engine, std::move(next), report);
  engine.setClient(filter, /*ShouldOwnClient=*/true);
  return std::make_unique<SemaWatcher>(*filter, report, read);
}

bool is_library_host_function(const clang::FunctionDecl& function, const clang::SourceManager& sources) {
  return is_host(function) &&
         is_standard_library(sources.getFilename(sources.getExpansionLoc(function.getLocation())));
}

void pass_over_missing_headers(clang::CompilerInstance& compiler, HostCodeReport& report) {
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<MissingHeaders>(report));
}

} // namespace forewarp::frontend
