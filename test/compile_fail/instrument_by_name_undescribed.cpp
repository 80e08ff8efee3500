// expect-error: tutti::runtime::instrument_registry::add<I>(): an I must describe its options; write
#include <tutti/runtime/instrument_registry.hpp>

struct counter {
    void enter_pass_ctx() {}
};
struct count {
    static constexpr std::string_view name = "count", help = "Count";
    int from = 0;
    counter make(const tutti::runtime::instrument_request&) const { return {}; }
};

void add(tutti::runtime::instrument_registry<int>& known) { known.add<count>(); }
