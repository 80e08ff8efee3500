#pragma once

#include <tutti/error.hpp>
#include <tutti/limit.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace tutti::kernel {

/// What is thrown where an allowance is used up.
class beyond_allowance : public error {
public:
    explicit beyond_allowance(const limit& l) : error(l.complaint()) {}
};

namespace detail {

/// What is left of an allowance. It lives as long as the allowance, or any memory that was taken from it.
struct account {
    limit bytes;
    limit work;
    std::uint64_t bytes_left;
    std::uint64_t work_left;
    std::uint32_t owners;

    void own() { __atomic_add_fetch(&owners, 1U, __ATOMIC_RELAXED); }
    void leave() {
        if (__atomic_sub_fetch(&owners, 1U, __ATOMIC_ACQ_REL) == 0) delete this;
    }
};

/// The account that this thread takes from, if there is one.
inline constinit thread_local account* current_account = nullptr;

/// Takes bytes from the current account, which it returns. Throws: beyond_allowance if it has less.
inline account* take_bytes(std::size_t bytes) {
    account* a = current_account;
    if (a == nullptr) return nullptr;
    std::uint64_t left = __atomic_load_n(&a->bytes_left, __ATOMIC_RELAXED);
    do {
        if (left < bytes) throw beyond_allowance(a->bytes);
    } while (
        !__atomic_compare_exchange_n(&a->bytes_left, &left, left - bytes, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    a->own();
    return a;
}

/// Gives back what was taken from an account, if it was from one.
inline void give_bytes(account* a, std::size_t bytes) {
    if (a == nullptr) return;
    __atomic_add_fetch(&a->bytes_left, bytes, __ATOMIC_RELAXED);
    a->leave();
}

} // namespace detail

/// Notes that something is about to be computed that takes that many steps: elements read, multiplied or written.
///
/// Throws: beyond_allowance if this thread has an allowance, and that is more than is left of it.
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

/// The product of sizes, none of which is negative; if it is too large for a number, the greatest one.
template <class... N>
constexpr std::uint64_t steps(N... sizes) {
    std::uint64_t product = 1;
    for (const auto size : {static_cast<std::uint64_t>(sizes)...})
        product = size != 0 && product > ~std::uint64_t{0} / size ? ~std::uint64_t{0} : product * size;
    return product;
}

/// How many bytes the tensors may take that a thread makes while it takes from this, and how much its kernels may compute then.
///
/// A tensor gives its bytes back when nobody shares its elements any more, wherever that is.
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
    allowance(allowance&& other) noexcept : account_(std::exchange(other.account_, nullptr)) {}
    allowance& operator=(allowance&& other) noexcept {
        std::swap(account_, other.account_);
        return *this;
    }
    ~allowance() {
        if (account_ != nullptr) account_->leave();
    }

    std::uint64_t bytes_left() const { return __atomic_load_n(&account_->bytes_left, __ATOMIC_RELAXED); }
    /// What may be computed from now on is as much as at the beginning.
    void renew_work() { account_->work_left = account_->work.most; }

    /// What this thread takes from, for others that compute for it; null if it takes from none.
    static detail::account* taken_here() { return detail::current_account; }

    /// As long as it lives, this thread takes from an allowance, and from no other.
    class use {
    public:
        explicit use(allowance& a) : use(a.account_) {}
        /// The same for one that another thread takes from, which `taken_here` gave there.
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
