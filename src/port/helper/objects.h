// Objects of the running program: its variables and its heap.
#pragma once

#include "facts/region_trace.h"
#include "port/helper/plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace forewarp::port {

struct KnownObject {
  facts::RegionObject::Kind kind = facts::RegionObject::Kind::unknown;
  std::string name;
  std::uint64_t base = 0, size_bytes = 0;
  std::uint32_t element_bytes = 0; ///< 0: not known
};

class Objects {
public:
  void add_globals(const std::vector<GlobalPlan>& plan, void* const* addresses);
  void allocated(std::uint64_t base, std::uint64_t size);
  void freed(std::uint64_t base);
  /// A function was entered; what lay there before is gone.
  void on_stack(const GlobalPlan& variable, std::uint64_t base);

  /// Grows whenever a freed object's address may mean something else.
  std::uint64_t generation() const { return generation_; }

  /// The object that holds `address`; an unknown one: its 64 KB page.
  KnownObject find(std::uint64_t address) const;

private:
  std::map<std::uint64_t, KnownObject> by_base_;
  std::uint64_t generation_ = 0;
};

} // namespace forewarp::port
