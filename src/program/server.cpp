#include "program/server.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <poll.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace forewarp::program {
namespace {

LoggedCommand command_of(const nlohmann::json& words) {
  LoggedCommand logged;
  Command& command = logged.command;
  command.id = words.at("id").get<std::uint64_t>();
  command.queue = words.at("queue").get<std::uint64_t>();
  command.in_order = words.at("in_order").get<bool>();
  command.barrier = words.at("barrier").get<bool>();
  command.kind = static_cast<CommandKind>(words.at("kind").get<unsigned>());
  command.called_at = words.at("called_at").get<std::int64_t>();
  command.duration = words.at("duration").get<std::int64_t>();
  command.after = words.at("after").get<std::vector<std::uint64_t>>();
  command.device = words.value("device", 0U);
  logged.name = words.at("name").get<std::string>();
  logged.thread = words.at("thread").get<long>();
  logged.launch = words.value("launch", std::uint64_t{0});
  logged.bytes = words.value("bytes", 0.0);
  return logged;
}

LoggedWait wait_of(const nlohmann::json& words) {
  return {words.value("for", std::vector<std::uint64_t>()), words.value("queue", std::uint64_t{0}),
          words.at("entered_at").get<std::int64_t>(), words.at("left_at").get<std::int64_t>(),
          words.at("thread").get<long>()};
}

/// When the log so far is worth telling again: a second after it has changed, and so that telling takes a
/// twentieth of the time at most.
class Pace {
public:
  void changed() { changed_ = true; }
  /// -1: nothing has changed.
  int left_ms() const {
    using std::chrono::milliseconds;
    if (!changed_)
      return -1;
    const auto left = std::chrono::duration_cast<milliseconds>(next_ - Clock::now()).count();
    return static_cast<int>(std::max<long long>(left, 0)) + 1;
  }
  bool is_due() const { return changed_ && Clock::now() >= next_; }
  template <class Tell> void run(Tell tell) {
    const auto began = Clock::now();
    tell();
    changed_ = false;
    next_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 20 * (Clock::now() - began));
  }

private:
  using Clock = std::chrono::steady_clock;
  bool changed_ = false;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

} // namespace

Server::Server(RunLog& log, RunOptions options, std::string name, int descriptor)
    : log_(log), options_(std::move(options)), name_(std::move(name)), descriptor_(descriptor),
      book_(log, options_.keep) {}

Server::Server(Server&& other) noexcept
    : log_(other.log_), options_(std::move(other.options_)), name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)), book_(std::move(other.book_)),
      guests_(std::move(other.guests_)) {}

Server::~Server() {
  if (descriptor_ >= 0)
    ::close(descriptor_);
}

Result<Server> Server::listen(RunLog& log, RunOptions options) {
  std::random_device random;
  const std::string name = fmt::format("forewarp-run-{}-{:08x}{:08x}", ::getpid(), random(), random());
  const int descriptor = listen_at(name);
  if (descriptor < 0)
    return fail(ErrorCode::internal, "no socket for the program could be made", "forewarp run");
  return Server(log, std::move(options), name, descriptor);
}

void Server::accept() {
  const int descriptor = ::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC);
  if (descriptor >= 0)
    guests_.emplace(descriptor, Guest{Connection(descriptor), 0, {}});
}

nlohmann::json Server::greet(Guest& guest, const nlohmann::json& words) {
  guest.folder = words.value("folder", std::string("."));
  guest.process = log_.processes.size();
  log_.processes.push_back({words.value("pid", 0), words.value("now", std::int64_t{0})});
  nlohmann::json facts = device_words(log_.devices.front());
  for (std::size_t gpu = 1; log_.as_devices && gpu < log_.devices.size(); ++gpu)
    facts["others"].push_back(device_words(log_.devices[gpu]));
  facts["execute"] = options_.execute;
  facts["own_engine"] = options_.own_engine;
  facts["look_again"] = options_.look_again;
  return facts;
}

bool Server::answer(Guest& guest, const Message& message) {
  const nlohmann::json& words = message.text;
  const std::string what = words.value("op", std::string());
  if (what == "hello")
    return guest.connection.send({greet(guest, words)});
  if (guest.process >= log_.processes.size())
    return false;
  ProcessLog& process = log_.processes[guest.process];
  if (what == "launch") {
    const BookAnswer answer = book_.launch(process.pid, message);
    return guest.connection.send({{{"status", answer.status},
                                   {"number", answer.number},
                                   {"duration_ns", answer.duration_ns},
                                   {"wants_contents", answer.wants_contents},
                                   {"data_decide", answer.data_decide}}});
  }
  if (what == "stand_in")
    return guest.connection.send(book_.stand_in(process.pid, words));
  if (what == "execute")
    return guest.connection.send(book_.execute(process.pid, message));
  if (what == "resources")
    return guest.connection.send({book_.resources(words)});
  if (what == "program")
    book_.add_program(process.pid, words, guest.folder);
  else if (what == "command") {
    process.commands.push_back(command_of(words));
    book_.called(process.commands.back().launch);
  } else if (what == "wait")
    process.waits.emplace_back(process.commands.size(), wait_of(words));
  else if (what == "executed")
    process.executed += words.at("launches").get<std::uint64_t>();
  else if (what == "not_executed" && words.contains("why"))
    process.not_compiled[words.at("kernel").get<std::string>()] = words["why"].get<std::string>();
  else if (what == "not_executed")
    process.not_executed[words.at("kernel").get<std::string>()] = words.at("status").get<int>();
  else if (what == "fault")
    process.faults.push_back(words.at("what").get<std::string>());
  else if (what == "property")
    process.properties.insert(words.at("name").get<std::string>());
  return true;
}

bool Server::hear(Guest& guest) {
  const auto message = guest.connection.receive();
  if (!message)
    return false;
  try {
    return answer(guest, *message);
  } catch (const nlohmann::json::exception&) {
    return false; // not of this build: the program goes on without predictions
  }
}

void Server::hear_ready(const std::vector<pollfd>& watched, std::size_t first_guest) {
  for (std::size_t k = first_guest; k < watched.size(); ++k) {
    const auto guest = guests_.find(watched[k].fd);
    if (watched[k].revents != 0 && !hear(guest->second))
      guests_.erase(guest);
  }
}

void Server::serve(int ended, const Progress& progress) {
  bool program_ended = false;
  Pace pace;
  while (!program_ended || !guests_.empty()) {
    std::vector<pollfd> watched = {{descriptor_, POLLIN, 0}};
    if (!program_ended)
      watched.push_back({ended, POLLIN, 0});
    const std::size_t first_guest = watched.size();
    for (const auto& [descriptor, guest] : guests_)
      watched.push_back({descriptor, POLLIN, 0});
    // What the program has started in the background may go on for ever: it is not waited for long.
    const int most_ms = program_ended ? 2000 : -1, pace_ms = progress ? pace.left_ms() : -1;
    const int ready = ::poll(watched.data(), watched.size(), pace_ms >= 0 ? pace_ms : most_ms);
    if (pace_ms >= 0 && pace.is_due())
      pace.run([&] { progress(log_); });
    else if (ready == 0 && pace_ms < 0)
      return;
    if (ready < 0 && errno != EINTR)
      return;
    if (ready <= 0)
      continue;
    pace.changed();
    if (watched[0].revents != 0)
      accept();
    if (!program_ended)
      program_ended = watched[1].revents != 0;
    hear_ready(watched, first_guest);
  }
}

} // namespace forewarp::program
