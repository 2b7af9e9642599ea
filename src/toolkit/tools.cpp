#include "toolkit/tools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <regex>
#include <sstream>
#include <unistd.h>

namespace forewarp::toolkit {
namespace {

namespace fs = std::filesystem;

bool runs(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct Place {
  fs::path folder;
  std::string what;
};

/// Folders of wheels below a Python environment: lib/python3.*/site-packages.
void add_wheels(const fs::path& environment, std::vector<Place>& places) {
  std::error_code error;
  std::vector<fs::path> found;
  for (const auto& python : fs::directory_iterator(environment / "lib", error)) {
    const fs::path packages = python.path() / "site-packages";
    for (const auto& wheel : fs::directory_iterator(packages / "nvidia", error))
      found.push_back(wheel.path() / "bin");
    found.push_back(packages / "triton" / "backends" / "nvidia" / "bin");
  }
  std::sort(found.begin(), found.end());
  for (fs::path& folder : found)
    places.push_back({std::move(folder), "Python wheel"});
}

std::vector<Place> places() {
  std::vector<Place> all;
  std::istringstream path(variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');)
    if (!folder.empty())
      all.push_back({folder, "PATH"});
  for (const std::string& toolkit :
       {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")})
    if (!toolkit.empty())
      all.push_back({fs::path(toolkit) / "bin", "toolkit folder"});
  if (const std::string environment = variable("VIRTUAL_ENV"); !environment.empty())
    add_wheels(environment, all);
  if (const std::string home = variable("HOME"); !home.empty())
    add_wheels(fs::path(home) / ".local", all);
  return all;
}

std::string version_in(const Result<std::string>& words) {
  std::smatch found;
  // "Cuda compilation tools, release 13.0, V13.0.88"
  return words && std::regex_search(*words, found, std::regex("V([0-9]+(\\.[0-9]+)+)")) ? found[1].str() : "";
}

constexpr RunLimits version_limits = {.seconds = 20, .output_bytes = 1 << 14};

std::string version_of(const std::string& path) {
  return version_in(run_tool({path, "--version"}, version_limits));
}

/// libnvrtc.so.12 in bin's sibling: lib of a wheel, lib64 of a toolkit. The last by name is the newest.
std::optional<fs::path> nvrtc_near(const fs::path& bin) {
  std::error_code error;
  std::optional<fs::path> found;
  for (const char* folder : {"lib", "lib64"})
    for (const auto& file : fs::directory_iterator(bin.parent_path() / folder, error))
      if (const std::string name = file.path().filename().string();
          name.starts_with("libnvrtc.so") && (!found || name > found->filename().string()))
        found = file.path();
  return found;
}

Tool nvrtc_at(const std::string& library, const std::string& found) {
  Tool tool{nvrtc_name, library, "", found};
  if (const std::string runner = nvrtc_runner(); !runner.empty())
    tool.version = version_in(run_tool({runner, library, "--version"}, version_limits));
  return tool;
}

Tool find_nvrtc() {
  for (const Place& place : places())
    if (const auto library = nvrtc_near(place.folder); library)
      return nvrtc_at(library->string(), place.what);
  return {nvrtc_name, "", "", ""};
}

} // namespace

Tool find_tool(const std::string& name) {
  Tool tool{name, "", "", ""};
  for (const Place& place : places())
    if (runs(place.folder / name)) {
      tool.path = (place.folder / name).string();
      tool.found = place.what;
      tool.version = version_of(tool.path);
      break;
    }
  return tool;
}

std::string nvrtc_runner() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {".", "../bin", "../../bin"})
    if (const fs::path path = folder / place / "forewarp-nvrtc"; runs(path))
      return fs::canonical(path, error).string();
  return {};
}

Tool find_cuda_compiler() {
  if (const std::string asked = variable("FOREWARP_CUDA_COMPILER"); !asked.empty()) {
    const bool library = fs::path(asked).filename().string().starts_with("libnvrtc.so");
    std::error_code error;
    if (!(library ? fs::is_regular_file(asked, error) : runs(asked)))
      return {library ? nvrtc_name : "nvcc", "", "", asked};
    return library ? nvrtc_at(asked, "FOREWARP_CUDA_COMPILER")
                   : Tool{"nvcc", asked, version_of(asked), "FOREWARP_CUDA_COMPILER"};
  }
  Tool tool = find_tool("nvcc");
  if (!tool.path.empty())
    return tool;
  Tool nvrtc = find_nvrtc();
  return nvrtc.path.empty() ? tool : nvrtc;
}

std::vector<Tool> find_tools() {
  std::vector<Tool> tools;
  for (const char* name : {"nvcc", "ptxas", "cuobjdump"})
    tools.push_back(find_tool(name));
  if (Tool nvrtc = find_nvrtc(); !nvrtc.path.empty())
    tools.push_back(std::move(nvrtc));
  return tools;
}

std::string setup_text(const std::vector<Tool>& tools) {
  static const std::vector<std::pair<std::string, std::string>> wheels = {
      {"nvcc", "nvidia-cuda-nvcc nvidia-nvvm nvidia-cuda-crt nvidia-cuda-runtime"},
      {"ptxas", "nvidia-cuda-nvcc"},
      {"cuobjdump", "nvidia-cuda-cuobjdump"}};
  std::string text, missing;
  for (const Tool& tool : tools) {
    text += tool.path.empty() ? fmt::format("{:<10} not found\n", tool.name)
                              : fmt::format("{:<10} {:<10} {} ({})\n", tool.name,
                                            tool.version.empty() ? "?" : tool.version, tool.path, tool.found);
    for (const auto& [name, packages] : wheels) {
      std::istringstream words(packages);
      for (std::string word; tool.path.empty() && name == tool.name && words >> word;)
        if ((missing + " ").find(" " + word + " ") == std::string::npos)
          missing += " " + word;
    }
  }
  if (missing.empty())
    return text + "Machine code can be made here.\n";
  return text + "To install what is missing, in a Python environment that is active:\n  pip install" +
         missing + "\n";
}

} // namespace forewarp::toolkit
