#include "program/wire/connection.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace forewarp::program {
namespace {

struct Lengths {
  std::uint64_t text = 0, bytes = 0;
};

bool write_all(int descriptor, const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = ::send(descriptor, at, size, MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int descriptor, void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::recv(descriptor, at, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

/// Abstract names begin with a zero byte. The length counts: no terminator.
socklen_t address_of(const std::string& name, sockaddr_un& address) {
  address = {};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof(address.sun_path) - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
}

} // namespace

Connection::Connection(Connection&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Connection& Connection::operator=(Connection&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Connection::~Connection() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

std::optional<Connection> Connection::to(const std::string& name) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0)
    return std::nullopt;
  Connection connection(descriptor);
  sockaddr_un address;
  const socklen_t length = address_of(name, address);
  if (::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), length) != 0)
    return std::nullopt;
  return connection;
}

bool Connection::send(const Message& message) {
  const std::string text = message.text.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const Lengths lengths{text.size(), message.bytes.size()};
  return write_all(descriptor_, &lengths, sizeof(lengths)) &&
         write_all(descriptor_, text.data(), text.size()) &&
         write_all(descriptor_, message.bytes.data(), message.bytes.size());
}

std::optional<Message> Connection::receive() {
  Lengths lengths;
  if (!read_all(descriptor_, &lengths, sizeof(lengths)) || lengths.text > most_text_bytes ||
      lengths.bytes > most_content_bytes)
    return std::nullopt;
  std::string text(lengths.text, '\0');
  Message message;
  message.bytes.resize(lengths.bytes);
  if (!read_all(descriptor_, text.data(), text.size()) ||
      !read_all(descriptor_, message.bytes.data(), message.bytes.size()))
    return std::nullopt;
  message.text = nlohmann::json::parse(text, nullptr, false);
  if (!message.text.is_object())
    return std::nullopt;
  return message;
}

int listen_at(const std::string& name) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address;
  const socklen_t length = address_of(name, address);
  if (descriptor < 0)
    return -1;
  if (::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(descriptor, 64) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

} // namespace forewarp::program
