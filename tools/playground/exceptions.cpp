// The part of the C++ runtime that throws and catches exceptions in WebAssembly. Debian's libc++abi for WASI is built
// without exceptions and lacks it.
//
// Functions and structures follow the Itanium C++ ABI, "Exception Handling"
// (https://itanium-cxx-abi.github.io/cxx-abi/abi-eh.html), and LLVM's exception tables for WebAssembly
// (llvm/lib/CodeGen/WasmEHPrepare.cpp describes the calls that Clang inserts). A module has one thread.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <typeinfo>

namespace __cxxabiv1 {

// The base of libc++abi's type descriptions. Only the place of `can_catch` in the table of virtual functions matters.
class __shim_type_info : public std::type_info {
public:
    ~__shim_type_info() override;
    virtual void noop1() const;
    virtual void noop2() const;
    // True if a handler of this type catches an object of the type `thrown`; then `object` points to the base that the
    // handler expects.
    virtual bool can_catch(const __shim_type_info* thrown, void*& object) const = 0;
};

} // namespace __cxxabiv1

namespace {

using __cxxabiv1::__shim_type_info;

// The header that precedes each exception object. std::rethrow_exception throws a header without an object, so that
// each throw has its own place among the active handlers.
struct alignas(16) exception {
    std::size_t references =
        0; // by std::exception_ptr, headers without an object, and the throw until its last handler
    const std::type_info* type = nullptr;
    void* (*destroy)(void*) = nullptr; // destructors return `this` in WebAssembly
    exception* primary = nullptr;      // the header of the object; null if it follows this header
    exception* outer = nullptr;        // the exception of the surrounding active handler
    int handlers = 0;                  // active handlers; negative while one of them throws it again
    void* caught_as = nullptr;         // the object as the handler expects it

    void* object() { return primary ? primary->object() : this + 1; }
    static exception* of(void* object) { return static_cast<exception*>(object) - 1; }
};

exception* caught = nullptr; // by the innermost active handler
unsigned uncaught = 0;

// The index of C++'s tag in `throw` instructions.
constexpr int cpp_exception = 0;

exception* allocated(std::size_t size) {
    void* const block = std::malloc(sizeof(exception) + size);
    if (!block) std::terminate();
    return new (block) exception;
}
void release(exception* e) {
    if (--e->references > 0) return;
    if (e->primary)
        release(e->primary);
    else if (e->destroy)
        e->destroy(e->object());
    std::free(e);
}
[[noreturn]] void start(exception* e) {
    ++uncaught;
    __builtin_wasm_throw(cpp_exception, e);
}

std::uint32_t uleb(const std::uint8_t*& at) {
    std::uint32_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t byte = *at++;
        value |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
        if (byte < 0x80) return value;
    }
}
std::int32_t sleb(const std::uint8_t*& at) {
    std::uint32_t value = 0;
    unsigned shift = 0;
    for (;;) {
        const std::uint8_t byte = *at++;
        value |= static_cast<std::uint32_t>(byte & 0x7F) << shift;
        shift += 7;
        if (byte >= 0x80) continue;
        if ((byte & 0x40) != 0 && shift < 32) value |= ~std::uint32_t{0} << shift;
        return static_cast<std::int32_t>(value);
    }
}

} // namespace

extern "C" {

// Shared with the code that Clang generates for landing pads.
struct {
    std::uintptr_t pad;          // index of the landing pad in its function
    const std::uint8_t* table;   // the function's exception table
    std::uintptr_t selector = 0; // result: the type's index, or 0 for a cleanup
} __wasm_lpad_context;

void* __cxa_allocate_exception(std::size_t size) noexcept { return allocated(size)->object(); }
void __cxa_free_exception(void* object) noexcept { std::free(exception::of(object)); }

// Declared by <exception>.
__cxxabiv1::__cxa_exception* __cxxabiv1::__cxa_init_primary_exception(void* object, std::type_info* type,
                                                                      void* (*destroy)(void*)) noexcept {
    exception* const e = exception::of(object);
    e->type = type;
    e->destroy = destroy;
    return reinterpret_cast<__cxa_exception*>(e);
}
[[noreturn]] void __cxa_throw(void* object, std::type_info* type, void* (*destroy)(void*)) {
    __cxxabiv1::__cxa_init_primary_exception(object, type, destroy);
    exception* const e = exception::of(object);
    e->references = 1;
    start(e);
}

void* __cxa_begin_catch(void* thrown) noexcept {
    auto* const e = static_cast<exception*>(thrown);
    e->handlers = (e->handlers < 0 ? -e->handlers : e->handlers) + 1;
    if (caught != e) {
        e->outer = caught;
        caught = e;
    }
    --uncaught;
    return e->caught_as;
}
void __cxa_end_catch() {
    exception* const e = caught;
    if (e->handlers < 0) { // it was thrown again, so another handler releases it
        if (++e->handlers == 0) caught = e->outer;
    } else if (--e->handlers == 0) {
        caught = e->outer;
        release(e);
    }
}
void* __cxa_get_exception_ptr(void* thrown) noexcept { return static_cast<exception*>(thrown)->caught_as; }

[[noreturn]] void __cxa_rethrow() {
    exception* const e = caught;
    if (!e) std::terminate();
    e->handlers = -e->handlers;
    start(e);
}

// For std::exception_ptr.
void __cxa_increment_exception_refcount(void* object) noexcept {
    if (object) ++exception::of(object)->references;
}
void __cxa_decrement_exception_refcount(void* object) noexcept {
    if (object) release(exception::of(object));
}
void* __cxa_current_primary_exception() noexcept {
    if (!caught) return nullptr;
    void* const object = caught->object();
    ++exception::of(object)->references;
    return object;
}
void __cxa_rethrow_primary_exception(void* object) {
    if (!object) return;
    exception* const e = allocated(0);
    e->references = 1;
    e->primary = exception::of(object);
    ++e->primary->references;
    e->type = e->primary->type;
    start(e);
}
std::type_info* __cxa_current_exception_type() { return caught ? const_cast<std::type_info*>(caught->type) : nullptr; }
unsigned __cxa_uncaught_exceptions() noexcept { return uncaught; }
bool __cxa_uncaught_exception() noexcept { return uncaught != 0; }

// Landing pads call this. Finds the handler of the exception in the table of the function: the first whose type catches
// it, in the order of the handlers, from the inner to the outer ones.
int _Unwind_CallPersonality(void* thrown) {
    auto* const e = static_cast<exception*>(thrown);
    __wasm_lpad_context.selector = 0;
    const std::uint8_t* at = __wasm_lpad_context.table;
    if (!at) return 0;
    constexpr std::uint8_t omitted = 0xFF;
    if (*at++ != omitted) uleb(at); // the start of the landing pads, unused
    const std::uint8_t* types = nullptr;
    if (*at++ != omitted) {
        const std::uint32_t offset = uleb(at);
        types = at + offset;
    }
    ++at; // the encoding of the call sites, unused
    const std::uint32_t length = uleb(at);
    const std::uint8_t* const actions = at + length;
    for (std::uintptr_t i = 0; i < __wasm_lpad_context.pad; ++i) {
        uleb(at);
        uleb(at);
    }
    uleb(at); // the landing pad
    const std::uint32_t first = uleb(at);
    if (first == 0) return 0; // only a cleanup
    for (const std::uint8_t* action = actions + first - 1;;) {
        const std::int32_t type = sleb(action);
        const std::uint8_t* const next = action;
        const std::int32_t step = sleb(action);
        if (type > 0) {
            const auto* const handler =
                reinterpret_cast<const __shim_type_info* const*>(types)[-static_cast<std::ptrdiff_t>(type)];
            void* object = e->object();
            if (!handler || handler->can_catch(static_cast<const __shim_type_info*>(e->type), object)) {
                e->caught_as = object;
                __wasm_lpad_context.selector = static_cast<std::uintptr_t>(type);
                return 0;
            }
        } else if (type < 0) { // `noexcept` is compiled otherwise, and C++20 has no other exception specifications
            std::terminate();
        }
        if (step == 0) return 0;
        action = next + step;
    }
}

} // extern "C"
