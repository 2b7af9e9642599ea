#include "engine/triton_metadata.h"

#include "ir/kernel_module.h"
#include "support/text_file.h"

#include <llvm/Support/JSON.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

namespace forewarp::engine {
namespace {

namespace fs = std::filesystem;
namespace json = llvm::json;

constexpr std::uint64_t most_metadata_bytes = 4U << 20;
constexpr const char* of_other_compile =
    "the two are of different compiles: take both from one folder of Triton's cache, or move the .json away";

fs::path metadata_path(const std::string& code) {
  constexpr std::array endings = {".llir", ".ptx", ".cubin", ".hsaco"};
  fs::path path = code;
  if (std::ranges::find(endings, path.extension()) == endings.end())
    return {};
  path.replace_extension(".json");
  std::error_code error;
  return fs::is_regular_file(path, error) ? path : fs::path();
}

/// A whole number of a key, `otherwise` where the key is missing.
Result<std::uint64_t> number(const json::Object& from, const char* key, std::uint64_t otherwise,
                             const std::string& path) {
  constexpr std::int64_t most = 1 << 30;
  const json::Value* value = from.get(key);
  if (value == nullptr)
    return otherwise;
  const auto found = value->getAsInteger();
  if (!found || *found < 0 || *found > most)
    return fail(ErrorCode::bad_input, fmt::format("'{}' is no number that can stand here", key), path,
                "Triton writes whole numbers there: compile the kernel anew, or move the .json away");
  return static_cast<std::uint64_t>(*found);
}

std::string target_of(const json::Object& from) {
  const json::Object* target = from.getObject("target");
  if (target == nullptr)
    return "";
  if (const auto word = target->getString("arch"))
    return word->str();
  const auto capability = target->getInteger("arch");
  return capability ? fmt::format("sm_{}", *capability) : "";
}

Result<TritonMetadata> read_metadata(const json::Object& from, const std::string& path) {
  const json::Object* target = from.getObject("target");
  const auto warps = number(from, "num_warps", 0, path), groups = number(from, "num_ctas", 1, path),
             shared = number(from, "shared", 0, path);
  FOREWARP_TRY(warps);
  FOREWARP_TRY(groups);
  FOREWARP_TRY(shared);
  const auto width = number(target != nullptr ? *target : from, "warp_size", 32, path);
  FOREWARP_TRY(width);
  TritonMetadata made;
  made.path = path;
  made.kernel = from.getString("name").value_or("").str();
  made.target = target_of(from);
  made.warps = *warps;
  made.warp_width = *width;
  made.cluster_groups = *groups;
  made.shared_bytes = *shared;
  return made;
}

/// Other programs write .json, too: nothing where it says nothing of warps.
Result<std::optional<TritonMetadata>> metadata_beside(const std::string& code) {
  const fs::path path = metadata_path(code);
  if (path.empty())
    return std::nullopt;
  const auto text = read_file(path.string(), "Triton's metadata", most_metadata_bytes);
  FOREWARP_TRY(text);
  auto parsed = json::parse(*text);
  if (!parsed) {
    const std::string why = llvm::toString(parsed.takeError());
    if (fs::path(code).extension() != ".llir" && text->find("\"num_warps\"") == std::string::npos)
      return std::nullopt;
    return fail(ErrorCode::bad_input, "Triton's metadata are no JSON: " + why, path.string(),
                "is the file cut off? Compile the kernel anew, or move the .json away");
  }
  const json::Object* object = parsed->getAsObject();
  if (object == nullptr || object->get("num_warps") == nullptr)
    return std::nullopt;
  auto read = read_metadata(*object, path.string());
  FOREWARP_TRY(read);
  return *std::move(read);
}

std::uint64_t threads_of(const TritonMetadata& metadata) {
  return metadata.warps * metadata.warp_width;
}

std::string group_words(const TritonMetadata& metadata) {
  return fmt::format("{} warps of {}", metadata.warps, metadata.warp_width);
}

std::string file_name(const std::string& path) {
  return fs::path(path).filename().string();
}

tl::unexpected<Error> misfit(const TritonMetadata& metadata, const std::string& what) {
  return fail(ErrorCode::bad_input, what, metadata.path, of_other_compile);
}

/// "sm_90" of a file for "sm_90a".
bool is_for(const std::string& target, const std::string& of_file) {
  return of_file.empty() || target.empty() || of_file == target ||
         (of_file.starts_with(target) && of_file.size() == target.size() + 1 && std::isalpha(of_file.back()));
}

/// Of PTX, as it stands in its head; else "".
std::string target_of_text(const std::string& path) {
  if (fs::path(path).extension() != ".ptx")
    return "";
  const auto text = read_file(path, "PTX", UINT64_MAX);
  const std::size_t at = text ? text->find("\n.target ") : std::string::npos;
  if (at == std::string::npos)
    return "";
  const std::size_t begin = at + std::string_view("\n.target ").size();
  return text->substr(begin, text->find_first_of(" ,\r\n", begin) - begin);
}

} // namespace

Result<void> take_triton_metadata(PredictRequest& request, bool shared_given) {
  auto found = metadata_beside(request.compile.path);
  FOREWARP_TRY(found);
  if (!*found)
    return {};
  const TritonMetadata& metadata = **found;
  facts::Launch& launch = request.launch;
  if (!shared_given)
    launch.dynamic_shared_bytes = metadata.shared_bytes;
  if (launch.dynamic_shared_bytes < metadata.shared_bytes)
    return fail(
        ErrorCode::launch,
        fmt::format(
            "the launch gives {} bytes of dynamic shared memory, but {} says that the kernel takes {}",
            launch.dynamic_shared_bytes, file_name(metadata.path), metadata.shared_bytes),
        "--dynamic-shared", fmt::format("give {}, or leave it out", metadata.shared_bytes));
  if (!launch.group_size && metadata.warps > 0)
    launch.group_size = facts::Dim3{threads_of(metadata), 1, 1};
  request.of_triton = metadata;
  return {};
}

Result<void> check_triton_metadata(const PredictRequest& request, const ir::KernelModule& module,
                                   const ir::KernelSignature& kernel) {
  if (!request.of_triton)
    return {};
  const TritonMetadata& metadata = *request.of_triton;
  const std::string code = file_name(request.compile.path);
  if (!metadata.kernel.empty() &&
      std::ranges::none_of(module.kernels, [&](const auto& each) { return each.name == metadata.kernel; }))
    return misfit(metadata, fmt::format("is of the kernel '{}', but {} holds '{}'", metadata.kernel, code,
                                        kernel.name));
  const bool for_amd = metadata.target.starts_with("gfx");
  const std::string target = target_of_text(request.compile.path);
  if (!metadata.target.empty() && for_amd != (module.family == ir::TargetFamily::amd))
    return misfit(metadata, fmt::format("is of a compile for {}, but {} is for a GPU of {}", metadata.target,
                                        code, for_amd ? "NVIDIA's" : "AMD's"));
  if (!is_for(metadata.target, target))
    return misfit(metadata,
                  fmt::format("is of a compile for {}, but {} is for {}", metadata.target, code, target));
  if (metadata.warps > 0 && kernel.required_group_size &&
      kernel.required_group_size->count() != threads_of(metadata))
    return misfit(metadata,
                  fmt::format("says {}, but '{}' in {} requires a group of {}", group_words(metadata),
                              kernel.name, code, kernel.required_group_size->count()));
  if (metadata.warps > 0 && request.launch.group_size &&
      request.launch.group_size->count() != threads_of(metadata))
    return fail(ErrorCode::launch,
                fmt::format("the group size is {}, but {} says {}", request.launch.group_size->count(),
                            file_name(metadata.path), group_words(metadata)),
                "--local", fmt::format("give {}, or leave it out", threads_of(metadata)));
  if (kernel.required_cluster && kernel.required_cluster->count() != metadata.cluster_groups)
    return misfit(metadata,
                  fmt::format("says num_ctas {}, but '{}' in {} requires a cluster of {}",
                              metadata.cluster_groups, kernel.name, code, kernel.required_cluster->count()));
  return {};
}

Error told_of_triton_metadata(Error error, const PredictRequest& request) {
  const auto& metadata = request.of_triton;
  if (metadata && error.code == ErrorCode::kernel_fault &&
      error.message.find("shared memory by") != std::string::npos &&
      request.launch.dynamic_shared_bytes == metadata->shared_bytes)
    error.hint = fmt::format(
        "{} says that the kernel takes {} bytes: is it of another compile? --dynamic-shared BYTES "
        "gives more",
        metadata->path, metadata->shared_bytes);
  return error;
}

} // namespace forewarp::engine
