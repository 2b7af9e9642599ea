#include "cli/survey/survey.h"

#include "cli/output.h"
#include "engine/host_launch/first_answer.h"
#include "support/counter_random.h"
#include "support/text_file.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <regex>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace forewarp::cli::survey {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

/// What `work` gives, made in a child; empty where the child ends otherwise or is out of processor time. A
/// child that waits is ended after twenty times as long.
std::string in_a_child(double seconds, const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    const auto most = static_cast<rlim_t>(seconds + 1);
    const rlimit processor_time{most, most};
    setrlimit(RLIMIT_CPU, &processor_time);
    const std::string text = work();
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t wrote = write(ends[1], text.data() + done, text.size() - done);
      if (wrote <= 0)
        break;
      done += static_cast<std::size_t>(wrote);
    }
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  const auto until =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(20 * seconds));
  bool ended = child < 0;
  while (!ended) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd waiting{ends[0], POLLIN, 0};
    if (left <= 0 || poll(&waiting, 1, static_cast<int>(left)) <= 0) {
      kill(child, SIGKILL);
      text.clear();
      break;
    }
    char buffer[65536];
    const ssize_t got = read(ends[0], buffer, sizeof buffer);
    ended = got <= 0;
    if (got > 0)
      text.append(buffer, static_cast<std::size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  if (child > 0)
    waitpid(child, &status, 0);
  return WIFEXITED(status) ? text : std::string();
}

engine::PredictRequest request_for(const Options& options, const std::string& file,
                                   const std::string& kernel) {
  engine::PredictRequest request;
  request.compile.path = file;
  request.compile.cache_folder = options.cache_folder;
  request.kernel = kernel;
  if (kernel.find('<') != std::string::npos)
    request.compile.only_kernel = kernel;
  request.gpus = options.gpus;
  request.run.max_seconds = options.seconds / 3;
  return request;
}

void refuse(Answer& answer, const Error& error) {
  answer.outcome = Outcome::refused;
  answer.why = error.message;
  answer.where = error.where.empty() ? answer.file : error.where;
  answer.remedy = error.hint.empty() ? usual_way_out(error.code) : error.hint;
  // The compiler's message names the line itself: "file:line:column: error: ...".
  static const std::regex place(
      R"(^(?:In file included from [^\n]*\n)*([^\n]+?:\d+:\d+): (?:fatal )?error: )");
  if (std::smatch found; std::regex_search(answer.why, found, place)) {
    answer.where = found[1];
    answer.why = found.suffix();
  }
}

/// Whether there is an answer.
bool take(Answer& answer, Outcome outcome, const Result<std::vector<facts::Prediction>>& predictions) {
  if (!predictions) {
    refuse(answer, predictions.error());
    return false;
  }
  answer.outcome = outcome;
  for (const facts::Prediction& prediction : *predictions) {
    const std::string& board = prediction.gpu_requested.empty() ? prediction.gpu : prediction.gpu_requested;
    answer.time_ms[board] = prediction.time_ms;
    answer.limiter[board] = std::string(facts::to_string(prediction.limiter));
    const double least_ms =
        prediction.dram_peak_gbps > 0 ? prediction.dram_bytes / prediction.dram_peak_gbps * 1e-6 : 0;
    constexpr double rounding = 0.99;
    answer.below_peak |= prediction.time_ms < rounding * least_ms;
    answer.assumptions = 0;
    for (const facts::Note& note : prediction.notes) {
      answer.assumptions += note.severity == facts::Note::Severity::assumption;
      if (note.severity == facts::Note::Severity::invalid)
        refuse(answer, {ErrorCode::unsupported, note.text, prediction.source, note.remedy});
    }
  }
  return answer.outcome != Outcome::refused;
}

Answer ask(const Options& options, const std::string& file, const std::string& kernel) {
  Answer answer{file, kernel, {}};
  const engine::PredictRequest request = request_for(options, file, kernel);
  const auto first = engine::first_answer(request, {});
  if (take(answer, Outcome::answered, first) || first || !engine::is_for_template(first.error()))
    return answer;
  take(answer, Outcome::template_answered, engine::template_answer(request, first.error()));
  return answer;
}

std::string text_of(const Answer& answer) {
  return Json{{"outcome", static_cast<int>(answer.outcome)},
              {"time_ms", answer.time_ms},
              {"limiter", answer.limiter},
              {"below_peak", answer.below_peak},
              {"assumptions", answer.assumptions},
              {"why", answer.why},
              {"where", answer.where},
              {"remedy", answer.remedy}}
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

void read(const std::string& text, Answer& answer) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    answer.outcome = Outcome::not_finished;
    answer.why = "out of time, or the process ended";
    answer.where = answer.file;
    answer.remedy = "--seconds N gives it more time";
    return;
  }
  answer.outcome = static_cast<Outcome>(json.at("outcome").get<int>());
  answer.time_ms = json.at("time_ms").get<std::map<std::string, double>>();
  answer.limiter = json.at("limiter").get<std::map<std::string, std::string>>();
  answer.below_peak = json.at("below_peak").get<bool>();
  answer.assumptions = json.at("assumptions").get<std::size_t>();
  answer.why = json.at("why").get<std::string>();
  answer.where = json.at("where").get<std::string>();
  answer.remedy = json.at("remedy").get<std::string>();
}

struct Listed {
  std::vector<std::string> kernels;
  Error error;
};

Listed kernels_of(const Options& options, const std::string& file) {
  const std::string text = in_a_child(options.seconds, [&] {
    const auto kernels = engine::kernels_of_project(request_for(options, file, ""));
    Json json;
    if (!kernels)
      json = {{"message", kernels.error().message},
              {"where", kernels.error().where},
              {"hint", kernels.error().hint},
              {"possible_kernels", kernels.error().possible_kernels}};
    else
      for (const auto& kernel : *kernels)
        json["kernels"].push_back(kernel.name);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  });
  Listed listed;
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    listed.error = {ErrorCode::budget, "out of time, or the process ended", file,
                    "--seconds N gives it more time"};
  else if (json.contains("message"))
    listed.error = {ErrorCode::bad_input, json["message"].get<std::string>(),
                    json["where"].get<std::string>(), json["hint"].get<std::string>(),
                    json["possible_kernels"].get<std::vector<std::string>>()};
  if (!listed.error.possible_kernels.empty())
    listed.kernels = listed.error.possible_kernels;
  else if (json.contains("kernels"))
    listed.kernels = json["kernels"].get<std::vector<std::string>>();
  return listed;
}

/// Takes out what others include: it is a header by another name, and compiles with them.
void take_out_included(std::vector<std::string>& files) {
  constexpr std::uint64_t largest_text = 4 << 20;
  static const std::regex include(R"(^[ \t]*#[ \t]*include[ \t]*"([^"]+)\")", std::regex::multiline);
  std::set<std::string> included;
  for (const std::string& file : files) {
    const auto text = read_file(file, "kernel file", largest_text);
    if (!text)
      continue;
    for (auto at = std::sregex_iterator(text->begin(), text->end(), include); at != std::sregex_iterator();
         ++at)
      included.insert((fs::path(file).parent_path() / (*at)[1].str()).lexically_normal().string());
  }
  std::erase_if(files, [&](const std::string& file) {
    return included.contains(fs::path(file).lexically_normal().string());
  });
}

/// Fisher and Yates, by the seed.
template <class T> void shuffle(std::vector<T>& all, std::uint64_t seed) {
  for (std::size_t k = all.size(); k > 1; --k)
    std::swap(all[k - 1], all[counter_random(seed, k) % k]);
}

void add_files(const std::string& folder, std::vector<std::string>& files) {
  static const std::set<std::string> endings = {".cu", ".cl", ".hip", ".ocl", ".opencl"};
  std::error_code error;
  for (auto at =
           fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error))
    if (at->is_regular_file(error) && endings.contains(at->path().extension().string()))
      files.push_back(at->path().string());
}

Result<std::vector<std::string>> files_of(const Options& options) {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string& folder : options.folders) {
    if (!fs::is_directory(folder, error))
      return fail(ErrorCode::not_found, "no such folder", folder, "name folders that hold kernel files");
    add_files(folder, files);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  take_out_included(files);
  if (files.empty())
    return fail(ErrorCode::not_found, "no kernel file below this folder", options.folders.front(),
                "endings that are looked for: .cu, .cl, .hip, .ocl, .opencl");
  if (options.draw > 0)
    shuffle(files, options.seed);
  return files;
}

/// Below its folder; of several folders, behind the folder's own name.
std::string told_name(const Options& options, const std::string& file) {
  for (const std::string& folder : options.folders) {
    const fs::path below = fs::path(file).lexically_relative(folder);
    if (below.empty() || *below.begin() == "..")
      continue;
    if (options.folders.size() == 1)
      return below.string();
    const fs::path whole = fs::absolute(folder).lexically_normal();
    return ((whole.has_filename() ? whole : whole.parent_path()).filename() / below).string();
  }
  return file;
}

void add(const Options& options, Survey& result, Answer answer) {
  answer.name = told_name(options, answer.file);
  if (options.answered)
    options.answered(answer);
  result.answers.push_back(std::move(answer));
}

bool has_no_kernel(const Error& error) {
  return error.message.find("no kernel is defined") != std::string::npos && error.possible_kernels.empty();
}

} // namespace

const char* to_string(Outcome outcome) {
  static constexpr const char* words[] = {"answered", "answered by the template", "refused", "not finished"};
  return words[static_cast<std::size_t>(outcome)];
}

Result<Survey> survey(const Options& options) {
  const auto files = files_of(options);
  FOREWARP_TRY(files);
  Survey result;
  for (const std::string& file : *files) {
    if (options.draw > 0 && result.answers.size() >= options.draw)
      break;
    ++result.files;
    Listed listed = kernels_of(options, file);
    if (listed.kernels.empty()) {
      if (listed.error.message.empty() || has_no_kernel(listed.error)) {
        ++result.files_without_kernels;
        continue;
      }
      Answer answer{file, "", {}};
      refuse(answer, listed.error);
      add(options, result, std::move(answer));
      continue;
    }
    if (options.draw > 0) {
      shuffle(listed.kernels, options.seed + result.files);
      listed.kernels.resize(1);
    }
    for (const std::string& kernel : listed.kernels) {
      if (options.progress)
        options.progress(std::to_string(result.answers.size() + 1) + ": " + file + " " + kernel);
      const auto start = Clock::now();
      Answer answer{file, kernel, {}};
      read(in_a_child(options.seconds, [&] { return text_of(ask(options, file, kernel)); }), answer);
      answer.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      add(options, result, std::move(answer));
    }
  }
  return result;
}

} // namespace forewarp::cli::survey
