#include "frontend/ptx/translation.h"

#include "frontend/ptx/addresses/pointers.h"
#include "frontend/ptx/body.h"
#include "frontend/ptx/cursor.h"
#include "frontend/ptx/locations.h"
#include "frontend/ptx/variables.h"
#include "frontend/targets.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <set>

namespace forewarp::frontend::ptx {
namespace {

struct Callee {
  const Function* text = nullptr;
  llvm::Function* function = nullptr;
};

std::vector<Declaration> all_parameters(const Function& text) {
  std::vector<Declaration> all = text.results;
  all.insert(all.end(), text.parameters.begin(), text.parameters.end());
  return all;
}

class FunctionTranslation : public Surroundings {
public:
  FunctionTranslation(const Function& text, llvm::Function& function,
                      const std::map<std::string, Callee>& callees,
                      const std::map<std::string, llvm::Value*>& variables, Locations& locations)
      : text_(text), function_(function), callees_(callees), variables_(variables), locations_(locations) {}

  std::optional<Refusal> run() {
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(function_.getContext(), "entry", &function_);
    auto* end = new llvm::UnreachableInst(function_.getContext(), entry);
    Expansion expansion(*end, true);
    for (const auto& [name, variable] : variables_)
      expansion.registers.place(name, variable);
    expansion.b.SetCurrentDebugLocation(location(text_.line, {}));
    if (!bind_parameters(expansion))
      return Refusal{text_.line, text_.name, expansion.registers.complaint()};
    expansion.registers.open_scope();
    Body body(expansion, text_.body, this);
    auto refusal = body.run();
    llvm::ReturnInst::Create(function_.getContext(), expansion.at().getParent()); // falls off the end
    expansion.at().eraseFromParent();
    if (!refusal)
      keep_loops(body.kept_loops());
    return refusal;
  }

  /// Functions that the body calls.
  const std::set<std::string>& called() const { return called_; }

private:
  bool declare(Expansion& e, const Declaration& variable) override {
    if (variable.space == "shared" || variable.space == "const" || variable.space == "global") {
      llvm::GlobalVariable* made = make_variable(*function_.getParent(), variable);
      if (!made || !set_values(*function_.getParent(), *made, variable))
        return false;
      e.registers.place(variable.name, made);
      return true;
    }
    llvm::Type* element = register_type(e.context(), variable.type);
    const bool local = variable.space == "local";
    if (!element || (!local && variable.space != "param"))
      return false;
    llvm::Type* type = variable.is_array ? llvm::ArrayType::get(element, variable.elements) : element;
    auto* slot = new llvm::AllocaInst(type, 0, variable.name, function_.getEntryBlock().begin());
    slot->setAlignment(llvm::Align(std::max({1U, variable.align, variable.type.size() / 8})));
    llvm::Value* place = slot;
    if (local) {
      llvm::IRBuilder<> after(slot->getNextNode());
      place = after.CreateAddrSpaceCast(slot, llvm::PointerType::get(e.context(), spaces::local));
    }
    e.registers.place(variable.name, place);
    return true;
  }

  llvm::DebugLoc location(unsigned line, const SourcePlace& place) override {
    return locations_.of(function_, line, place);
  }

  bool bind_parameters(Expansion& e) {
    const std::vector<Declaration> all = all_parameters(text_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      llvm::Argument* argument = function_.getArg(static_cast<unsigned>(i));
      const Declaration& parameter = all[i];
      if (!text_.is_kernel)
        bind_by_pointer(e, parameter, argument);
      else if (argument->hasByValAttr())
        e.registers.place(
            parameter.name,
            e.b.CreateAddrSpaceCast(argument, llvm::PointerType::get(e.context(), spaces::parameter)));
      else if (!parameter.opaque.empty())
        e.registers.place(parameter.name, argument);
      else
        e.registers.place(parameter.name, slot_of(e, argument));
    }
    return true;
  }

  llvm::Value* slot_of(Expansion& e, llvm::Value* value) {
    auto* slot = new llvm::AllocaInst(value->getType(), 0, "", function_.getEntryBlock().begin());
    e.b.CreateStore(value, slot);
    return slot;
  }

  /// A .reg parameter is a register of the function: copied in, and its results are left in memory by `ret`,
  /// so registers that are results are not modelled.
  void bind_by_pointer(Expansion& e, const Declaration& parameter, llvm::Argument* pointer) {
    if (parameter.space != "reg") {
      e.registers.place(parameter.name, pointer);
      return;
    }
    e.registers.declare(parameter.name, parameter.type);
    llvm::Type* type = register_type(e.context(), parameter.type);
    e.registers.write(parameter.name, e.b.CreateLoad(type, pointer));
  }

  /// "(r)", "name", "(a, b)".
  bool call(Expansion& e, const Statement& s) override {
    std::size_t next = 0;
    std::vector<std::string> results, arguments;
    if (!s.operands.empty() && s.operands[0].starts_with('('))
      results = in_parentheses(s.operands[next++]);
    if (next >= s.operands.size())
      return false;
    const std::string& name = s.operands[next++];
    if (next < s.operands.size() && s.operands[next].starts_with('('))
      arguments = in_parentheses(s.operands[next]);
    const auto callee = callees_.find(name);
    if (callee == callees_.end())
      return e.refuse(e.registers.knows(name) ? "calls through pointers are not modelled"
                                              : "there is no function '" + name + "'");
    called_.insert(name);
    if (!callee->second.text->has_body)
      return call_outside(e, *callee->second.text, arguments, results);
    return call_inside(e, callee->second, arguments, results);
  }

  static std::vector<std::string> in_parentheses(const std::string& text) {
    return split_operands(std::string_view(text).substr(1, text.size() - 2));
  }

  bool call_inside(Expansion& e, const Callee& callee, const std::vector<std::string>& arguments,
                   const std::vector<std::string>& results) {
    if (arguments.size() != callee.text->parameters.size() || results.size() != callee.text->results.size())
      return e.refuse("'" + callee.text->name + "' has other parameters");
    std::vector<std::string> names = results;
    names.insert(names.end(), arguments.begin(), arguments.end());
    llvm::SmallVector<llvm::Value*, 8> pointers;
    for (const std::string& name : names) {
      llvm::Value* pointer = e.registers.find_place(name);
      if (!pointer)
        if (llvm::Value* value = e.registers.value(name))
          pointer = slot_of(e, value);
      if (!pointer || pointer->getType() != e.b.getPtrTy())
        return e.refuse("'" + name + "' is no argument that is modelled");
      pointers.push_back(pointer);
    }
    e.b.CreateCall(callee.function, pointers);
    return true;
  }

  /// A function of the driver or a library (vprintf): called by its name with the values, for the tables of
  /// built-ins to find.
  bool call_outside(Expansion& e, const Function& text, const std::vector<std::string>& arguments,
                    const std::vector<std::string>& results) {
    if (text.name == "__assertfail") { // what comes behind an assertion is what is modelled
      e.b.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
      return true;
    }
    llvm::SmallVector<llvm::Value*, 4> values;
    for (std::size_t i = 0; i < arguments.size() && i < text.parameters.size(); ++i) {
      llvm::Value* place = e.registers.find_place(arguments[i]);
      llvm::Type* type = register_type(e.context(), text.parameters[i].type);
      if (!place || !type)
        return false;
      values.push_back(e.b.CreateLoad(type, place));
    }
    llvm::SmallVector<llvm::Type*, 4> types;
    for (llvm::Value* value : values)
      types.push_back(value->getType());
    llvm::Value* result = results.size() == 1 ? e.registers.find_place(results[0]) : nullptr;
    llvm::Type* result_type =
        result && !text.results.empty() ? register_type(e.context(), text.results[0].type) : e.b.getVoidTy();
    if (!result_type)
      return false;
    const auto callee = function_.getParent()->getOrInsertFunction(
        text.name, llvm::FunctionType::get(result_type, types, false));
    llvm::Value* made = e.b.CreateCall(callee, values);
    if (result)
      e.b.CreateStore(made, result);
    return true;
  }

  /// Loops that the compiler has left or unrolled: nobody unrolls them again.
  void keep_loops(const std::vector<llvm::BasicBlock*>& headers) {
    if (headers.empty())
      return;
    llvm::DominatorTree dominators(function_);
    llvm::LoopInfo loops(dominators);
    for (llvm::BasicBlock* header : headers)
      if (llvm::Loop* loop = loops.getLoopFor(header); loop && loop->getHeader() == header)
        loop->setLoopAlreadyUnrolled();
  }

  const Function& text_;
  llvm::Function& function_;
  const std::map<std::string, Callee>& callees_;
  const std::map<std::string, llvm::Value*>& variables_;
  Locations& locations_;
  std::set<std::string> called_;
};

class Translation {
public:
  Translation(const File& file, const std::string& path, llvm::LLVMContext& context, lowering::Report& report)
      : file_(file), path_(path), context_(context), report_(report) {}

  Result<std::unique_ptr<llvm::Module>> run() {
    module_ = std::make_unique<llvm::Module>(path_, context_);
    module_->setTargetTriple(triple_of(ir::TargetFamily::nvidia));
    auto machine = make_target_machine(*module_, "sm_75", "");
    if (!machine)
      return fail(ErrorCode::internal, "LLVM lacks the target " + module_->getTargetTriple());
    module_->setDataLayout(machine->createDataLayout());
    FOREWARP_TRY(make_variables());
    FOREWARP_TRY(make_functions());
    Locations locations(*module_, file_, path_);
    for (const Function& text : file_.functions)
      if (text.has_body)
        translate(text, locations);
    locations.finish();
    tell_refusals();
    return std::move(module_);
  }

private:
  std::string where(unsigned line) const { return path_ + ":" + std::to_string(line); }

  Result<void> make_variables() {
    for (const Declaration& each : file_.variables) {
      llvm::GlobalVariable* made = variables_.contains(each.name) ? nullptr : make_variable(*module_, each);
      if (!made && variables_.contains(each.name))
        continue; // declared again
      if (!made)
        return fail(ErrorCode::unsupported, "'" + each.name + "' is of a type that is not modelled",
                    where(each.line), reading_remedy);
      variables_[each.name] = made;
    }
    for (const Declaration& each : file_.variables)
      if (!set_values(*module_, *module_->getNamedGlobal(each.name), each))
        return fail(ErrorCode::unsupported, "the values of '" + each.name + "' are not understood",
                    where(each.line), reading_remedy);
    return {};
  }

  Result<llvm::Type*> kernel_parameter(const Declaration& parameter) {
    if (!parameter.opaque.empty())
      return llvm::PointerType::get(context_, 0);
    llvm::Type* type = register_type(context_, parameter.type);
    if (!type)
      return fail(ErrorCode::unsupported,
                  "parameter '" + parameter.name + "' is of a type that is not modelled",
                  where(parameter.line), reading_remedy);
    return parameter.is_array ? llvm::PointerType::get(context_, 0) : type;
  }

  Result<void> make_functions() {
    for (const Function& text : file_.functions) {
      auto found = callees_.find(text.name);
      if (found != callees_.end() && (found->second.text->has_body || !text.has_body)) {
        if (text.has_body)
          return fail(ErrorCode::bad_input, "'" + text.name + "' is defined twice", where(text.line),
                      "one file is one module: give each function a name of its own");
        continue;
      }
      if (found != callees_.end() && found->second.function) { // declared before
        found->second.text = &text;
        continue;
      }
      Callee callee{&text, nullptr};
      std::vector<llvm::Type*> types;
      for (const Declaration& parameter : all_parameters(text)) {
        auto type = text.is_kernel ? kernel_parameter(parameter)
                                   : Result<llvm::Type*>(llvm::PointerType::get(context_, 0));
        FOREWARP_TRY(type);
        types.push_back(*type);
      }
      if (text.has_body || text.is_kernel || is_defined_later(text.name))
        callee.function = make_function(text, types);
      callees_[text.name] = callee;
    }
    return {};
  }

  bool is_defined_later(const std::string& name) const {
    return std::any_of(file_.functions.begin(), file_.functions.end(),
                       [&](const Function& each) { return each.name == name && each.has_body; });
  }

  llvm::Function* make_function(const Function& text, const std::vector<llvm::Type*>& types) {
    auto* made = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context_), types, false),
        text.is_kernel ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage, text.name,
        *module_);
    made->addFnAttr(llvm::Attribute::NoUnwind);
    if (!text.is_kernel)
      return made;
    made->setCallingConv(llvm::CallingConv::PTX_Kernel);
    for (unsigned i = 0; i < text.parameters.size(); ++i) {
      const Declaration& parameter = text.parameters[i];
      made->getArg(i)->setName(parameter.name);
      if (parameter.is_pointer)
        made->addParamAttr(i, llvm::Attribute::get(context_, declared_pointer, parameter.pointee_space));
      if (!parameter.is_array || !parameter.opaque.empty())
        continue;
      llvm::Type* type = llvm::ArrayType::get(register_type(context_, parameter.type), parameter.elements);
      made->addParamAttr(i, llvm::Attribute::getWithByValType(context_, type));
      made->addParamAttr(
          i, llvm::Attribute::getWithAlignment(
                 context_, llvm::Align(std::max({1U, parameter.align, parameter.type.size() / 8}))));
    }
    add_launch_attributes(text, *made);
    return made;
  }

  static std::string listed(const std::array<unsigned, 3>& numbers) {
    return std::to_string(numbers[0]) + "," + std::to_string(numbers[1]) + "," + std::to_string(numbers[2]);
  }

  void add_launch_attributes(const Function& text, llvm::Function& made) {
    if (text.required_threads)
      made.addFnAttr("nvvm.reqntid", listed(*text.required_threads));
    if (text.cluster)
      made.addFnAttr("nvvm.cluster_dim", listed(*text.cluster));
    if (text.most_threads)
      made.addFnAttr("nvvm.maxntid", listed(*text.most_threads));
    if (text.groups_per_sm > 0)
      made.addFnAttr("nvvm.minctasm", std::to_string(text.groups_per_sm));
    llvm::SmallVector<llvm::Metadata*, 8> names, kinds;
    for (const Declaration& parameter : text.parameters) {
      names.push_back(llvm::MDString::get(context_, parameter.name));
      kinds.push_back(llvm::MDString::get(context_, parameter.opaque == "samplerref" ? "sampler_t"
                                                    : !parameter.opaque.empty()      ? "image2d_t"
                                                                                     : ""));
    }
    made.setMetadata("kernel_arg_name", llvm::MDNode::get(context_, names));
    made.setMetadata("kernel_arg_base_type", llvm::MDNode::get(context_, kinds));
  }

  void translate(const Function& text, Locations& locations) {
    FunctionTranslation translation(text, *callees_.at(text.name).function, callees_, variables_, locations);
    auto refusal = translation.run();
    calls_[text.name] = translation.called();
    if (refusal)
      refusals_[text.name] = *refusal;
  }

  std::set<std::string> reached_from(const std::string& name) const {
    std::set<std::string> reached = {name};
    std::vector<std::string> open = {name};
    while (!open.empty()) {
      const auto calls = calls_.find(open.back());
      open.pop_back();
      if (calls != calls_.end())
        for (const std::string& each : calls->second)
          if (reached.insert(each).second)
            open.push_back(each);
    }
    return reached;
  }

  /// Refused bodies are emptied, and so are the kernels that reach them.
  void tell_refusals() {
    for (const auto& [name, refusal] : refusals_) {
      lowering::Problem problem;
      problem.function = name;
      problem.message = "'" + refusal.text + "' " +
                        (refusal.why.empty() ? "is not modelled" : "cannot be read: " + refusal.why);
      problem.where = where(refusal.line);
      problem.remedy = reading_remedy;
      for (const Function& text : file_.functions)
        if (text.is_kernel && text.has_body && reached_from(text.name).contains(name))
          problem.kernels.push_back(text.name);
      for (const std::string& kernel : problem.kernels)
        empty(*callees_.at(kernel).function);
      empty(*callees_.at(name).function);
      report_.problems.push_back(std::move(problem));
    }
  }

  static void empty(llvm::Function& function) {
    const llvm::GlobalValue::LinkageTypes linkage = function.getLinkage();
    llvm::DISubprogram* place = function.getSubprogram();
    function.deleteBody();
    function.setLinkage(linkage);
    function.setSubprogram(place);
    llvm::ReturnInst::Create(function.getContext(),
                             llvm::BasicBlock::Create(function.getContext(), "", &function));
  }

  const File& file_;
  const std::string& path_;
  llvm::LLVMContext& context_;
  lowering::Report& report_;
  std::unique_ptr<llvm::Module> module_;
  std::map<std::string, llvm::Value*> variables_;
  std::map<std::string, Callee> callees_;
  std::map<std::string, std::set<std::string>> calls_;
  std::map<std::string, Refusal> refusals_;
};

} // namespace

Result<std::unique_ptr<llvm::Module>> translate(const File& file, const std::string& path,
                                                llvm::LLVMContext& context, lowering::Report& report) {
  return Translation(file, path, context, report).run();
}

} // namespace forewarp::frontend::ptx
