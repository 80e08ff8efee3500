// expect-error: tutti::set_config(key, value): a value must be signed
#include <tutti/pass/config.hpp>

#include <cstddef>

constexpr tutti::config_key<std::int64_t> depth{"depth", 1};
constexpr auto setting = tutti::set_config(depth, std::size_t{2});
