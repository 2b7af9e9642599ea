// A source that does not compile alone, compiled as its project does: with the headers' folders, with the
// macros of its build file or of its neighbours, or inside of the file that includes it.
#pragma once

#include "engine/host_launch/host_launch.h"

#include <utility>
#include <vector>

namespace forewarp::engine {

/// The request with the folders of headers that are not found otherwise, and what was assumed so. Changes
/// nothing where every header in quotes is found, and nothing of other languages than CUDA, HIP and OpenCL.
FoundRequest with_header_folders(const PredictRequest& request);

/// The language's standard that names or variables of the source ask for by the error. False: none.
bool add_standard(FoundRequest& found, const Error& error);

/// C++20, where the source names no standard. False: it does, or is of another language.
bool add_newest_standard(FoundRequest& found);

/// With the macros of the build file; then the files that include this one, alone and with those macros.
std::vector<FoundRequest> project_ways(const FoundRequest& found);

/// Mends what `error` tells of: names that are not declared get the values that neighbours of the source give
/// them, else files beside an OpenCL source that declare them stand in front of it, else, in capitals, 16;
/// files beside the source that define functions which it only declares are compiled with it. False: nothing
/// was found to do.
bool add_neighbours(FoundRequest& found, const Error& error);

/// Errors of one kernel do not refuse the others. False: it is so already, or the language has no such way.
bool set_broken_kernels_apart(FoundRequest& found);

/// Of a kernel that is refused alone: it names a line.
bool is_of_one_place(const Error& error);

/// Whether another way of compiling may mend it: the compiler refused the source, or a function is not
/// defined.
bool is_of_compiling(const Error& error);

/// The namespace of a library whose header is nowhere: no macro, standard or neighbour stands for it.
bool misses_library(const Error& error);

/// Calls `work` with the request and its headers' folders; where the compiler refuses it, with the other ways
/// in turn. `Answer` is a Result; `work` takes a PredictRequest. The error is that of the first call.
/// `taken`: the request of the answer, whose notes say what was assumed.
template <class Answer, class Work>
Answer tried_as_project(const PredictRequest& asked, FoundRequest& taken, const Work& work) {
  const auto refused = [](const Answer& answer) { return !answer && is_of_compiling(answer.error()); };
  taken = with_header_folders(asked);
  Answer first = work(taken.request);
  if (!refused(first))
    return first;
  if (FoundRequest newer = taken; add_standard(newer, first.error())) {
    taken = std::move(newer);
    first = work(taken.request);
    if (!refused(first))
      return first;
  }
  const bool needs_header = misses_library(first.error());
  for (FoundRequest& way : needs_header ? std::vector<FoundRequest>() : project_ways(taken))
    if (Answer other = work(way.request); !refused(other)) {
      taken = std::move(way);
      return other;
    }
  constexpr int most_rounds = 6; // macros whose values are macros, functions that call functions
  FoundRequest way = taken;
  Error last = first.error();
  for (int round = 0; round < most_rounds && !needs_header && add_neighbours(way, last); ++round) {
    Answer other = work(way.request);
    if (!refused(other)) {
      taken = std::move(way);
      return other;
    }
    last = other.error();
  }
  for (FoundRequest newest : {taken, way}) {
    if (needs_header || !add_newest_standard(newest))
      break;
    if (Answer other = work(newest.request); !refused(other)) {
      taken = std::move(newest);
      return other;
    }
  }
  FoundRequest apart = taken; // at last the kernels that have no error
  if (set_broken_kernels_apart(apart))
    if (Answer other = work(apart.request); !refused(other) || is_of_one_place(other.error())) {
      taken = std::move(apart);
      return other;
    }
  return first;
}

} // namespace forewarp::engine
