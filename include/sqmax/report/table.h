// Table: rows of text, printed for a person, for a document or for another program.
#pragma once

#include <string>
#include <vector>

namespace sqmax {

struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;
};

std::string to_text(const Table& table);      ///< columns aligned; numbers to the right
std::string to_markdown(const Table& table);  ///< a pipe table
std::string to_csv(const Table& table);       ///< RFC 4180

}  // namespace sqmax
