// Messages between the library inside the user's program and the `forewarp` process beside it: a JSON text
// and, behind it, bytes. Both ends are of the same build; nothing of it is kept.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::program {

struct Message {
  nlohmann::json text;
  std::vector<std::uint8_t> bytes = {}; ///< contents of buffers, one behind the other; often empty
};

/// A connected stream socket; closed at the end of its owner's life. One thread at a time.
class Connection {
public:
  explicit Connection(int descriptor) : descriptor_(descriptor) {}
  Connection(Connection&& other) noexcept;
  Connection& operator=(Connection&& other) noexcept;
  ~Connection();

  /// To the process that listens at `name` (a name of Linux' abstract socket space: no file is made). Empty
  /// where nobody listens.
  static std::optional<Connection> to(const std::string& name);
  int descriptor() const { return descriptor_; }

  /// False: the other end has gone.
  bool send(const Message& message);
  /// Empty: the other end has gone, or what came is not a message.
  std::optional<Message> receive();

private:
  int descriptor_;
};

/// A listening socket of that name; -1 where it cannot be had.
int listen_at(const std::string& name);

/// A text message is never longer; contents never exceed what a launch's buffers hold.
inline constexpr std::uint64_t most_text_bytes = std::uint64_t{64} << 20;
inline constexpr std::uint64_t most_content_bytes = std::uint64_t{1} << 30;

} // namespace forewarp::program
