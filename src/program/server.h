// Listens to the library inside the program (and inside the programs that it starts), answers what it asks,
// and keeps the log. A program that ends in any way leaves the log up to its last message.
#pragma once

#include "program/launch_book.h"

#include <functional>
#include <map>
#include <poll.h>
#include <vector>

namespace forewarp::program {

/// How much of the program's own work this machine does.
struct RunOptions {
  std::string execute = "needed"; ///< launches that are executed: "needed" (results are read), "all", "none"
  KeepOptions keep = {};
  unsigned look_again =
      0; ///< launches of one kind between two looks at the data; 0: at the 2nd, 4th, 8th, ...
  bool own_engine = false; ///< our interpreter executes all kernels of OpenCL programs
  bool as_devices = false; ///< the program sees all GPUs, as devices of one platform
};

using Progress = std::function<void(const RunLog&)>;

class Server {
public:
  /// Errors: internal (no socket).
  static Result<Server> listen(RunLog& log, RunOptions options);
  Server(Server&& other) noexcept;
  Server& operator=(Server&&) = delete;
  ~Server();

  /// For the program's environment.
  const std::string& name() const { return name_; }
  LaunchBook& book() { return book_; }
  /// Serves until `ended` is readable and everybody has gone. `progress` takes a twentieth of the time at
  /// most.
  void serve(int ended, const Progress& progress);

private:
  struct Guest {
    Connection connection;
    std::size_t process = 0; ///< of the log
    std::string folder;
  };
  Server(RunLog& log, RunOptions options, std::string name, int descriptor);
  void accept();
  bool hear(Guest& guest); ///< false: it has gone
  void hear_ready(const std::vector<pollfd>& watched, std::size_t first_guest);
  bool answer(Guest& guest, const Message& message);
  nlohmann::json greet(Guest& guest, const nlohmann::json& words);

  RunLog& log_;
  RunOptions options_;
  std::string name_;
  int descriptor_;
  LaunchBook book_;
  std::map<int, Guest> guests_; ///< by descriptor
};

} // namespace forewarp::program
