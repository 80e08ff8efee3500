// Documentation of passes and operators, extracted from the headers by about.py at build time.

#include "about.hpp"

#include <algorithm>
#include <iterator>
#include <span>

namespace program {

namespace {

struct documented {
    std::string_view name, text;
};

#include "about.inc" // defines documented_passes and documented_ops, sorted by name

std::string find(std::span<const documented> all, std::string_view name) {
    const auto found = std::ranges::lower_bound(all, name, {}, &documented::name);
    return found != all.end() && found->name == name ? std::string{found->text} : std::string{};
}

} // namespace

std::string about_pass(std::string_view name) { return find(documented_passes, name); }
std::string about_op(std::string_view name) { return find(documented_ops, name); }

} // namespace program
