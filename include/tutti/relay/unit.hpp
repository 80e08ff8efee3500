#pragma once

#include <string>

#include <tutti/instrument/unit_traits.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/text/printer.hpp>

namespace tutti {

/// What instruments may ask of a Relay module.
template <>
struct unit_traits<relay::ir_module> {
    static std::string to_text(const relay::ir_module& m) { return relay::to_text(m); }
};

}  // namespace tutti
