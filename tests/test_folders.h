#pragma once

#include <filesystem>

/// Folders of the checkout that tests read.
namespace test_folders {

inline const std::filesystem::path root = FOREWARP_SOURCE_DIR;
inline const std::filesystem::path gpus = root / "data" / "gpus";

} // namespace test_folders
