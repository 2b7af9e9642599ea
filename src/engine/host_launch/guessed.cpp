#include "engine/host_launch/guessed.h"

#include "engine/host_launch/first_answer.h"
#include "engine/open_arguments/open_launch.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace forewarp::engine {
namespace {

using Predictions = std::vector<facts::Prediction>;
constexpr std::uint64_t least_shared_bytes = 1024, most_shared_bytes = 65536;

const facts::Note sizes_do_not_hold{
    facts::Note::Severity::assumption,
    "the kernel leaves buffers of the sizes that the host code gives them (with the "
    "numbers that are assumed): they are as large as the launch touches instead",
    {},
    "--arg NAME=buffer:TYPE[COUNT]"};

const facts::Note outside_is_empty{
    facts::Note::Severity::assumption,
    "with these sizes and arguments the kernel leaves its buffers: what lies outside of them reads zero, and "
    "writes there are left out",
    {},
    "--arg NAME=VALUE, or --out-of-bounds fault to be told where"};

bool is_fault(const Error& error) {
  return error.code == ErrorCode::kernel_fault;
}
bool wants_dynamic_shared(const Error& error) {
  return is_fault(error) && error.hint.find("--dynamic-shared") != std::string::npos;
}

bool grow_shared(FoundRequest& found, const Error& error) {
  std::uint64_t& bytes = found.request.launch.dynamic_shared_bytes;
  if (!wants_dynamic_shared(error) || bytes >= most_shared_bytes)
    return false;
  bytes = std::max(least_shared_bytes, 2 * bytes);
  return true;
}

/// A grid with a barrier of its own, and more groups than the GPU holds: as many as the hint says.
bool shrink_grid(FoundRequest& found, const Error& error) {
  constexpr std::string_view before = "launch at most ";
  const std::size_t at = error.hint.find(before);
  auto& launch = found.request.launch;
  if (at == std::string::npos || !launch.groups || launch.groups->y * launch.groups->z != 1)
    return false;
  launch.groups->x = std::strtoull(error.hint.c_str() + at + before.size(), nullptr, 10);
  if (launch.groups->x == 0)
    return false;
  found.notes.push_back({facts::Note::Severity::assumption,
                         fmt::format("a barrier of the grid: as many groups as the GPU holds at one time, {}",
                                     launch.groups->x),
                         {},
                         "--grid N"});
  return true;
}

/// Of a kernel that was written for smaller groups.
bool wants_smaller_groups(const Error& error) {
  return is_fault(error) && (error.message.find("shared memory") != std::string::npos ||
                             error.message.find("a barrier is reached by") != std::string::npos);
}

/// Of a usual launch: a kernel that leaves its own shared arrays, or whose barriers are in a branch that only
/// a part of a larger group takes, was written for smaller groups.
bool halve_groups(FoundRequest& found, const Error& error) {
  constexpr std::uint64_t least = 1;
  auto& launch = found.request.launch;
  if (!found.usual_sizes || !wants_smaller_groups(error) || !launch.group_size || !launch.groups ||
      launch.group_size->count() <= least)
    return false;
  facts::Dim3 &size = *launch.group_size, &groups = *launch.groups;
  const bool along_z = size.z > 1, along_y = !along_z && size.y > size.x;
  (along_z ? size.z : along_y ? size.y : size.x) /= 2;
  (along_z ? groups.z : along_y ? groups.y : groups.x) *= 2;
  return true;
}

void tell_group_size(FoundRequest& found) {
  const facts::Dim3 &grid = *found.request.launch.groups, &block = *found.request.launch.group_size;
  found.notes.push_back(
      {facts::Note::Severity::assumption,
       fmt::format(
           "its shared arrays and barriers hold no larger group: {},{},{} groups of {},{},{} work-items",
           grid.x, grid.y, grid.z, block.x, block.y, block.z),
       {},
       "--grid X,Y,Z --block X,Y,Z"});
}

void open_sizes(FoundRequest& found) {
  found.request = with_open_buffers(found.request);
  found.notes.push_back(sizes_do_not_hold);
}

void empty_outside(FoundRequest& found) {
  found.request.run.outside_reads_zero = true;
  found.notes.push_back(outside_is_empty);
}

/// Of a launch that rests on guesses: less than this is enough for a first answer, and leaves time for
/// others.
constexpr std::uint64_t first_instructions = 150'000'000;

/// A usual launch with so many groups along each axis at most: numbers that go by the launch are smaller
/// then.
bool fewer_groups(FoundRequest& found, std::uint64_t most) {
  auto& launch = found.request.launch;
  if (!found.usual_sizes || !launch.groups)
    return false;
  facts::Dim3& grid = *launch.groups;
  const facts::Dim3 before = grid;
  for (auto* along : {&grid.x, &grid.y, &grid.z})
    *along = std::min(*along, most);
  return grid.count() < before.count();
}

/// Of a usual launch that runs too long with every number: fewer groups.
template <class Answer, class Work>
std::optional<Answer> made_smaller(FoundRequest& found, const Work& work) {
  for (const std::uint64_t most : {64, 16, 4}) {
    FoundRequest way = found;
    if (!fewer_groups(way, most))
      continue;
    Answer other = work(way.request);
    if (!other)
      continue;
    const facts::Dim3& grid = *way.request.launch.groups;
    way.notes.push_back(
        {facts::Note::Severity::assumption,
         fmt::format("the kernel runs long, and longer the more work-items there are: {},{},{} "
                     "groups",
                     grid.x, grid.y, grid.z),
         {},
         "--grid X,Y,Z --block X,Y,Z, --max-instructions N"});
    found = std::move(way);
    return other;
  }
  return std::nullopt;
}

/// Once more with one work-group, which stands for all; then with smaller numbers where nothing says which.
template <class Answer, class Work> Answer made_shorter(FoundRequest& found, Answer first, const Work& work) {
  FoundRequest way = found;
  way.request.run.sample_groups = 1;
  way.notes.push_back({facts::Note::Severity::assumption,
                       "the kernel runs long: one work-group of it stands for all",
                       {},
                       "--max-instructions N, --sample N"});
  for (const std::uint64_t number : {1024, 128, 16}) {
    way.request.run.open_number = number;
    Answer other = work(way.request);
    if (!other)
      continue;
    found = std::move(way);
    return other;
  }
  if (auto smaller = made_smaller<Answer>(found, work))
    return *std::move(smaller);
  // Nothing is open: the whole budget for one work-group.
  way.request.run.max_instructions = 4 * first_instructions;
  Answer other = work(way.request);
  if (!other)
    return first;
  found = std::move(way);
  return other;
}

/// Calls `work` with the request, and with changed ones after a fault of the kernel or where it runs too
/// long.
template <class Answer, class Work> Answer go_on(FoundRequest& found, const Work& work) {
  auto& run = found.request.run;
  run.max_instructions = std::min(run.max_instructions, first_instructions);
  Answer first = work(found.request);
  if (!first && shrink_grid(found, first.error()))
    first = work(found.request);
  if (!first && first.error().code == ErrorCode::budget && run.sample_groups == 0 && !run.whole_grid)
    return made_shorter(found, std::move(first), work);
  if (first || !is_fault(first.error()))
    return first;
  Error last = first.error();
  while (grow_shared(found, last)) {
    Answer grown = work(found.request);
    if (grown || !is_fault(grown.error())) {
      found.notes.push_back({facts::Note::Severity::assumption,
                             fmt::format("the kernel needs dynamic shared memory: {} bytes",
                                         found.request.launch.dynamic_shared_bytes),
                             {},
                             "--dynamic-shared BYTES"});
      return grown;
    }
    last = grown.error();
  }
  FoundRequest smaller = found;
  while (halve_groups(smaller, last)) {
    Answer other = work(smaller.request);
    if (other) {
      tell_group_size(smaller);
      found = std::move(smaller);
      return other;
    }
    last = other.error();
    if (!wants_smaller_groups(last)) {
      tell_group_size(smaller); // of this size its own arrays hold; what is left is mended below
      found = smaller;
      break;
    }
  }
  const FoundRequest as_given = found;
  std::optional<Answer> ran_long;
  for (const auto& [opens, empties] : {std::pair{true, false}, {false, true}, {true, true}}) {
    FoundRequest way = as_given;
    if (opens)
      open_sizes(way);
    if (empties)
      empty_outside(way);
    Answer other = work(way.request);
    const bool is_long = empties && !other && other.error().code == ErrorCode::budget;
    if (is_long && !found.rests_on_open && run.sample_groups == 0 && !run.whole_grid)
      other = made_shorter(way, std::move(other), work);
    if (other) {
      found = std::move(way);
      return other;
    }
    if (is_long)
      ran_long = std::move(other);
  }
  // The host code's open numbers may be smaller: whoever set them sees that.
  return ran_long && found.rests_on_open ? *std::move(ran_long) : first;
}

} // namespace

std::pair<Result<Predictions>, std::vector<facts::Note>> predict_guessed(const FoundRequest& found) {
  FoundRequest taken = found;
  auto answer = go_on<Result<Predictions>>(taken, [](const PredictRequest& each) { return predict(each); });
  return {std::move(answer), std::move(taken.notes)};
}

Result<FoundRequest> completed_request(const FoundRequest& found) {
  FoundRequest complete = found;
  Planner planner;
  using Open = Result<std::optional<OpenLaunch>>;
  const auto open = go_on<Open>(complete, [&](const PredictRequest& each) -> Open {
    auto targets = planner.plan(each);
    FOREWARP_TRY(targets);
    auto completed = complete_open(each, planner, *targets);
    FOREWARP_TRY(completed);
    // Nothing is open: whether the kernel stays in its buffers shows only where it is run.
    if (!*completed)
      if (auto ran = predict(each); !ran && is_fault(ran.error()))
        return tl::unexpected<Error>(ran.error());
    return completed;
  });
  FOREWARP_TRY(open);
  if (*open) {
    complete.request.launch = (*open)->request.launch;
    complete.notes.insert(complete.notes.end(), (*open)->completed.notes.begin(),
                          (*open)->completed.notes.end());
  }
  return complete;
}

} // namespace forewarp::engine
