#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::test {

/// One row of the golden tables: the file with a program, a pipeline, and the file with the reference's result.
struct golden_row {
    std::string id;
    std::string pipeline;
    int opt_level = 0;
    std::filesystem::path before;
    std::filesystem::path after;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Returns the rows of `tests.tsv` and, if present, `cases.tsv` in a folder like golden/.
inline std::vector<golden_row> golden_rows(const std::filesystem::path& folder) {
    std::vector<golden_row> rows;
    for (const bool cases : {false, true}) {
        const std::filesystem::path table = folder / (cases ? "cases.tsv" : "tests.tsv");
        if (!std::filesystem::exists(table)) continue;
        std::istringstream lines(read_file(table));
        for (std::string line; std::getline(lines, line);) {
            std::vector<std::string> columns(1);
            for (const char c : line) {
                if (c == '\t')
                    columns.emplace_back();
                else
                    columns.back() += c;
            }
            if (cases)
                rows.push_back({columns.at(0), columns.at(2), std::stoi(columns.at(3)), folder / columns.at(1),
                                folder / columns.at(4)});
            else
                rows.push_back({columns.at(0), columns.at(1), std::stoi(columns.at(2)),
                                folder / "tests" / (columns.at(0) + ".before.relay"),
                                folder / "tests" / (columns.at(0) + ".after.relay")});
        }
    }
    return rows;
}

/// Normalises a printed program for comparison. Removes the metadata, the debugging note and trailing blanks. Variables
/// that the reference names with a counter (`%x_7`) are renumbered by first appearance.
inline std::string comparable(std::string_view text) {
    text = text.substr(0, text.find("#[metadata]"));
    const std::size_t note = text.find("\n/* For debugging purposes");
    text = text.substr(0, note);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
    std::string out;
    std::map<std::string, std::size_t, std::less<>> numbers;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i + 3;
        if (text.substr(i, 3) == "%x_") {
            while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        }
        if (end > i + 3) {
            const auto [at, fresh] = numbers.try_emplace(std::string(text.substr(i, end - i)), numbers.size());
            out += "%x_" + std::to_string(at->second);
            i = end;
        } else {
            out += text[i++];
        }
    }
    return out;
}

/// Returns a message with the first line in which two texts differ.
inline std::string first_difference(std::string_view expected, std::string_view printed) {
    std::size_t line = 1;
    while (true) {
        const std::string_view e = expected.substr(0, expected.find('\n'));
        const std::string_view p = printed.substr(0, printed.find('\n'));
        if (e != p)
            return "line " + std::to_string(line) + "\n    expected " + std::string(e) + "\n    printed  " +
                   std::string(p);
        if (e.size() == expected.size() || p.size() == printed.size())
            return expected.size() == printed.size() ? "none" : "its length";
        expected.remove_prefix(e.size() + 1);
        printed.remove_prefix(p.size() + 1);
        ++line;
    }
}

} // namespace tutti::test
