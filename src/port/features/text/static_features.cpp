#include "port/features/text/static_features.h"

#include "frontend/guard.h"
#include "port/choose.h"
#include "port/features/text/compile_commands.h"
#include "port/features/text/nest_text.h"
#include "port/source/program.h"
#include "port/static/instrument.h"
#include "port/static/memory_calls.h"
#include "port/static/optimise.h"
#include "port/static/region.h"
#include "port/static/reload.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <tuple>

namespace forewarp::port {
namespace {

namespace fs = std::filesystem;

/// Loops with a pragma, and where all are wanted the others.
std::vector<RegionMark> wanted_marks(const SourceProgram& program, bool all_loops) {
  std::vector<RegionMark> marks = program.marks;
  const auto is_marked = [&](const SourceLoop& loop) {
    return std::any_of(program.marks.begin(), program.marks.end(), [&](const RegionMark& mark) {
      return mark.file == loop.file && mark.line == loop.line && mark.column == loop.column;
    });
  };
  for (const SourceLoop& loop : program.loops)
    if (all_loops && !is_marked(loop))
      marks.push_back(mark_of(loop));
  return marks;
}

/// Functions that hold one of the loops.
std::vector<llvm::Function*> holders_of(llvm::Module& module, const std::vector<RegionMark>& marks) {
  std::vector<llvm::Function*> holders;
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree tree(function);
    llvm::LoopInfo loops(tree);
    if (!loops.empty() && std::any_of(marks.begin(), marks.end(), [&](const RegionMark& mark) {
          return find_marked_loop(loops, mark) != nullptr;
        }))
      holders.push_back(&function);
  }
  return holders;
}

void describe_all(SourceProgram& program, const std::vector<RegionMark>& marks,
                  const StaticAssumptions& assume, std::vector<StaticLoop>& out) {
  llvm::Module& module = *program.module;
  keep_reached(module, holders_of(module, marks));
  keep_region_functions(module, marks);
  optimise_for_counting(module);
  reload_carried_values(module, program.marks);
  expand_memory_calls(module);
  ModuleKnowledge knowledge;
  std::vector<bool> done(marks.size());
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    llvm::LoopInfo& loops = knowledge.of(function).loops;
    if (loops.empty())
      continue;
    for (std::size_t i = 0; i < marks.size(); ++i)
      if (llvm::Loop* loop = done[i] ? nullptr : find_marked_loop(loops, marks[i])) {
        out.push_back(describe_loop(function, *loop, marks[i], program.loops, assume, knowledge));
        done[i] = true;
      }
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

Result<std::vector<StaticLoop>> describe_file(const SourceRequest& request, const std::string& file,
                                              const SourceTree& tree) {
  auto program = compile_file(request, file);
  FOREWARP_TRY(program);
  std::vector<StaticLoop> loops;
  auto ran = frontend::run_guarded("the optimiser", [&] {
    describe_all(*program, wanted_marks(*program, tree.all_loops), tree.assume, loops);
  });
  if (!ran) {
    (void)program->module.release();
    (void)program->context.release();
    return tl::unexpected(ran.error());
  }
  return loops;
}

} // namespace

Result<StaticAnswer> static_features(const SourceTree& tree) {
  CompileCommands commands;
  if (!tree.compile_commands.empty()) {
    auto read = read_compile_commands(tree.compile_commands);
    FOREWARP_TRY(read);
    commands = *std::move(read);
  }
  const std::vector<std::string>& files = tree.files.empty() ? commands.files : tree.files;
  if (files.empty())
    return fail(ErrorCode::bad_input, "no source file was named", "",
                "name C or C++ files, or a list of them with -p");
  StaticAnswer answer;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>>
      seen; // a header's loops belong to several files
  for (const std::string& file : files) {
    SourceRequest request{{file}, tree.defines, tree.include_directories, {}, tree.standard};
    const auto own = commands.words.find(fs::absolute(file).lexically_normal().string());
    if (own != commands.words.end())
      request.words = own->second;
    auto loops = describe_file(request, file, tree);
    if (!loops) {
      answer.skipped.push_back({file, first_line(loops.error().message)});
      continue;
    }
    for (StaticLoop& loop : *loops)
      if (seen.emplace(loop.mark.file, loop.mark.line, loop.mark.column).second)
        answer.loops.push_back(std::move(loop));
  }
  if (answer.skipped.size() == files.size())
    return fail(ErrorCode::compile, answer.skipped.front().why, answer.skipped.front().file,
                files.size() == 1 ? "-I, -D and --std change how it is compiled"
                                  : "none of the files compiles: -I, -D, or -p with a compile_commands.json");
  std::stable_sort(answer.loops.begin(), answer.loops.end(),
                   [](const StaticLoop& left, const StaticLoop& right) {
                     return std::tie(left.mark.file, left.mark.line, left.mark.column) <
                            std::tie(right.mark.file, right.mark.line, right.mark.column);
                   });
  return answer;
}

} // namespace forewarp::port
