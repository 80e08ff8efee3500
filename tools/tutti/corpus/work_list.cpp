#include "work_list.hpp"

#include <tutti/base/error.hpp>

#include "../file_ending.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include <glob.h>

namespace program::corpus {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view random_name = "random:";

[[noreturn]] void refuse(const std::string& name, const char* why) {
    throw failure{wrong_input, message(program::name_of(name), why)};
}

bool read_number(std::string_view text, std::uint64_t& n) {
    const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
    return bad == std::errc{} && end == text.data() + text.size();
}

bool is_program(const fs::path& file) { return is_onnx(file.string()) || file.extension() == ".relay"; }

} // namespace

bool is_random(std::string_view name, std::uint64_t& seed) {
    return name.starts_with(random_name) && read_number(name.substr(random_name.size()), seed);
}

random_programs read_random(const std::string& text) {
    random_programs made;
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view all = text;
    constexpr std::uint64_t most = std::uint64_t{1} << 40;
    if (colon == text.size() || !read_number(all.substr(0, colon), made.seed) ||
        !read_number(all.substr(colon + 1), made.count) || made.count > most || made.seed > most)
        throw failure{wrong_usage,
                      message("tutti corpus run",
                              tutti::error{"--random", "`" + text + "` is not valid",
                                           "SEED:COUNT, two whole numbers of at most 1099511627776, such as 1:1000"}
                                  .what())};
    return made;
}

work_list::work_list(const std::vector<std::string>& models, std::vector<random_programs> random)
    : programs_(std::move(random)) {
    for (const std::string& each : models) {
        std::error_code ignored;
        if (each.starts_with('@'))
            add_list(each.substr(1));
        else if (fs::is_directory(each, ignored))
            add_folder(each);
        else if (fs::exists(each, ignored))
            add(each);
        else
            add_pattern(each);
    }
    const auto by_name = [&](const file& a, const file& b) {
        return std::strcmp(names_.data() + a.begin, names_.data() + b.begin);
    };
    std::ranges::sort(files_, [&](const file& a, const file& b) { return by_name(a, b) < 0; });
    const auto repeated = std::ranges::unique(files_, [&](const file& a, const file& b) { return by_name(a, b) == 0; });
    files_.erase(repeated.begin(), repeated.end());
    for (file& each : files_) {
        std::error_code failed;
        const std::uintmax_t size = fs::file_size(std::string{name_of(each)}, failed);
        each.bytes = failed ? 0 : size;
    }
    std::ranges::sort(files_, [&](const file& a, const file& b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : by_name(a, b) < 0;
    });
    files_.shrink_to_fit();
    for (const random_programs& each : programs_) random_ += each.count;
}

std::string_view work_list::name_of(const file& f) const { return names_.data() + f.begin; }

std::string work_list::name(std::uint64_t index) const {
    if (index < files_.size()) return std::string{name_of(files_[index])};
    index -= files_.size();
    for (const random_programs& each : programs_) {
        if (index < each.count) return std::string{random_name} + std::to_string(each.seed + index);
        index -= each.count;
    }
    return {};
}

void work_list::add(std::string_view name) {
    files_.push_back({names_.size(), 0});
    names_.append(name).push_back('\0');
}

void work_list::add_folder(const std::string& folder) {
    std::error_code failed;
    const std::size_t before = files_.size();
    constexpr auto options =
        fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator at(folder, options, failed), end; !failed && at != end; at.increment(failed))
        if (std::error_code ignored; is_program(at->path()) && at->is_regular_file(ignored)) add(at->path().string());
    if (failed) refuse(folder, ("cannot be searched: " + failed.message()).c_str());
    if (files_.size() == before) refuse(folder, "has no programs; expected files that end in .relay or .onnx");
}

void work_list::add_pattern(const std::string& pattern) {
    if (pattern.find_first_of("*?[") == std::string::npos) refuse(pattern, "does not exist");
    glob_t found{};
    const int code = ::glob(pattern.c_str(), 0, nullptr, &found);
    for (std::size_t i = 0; code == 0 && i < found.gl_pathc; ++i)
        if (std::error_code ignored; fs::is_directory(found.gl_pathv[i], ignored))
            add_folder(found.gl_pathv[i]);
        else
            add(found.gl_pathv[i]);
    ::globfree(&found);
    if (code != 0) refuse(pattern, "matches no file");
}

void work_list::add_list(const std::string& list) {
    const std::string text = read_text(list);
    const fs::path folder = list == "-" ? fs::path{} : fs::path{list}.parent_path();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty() || line.starts_with('#')) continue;
        const fs::path name{line};
        add((name.is_absolute() || folder.empty() ? name : folder / name).string()); // a missing file becomes a row
    }
}

} // namespace program::corpus
