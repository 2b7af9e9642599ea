#include "validate/csv_table.h"

#include <algorithm>
#include <array>
#include <csv.h>
#include <fmt/format.h>
#include <memory>
#include <zlib.h>

namespace forewarp::validate {
namespace {

struct Builder {
  CsvTable table;
  std::vector<std::string> fields;
};

void end_of_field(void* text, std::size_t size, void* data) {
  static_cast<Builder*>(data)->fields.emplace_back(static_cast<const char*>(text), size);
}

void end_of_row(int, void* data) {
  auto& builder = *static_cast<Builder*>(data);
  CsvTable& table = builder.table;
  if (table.columns.empty())
    table.columns = std::move(builder.fields);
  else if (builder.fields.size() == table.columns.size())
    table.rows.push_back(std::move(builder.fields));
  else
    ++table.malformed_rows;
  builder.fields.clear();
}

struct CsvParser {
  csv_parser parser{};
  CsvParser() { csv_init(&parser, CSV_APPEND_NULL); }
  ~CsvParser() { csv_free(&parser); }
};

} // namespace

int CsvTable::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  return found == columns.end() ? -1 : static_cast<int>(found - columns.begin());
}

Result<CsvTable> read_csv(const std::string& path) {
  // zlib reads an uncompressed file as it stands.
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file)
    return fail(ErrorCode::not_found, "the file cannot be opened", path, "check --data");
  Builder builder;
  CsvParser csv;
  std::array<char, 1 << 16> buffer;
  for (int size = 0; (size = gzread(file.get(), buffer.data(), buffer.size())) != 0;) {
    if (size < 0)
      return fail(ErrorCode::bad_input, "the compression is broken", path);
    if (csv_parse(&csv.parser, buffer.data(), static_cast<std::size_t>(size), end_of_field, end_of_row,
                  &builder) != static_cast<std::size_t>(size))
      return fail(ErrorCode::bad_input, fmt::format("not CSV: {}", csv_strerror(csv_error(&csv.parser))),
                  path);
  }
  csv_fini(&csv.parser, end_of_field, end_of_row, &builder);
  if (builder.table.columns.empty())
    return fail(ErrorCode::bad_input, "the file has no header line", path);
  return std::move(builder.table);
}

} // namespace forewarp::validate
