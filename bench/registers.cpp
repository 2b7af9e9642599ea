// Registers and operations of the machine step beside the vendor's assembler (ptxas on the PATH), a row a
// kernel:
//   bench_registers [--list FILE] [--keep FOLDER] [TARGET...]
// Without a list: every build (kernel and macros) of the corpus. A line of a list: name source kernel threads
// [-DNAME=VALUE | -IFOLDER | OPTION]... Without a target: all of `boards`. --keep leaves the PTX there.
#include "analysis/occupancy.h"
#include "bundle/corpus_folder.h"
#include "bundle/kernel_code.h"
#include "codegen/machine_step.h"
#include "codegen/nvidia/registers/ptxas.h"
#include "frontend/compile.h"
#include "gpu/gpu_file.h"
#include "gpu/machine.h"
#include "launch/parse.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace {

using namespace forewarp;

struct Build {
  std::string name;
  bundle::SourceBuild source;
  std::string kernel;
  facts::LaunchShape shape;
};

struct Board {
  const char* target;
  const char* gpu;
};
constexpr Board boards[] = {
    {"sm_75", "t4"}, {"sm_80", "a100"}, {"sm_86", "rtx3090"}, {"sm_89", "rtx4090"}, {"sm_90", "h100"}};

void add_corpus(std::vector<Build>& builds) {
  const auto folders = bundle::list_corpus(std::string(FOREWARP_SOURCE_DIR) + "/corpus");
  for (const std::string& path : *folders) {
    const auto folder = bundle::read_corpus_folder(path);
    std::set<std::vector<std::string>> seen;
    for (const std::string& place : folder->launches) {
      const auto file = launch::read_launch_file(place);
      if (place.find("check.toml") != std::string::npos || !file || !seen.insert(file->defines).second)
        continue;
      Build build;
      build.name = folder->name + (seen.size() > 1 ? "#" + std::to_string(seen.size()) : "");
      build.source = {file->source, file->standard, file->defines, file->include_directories, file->options};
      build.kernel = file->kernel;
      build.shape.group_size = file->launch.group_size.value_or(facts::Dim3{256, 1, 1});
      builds.push_back(build);
      const std::string cuda = folder->path + "/kernel.cu";
      if (std::filesystem::exists(cuda) && file->source != cuda) {
        build.name += ".cu";
        build.source.path = cuda;
        builds.push_back(build);
      }
    }
  }
}

void add_list(const std::string& path, std::vector<Build>& builds) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Build build;
    std::string word;
    if (!(words >> build.name >> build.source.path >> build.kernel >> build.shape.group_size.x) ||
        build.name.starts_with("#"))
      continue;
    while (words >> word)
      if (word.starts_with("-D"))
        build.source.defines.push_back(word.substr(2));
      else if (word.starts_with("-I"))
        build.source.include_directories.push_back(word.substr(2));
      else
        build.source.options.push_back(word);
    builds.push_back(build);
  }
}

std::size_t operations(const facts::MachineProgram& program) {
  std::size_t sum = 0;
  for (const facts::MachineBlock& block : program.blocks)
    for (const facts::MachineOp& op : block.ops)
      sum += op.op != facts::OpClass::nop;
  return sum;
}

unsigned groups_of(const gpu::Machine& machine, const facts::ResourceUse& use,
                   const facts::LaunchShape& shape) {
  facts::LaunchShape many = shape;
  many.groups.x = 1U << 20;
  const auto occupancy = analysis::occupancy(machine, use, many);
  return occupancy ? occupancy->active_groups_per_sm : 0;
}

struct Row {
  facts::ResourceUse ours, theirs;
  unsigned our_groups = 0, their_groups = 0;
  std::size_t operations = 0;
};

Result<Row> row_of(const Build& build, const Board& board, const gpu::Machine& machine,
                   const std::string& keep) {
  auto code = bundle::KernelCode::compile(build.source, board.target);
  FOREWARP_TRY(code);
  auto kernel = frontend::select_kernel(code->module(), build.kernel);
  FOREWARP_TRY(kernel);
  codegen::MachineStepOptions step;
  step.group_threads = static_cast<unsigned>(build.shape.group_size.count());
  auto program = codegen::lower(code->module(), **kernel, machine, step);
  FOREWARP_TRY(program);
  auto ptx = code->ptx(**kernel, board.target);
  FOREWARP_TRY(ptx);
  if (!keep.empty())
    std::ofstream(fmt::format("{}/{}.{}.ptx", keep, build.name, board.target)) << *ptx;
  auto theirs = codegen::ptxas_resources(*ptx, board.target);
  FOREWARP_TRY(theirs);
  Row row{program->resources, *theirs, 0, 0, operations(*program)};
  row.our_groups = groups_of(machine, row.ours, build.shape);
  row.their_groups = groups_of(machine, row.theirs, build.shape);
  return row;
}

void measure(const std::vector<Build>& builds, const Board& board, const std::string& keep) {
  const auto catalogue = gpu::Catalogue::load_default();
  const auto choice = catalogue->find(board.gpu);
  const auto machine = gpu::resolve(choice->file, "");
  std::vector<double> errors;
  std::size_t within = 0, same = 0;
  for (const Build& build : builds) {
    const auto row = row_of(build, board, *machine, keep);
    if (!row) {
      std::cerr << build.name << ": " << to_string(row.error()) << "\n";
      continue;
    }
    const double error = row->ours.registers_per_thread - row->theirs.registers_per_thread;
    errors.push_back(std::abs(error));
    within += std::abs(error) <= 4;
    same += row->our_groups == row->their_groups;
    fmt::print("{}\t{}\t{}\t{}\t{:+}\t{}\t{}\t{}\t{}\t{}\n", build.name, board.target,
               row->ours.registers_per_thread, row->theirs.registers_per_thread, error,
               row->ours.spill_bytes_per_thread, row->theirs.spill_bytes_per_thread, row->our_groups,
               row->their_groups, row->operations);
  }
  if (errors.empty())
    return;
  std::sort(errors.begin(), errors.end());
  fmt::print("# {}: {} kernels, median |error| {}, within 4: {:.1f} %, same groups: {:.1f} %, worst {}\n",
             board.target, errors.size(), errors[errors.size() / 2],
             100.0 * static_cast<double>(within) / static_cast<double>(errors.size()),
             100.0 * static_cast<double>(same) / static_cast<double>(errors.size()), errors.back());
}

} // namespace

int main(int count, char** words) {
  std::vector<Build> builds;
  std::vector<const Board*> chosen;
  std::string keep;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--list" && i + 1 < count)
      add_list(words[++i], builds);
    else if (word == "--keep" && i + 1 < count)
      keep = words[++i];
    else
      for (const Board& board : boards)
        if (word == board.target)
          chosen.push_back(&board);
  }
  if (builds.empty())
    add_corpus(builds);
  if (!codegen::has_ptxas()) {
    fmt::print("no ptxas on the PATH: nothing to compare with\n");
    return 0;
  }
  if (chosen.empty())
    for (const Board& board : boards)
      chosen.push_back(&board);
  fmt::print("# kernel\ttarget\testimate\tptxas\terror\tspill bytes\tptxas\tgroups\tptxas\toperations\n");
  for (const Board* board : chosen)
    measure(builds, *board, keep);
}
