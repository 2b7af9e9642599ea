// Values of a host program and the objects that hold them.
#pragma once

#include "frontend/host/host_program.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
}

namespace forewarp::frontend::host {

using ObjectId = std::int32_t;
inline constexpr ObjectId no_object = -1;

struct Place {
  ObjectId object = no_object;
  std::int64_t offset = 0; ///< bytes
  bool valid() const { return object != no_object; }
};

struct Value {
  enum class Kind : std::uint8_t { unknown, integer, real, pointer, record, function } kind = Kind::unknown;
  std::int64_t integer = 0;
  double real = 0;
  Place place; ///< of a pointer: what it points to; of a record: where its bytes are
  const clang::FunctionDecl* function = nullptr;
  RestsOn rests_on = 0;
  std::uint32_t cause = 0; ///< of an unknown: index into the causes

  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  bool is_unknown() const { return kind == Kind::unknown; }
  double as_real() const { return kind == Kind::real ? real : static_cast<double>(integer); }
  std::int64_t as_integer() const;
  /// Of a number or pointer.
  bool truth() const;
};

Value whole(std::int64_t value, RestsOn rests_on = 0);
Value real(double value, RestsOn rests_on = 0);
Value pointer(Place place, RestsOn rests_on = 0);
Value unknown(std::uint32_t cause);

struct Object {
  std::map<std::int64_t, Value> cells; ///< by offset in bytes
  std::uint64_t bytes = 0;
  RestsOn bytes_rest_on = 0;
  std::string name;
  std::uint32_t line = 0;
  bool on_device = false; ///< a kernel can reach it
  bool is_array = false;  ///< elements that are not known share one open number
  bool zeros = false;     ///< what no cell holds is zero
  std::uint32_t cause = 0;
  std::string text;                                  ///< of a string literal, or a kernel's name
  std::string image;                                 ///< of an image: "64x64:r32f"
  std::string sampler;                               ///< "linear:normalised:wrap"
  std::map<unsigned, HostArgument> kernel_arguments; ///< of an OpenCL kernel
};

class Memory {
public:
  ObjectId add(Object&& object);
  Object& operator[](ObjectId id) { return objects_[static_cast<std::size_t>(id)]; }
  /// The cell at `place`; zero or unknown where there is none.
  Value load(Place place) const;
  void store(Place place, const Value& value);
  /// Cells of `bytes` bytes.
  void copy(Place to, Place from, std::uint64_t bytes);
  /// Something outside wrote there: what the object held is unknown.
  void forget(Place place, std::uint64_t bytes, std::uint32_t cause);

private:
  std::vector<Object> objects_;
};

} // namespace forewarp::frontend::host
