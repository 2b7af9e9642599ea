#include "frontend/host/memory.h"

#include <cmath>

namespace forewarp::frontend::host {

std::int64_t Value::as_integer() const {
  if (kind != Kind::real)
    return integer;
  constexpr double most = 9e18;
  return std::isfinite(real) && std::fabs(real) < most ? static_cast<std::int64_t>(real) : 0;
}

bool Value::truth() const {
  if (kind == Kind::pointer || kind == Kind::function)
    return true;
  return kind == Kind::real ? real != 0 : integer != 0;
}

Value whole(std::int64_t value, RestsOn rests_on) {
  Value made;
  made.kind = Value::Kind::integer;
  made.integer = value;
  made.rests_on = rests_on;
  return made;
}

Value real(double value, RestsOn rests_on) {
  Value made;
  made.kind = Value::Kind::real;
  made.real = value;
  made.rests_on = rests_on;
  return made;
}

Value pointer(Place place, RestsOn rests_on) {
  Value made;
  made.kind = Value::Kind::pointer;
  made.place = place;
  made.rests_on = rests_on;
  return made;
}

Value unknown(std::uint32_t cause) {
  Value made;
  made.cause = cause;
  return made;
}

ObjectId Memory::add(Object&& object) {
  objects_.push_back(std::move(object));
  return static_cast<ObjectId>(objects_.size() - 1);
}

Value Memory::load(Place place) const {
  if (!place.valid())
    return {};
  const Object& object = objects_[static_cast<std::size_t>(place.object)];
  if (const auto cell = object.cells.find(place.offset); cell != object.cells.end())
    return cell->second;
  return object.zeros ? whole(0) : unknown(object.cause);
}

void Memory::store(Place place, const Value& value) {
  if (place.valid())
    (*this)[place.object].cells[place.offset] = value;
}

void Memory::copy(Place to, Place from, std::uint64_t bytes) {
  if (!to.valid() || !from.valid() || (to.object == from.object && to.offset == from.offset))
    return;
  const auto size = static_cast<std::int64_t>(bytes);
  const Object source = (*this)[from.object];
  Object& target = (*this)[to.object];
  target.cells.erase(target.cells.lower_bound(to.offset), target.cells.lower_bound(to.offset + size));
  for (auto cell = source.cells.lower_bound(from.offset);
       cell != source.cells.end() && cell->first < from.offset + size; ++cell)
    target.cells[cell->first - from.offset + to.offset] = cell->second;
  target.zeros = source.zeros && (target.zeros || bytes >= target.bytes);
  if (!target.zeros)
    target.cause = source.cause;
}

void Memory::forget(Place place, std::uint64_t bytes, std::uint32_t cause) {
  if (!place.valid())
    return;
  Object& object = (*this)[place.object];
  const auto first = object.cells.lower_bound(place.offset);
  object.cells.erase(first, bytes == 0
                                ? object.cells.end()
                                : object.cells.lower_bound(place.offset + static_cast<std::int64_t>(bytes)));
  object.zeros = false;
  object.cause = cause;
}

} // namespace forewarp::frontend::host
