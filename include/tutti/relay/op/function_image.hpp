#pragma once

#include <tutti/base/digest.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

namespace internal {

/// Writes functions as bytes, restores them, and computes their digests: everything in a function, including the order of
/// its tables and unused expressions. Lines of the source are counted from the function's first line, so a function
/// that moves within its file keeps its digest and bytes.
///
/// The bytes are for this machine and version. They name operators, which must be in `standard_ops`.
class function_image {
public:
    /// Returns the line on which the text of a function begins, or 0.
    static TUTTI_INLINE std::uint32_t first_line(const function& f);
    /// Adds a function to a digest, and its references to functions to `globals`. False if it has an operator that is not
    /// in `standard_ops`, or a reference without a name.
    TUTTI_INLINE bool add(digester& all, const function& f, std::vector<std::string_view>& globals);
    /// Appends a function, without the constants that share their elements with constants of `source`.
    TUTTI_INLINE void write(std::string& out, const function& f, const function& source);
    /// Restores a function, and reuses the memory of `to`. False if the bytes are no function; `to` is then unspecified.
    /// The function is well-formed if the bytes are not damaged; otherwise, call `check_well_formed`.
    ///
    /// Requires: `source` has the same digest as the source given to `write`.
    static TUTTI_INLINE bool read(std::string_view bytes, const function& source, function& to);

    /// Loads a function's tables into the processor's cache. For many small functions, waiting for memory would take most
    /// of the time.
    static void prefetch(const function& f) {
        const graph& g = f.graph;
        const auto load = [](const auto&... table) { (load_at(table.data()), ...); };
        load(g.nodes_, g.operands_, g.constants_, g.ops_, g.functions_, g.locations_, g.types_.types_, g.types_.dims_,
             g.types_.members_, g.types_.index_.slots_, g.strings_.characters_, g.strings_.ends_,
             g.strings_.index_.slots_, g.attrs_.values_, g.attrs_.ends_, g.attrs_.index_.slots_);
    }

private:
    static void load_at(const void* memory) {
        __builtin_prefetch(memory);
        // an integer, since the table may be shorter, or null
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(memory) + 64));
    }
    TUTTI_INLINE const digest* name_of(const op_def& op);

    std::unordered_map<const op_def*, digest> names_; // digests of operators' names; {} if they are not in the set
    std::vector<std::uint64_t> words_;
};

} // namespace internal

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/function_image.ipp>
#endif
