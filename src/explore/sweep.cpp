#include "explore/sweep.h"

#include "explore/share/coordinator.h"
#include "explore/share/transport.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace forewarp::explore {
namespace {

using Exchange = std::function<std::vector<std::uint64_t>(const std::vector<Row>&)>;
using Failure = std::function<void(const Error&)>;

using Simulations = engine::SharedSimulations;

void work(const Setup& setup, const Simulations& simulations, const Exchange& exchange,
          const Failure& failure) {
  auto evaluator = Evaluator::make(setup, simulations);
  if (!evaluator)
    return failure(evaluator.error());
  std::vector<Row> rows;
  while (true) {
    const std::vector<std::uint64_t> ids = exchange(rows);
    if (ids.empty())
      return;
    rows.clear();
    for (const std::uint64_t id : ids) {
      auto row = evaluator->evaluate(id);
      if (!row)
        return failure(row.error());
      rows.push_back(*std::move(row));
    }
  }
}

unsigned job_count(const SweepOptions& options, bool under_mpi) {
  if (options.jobs > 0)
    return options.jobs;
  return under_mpi ? 1 : std::max(1U, std::thread::hardware_concurrency());
}

std::vector<std::thread> start_workers(const Setup& setup, const SweepOptions& options, bool under_mpi,
                                       const std::function<Exchange(unsigned)>& exchange_of,
                                       const Failure& failure, std::atomic<unsigned>& running) {
  std::vector<std::thread> threads;
  const unsigned jobs = job_count(options, under_mpi);
  running = jobs;
  const auto simulations = engine::shared_simulations();
  for (unsigned job = 0; job < jobs; ++job)
    threads.emplace_back([&setup, &failure, &running, simulations, exchange = exchange_of(job)] {
      work(setup, simulations, exchange, failure);
      --running;
    });
  return threads;
}

// Questions of a rank: a letter, the job's number, and what belongs to it.
struct Question {
  enum Kind : char { rows = 'r', failed = 'f', bye = 'b' };
};

std::string pack_ids(const std::vector<std::uint64_t>& ids) {
  std::string bytes;
  nlohmann::json::to_msgpack(nlohmann::json(ids), bytes);
  return bytes;
}

std::string pack_error(const Error& error) {
  std::string bytes;
  nlohmann::json::to_msgpack(
      nlohmann::json::array({static_cast<int>(error.code), error.message, error.where, error.hint}), bytes);
  return bytes;
}

Error unpack_error(const std::string& bytes) {
  const nlohmann::json item = nlohmann::json::from_msgpack(bytes);
  return {static_cast<ErrorCode>(item[0].get<int>()), item[1], item[2], item[3]};
}

/// Ranks above 0: everything is asked of rank 0.
void remote_rank(const Setup& setup, const SweepOptions& options, Transport& transport) {
  const auto exchange_of = [&](unsigned job) -> Exchange {
    return [&transport, job](const std::vector<Row>& rows) {
      const std::string question =
          std::string{static_cast<char>(Question::rows), static_cast<char>(job)} + pack(rows);
      return nlohmann::json::from_msgpack(transport.ask(question)).get<std::vector<std::uint64_t>>();
    };
  };
  const Failure failure = [&](const Error& error) {
    transport.ask(std::string{static_cast<char>(Question::failed), '\0'} + pack_error(error));
  };
  std::atomic<unsigned> running{0};
  for (std::thread& thread : start_workers(setup, options, true, exchange_of, failure, running))
    thread.join();
  transport.ask(std::string(1, static_cast<char>(Question::bye)));
}

/// Rank 0: answers until its own workers have ended and every other rank has said goodbye.
void serve(Transport& transport, Coordinator& coordinator, const std::atomic<unsigned>& running) {
  int others = transport.size() - 1;
  const auto answer = [&](int rank, const std::string& question) -> std::string {
    if (question[0] == static_cast<char>(Question::bye)) {
      --others;
      return "";
    }
    if (question[0] == static_cast<char>(Question::failed)) {
      coordinator.fail_with(unpack_error(question.substr(2)));
      return "";
    }
    constexpr std::uint64_t jobs_of_a_rank = 256;
    const auto worker =
        static_cast<std::uint64_t>(rank) * jobs_of_a_rank + static_cast<unsigned char>(question[1]);
    return pack_ids(coordinator.exchange(worker, unpack(question.substr(2))));
  };
  constexpr auto nap = std::chrono::microseconds(200);
  while (others > 0 || running > 0)
    if (!transport.answer_one(answer))
      std::this_thread::sleep_for(nap);
}

tl::unexpected<Error> no_configuration() {
  return fail(ErrorCode::usage, "the space is empty: no configuration satisfies the conditions", "--where",
              "leave out a condition, or add values");
}

/// Draws without repetition until the sample is full; what `where` refuses does not count.
Result<void> draw_sample(const Space& space, Store& store, const SweepOptions& options) {
  constexpr std::uint64_t tries_each = 1000, tries_at_least = 1'000'000;
  const std::uint64_t wanted = std::min(options.sample, space.points());
  const auto there = store.sample_size();
  FOREWARP_TRY(there);
  if (*there > 0)
    return {}; // an earlier run drew it, whole, in one transaction
  const std::uint64_t tries = std::min(space.points(), std::max(tries_at_least, wanted * tries_each));
  FOREWARP_TRY(store.begin());
  std::uint64_t drawn = 0;
  for (std::uint64_t i = 0; i < tries && drawn < wanted; ++i) {
    const std::uint64_t id = shuffled(i, space.points(), options.seed);
    const auto allowed = space.allows(id);
    FOREWARP_TRY(allowed);
    if (!*allowed)
      continue;
    FOREWARP_TRY(store.add_to_sample(id));
    ++drawn;
  }
  FOREWARP_TRY(store.commit());
  if (drawn == 0 && tries == space.points())
    return no_configuration();
  if (drawn < wanted && tries < space.points())
    return fail(
        ErrorCode::usage,
        fmt::format("{} random points hold {} that satisfy --where, of {} asked for", tries, drawn, wanted),
        "--sample", "ask for fewer, or write the values so that more combinations are allowed");
  return {};
}

Result<void> check_size(const Space& space, const SweepOptions& options) {
  if (options.sample == 0 && space.points() > most_points_without_sample)
    return fail(ErrorCode::usage, fmt::format("the space has {} points, more than 10^9", space.points()),
                "--space", "take some of them at random with --sample N");
  if (options.sample > 0)
    return {}; // looking through all of it may take for ever
  const auto first = space.next(0);
  FOREWARP_TRY(first);
  return *first ? Result<void>() : no_configuration();
}

std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters)
    names.push_back(parameter.name);
  return names;
}

Result<Store> open_store(const Setup& setup, const Space& space, const SweepOptions& options) {
  FOREWARP_TRY(check_size(space, options));
  const auto identity = identity_of(setup, options);
  FOREWARP_TRY(identity);
  std::vector<std::string> gpus;
  for (const gpu::GpuChoice& choice : setup.base.gpus)
    gpus.push_back(choice.file.name);
  auto store = Store::open(options.store, *identity, names_of(space.parameters()), gpus);
  FOREWARP_TRY(store);
  if (options.sample > 0)
    FOREWARP_TRY(draw_sample(space, *store, options));
  return store;
}

/// The sweep cannot begin: the other ranks are told that there is nothing to do.
void dismiss(Transport& transport) {
  int others = transport.size() - 1;
  while (others > 0)
    if (!transport.answer_one([&](int, const std::string& question) {
          others -= question[0] == static_cast<char>(Question::bye) ? 1 : 0;
          return pack_ids({});
        }))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

} // namespace

Result<std::optional<Store>> sweep(const Setup& setup, const SweepOptions& options) {
  const auto connected = Transport::connect();
  FOREWARP_TRY(connected);
  Transport* transport = connected->get();
  if (transport != nullptr && transport->rank() > 0) {
    remote_rank(setup, options, *transport);
    return std::optional<Store>();
  }
  auto store = [&]() -> Result<Store> {
    const auto space = Space::make(setup.space);
    FOREWARP_TRY(space);
    return open_store(setup, *space, options);
  }();
  if (!store) {
    if (transport != nullptr)
      dismiss(*transport);
    return tl::unexpected<Error>(store.error());
  }
  const auto space = Space::make(setup.space);
  FOREWARP_TRY(space);
  Coordinator coordinator(*space, *store, options);
  const auto exchange_of = [&](unsigned job) -> Exchange {
    return [&coordinator, job](const std::vector<Row>& rows) { return coordinator.exchange(job, rows); };
  };
  const Failure failure = [&](const Error& error) { coordinator.fail_with(error); };
  std::atomic<unsigned> running{0};
  auto threads = start_workers(setup, options, transport != nullptr, exchange_of, failure, running);
  if (transport != nullptr)
    serve(*transport, coordinator, running);
  for (std::thread& thread : threads)
    thread.join();
  FOREWARP_TRY(coordinator.outcome());
  return std::optional<Store>(*std::move(store));
}

} // namespace forewarp::explore
