// The Python module's native half: words of a command in, numbers out. src/python/forewarp/__init__.py is
// what people import. Written to Python's stable interface: one file serves CPython 3.10 and newer.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "cli/library.h"

#include <cstring>
#include <limits>
#include <optional>

namespace forewarp {
namespace {

/// A counted reference; empty after a failed call, whose exception Python then holds.
class Object {
public:
  explicit Object(PyObject* owned) : object_(owned) {}
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object&&) = delete;
  ~Object() { Py_XDECREF(object_); }
  explicit operator bool() const { return object_ != nullptr; }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }

private:
  PyObject* object_;
};

/// Others may run Python while we compute.
class WithoutLock {
public:
  WithoutLock() : state_(PyEval_SaveThread()) {}
  ~WithoutLock() { PyEval_RestoreThread(state_); }
  WithoutLock(const WithoutLock&) = delete;
  WithoutLock& operator=(const WithoutLock&) = delete;

private:
  PyThreadState* state_;
};

PyObject* native_error = nullptr; // the module's exception; set once, when the module is loaded

/// The module's: its callers ask for the same few GPUs thousands of times.
cli::KeptCatalogue& kept_catalogue() {
  static cli::KeptCatalogue catalogue;
  return catalogue;
}

Object text_object(std::string_view text) {
  return Object(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

/// (message, where, hint, class, exit code), for forewarp.Error.
PyObject* raise(const Error& error) {
  const Object arguments(Py_BuildValue("(ssssi)", error.message.c_str(), error.where.c_str(),
                                       error.hint.c_str(), std::string(to_string(error.code)).c_str(),
                                       exit_code(error.code)));
  if (arguments)
    PyErr_SetObject(native_error, arguments.get());
  return nullptr;
}

/// The only argument: a list of strings.
std::optional<std::vector<std::string>> words_of(PyObject* list) {
  if (!PyList_Check(list)) {
    PyErr_SetString(PyExc_TypeError, "a list of words is expected");
    return std::nullopt;
  }
  std::vector<std::string> words;
  for (Py_ssize_t i = 0; i < PyList_Size(list); ++i) {
    Py_ssize_t length = 0;
    const char* text = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), &length);
    if (text == nullptr)
      return std::nullopt;
    words.emplace_back(text, static_cast<std::size_t>(length));
  }
  return words;
}

PyObject* predict(PyObject*, PyObject* list) {
  const auto words = words_of(list);
  if (!words)
    return nullptr;
  Result<std::string> json;
  {
    const WithoutLock unlocked;
    if (const auto predictions = cli::predict_words(*words, kept_catalogue()))
      json = report::write_json(*predictions);
    else
      json = tl::unexpected<Error>(predictions.error());
  }
  return json ? text_object(*json).release() : raise(json.error());
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

struct Rows {
  std::vector<std::uint64_t> ids;
  std::vector<std::vector<std::string>> values; ///< by parameter
  std::vector<std::vector<double>> numbers;     ///< by column
  std::vector<std::uint8_t> valid;
  std::vector<std::string> reasons, limiters;
  std::string json;
};

Result<Rows> run(const std::vector<std::string>& words, std::vector<std::string>& parameters) {
  auto done = cli::explore_words(words);
  FOREWARP_TRY(done);
  explore::Store& store = done->explored.store;
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

/// The numbers' bytes, which NumPy reads as they lie.
template <class T> Object bytes_object(const std::vector<T>& values) {
  return Object(PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(values.data()),
                                              static_cast<Py_ssize_t>(values.size() * sizeof(T))));
}

Object list_object(const std::vector<std::string>& texts) {
  Object list(PyList_New(static_cast<Py_ssize_t>(texts.size())));
  for (std::size_t i = 0; list && i < texts.size(); ++i) {
    Object text = text_object(texts[i]);
    if (!text || PyList_SetItem(list.get(), static_cast<Py_ssize_t>(i), text.release()) != 0)
      return Object(nullptr);
  }
  return list;
}

bool put(const Object& dictionary, const std::string& key, const Object& value) {
  return dictionary && value && PyDict_SetItemString(dictionary.get(), key.c_str(), value.get()) == 0;
}

PyObject* result_object(const Rows& rows, const std::vector<std::string>& parameters) {
  Object result(PyDict_New());
  const Object values(PyDict_New());
  bool good = true;
  for (std::size_t p = 0; p < parameters.size(); ++p)
    good = good && put(values, parameters[p], list_object(rows.values[p]));
  for (std::size_t c = 0; c < std::size(columns); ++c)
    good = good && put(result, columns[c].name, bytes_object(rows.numbers[c]));
  good =
      good && put(result, "parameters", values) && put(result, "ids", bytes_object(rows.ids)) &&
      put(result, "valid", bytes_object(rows.valid)) && put(result, "reasons", list_object(rows.reasons)) &&
      put(result, "limiters", list_object(rows.limiters)) && put(result, "summary", text_object(rows.json));
  return good ? result.release() : nullptr;
}

PyObject* explore(PyObject*, PyObject* list) {
  const auto words = words_of(list);
  if (!words)
    return nullptr;
  std::vector<std::string> parameters;
  Result<Rows> rows;
  {
    const WithoutLock unlocked;
    rows = run(*words, parameters);
  }
  return rows ? result_object(*rows, parameters) : raise(rows.error());
}

/// Fused multiply-adds of all lanes that an SM begins in a cycle, of one precision to the other's.
double fp32_to_fp64(const gpu::Machine& machine) {
  const auto rate = [&](facts::OpClass op) {
    const gpu::OpTiming& timing = machine.timing(op);
    const auto instances = [&](int unit) {
      return unit < 0                                                      ? 0U
             : machine.units[static_cast<std::size_t>(unit)].per_scheduler ? machine.schedulers_per_sm
                                                                           : 1U;
    };
    return (instances(timing.unit) + instances(timing.second_unit)) / timing.issue_cycles;
  };
  return rate(facts::OpClass::fp32_fma) / rate(facts::OpClass::fp64_fma);
}

PyObject* gpu_named(PyObject*, PyObject* name) {
  Py_ssize_t length = 0;
  const char* text = PyUnicode_AsUTF8AndSize(name, &length);
  if (text == nullptr)
    return nullptr;
  const auto machine =
      cli::machine_named(std::string(text, static_cast<std::size_t>(length)), kept_catalogue());
  if (!machine)
    return raise(machine.error());
  const auto whole = [](std::uint64_t value) { return Object(PyLong_FromUnsignedLongLong(value)); };
  const auto real = [](double value) { return Object(PyFloat_FromDouble(value)); };
  Object result(PyDict_New());
  const bool good =
      put(result, "name", text_object(machine->name)) &&
      put(result, "vendor", text_object(machine->vendor)) &&
      put(result, "target", text_object(machine->target)) &&
      put(result, "compute_capability", real(machine->compute_capability)) &&
      put(result, "warp_width", whole(machine->warp_width)) &&
      put(result, "sm_count", whole(machine->sm_count)) &&
      put(result, "sm_clock_mhz", real(machine->sm_clock_mhz)) &&
      put(result, "fp32_to_fp64", real(fp32_to_fp64(*machine))) &&
      put(result, "dram_peak_gbps", real(machine->memory.dram_peak_gbps)) &&
      put(result, "l2_bytes", whole(machine->memory.l2.size_bytes)) &&
      put(result, "max_threads_per_group", whole(machine->limits.max_threads_per_group)) &&
      put(result, "max_threads_per_sm", whole(machine->limits.max_threads_per_sm)) &&
      put(result, "max_groups_per_sm", whole(machine->limits.max_groups_per_sm)) &&
      put(result, "registers_per_sm", whole(machine->limits.registers_per_sm)) &&
      put(result, "register_alloc_unit", whole(machine->limits.register_alloc_unit)) &&
      put(result, "shared_per_group_default_bytes", whole(machine->limits.shared_per_group_default_bytes)) &&
      put(result, "shared_per_group_max_bytes", whole(machine->limits.shared_per_group_max_bytes)) &&
      put(result, "shared_per_sm_bytes", whole(machine->limits.shared_per_sm_bytes));
  return good ? result.release() : nullptr;
}

PyMethodDef functions[] = {
    {"predict", predict, METH_O, "Words of a command in, JSON out."},
    {"explore", explore, METH_O, "Words of a command in, columns of numbers out."},
    {"gpu", gpu_named, METH_O, "A GPU's name in, what a launch has to know of it out."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "_native",
                          "Words of a command in, numbers out; import forewarp instead.",
                          -1,
                          functions,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

} // namespace
} // namespace forewarp

PyMODINIT_FUNC PyInit__native() {
  using namespace forewarp;
  Object module(PyModule_Create(&definition));
  if (!module)
    return nullptr;
  native_error = PyErr_NewException("forewarp._native.NativeError", nullptr, nullptr);
  Py_XINCREF(native_error); // the module takes one reference, `raise` keeps the other
  if (native_error == nullptr || PyModule_AddObject(module.get(), "NativeError", native_error) != 0)
    return nullptr;
  return module.release();
}
