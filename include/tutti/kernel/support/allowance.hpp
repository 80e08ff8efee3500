#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/limit.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace tutti::kernel {

/// Thrown when an allowance is used up.
class [[gnu::visibility("default")]] beyond_allowance : public error {
public:
    explicit beyond_allowance(const limit& l) : error(l.complaint()) {}
};

namespace detail {

/// The remainder of an allowance. An account lives until the allowance and all memory taken from it are released.
struct account {
    limit bytes;
    limit work;
    std::uint64_t bytes_left;
    std::uint64_t work_left;
    std::uint32_t owners;
    std::uint64_t least_bytes_left = bytes_left; // the smallest number so far, 0 after a refusal

    void note_left(std::uint64_t left) {
        std::uint64_t least = __atomic_load_n(&least_bytes_left, __ATOMIC_RELAXED);
        while (left < least && !__atomic_compare_exchange_n(&least_bytes_left, &least, left, true, __ATOMIC_RELAXED,
                                                            __ATOMIC_RELAXED)) {}
    }

    void own() { __atomic_add_fetch(&owners, 1U, __ATOMIC_RELAXED); }
    void leave() {
        if (__atomic_sub_fetch(&owners, 1U, __ATOMIC_ACQ_REL) == 0) delete this;
    }
};

/// The account that this thread takes from, or null.
inline constinit thread_local account* current_account = nullptr;

/// Takes bytes from the current account and returns the account, or null if there is none.
///
/// Throws: beyond_allowance if the account has too few bytes left.
inline account* take_bytes(std::size_t bytes) {
    account* a = current_account;
    if (a == nullptr) return nullptr;
    std::uint64_t left = __atomic_load_n(&a->bytes_left, __ATOMIC_RELAXED);
    do {
        if (left < bytes) {
            a->note_left(0);
            throw beyond_allowance(a->bytes);
        }
    } while (
        !__atomic_compare_exchange_n(&a->bytes_left, &left, left - bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    a->note_left(left - bytes);
    a->own();
    return a;
}

/// Gives bytes back to an account; does nothing if the account is null.
inline void give_bytes(account* a, std::size_t bytes) {
    if (a == nullptr) return;
    __atomic_add_fetch(&a->bytes_left, bytes, __ATOMIC_RELAXED);
    a->leave();
}

} // namespace detail

/// Charges the steps that a kernel is about to take. A step reads, multiplies or writes an element.
///
/// Throws: beyond_allowance if this thread has an allowance with fewer steps left.
constexpr void spend(std::uint64_t steps) {
    if (__builtin_is_constant_evaluated()) return;
    detail::account* a = detail::current_account;
    if (a == nullptr) return;
    std::uint64_t left = __atomic_load_n(&a->work_left, __ATOMIC_RELAXED);
    do {
        if (left < steps) throw beyond_allowance(a->work);
    } while (
        !__atomic_compare_exchange_n(&a->work_left, &left, left - steps, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/// Returns the product of non-negative sizes, saturated at the largest `std::uint64_t`.
template <class... N>
constexpr std::uint64_t steps(N... sizes) {
    std::uint64_t product = 1;
    for (const auto size : {static_cast<std::uint64_t>(sizes)...})
        product = size != 0 && product > ~std::uint64_t{0} / size ? ~std::uint64_t{0} : product * size;
    return product;
}

/// Limits the memory of the tensors that a thread creates and the work of the kernels that it runs.
///
/// The limits apply to a thread while it has a `use` of the allowance. The bytes of a tensor are given back when the
/// last owner of its elements releases them, in any thread. Copies of an allowance share its remainder.
///
/// Example:
/// ```
/// allowance most({"the input", "bytes", "max_bytes", 1 << 20}, {"the input", "steps", "max_work", 1 << 30});
/// const allowance::use here(most);
/// const tensor t(dtype::float32, {1024, 1024}); // throws beyond_allowance
/// ```
class allowance {
public:
    allowance(const limit& bytes, const limit& work)
        : account_(new detail::account{bytes, work, bytes.most, work.most, 1}) {}
    allowance(const allowance& other) : account_(other.account_) { account_->own(); }
    allowance(allowance&& other) noexcept : account_(std::exchange(other.account_, nullptr)) {}
    allowance& operator=(allowance&& other) noexcept {
        std::swap(account_, other.account_);
        return *this;
    }
    ~allowance() {
        if (account_ != nullptr) account_->leave();
    }

    std::uint64_t bytes_left() const { return __atomic_load_n(&account_->bytes_left, __ATOMIC_RELAXED); }
    /// Returns the smallest number of bytes that were left at any time; 0 if any were refused.
    std::uint64_t least_bytes_left() const { return __atomic_load_n(&account_->least_bytes_left, __ATOMIC_RELAXED); }
    /// Resets the remaining work to the full allowance.
    void renew_work() { account_->work_left = account_->work.most; }

    /// Returns the account that this thread takes from, to pass to worker threads; null if there is none.
    static detail::account* taken_here() { return detail::current_account; }

    /// Charges this thread's memory and work to the given allowance only, for the lifetime of the object.
    class use {
    public:
        explicit use(allowance& a) : use(a.account_) {}
        /// Takes from the account that `taken_here` returned in another thread.
        explicit use(detail::account* a) : before_(std::exchange(detail::current_account, a)) {}
        use(const use&) = delete;
        ~use() { detail::current_account = before_; }

    private:
        detail::account* before_;
    };

private:
    detail::account* account_;
};

} // namespace tutti::kernel
