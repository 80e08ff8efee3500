// expect-error: tutti::runtime::instrument_registry::add<I>(): an I must make an instrument; write
#include <tutti/runtime/instrument_registry.hpp>

struct count {
    static constexpr std::string_view name = "count", help = "Count";
    int make() const { return 0; }
};

void add(tutti::runtime::instrument_registry<int>& known) { known.add<count>(); }
