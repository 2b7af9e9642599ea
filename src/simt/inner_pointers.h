// Pointers that lie inside of other arguments: in a struct, in a buffer, in a variable of the module. A
// launch names them by the argument and the byte at which they lie: "p+8" is the buffer behind the pointer
// at byte 8 of argument `p`, "p+8+0" the one behind the first pointer of that buffer. In place of a buffer
// "&KEY" or "&KEY+BYTES" may stand: the pointer leads into a buffer that has a key already.
#pragma once

#include "facts/launch.h"
#include "simt/arguments.h"
#include "simt/memory_map.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace forewarp::simt {

class InnerPointers {
public:
  InnerPointers(const facts::Launch& launch, MemoryMap& memory, Binding& binding)
      : launch_(launch), memory_(memory), binding_(binding) {}

  /// What an argument's key leads to: a buffer, or a struct in memory.
  void add(const std::string& key, const Region& region);
  /// A struct in slots: `first` is the place of its first one in Binding::slots.
  void add(const std::string& key, const ParameterSlots& slots, std::size_t first);
  /// A pointer argument that leads into a buffer of another one ("&p", "&p+8"); `slot`: its place in
  /// Binding::slots, which gets its value from place().
  void lead(const std::string& name, const facts::ScalarValue& value, std::size_t slot);
  /// Gives every such buffer a place, and every pointer its value. Adds the keys that it has used to `used`,
  /// and what is wrong, a sentence each, to `wrong`.
  void place(std::set<std::string>& used, std::vector<std::string>& wrong);

private:
  struct Holder {
    const Region* region = nullptr;
    const ParameterSlots* slots = nullptr;
    std::size_t first_slot = 0;
    std::uint64_t bytes() const { return region ? region->size_bytes : slots->size_bytes; }
  };
  struct Pointer {
    std::string key;
    Holder holder;
    std::uint64_t offset = 0;
  };
  struct Leading {
    std::string name;
    facts::ScalarValue value;
    std::size_t slot = 0;
  };
  bool set(const Pointer& pointer, std::uint64_t address);
  /// 0: it is none, or leads to nothing that is there.
  std::uint64_t address_of(const facts::ScalarValue& value) const;

  const facts::Launch& launch_;
  MemoryMap& memory_;
  Binding& binding_;
  std::map<std::string, Holder> holders_;
  std::vector<Leading> leading_;
};

} // namespace forewarp::simt
