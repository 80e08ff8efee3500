#include "profile_file.hpp"

#include <tutti/base/posix.hpp>

#include "program.hpp"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#if defined(TUTTI_POSIX)
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#endif

namespace program::profiles {

namespace {

using tutti::instrument::run_totals;
using tutti::instrument::time_histogram;

// Reads the members of a document, and describes the first one that is wrong.
class profile_reader {
    const std::string& file_;

    [[noreturn]] void refuse(const std::string& where, const std::string& expected) const {
        throw failure{wrong_input, message(name_of(file_), where + " is wrong; expected " + expected)};
    }
    const nlohmann::json& member(const nlohmann::json& of, const char* name, const std::string& where,
                                 bool (*fits)(const nlohmann::json&), const char* expected) const {
        const bool is_there = of.is_object() && of.contains(name);
        if (!is_there || !fits(of[name])) refuse(where + name, expected);
        return of[name];
    }
    std::int64_t number(const nlohmann::json& of, const char* name, const std::string& where,
                        std::int64_t least) const {
        const nlohmann::json& value =
            member(of, name, where, [](const auto& v) { return v.is_number_integer(); }, "a whole number");
        const bool too_large = value.is_number_unsigned() &&
                               value.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        if (too_large || value.get<std::int64_t>() < least)
            refuse(where + name, "a whole number from " + std::to_string(least));
        return value.get<std::int64_t>();
    }
    const nlohmann::json& list(const nlohmann::json& of, const char* name, const std::string& where) const {
        return member(of, name, where, [](const auto& v) { return v.is_array(); }, "a list");
    }
    std::string text(const nlohmann::json& of, const char* name, const std::string& where) const {
        return member(of, name, where, [](const auto& v) { return v.is_string(); }, "a text").get<std::string>();
    }
    void each(const nlohmann::json& all, const char* name, auto&& f) const {
        std::size_t i = 0;
        for (const nlohmann::json& entry : list(all, name, ""))
            f(entry, std::string{name} + "[" + std::to_string(i++) + "].");
    }
    time_histogram times(const nlohmann::json& of, const std::string& where) const {
        std::vector<time_histogram::bucket> buckets;
        for (const nlohmann::json& pair : list(of, "self", where)) {
            const bool numbers = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                                 pair[1].is_number_unsigned() &&
                                 pair[0].get<std::uint64_t>() < time_histogram::most_buckets &&
                                 pair[1].get<std::uint64_t>() - 1 < std::uint64_t{1} << 48;
            if (!numbers || (!buckets.empty() && buckets.back().number >= pair[0].get<std::uint32_t>()))
                refuse(where + "self", "a list of pairs [bucket, count] with ascending buckets");
            buckets.push_back({pair[0].get<std::uint32_t>(), pair[1].get<std::uint64_t>()});
        }
        return time_histogram::of_parts(std::move(buckets), number(of, "self_ns", where, 0),
                                        number(of, "least_ns", where, 0), number(of, "most_ns", where, 0));
    }

public:
    explicit profile_reader(const std::string& file) : file_(file) {}

    run_totals parse(const std::string& bytes) const {
        nlohmann::json all;
        try {
            all = nlohmann::json::parse(bytes);
        } catch (const nlohmann::json::parse_error& e) {
            throw failure{wrong_input, message(name_of(file_), "byte " + std::to_string(e.byte) +
                                                                   ": is not JSON; expected a profile that "
                                                                   "--add-profile or `tutti profile merge` wrote")};
        }
        if (!all.is_object() || !all.contains("tutti_profile"))
            throw failure{wrong_input,
                          message(name_of(file_), "is not a profile; expected a file that --add-profile or "
                                                  "`tutti profile merge` wrote")};
        const std::int64_t version = number(all, "tutti_profile", "", 0);
        if (version != tutti::instrument::run_totals_version)
            throw failure{wrong_input,
                          message(name_of(file_), "is a profile of version " + std::to_string(version) +
                                                      "; expected version " +
                                                      std::to_string(tutti::instrument::run_totals_version))};
        run_totals made;
        made.add_runs(static_cast<std::uint64_t>(number(all, "runs", "", 0)));
        each(all, "passes", [&](const nlohmann::json& entry, const std::string& at) {
            run_totals::pass_entry pass{.pass = text(entry, "pass", at),
                                        .calls = static_cast<std::uint64_t>(number(entry, "calls", at, 0)),
                                        .inclusive = number(entry, "inclusive_ns", at, 0)};
            pass.self = times(entry, at);
            if (pass.self.count() > made.runs()) refuse(at + "self", "at most as many times as there are runs");
            made.add(pass);
        });
        each(all, "counts", [&](const nlohmann::json& entry, const std::string& at) {
            made.add(run_totals::count_entry{text(entry, "pass", at), text(entry, "name", at),
                                             number(entry, "count", at, std::numeric_limits<std::int64_t>::min())});
        });
        each(all, "remarks", [&](const nlohmann::json& entry, const std::string& at) {
            const std::string kind = text(entry, "kind", at);
            using tutti::remark_kind;
            for (const remark_kind each : {remark_kind::applied, remark_kind::missed, remark_kind::note})
                if (kind == to_string(each)) {
                    made.add(run_totals::remark_entry{text(entry, "pass", at), each, text(entry, "text", at),
                                                      static_cast<std::uint64_t>(number(entry, "count", at, 0))});
                    return;
                }
            refuse(at + "kind", "applied, missed or note");
        });
        return made;
    }
};

// Holds a lock on FILE.lock during its lifetime. The lock file stays, since another process may wait for it.
class file_lock {
    int fd_ = -1;

public:
    explicit file_lock([[maybe_unused]] const std::string& file) {
#if defined(TUTTI_POSIX)
        const std::string name = file + ".lock";
        errno = 0;
        fd_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0)
            if (errno != EINTR) break;
        if (fd_ < 0)
            throw failure{wrong_input, message(name, std::string{"cannot be opened: "} + std::strerror(errno))};
#endif
    }
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;
    ~file_lock() {
#if defined(TUTTI_POSIX)
        if (fd_ >= 0) ::close(fd_);
#endif
    }
};

} // namespace

run_totals read(const std::string& file) { return profile_reader{file}.parse(read_text(file)); }

void add_to(const std::string& file, const run_totals& all) {
    if (file == "-") return write_text(file, to_json(all));
    const file_lock held{file};
    run_totals sum = all;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && std::filesystem::is_regular_file(file, ignored))
        sum.merge(read(file));
    write_text(file, to_json(sum));
}

} // namespace program::profiles
