#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <unistd.h>

// A folder for one test, which the destructor removes.
class temporary_folder {
    std::filesystem::path path_;

public:
    temporary_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "tutti-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~temporary_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;

    std::string path(const std::string& below = "") const {
        return below.empty() ? path_.string() : (path_ / below).string();
    }
    std::string read(const std::string& below) const {
        std::ifstream file{path_ / below, std::ios::binary};
        return file ? std::string{std::istreambuf_iterator<char>{file}, {}} : "no file";
    }
    // Returns the contents of all files in the folder, by path.
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto& each : std::filesystem::recursive_directory_iterator{path_})
            if (each.is_regular_file()) {
                const std::string below = std::filesystem::relative(each.path(), path_).generic_string();
                all[below] = read(below);
            }
        return all;
    }
};
