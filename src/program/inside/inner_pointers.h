// What a launch's memory holds, and the pointers in it that lead to other memory of the program, as the
// process beside is told of them (simt/inner_pointers.h has the keys).
#pragma once

#include "program/wire/connection.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::program {

/// Memory in this process.
struct Stretch {
  std::uint64_t begin = 0, bytes = 0;
};

/// What the program has allocated around an address; bytes 0: nothing.
using AllocationAt = Stretch (*)(std::uint64_t address);

/// {"key": "1+8", "buffer": BYTES} for each pointer in the bytes of a struct that is passed by value; in
/// `bytes` they are set to 0, so that launches on other buffers of the same sizes are alike.
nlohmann::json pointers_in_struct(std::size_t parameter, std::vector<unsigned char>& bytes,
                                  AllocationAt allocation_at);

/// Sends contents, and goes after the pointers in them.
class ContentsSender {
public:
  ContentsSender(Message& question, AllocationAt allocation_at)
      : question_(question), allocation_at_(allocation_at) {}

  /// Memory that has a key already.
  void add(const std::string& key, const Stretch& stretch);
  /// What pointers in the bytes of a struct lead to.
  void add_struct(std::size_t parameter, const unsigned char* bytes, std::size_t size);
  void send();

private:
  void find_pointers(const std::string& key, const unsigned char* from, std::uint64_t bytes);
  void add_pointer(const std::string& key, std::uint64_t word, const Stretch& found);

  Message& question_;
  AllocationAt allocation_at_;
  std::map<std::uint64_t, std::pair<std::string, std::uint64_t>> keys_; ///< allocation -> key, its first byte
  std::deque<std::pair<std::string, Stretch>> waiting_;
  std::size_t inner_ = 0;
};

} // namespace forewarp::program
