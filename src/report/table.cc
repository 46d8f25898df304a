// Table: three ways to print it.
#include "sqmax/report/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace sqmax {
namespace {

// Code points, not bytes: "λ" is one wide.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,+-–e%[] s±") == std::string::npos;
}

// Rows may be shorter or longer than the header.
std::size_t column_count(const Table& table) {
  std::size_t count = table.header.size();
  for (const auto& row : table.rows) count = std::max(count, row.size());
  return count;
}

std::vector<std::size_t> column_widths(const Table& table) {
  std::vector<std::size_t> widths(column_count(table));
  const auto widen = [&widths](const std::vector<std::string>& row) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  };
  widen(table.header);
  for (const auto& row : table.rows) widen(row);
  return widths;
}

// A column is numeric if every cell that says something is a number.
std::vector<bool> numeric_columns(const Table& table) {
  std::vector<bool> numeric(column_count(table), !table.rows.empty());
  for (const auto& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (!row[c].empty() && !is_number(row[c])) numeric[c] = false;
    }
  }
  return numeric;
}

std::string text_row(const std::vector<std::string>& row, const std::vector<std::size_t>& widths,
                     const std::vector<bool>& numeric) {
  std::string line;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const std::string space(widths[c] - width_of(row[c]), ' ');
    line += (c > 0 ? "  " : "") + (numeric[c] ? space + row[c] : row[c] + space);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string markdown_row(const std::vector<std::string>& row) {
  std::string line = "|";
  for (const std::string& cell : row) {
    line += ' ';
    for (const char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}

std::string csv_row(const std::vector<std::string>& row) {
  std::string line;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (c > 0) line += ',';
    if (row[c].find_first_of(",\"\n\r") == std::string::npos) {
      line += row[c];
      continue;
    }
    line += '"';
    for (const char letter : row[c])
      line += letter == '"' ? std::string("\"\"") : std::string(1, letter);
    line += '"';
  }
  return line + "\n";
}

}  // namespace

std::string to_text(const Table& table) {
  const auto widths = column_widths(table);
  const auto numeric = numeric_columns(table);
  std::string text = text_row(table.header, widths, numeric);
  for (const auto& row : table.rows) text += text_row(row, widths, numeric);
  return text;
}

std::string to_markdown(const Table& table) {
  const auto numeric = numeric_columns(table);
  std::string text = markdown_row(table.header) + "|";
  for (const bool right : numeric) text += right ? "---:|" : "---|";
  text += "\n";
  for (const auto& row : table.rows) text += markdown_row(row);
  return text;
}

std::string to_csv(const Table& table) {
  std::string text = csv_row(table.header);
  for (const auto& row : table.rows) text += csv_row(row);
  return text;
}

}  // namespace sqmax
