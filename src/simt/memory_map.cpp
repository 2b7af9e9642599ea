#include "simt/memory_map.h"

#include "launch/parse.h"

#include <algorithm>
#include <cstring>

namespace forewarp::simt {
namespace {

constexpr std::size_t cached_pages = 1024;

} // namespace

MemoryMap::MemoryMap() : cache_(cached_pages) {
  zeros_->data.fill(0);
  zeros_->known.fill(0xFF);
}

Region& MemoryMap::add_window(std::string name, facts::MemorySpace space, std::uint64_t base,
                              std::uint64_t size_bytes) {
  auto region = std::make_unique<Region>();
  region->info = {std::move(name), space, base, size_bytes};
  region->size_bytes = size_bytes;
  auto at = std::upper_bound(regions_.begin(), regions_.end(), base,
                             [](std::uint64_t b, const auto& r) { return b < r->info.base; });
  return **regions_.insert(at, std::move(region));
}

Region& MemoryMap::add(std::string name, facts::MemorySpace space, std::uint64_t size_bytes,
                       std::uint64_t align_bytes, const facts::BufferValue* contents) {
  std::uint64_t& next = space == facts::MemorySpace::constant    ? next_constant_
                        : space == facts::MemorySpace::parameter ? next_parameter_
                                                                 : next_global_;
  const std::uint64_t align = std::max<std::uint64_t>(align_bytes, 512); // as device allocators do
  next = (next + align - 1) / align * align;
  Region& region = add_window(std::move(name), space, next, size_bytes);
  next += size_bytes + gap_bytes;
  region.buffer = contents;
  if (contents) {
    region.element_bytes = static_cast<std::uint32_t>(facts::size_bytes(contents->type));
  } else {
    flats_.push_back(std::make_unique<Flat>());
    flats_.back()->data.resize(size_bytes);
    flats_.back()->known.resize(size_bytes);
    region.flat = flats_.back()->data.data();
    region.flat_known = flats_.back()->known.data();
  }
  return region;
}

Region* MemoryMap::find(std::uint64_t address) {
  if (last_ && last_->contains(address))
    return last_;
  auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                [](std::uint64_t a, const auto& r) { return a < r->info.base; });
  if (after == regions_.begin())
    return nullptr;
  Region* region = std::prev(after)->get();
  if (!region->contains(address))
    return nullptr;
  last_ = region;
  return region;
}

void MemoryMap::fill_parts(const Region& region, std::uint64_t page_index, Page& page) {
  const std::uint64_t begin = page_index * page_bytes;
  const std::uint64_t end = std::min(begin + page_bytes, region.size_bytes);
  for (std::uint64_t element = begin / region.element_stride; element * region.element_stride < end;
       ++element)
    for (const Region::Part& part : region.parts) {
      const std::uint64_t value = part.value + element * part.step;
      for (std::uint32_t k = 0; k < part.bytes; ++k) {
        const std::uint64_t at = element * region.element_stride + part.offset + k;
        if (at < begin || at >= end)
          continue;
        page.data[at - begin] = static_cast<std::uint8_t>(value >> (8 * k));
        page.known[at - begin] = 0xFF;
      }
    }
}

void MemoryMap::fill(const Region& region, std::uint64_t page_index, Page& page) const {
  using Kind = facts::BufferContents::Kind;
  const facts::BufferValue& buffer = *region.buffer;
  const std::uint64_t first = page_index * page_bytes;
  const std::uint64_t bytes = std::min(page_bytes, region.size_bytes - first);
  page.known.fill(buffer.contents.kind == Kind::unknown ? 0 : 0xFF);
  if (!region.parts.empty() && buffer.contents.kind != Kind::bytes) {
    page.data.fill(0); // beside the parts, nothing is generated
    return fill_parts(region, page_index, page);
  }
  switch (buffer.contents.kind) {
  case Kind::unknown:
  case Kind::zeros:
    page.data.fill(0);
    return;
  case Kind::bytes: {
    const std::uint64_t size = buffer.contents.bytes.size();
    const std::uint64_t given = first < size ? std::min(bytes, size - first) : 0;
    page.data.fill(0);
    std::copy_n(buffer.contents.bytes.begin() + static_cast<std::ptrdiff_t>(std::min(first, size)), given,
                page.data.begin());
    std::fill(page.known.begin() + static_cast<std::ptrdiff_t>(given), page.known.end(), std::uint8_t{0});
    if (!region.parts.empty())
      fill_parts(region, page_index, page);
    return;
  }
  case Kind::iota:
  case Kind::random:
    launch::generate_elements(buffer, first / region.element_bytes, bytes / region.element_bytes,
                              page.data.data());
    return;
  }
}

Span MemoryMap::span_of(Region& region, std::uint64_t page_index, Page& page, bool all_known) const {
  const std::uint64_t begin = region.info.base + page_index * page_bytes;
  return {begin,
          std::min(begin + page_bytes, region.info.base + region.size_bytes),
          page.data.data(),
          page.known.data(),
          &region,
          all_known};
}

Span MemoryMap::read(std::uint64_t address, std::uint64_t bytes) {
  Region* region = find(address);
  if (!region)
    return {};
  if (region->flat)
    return {region->info.base,
            region->info.base + region->size_bytes,
            region->flat,
            region->flat_known,
            region,
            false};
  const std::uint64_t index = (address - region->info.base) / page_bytes;
  if (!region->pages.empty())
    if (auto found = region->pages.find(index); found != region->pages.end())
      return span_of(*region, index, *found->second, false);
  using Kind = facts::BufferContents::Kind;
  const Kind kind = region->buffer->contents.kind;
  if (kind == Kind::zeros && region->parts.empty())
    return span_of(*region, index, *zeros_, true);
  // One small mixing step keeps buffers of equal alignment apart.
  CachedPage& cached = cache_[(index + region->info.base / gap_bytes * 131) % cached_pages];
  if (!cached.page)
    cached.page = std::make_unique_for_overwrite<Page>();
  const bool generated = (kind == Kind::iota || kind == Kind::random) && region->parts.empty();
  if (cached.region != region || cached.index != index) {
    cached.region = region;
    cached.index = index;
    cached.made = 0;
    if (!generated)
      fill(*region, index, *cached.page);
  }
  if (generated)
    return generated_span(*region, address, bytes, cached);
  return span_of(*region, index, *cached.page, false);
}

Span MemoryMap::generated_span(Region& region, std::uint64_t address, std::uint64_t bytes,
                               CachedPage& cached) {
  const std::uint64_t page = cached.index * page_bytes;
  const std::uint64_t page_end = std::min(page_bytes, region.size_bytes - page);
  const std::uint64_t begin = address - region.info.base - page, first = begin / stretch_bytes;
  const std::uint64_t end = std::min(page_end, (begin + std::min(bytes, page_bytes) + stretch_bytes - 1) /
                                                   stretch_bytes * stretch_bytes);
  for (std::uint64_t at = first * stretch_bytes; at < end; at += stretch_bytes) {
    const std::uint64_t bit = std::uint64_t{1} << (at / stretch_bytes);
    if ((cached.made & bit) != 0)
      continue;
    cached.made |= bit;
    const std::uint64_t count = std::min(stretch_bytes, page_end - at);
    launch::generate_elements(*region.buffer, (page + at) / region.element_bytes,
                              count / region.element_bytes, cached.page->data.data() + at);
  }
  Span span = span_of(region, cached.index, *cached.page, true);
  span.end = span.begin + end;
  span.begin += first * stretch_bytes;
  span.data += first * stretch_bytes;
  span.known = all_known_.data();
  return span;
}

bool MemoryMap::is_untouched_zeros(std::uint64_t begin, std::uint64_t end) {
  const Region* region = find(begin);
  return region != nullptr && region->buffer != nullptr && region->pages.empty() && region->parts.empty() &&
         region->buffer->contents.kind == facts::BufferContents::Kind::zeros &&
         end - region->info.base <= region->size_bytes;
}

Span MemoryMap::write(std::uint64_t address) {
  Region* region = find(address);
  if (!region)
    return {};
  if (region->flat)
    return read(address);
  const std::uint64_t index = (address - region->info.base) / page_bytes;
  std::unique_ptr<Page>& page = region->pages[index];
  if (!page) {
    page = std::make_unique_for_overwrite<Page>();
    fill(*region, index, *page);
    ++written_pages_;
  }
  return span_of(*region, index, *page, false);
}

std::vector<std::uint8_t> MemoryMap::contents(Region& region) {
  std::vector<std::uint8_t> result(region.size_bytes);
  for (std::uint64_t at = 0; at < region.size_bytes;) {
    const Span span = read(region.info.base + at);
    const std::uint64_t count = span.end - (region.info.base + at);
    std::memcpy(result.data() + at, span.data + (region.info.base + at - span.begin), count);
    at += count;
  }
  return result;
}

std::uint64_t MemoryMap::unknown_bytes(Region& region) {
  std::uint64_t unknown = 0;
  for (std::uint64_t at = 0; at < region.size_bytes;) {
    const Span span = read(region.info.base + at);
    const std::uint64_t count = span.end - (region.info.base + at);
    const std::uint8_t* known = span.known + (region.info.base + at - span.begin);
    if (!span.all_known)
      unknown += static_cast<std::uint64_t>(std::count(known, known + count, 0));
    at += count;
  }
  return unknown;
}

} // namespace forewarp::simt
