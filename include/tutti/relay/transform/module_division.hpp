#pragma once

#include <tutti/base/digest.hpp>
#include <tutti/base/form.hpp>
#include <tutti/cache/result_cache.hpp>
#include <tutti/pass/change.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/op/function_image.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

/// Divides a module into its functions, so that the results of passes can be cached for each function; see
/// `tutti::cached`.
///
/// The key of a function covers the function, the module's data types, and its references: for a function that declares
/// all its types, these types, and for any other function, the whole function with its own references. Passes over
/// functions read nothing else: only InferType looks at other functions, and only at their types.
///
/// A limit that a pass applies to all functions together, FoldConstant's `max_bytes`, might stop a run over the whole
/// module although it does not stop a run over a part. So each result has the share of the limit that was used when it
/// was computed. If the shares of all results exceed the limit, `is_sound()` is false.
class module_division {
public:
    /// Requires: the module outlives this object.
    TUTTI_INLINE explicit module_division(ir_module& m);

    /// True if the module has all functions that it refers to.
    bool is_whole() const { return is_whole_; }
    std::size_t size() const { return parts_.size(); }
    /// True if a function's result can be cached: all operators in its key are built in.
    bool has_key(std::size_t i) const { return parts_[i].has_key; }
    const digest& key(std::size_t i) const { return parts_[i].key; }
    /// Takes over a cached result, which `finish` restores. False if the bytes are no result.
    TUTTI_INLINE bool offer(std::size_t i, cached_bytes bytes);
    /// Returns a module with these functions, and what their types need: functions without declared types, and functions
    /// that only have the declared types of the original.
    TUTTI_INLINE ir_module rest(std::span<const std::size_t> missing);
    /// Takes over the results of the module that `rest` returned. Returns those to store, if `stored`.
    ///
    /// Throws: `tutti::error` if functions were added or removed.
    TUTTI_INLINE std::vector<fresh_result> take(ir_module& rest, bool stored);
    /// True if a run over the whole module gives these results.
    TUTTI_INLINE bool is_sound() const;
    /// Puts the results into the module. Returns the functions whose results cannot be restored and that stay as they
    /// were. `rest` and `take` can then be called for these.
    TUTTI_INLINE std::vector<std::size_t> finish(change& made);

private:
    struct part {
        digest own{}; // the function alone
        digest key{}; // with its references
        bool has_key = true;
        bool is_declared = false; // all types are declared
        bool is_same = false;     // the result equals the function
        std::uint32_t first_reference = 0, references = 0;
        std::uint64_t batch = 0, share = 0; // the run that computed the result, and its share of the limit
        cached_bytes bytes{};
    };

    const ir_module::definition& at(std::size_t i) const { return module_->begin()[static_cast<std::ptrdiff_t>(i)]; }
    std::span<const std::uint32_t> references(const part& p) const {
        return {references_.data() + p.first_reference, p.references};
    }
    void prefetch(std::size_t i) const {
        if (i + 4 < parts_.size()) __builtin_prefetch(&at(i + 4).function);
        if (i >= parts_.size()) return;
        internal::function_image::prefetch(at(i).function);
        __builtin_prefetch(parts_[i].bytes.bytes.data());
    }
    TUTTI_INLINE bool read_functions();
    TUTTI_INLINE bool note_references(part& p, std::span<const std::string_view> globals);
    TUTTI_INLINE digest own_digest(std::size_t i, const function& f, bool& has_key);
    TUTTI_INLINE void make_keys();
    TUTTI_INLINE void include_undeclared();
    static TUTTI_INLINE function declaration_of(const std::string& name, const function& f);

    ir_module* module_;
    internal::function_image image_;
    std::vector<part> parts_;
    std::vector<std::uint32_t> references_; // all functions' references, without duplicates
    std::vector<std::string> declared_;     // indexed by function: the text of its declared types, once needed
    std::vector<std::size_t> missing_;
    vector<function> computed_;             // the results for `missing_`
    std::vector<std::string_view> globals_; // the references of the function that is being read
    std::uint64_t types_ = 0;               // the hash of the module's data types
    std::uint64_t used_before_ = 0;
    bool is_whole_ = true;
};

} // namespace tutti::relay::inline TUTTI_FORM

namespace tutti {

template <std::same_as<relay::ir_module> Module>
relay::module_division unit_traits<relay::ir_module>::divide(Module& m) {
    return relay::module_division(m);
}

} // namespace tutti

#ifndef TUTTI_COMPILED
#include <tutti/relay/transform/module_division.ipp>
#endif
