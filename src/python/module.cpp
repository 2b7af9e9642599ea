// The Python module's native half: words of a command in, numbers out. src/python/forewarp/__init__.py is
// what people import.
#include "cli/library.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace forewarp {
namespace {

/// (message, where, hint, class, exit code), for forewarp.Error.
struct NativeError : std::exception {
  explicit NativeError(Error e) : error(std::move(e)), text(to_string(error)) {}
  const char* what() const noexcept override { return text.c_str(); }
  Error error;
  std::string text;
};

std::string predict(const std::vector<std::string>& words) {
  const auto predictions = cli::predict_words(words);
  if (!predictions)
    throw NativeError(predictions.error());
  return report::write_json(*predictions);
}

/// One column of the outcomes: configurations x GPUs.
struct Column {
  const char* name;
  double explore::Outcome::* member;
};
constexpr Column columns[] = {
    {"time_ms", &explore::Outcome::time_ms},           {"low_ms", &explore::Outcome::low_ms},
    {"high_ms", &explore::Outcome::high_ms},           {"registers", &explore::Outcome::registers},
    {"shared_bytes", &explore::Outcome::shared_bytes}, {"occupancy", &explore::Outcome::occupancy},
    {"dram_bytes", &explore::Outcome::dram_bytes},     {"gflops", &explore::Outcome::gflops}};

/// What is not valid has no number.
void fill(const explore::Outcome& outcome, std::vector<std::vector<double>>& numbers) {
  std::size_t c = 0;
  for (const Column& column : columns)
    numbers[c++].push_back(outcome.valid ? outcome.*column.member : std::numeric_limits<double>::quiet_NaN());
}

template <class T> py::array_t<T> matrix(const std::vector<T>& values, std::size_t rows, std::size_t width) {
  py::array_t<T> array({rows, width});
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

struct Rows {
  std::vector<std::uint64_t> ids;
  std::vector<std::vector<std::string>> values; ///< by parameter
  std::vector<std::vector<double>> numbers;     ///< by column
  std::vector<std::uint8_t> valid;
  std::vector<std::string> reasons, limiters;
  std::string json;
};

Result<Rows> run(const std::vector<std::string>& words, std::size_t& gpus,
                 std::vector<std::string>& parameters) {
  auto done = cli::explore_words(words);
  FOREWARP_TRY(done);
  explore::Store& store = done->explored.store;
  gpus = store.gpus().size();
  parameters = store.parameters();
  Rows rows;
  rows.values.resize(parameters.size());
  rows.numbers.resize(std::size(columns));
  FOREWARP_TRY(store.for_each([&](const explore::Row& row) -> Result<void> {
    rows.ids.push_back(row.id);
    for (std::size_t p = 0; p < row.values.size(); ++p)
      rows.values[p].push_back(row.values[p]);
    for (const explore::Outcome& outcome : row.outcomes) {
      rows.valid.push_back(outcome.valid ? 1 : 0);
      rows.reasons.push_back(outcome.reason);
      rows.limiters.push_back(outcome.limiter);
      fill(outcome, rows.numbers);
    }
    return {};
  }));
  FOREWARP_TRY(
      explore::write_json_summary({done->request.setup, done->explored.space, store, done->explored.summary},
                                  [&](std::string_view text) -> Result<void> {
                                    rows.json += text;
                                    return {};
                                  }));
  return rows;
}

py::dict explore_space(const std::vector<std::string>& words) {
  std::size_t gpus = 0;
  std::vector<std::string> parameters;
  Result<Rows> rows;
  {
    const py::gil_scoped_release release;
    rows = run(words, gpus, parameters);
  }
  if (!rows)
    throw NativeError(rows.error());
  const std::size_t count = rows->ids.size();
  py::dict result, values;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    values[py::str(parameters[p])] = rows->values[p];
  result["parameters"] = values;
  result["ids"] = py::array_t<std::uint64_t>(static_cast<py::ssize_t>(count), rows->ids.data());
  std::size_t c = 0;
  for (const Column& column : columns)
    result[column.name] = matrix(rows->numbers[c++], count, gpus);
  result["valid"] = matrix(rows->valid, count, gpus);
  result["reasons"] = rows->reasons;
  result["limiters"] = rows->limiters;
  result["summary"] = rows->json;
  return result;
}

py::dict gpu_named(const std::string& name) {
  const auto machine = cli::machine_named(name);
  if (!machine)
    throw NativeError(machine.error());
  py::dict result;
  result["name"] = machine->name;
  result["vendor"] = machine->vendor;
  result["target"] = machine->target;
  result["warp_width"] = machine->warp_width;
  result["sm_count"] = machine->sm_count;
  result["sm_clock_mhz"] = machine->sm_clock_mhz;
  result["dram_peak_gbps"] = machine->memory.dram_peak_gbps;
  result["l2_bytes"] = machine->memory.l2.size_bytes;
  result["max_threads_per_group"] = machine->limits.max_threads_per_group;
  result["max_threads_per_sm"] = machine->limits.max_threads_per_sm;
  result["registers_per_sm"] = machine->limits.registers_per_sm;
  result["shared_per_group_max_bytes"] = machine->limits.shared_per_group_max_bytes;
  result["shared_per_sm_bytes"] = machine->limits.shared_per_sm_bytes;
  return result;
}

} // namespace
} // namespace forewarp

PYBIND11_MODULE(_native, module) {
  module.doc() = "Words of a command in, numbers out; import forewarp instead.";
  static py::exception<forewarp::NativeError> error(module, "NativeError");
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown)
        std::rethrow_exception(thrown);
    } catch (const forewarp::NativeError& e) {
      const py::tuple arguments =
          py::make_tuple(e.error.message, e.error.where, e.error.hint, forewarp::to_string(e.error.code),
                         forewarp::exit_code(e.error.code));
      PyErr_SetObject(error.ptr(), arguments.ptr());
    }
  });
  module.def("predict", &forewarp::predict, py::arg("words"), py::call_guard<py::gil_scoped_release>());
  module.def("gpu", &forewarp::gpu_named, py::arg("name"));
  module.def("explore", &forewarp::explore_space, py::arg("words"));
}
