#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/output_file.hpp>
#include <tutti/cache/result_cache.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tutti {

namespace detail {

// A pack is a file with the results of one run: a header, an index, and the results. It is written once and never
// changed, so processes need no locks. Numbers have the byte order of the machine; `order` shows it.
struct pack_header {
    char magic[8];
    std::uint32_t format;
    std::uint32_t order;
    digest run;
    std::uint64_t count;
    std::uint64_t size; // the size of the whole file
    digest check;       // the digest of the members above and of the index
};
struct pack_entry {
    digest unit;
    std::uint64_t offset; // from the beginning of the file
    std::uint64_t size;
    std::uint64_t check;
};

inline constexpr char pack_magic[8] = {'t', 'u', 't', 't', 'i', 'r', 'e', 's'};
inline constexpr std::uint32_t pack_format = 1, pack_order = 0x01020304;

inline std::uint64_t check_of(std::string_view bytes) { return digest_of(bytes).low; }

inline digest check_of_index(const pack_header& header, std::span<const pack_entry> index) {
    digester all;
    all.add(&header, offsetof(pack_header, check));
    all.add(index.data(), index.size_bytes());
    return all.value();
}

inline std::string pack_name(const digest& run, const digest& content) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string name;
    const auto add = [&](std::uint64_t part) {
        for (int shift = 60; shift >= 0; shift -= 4) name += digits[part >> shift & 15];
    };
    add(run.high), add(run.low);
    name += '-';
    add(content.low);
    return name += ".results";
}
inline bool is_pack_name(std::string_view name) {
    return name.size() == 57 && name.ends_with(".results") && name[32] == '-' &&
           name.find_first_not_of("0123456789abcdef-") == name.size() - 8;
}

// A pack in the folder. `bytes` is null until a result is needed.
struct pack {
    std::string name;
    std::uint64_t size = 0;
    std::vector<pack_entry> index{};
    std::shared_ptr<const std::string> bytes{};
    bool is_read = false, is_used = false, is_damaged = false;
};

struct pack_place {
    pack* in;
    std::size_t at; // in the index
};

struct hash_of_digest {
    std::size_t operator()(const digest& d) const { return static_cast<std::size_t>(d.low); }
};

// The known results of one run.
struct pack_group {
    std::vector<std::unique_ptr<pack>> packs{};
    std::unordered_map<digest, pack_place, hash_of_digest> places{};
    std::unordered_map<digest, std::shared_ptr<const std::string>, hash_of_digest> waiting{}; // not yet written
    std::uint64_t waiting_bytes = 0;
};

} // namespace detail

/// Keeps results in the files of a folder, at most `most_bytes` of them. Several processes may use the folder at once.
///
/// Results are written by `flush`, by the destructor, and when they are many. The results written at once are one file, written whole or not at all, with checksums. Damaged, truncated and
/// foreign files and results count as missing. When there are too many files of a run, small ones are merged; when the
/// folder is too large, the least recently used files are removed. If a file cannot be written, the cache stores nothing,
/// and `problem` returns the reason.
///
/// Throws:  `tutti::error` if the folder neither exists nor can be created.
/// Example: `tutti::folder_cache kept{"build/cache"}; … tutti::cached(kept, pipeline)`
class folder_cache final : public result_cache {
    using group = detail::pack_group;
    using pack = detail::pack;
    using header = detail::pack_header;
    using index_entry = detail::pack_entry;
    using packs = std::vector<std::unique_ptr<pack>>;
    using results = std::vector<std::pair<digest, std::shared_ptr<const std::string>>>;

    static constexpr std::size_t most_packs = 16; // per run
    static constexpr std::uint64_t most_waiting = 16 << 20;

    std::string path_of(std::string_view name) const { return folder_ + '/' + std::string(name); }

    // Calls `f(name, size)` for each pack in the folder.
    template <class F>
    void each_file(const F& f) const {
        std::error_code failed;
        for (std::filesystem::directory_iterator each(folder_, failed), end; !failed && each != end;
             each.increment(failed)) {
            std::error_code gone;
            const std::string name = each->path().filename().string();
            if (!detail::is_pack_name(name) || !each->is_regular_file(gone)) continue;
            const auto size = each->file_size(gone);
            if (!gone) f(name, static_cast<std::uint64_t>(size));
        }
    }
    void remove(const std::string& name) const {
        std::error_code failed;
        std::filesystem::remove(path_of(name), failed);
    }

    // Reads the index of a pack. False if the file is damaged or foreign.
    bool read_index(pack& p, const digest& run, bool& is_foreign) const {
        std::FILE* const file = std::fopen(path_of(p.name).c_str(), "rb");
        if (file == nullptr) return is_foreign = true, false; // another process has just removed it
        header h{};
        bool good = std::fread(&h, sizeof h, 1, file) == 1;
        is_foreign = good && std::memcmp(h.magic, detail::pack_magic, sizeof h.magic) == 0 &&
                     (h.format != detail::pack_format || h.order != detail::pack_order);
        good = good && std::memcmp(h.magic, detail::pack_magic, sizeof h.magic) == 0 && !is_foreign && h.run == run &&
               h.size == p.size && h.count <= p.size / sizeof(index_entry);
        if (good) {
            p.index.resize(static_cast<std::size_t>(h.count));
            good = std::fread(p.index.data(), sizeof(index_entry), p.index.size(), file) == p.index.size() &&
                   detail::check_of_index(h, p.index) == h.check;
        }
        std::fclose(file);
        for (const index_entry& e : p.index) good = good && e.offset <= p.size && e.size <= p.size - e.offset;
        return good;
    }
    // Reads a pack's results when the first is needed, and marks the file as used.
    void read(pack& p) {
        if (std::exchange(p.is_read, true)) return;
        auto bytes = std::make_shared<const std::string>(read_file(path_of(p.name)));
        if (bytes->size() == p.size) p.bytes = std::move(bytes);
        touch(p);
    }
    void touch(pack& p) const {
        if (std::exchange(p.is_used, true)) return;
        std::error_code failed;
        std::filesystem::last_write_time(path_of(p.name), std::filesystem::file_time_type::clock::now(), failed);
    }
    // Returns a result, or an empty view if it is damaged.
    std::string_view look(const detail::pack_place& place) {
        pack& p = *place.in;
        read(p);
        if (p.bytes == nullptr) return {};
        const index_entry& e = p.index[place.at];
        const std::string_view bytes =
            std::string_view(*p.bytes).substr(static_cast<std::size_t>(e.offset), static_cast<std::size_t>(e.size));
        return detail::check_of(bytes) == e.check ? bytes : std::string_view();
    }

    // Adds the packs that other processes have written since the last call.
    group& refresh(const digest& run) {
        group& g = groups_[run];
        const std::string prefix = detail::pack_name(run, {}).substr(0, 33);
        each_file([&](const std::string& name, std::uint64_t size) {
            if (!name.starts_with(prefix)) return;
            for (const auto& known : g.packs)
                if (known->name == name) return;
            auto p = std::make_unique<pack>();
            p->name = name;
            p->size = size;
            bool is_foreign = false;
            if (!read_index(*p, run, is_foreign)) {
                ++counts_.damaged;
                if (!is_foreign) remove(name);
                return;
            }
            add(g, std::move(p));
        });
        for (const auto& each : g.packs) each->is_used = false;
        return g;
    }
    static void add(group& g, std::unique_ptr<pack> p) {
        for (std::size_t i = 0; i < p->index.size(); ++i)
            g.places.insert_or_assign(p->index[i].unit, detail::pack_place{p.get(), i});
        g.packs.push_back(std::move(p));
    }

    // Writes a pack and returns it. Throws if that fails.
    std::unique_ptr<pack> write(const digest& run, const results& all) const {
        auto p = std::make_unique<pack>();
        header h{};
        h.format = detail::pack_format;
        h.order = detail::pack_order;
        h.run = run;
        h.count = all.size();
        std::memcpy(h.magic, detail::pack_magic, sizeof h.magic);
        std::uint64_t at = sizeof h + all.size() * sizeof(index_entry);
        for (const auto& [unit, bytes] : all) {
            p->index.push_back({unit, at, bytes->size(), detail::check_of(*bytes)});
            at += bytes->size();
        }
        h.size = at;
        h.check = detail::check_of_index(h, p->index);
        std::string bytes;
        bytes.reserve(static_cast<std::size_t>(at));
        bytes.append(reinterpret_cast<const char*>(&h), sizeof h);
        bytes.append(reinterpret_cast<const char*>(p->index.data()), p->index.size() * sizeof(index_entry));
        for (const auto& [unit, each] : all) bytes += *each;
        p->name = detail::pack_name(run, h.check);
        p->size = at;
        write_file(path_of(p->name), bytes);
        p->bytes = std::make_shared<const std::string>(std::move(bytes));
        p->is_read = p->is_used = true;
        return p;
    }

    // Writes the waiting results of a run, and the results of the packs that are merged.
    void write_waiting(const digest& run, group& g) {
        if (g.waiting.empty()) return;
        const packs merged = take_to_merge(g);
        results all = undamaged(g, merged);
        std::uint64_t size = 0;
        for (const auto& [unit, bytes] : all) size += bytes->size();
        const std::size_t old = all.size();
        for (auto& [unit, bytes] : g.waiting) {
            size += bytes->size() + sizeof(index_entry);
            if (size <= most_) all.emplace_back(unit, std::move(bytes));
        }
        g.waiting.clear();
        g.waiting_bytes = 0;
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::string written;
        if (!all.empty()) {
            const auto failed = internal::caught([&] {
                auto made = write(run, all);
                written = made->name;
                std::erase_if(g.packs, [&](const auto& each) { return each->name == written; });
                add(g, std::move(made));
            });
            internal::with_what(failed, [&](const char* what) { problem_ = what; });
            if (failed) return;
            counts_.stored += all.size() - old;
        }
        for (const auto& p : merged)
            if (p->name != written) remove(p->name);
        evict(written);
    }

    // Returns the results of packs that left a group, without those that are damaged or that another pack has.
    results undamaged(group& g, const packs& some) {
        results kept;
        for (const auto& p : some)
            for (std::size_t i = 0; i < p->index.size(); ++i) {
                const auto place = g.places.find(p->index[i].unit);
                if (place == g.places.end() || place->second.in != p.get() || place->second.at != i) continue;
                const std::string_view bytes = look(place->second);
                if (bytes.data() != nullptr)
                    kept.emplace_back(p->index[i].unit, std::make_shared<const std::string>(bytes));
                g.places.erase(place);
            }
        return kept;
    }
    // Takes the packs to merge out of a group: damaged ones, and if there are too many, all but the largest.
    static packs take_to_merge(group& g) {
        const pack* largest = nullptr;
        for (const auto& p : g.packs)
            if (largest == nullptr || p->size > largest->size) largest = p.get();
        const bool too_many = g.packs.size() >= most_packs;
        packs taken, kept;
        for (auto& p : g.packs)
            (p->is_damaged || (too_many && p.get() != largest) ? taken : kept).push_back(std::move(p));
        g.packs = std::move(kept);
        return taken;
    }

    // Removes the least recently used packs until the folder is small enough, and temporary files of dead processes.
    void evict(const std::string& except) {
        struct file {
            std::string name;
            std::uint64_t size;
            std::filesystem::file_time_type used;
        };
        std::vector<file> files;
        std::uint64_t all = 0;
        each_file([&](const std::string& name, std::uint64_t size) {
            std::error_code gone;
            const auto used = std::filesystem::last_write_time(path_of(name), gone);
            all += size;
            if (name != except) files.push_back({name, size, used});
        });
        std::sort(files.begin(), files.end(), [](const file& a, const file& b) { return a.used < b.used; });
        for (std::size_t i = 0; i < files.size() && all > most_; ++i) {
            remove(files[i].name);
            all -= files[i].size;
            ++counts_.evicted;
        }
    }
    void remove_unfinished() const {
        const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
        std::error_code failed;
        for (std::filesystem::directory_iterator each(folder_, failed), end; !failed && each != end;
             each.increment(failed)) {
            std::error_code gone;
            const std::string name = each->path().filename().string();
            if (name.size() > 57 && detail::is_pack_name(std::string_view(name).substr(0, 57)) &&
                name.ends_with(".part") && each->last_write_time(gone) < old && !gone)
                remove(name);
        }
    }

    mutable std::mutex mutex_;
    std::string folder_;
    std::uint64_t most_;
    std::unordered_map<digest, group, detail::hash_of_digest> groups_;
    std::string problem_;
    cache_counts counts_;

public:
    explicit folder_cache(std::string folder, std::uint64_t most_bytes = std::uint64_t{1} << 30)
        : folder_(std::move(folder)), most_(most_bytes) {
        std::error_code failed;
        std::filesystem::create_directories(folder_, failed);
        if (!std::filesystem::is_directory(folder_, failed))
            raise(error{folder_, "is not a folder and cannot be created" + (failed ? ": " + failed.message() : ""),
                        "a folder for cached results"});
        remove_unfinished();
    }
    folder_cache(const folder_cache&) = delete;
    folder_cache& operator=(const folder_cache&) = delete;
    ~folder_cache() override {
        internal::completes([&] { folder_cache::flush(); });
    }

    void begin(const digest& run) override {
        const std::scoped_lock held(mutex_);
        refresh(run);
    }
    cached_bytes find(const result_key& key) override {
        const std::scoped_lock held(mutex_);
        auto known = groups_.find(key.run);
        group& g = known != groups_.end() ? known->second : refresh(key.run);
        if (const auto waits = g.waiting.find(key.unit); waits != g.waiting.end()) {
            ++counts_.found;
            return {waits->second, *waits->second};
        }
        const auto place = g.places.find(key.unit);
        if (place == g.places.end()) {
            ++counts_.missing;
            return {};
        }
        pack& p = *place->second.in;
        const std::string_view bytes = look(place->second);
        if (bytes.data() == nullptr) {
            ++counts_.missing;
            if (file_exists(path_of(p.name))) { // otherwise another process has merged or evicted it
                ++counts_.damaged;
                p.is_damaged = true;
            }
            g.places.erase(place);
            return {};
        }
        ++counts_.found;
        return {p.bytes, bytes};
    }
    void store(const digest& run, std::span<fresh_result> fresh) override {
        const std::scoped_lock held(mutex_);
        group& g = groups_[run];
        for (fresh_result& each : fresh) {
            g.waiting_bytes += each.bytes.size();
            g.waiting.insert_or_assign(each.unit, std::make_shared<const std::string>(std::move(each.bytes)));
            if (g.waiting_bytes > most_waiting) write_waiting(run, g);
        }
    }
    void flush() override {
        const std::scoped_lock held(mutex_);
        for (auto& [run, g] : groups_) write_waiting(run, g);
    }
    void note_damaged(const result_key& key) override {
        const std::scoped_lock held(mutex_);
        ++counts_.damaged;
        group& g = groups_[key.run];
        if (const auto bad = g.places.find(key.unit); bad != g.places.end()) {
            bad->second.in->is_damaged = true;
            g.places.erase(bad);
        }
    }
    cache_counts counts() const override {
        const std::scoped_lock held(mutex_);
        return counts_;
    }
    std::string problem() const override {
        const std::scoped_lock held(mutex_);
        return problem_;
    }
};

} // namespace tutti
