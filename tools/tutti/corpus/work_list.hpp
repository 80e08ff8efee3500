#pragma once

#include "settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace program::corpus {

/// The modules of a run, numbered from 0: files with the largest first, then random programs.
class work_list {
public:
    /// Finds the files. Folders are searched for `.relay` and `.onnx`, `@FILE` is a list of files with one a line, and
    /// `*`, `?` and `[` make a pattern. An argument that names nothing ends the program.
    work_list(const std::vector<std::string>& models, std::vector<random_programs> random);

    std::uint64_t size() const { return files_.size() + random_; }
    /// Returns the name of a module: its file, or "random:SEED".
    std::string name(std::uint64_t index) const;
    /// Returns the size of a module's file; 0 for a random program.
    std::uint64_t bytes(std::uint64_t index) const { return index < files_.size() ? files_[index].bytes : 0; }

private:
    struct file {
        std::uint64_t begin; // its name's place in `names_`
        std::uint64_t bytes;
    };

    void add(std::string_view name);
    void add_folder(const std::string& folder);
    void add_pattern(const std::string& pattern);
    void add_list(const std::string& list);
    std::string_view name_of(const file& f) const;

    std::string names_; // each ends in 0
    std::vector<file> files_;
    std::vector<random_programs> programs_;
    std::uint64_t random_ = 0;
};

/// Returns the seed of a random program's name, "random:SEED". False for a file.
bool is_random(std::string_view name, std::uint64_t& seed);

/// Reads SEED:COUNT. Errors end the program.
random_programs read_random(const std::string& text);

} // namespace program::corpus
