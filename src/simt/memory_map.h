// The virtual address space of one launch: every buffer and variable is a region with a gap behind it, so
// that a wrong index lands in no region. Shared, local and constant memory have windows of their own below 4
// GiB (addresses survive a round trip through 32 bits); buffers lie above.
#pragma once

#include "facts/launch.h"
#include "facts/trace.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace forewarp::simt {

inline constexpr std::uint64_t shared_window = facts::windows::shared;
inline constexpr std::uint64_t local_window = facts::windows::local;
inline constexpr std::uint64_t constant_window = facts::windows::constant;
inline constexpr std::uint64_t parameter_window = facts::windows::parameter;
inline constexpr std::uint64_t global_window = facts::windows::global;
inline constexpr std::uint64_t gap_bytes = 65536;
inline constexpr std::uint64_t page_bytes = 4096;
inline constexpr std::uint64_t stretch_bytes = page_bytes / 64; ///< generated at one time

/// Bytes with one known flag each (0 or 0xFF).
struct Page {
  std::array<std::uint8_t, page_bytes> data;
  std::array<std::uint8_t, page_bytes> known;
};

struct Region {
  facts::MemoryRegion info;
  std::uint64_t size_bytes = 0;               ///< of this launch; accesses beyond are faults
  const facts::BufferValue* buffer = nullptr; ///< contents where no page was written; null: `flat`
  std::uint32_t element_bytes = 1;
  const facts::ImageValue* image = nullptr;
  /// A field that every element holds: `value`, and `step` more with each element (buffers of their own).
  struct Part {
    std::uint64_t offset = 0;
    std::uint32_t bytes = 8;
    std::uint64_t value = 0, step = 0;
  };
  std::vector<Part> parts = {};
  std::uint64_t element_stride = 0; ///< of elements with parts
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages = {};
  std::uint8_t* flat = nullptr; ///< one block, with as many known flags
  std::uint8_t* flat_known = nullptr;
  bool contains(std::uint64_t address) const { return address - info.base < size_bytes; }
};

/// A stretch of addresses whose bytes lie together. `begin == end`: nothing.
struct Span {
  std::uint64_t begin = 0, end = 0;
  std::uint8_t* data = nullptr;
  std::uint8_t* known = nullptr;
  const Region* region = nullptr;
  bool all_known = false;
};

class MemoryMap {
public:
  MemoryMap();
  /// `contents` must outlive the map; null: flat memory of this map with contents unknown.
  Region& add(std::string name, facts::MemorySpace space, std::uint64_t size_bytes, std::uint64_t align_bytes,
              const facts::BufferValue* contents);
  /// Fixed place, storage given by the caller (shared memory of a group, private memory of a warp).
  Region& add_window(std::string name, facts::MemorySpace space, std::uint64_t base,
                     std::uint64_t size_bytes);
  Region* find(std::uint64_t address);
  /// The span around `address` for reading or writing; empty when no region holds it. Of generated contents
  /// as much is made as `bytes` from the address on need, to the end of the page at most.
  Span read(std::uint64_t address, std::uint64_t bytes = 1);
  Span write(std::uint64_t address);
  /// [begin, end) lies in one buffer of zeros that nothing was written to.
  bool is_untouched_zeros(std::uint64_t begin, std::uint64_t end);
  /// Whole contents; unknown bytes are 0.
  std::vector<std::uint8_t> contents(Region& region);
  /// How many bytes of it are unknown.
  std::uint64_t unknown_bytes(Region& region);
  std::uint64_t written_bytes() const { return written_pages_ * sizeof(Page); }
  std::vector<std::unique_ptr<Region>>& regions() { return regions_; }

private:
  Span span_of(Region& region, std::uint64_t page_index, Page& page, bool all_known) const;
  void fill(const Region& region, std::uint64_t page_index, Page& page) const;
  static void fill_parts(const Region& region, std::uint64_t page_index, Page& page);

  struct Flat {
    std::vector<std::uint8_t> data, known;
  };
  struct CachedPage {
    const Region* region = nullptr;
    std::uint64_t index = 0;
    std::uint64_t made = 0; ///< bit per stretch of the page that is filled
    std::unique_ptr<Page> page = {};
  };
  Span generated_span(Region& region, std::uint64_t address, std::uint64_t bytes, CachedPage& cached);
  std::vector<std::unique_ptr<Region>> regions_; ///< sorted by base
  std::vector<std::unique_ptr<Flat>> flats_;
  std::unique_ptr<Page> zeros_ = std::make_unique_for_overwrite<Page>(); ///< stands for all that are 0
  std::vector<CachedPage> cache_; ///< generated pages that were read, direct-mapped
  std::vector<std::uint8_t> all_known_ =
      std::vector<std::uint8_t>(page_bytes, 0xFF); ///< flags of all of them
  Region* last_ = nullptr;
  std::uint64_t next_global_ = global_window, next_constant_ = constant_window,
                next_parameter_ = parameter_window;
  std::uint64_t written_pages_ = 0;
};

} // namespace forewarp::simt
