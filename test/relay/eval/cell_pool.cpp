#include <tutti/relay/eval/cell_pool.hpp>

#include "support/catch.hpp"

#include <vector>

namespace eval = tutti::relay::detail;
using eval::cell;

namespace {

cell* tensor_of(eval::cell_pool& pool, std::int64_t size) {
    cell* c = pool.take(static_cast<std::size_t>(size));
    c->value.reset(tutti::kernel::dtype::uint8, std::vector{size});
    c->capacity = std::max(c->capacity, static_cast<std::size_t>(size));
    return c;
}

} // namespace

TEST_CASE("cell_pool: gives the free memory that fits best", "[relay][eval]") {
    eval::cell_pool pool;
    std::vector<cell*> made;
    for (const std::int64_t size : {1000, 4000, 2000}) made.push_back(tensor_of(pool, size));
    for (cell* c : made) pool.release(c);
    CHECK(tensor_of(pool, 1900) == made[2]);
    CHECK(tensor_of(pool, 3000) == made[1]);
    CHECK(tensor_of(pool, 900) == made[0]);
    CHECK(pool.size() == 3);
    tensor_of(pool, 10);
    CHECK(pool.size() == 4);
}

TEST_CASE("cell_pool: does not use much larger memory, and grows what is too small", "[relay][eval]") {
    eval::cell_pool pool;
    cell* large = tensor_of(pool, 1'000'000);
    pool.release(large);
    cell* small = tensor_of(pool, 10);
    CHECK(small != large);
    pool.release(small);
    CHECK(tensor_of(pool, 2'000'000) == large);
    CHECK(large->capacity == 2'000'000);
}

TEST_CASE("cell_pool: a value of a size that is not known gets the most that is free", "[relay][eval]") {
    eval::cell_pool pool;
    cell* small = tensor_of(pool, 10);
    cell* large = tensor_of(pool, 4000);
    pool.release(large);
    pool.release(small);
    CHECK(pool.take(0) == large);
    CHECK(pool.take(0) == small);
    CHECK(pool.take(0)->capacity == 0);
}

TEST_CASE("cell_pool: counts live bytes, not reserved ones", "[relay][eval]") {
    eval::cell_pool pool;
    cell* first = tensor_of(pool, 1000);
    cell* second = tensor_of(pool, 500);
    pool.note_alive(*first, 900);
    pool.note_alive(*second, 500);
    CHECK(pool.most_alive() == 1400);
    pool.release(first);
    pool.note_alive(*tensor_of(pool, 1000), 800);
    CHECK(pool.most_alive() == 1400);
    pool.note_alive(*tensor_of(pool, 200), 200);
    CHECK(pool.most_alive() == 1500);
}

TEST_CASE("cell_pool: the same takes and releases get the same cells", "[relay][eval]") {
    eval::cell_pool pool;
    const auto run = [&] {
        pool.rewind();
        std::vector<cell*> got;
        // `five` gets the memory of `ten`. The memory of `six` would be a better fit, but is allocated later.
        cell* ten = tensor_of(pool, 600);
        pool.release(ten);
        cell* five = tensor_of(pool, 500);
        cell* six = tensor_of(pool, 510);
        got = {ten, five, six};
        pool.release(five);
        cell* again = tensor_of(pool, 600);
        got.push_back(again);
        pool.release(six);
        pool.release(again);
        return got;
    };
    const auto first = run();
    const std::size_t cells = pool.size();
    CHECK(run() == first);
    CHECK(run() == first);
    CHECK(pool.size() == cells);
}

TEST_CASE("cell_pool: memory that is shared is not free, and does not move", "[relay][eval]") {
    eval::cell_pool pool;
    cell* owner = tensor_of(pool, 1000);
    cell* other = tensor_of(pool, 1000);
    pool.release(other);
    cell* made = tensor_of(pool, 1000);
    CHECK(made == other);
    made->value.share(owner->value, owner->value.shape());
    cell* alias = pool.shared(made, owner, 1);
    CHECK(alias != made); // `made` reuses the memory, which is free
    CHECK(made->users == 0);
    CHECK(alias->value.same_elements(owner->value));
    pool.release(owner);
    CHECK(owner->users == 1);
    CHECK(tensor_of(pool, 1000) == made);
    CHECK(pool.take(0) != alias);
    pool.release(alias);
    CHECK(pool.take_borrowing() == alias);
    CHECK(owner->users == 0);
    CHECK_FALSE(owner->value.is_shared());
    CHECK(tensor_of(pool, 1000) == owner);
}

TEST_CASE("cell_pool: a function keeps its captures alive, at any depth", "[relay][eval]") {
    eval::cell_pool pool;
    cell* first = tensor_of(pool, 10);
    cell* f = first;
    for (std::uint32_t i = 0; i < 200'000; ++i) {
        cell* next = pool.take_closure(i % 3, std::vector{f});
        pool.release(f);
        f = next;
    }
    CHECK(first->users == 1);
    const std::size_t cells = pool.size();
    pool.release(f);
    CHECK(first->users == 0);
    pool.take_closure(1, {});
    CHECK(pool.size() == cells);
}

TEST_CASE("cell_pool: drops turns of values placed elsewhere, and their unused memory", "[relay][eval]") {
    eval::cell_pool pool;
    const auto turn = [&](std::uint32_t result, std::size_t bytes) {
        cell* c = pool.take(bytes, result);
        c->value.reset(tutti::kernel::dtype::uint8, std::vector{static_cast<std::int64_t>(bytes)});
        c->capacity = c->value.capacity();
        return c;
    };
    const auto both = [&] {
        cell* one = turn(1, 1000);
        pool.release(one);
        cell* two = turn(2, 500); // takes the cell of `one`
        cell* three = turn(3, 3000);
        CHECK(one == two);
        for (cell* c : {two, three}) pool.release(c);
    };
    both();
    pool.rewind();
    both();
    CHECK(pool.bytes() == 4000);
    pool.keep_turns([](std::uint32_t result) { return result == 2 ? std::uint64_t{500} : eval::cell_pool::elsewhere; });
    CHECK(pool.bytes() == 500);
    pool.rewind();
    cell* two = turn(2, 500);
    CHECK(two->capacity == 500);
    CHECK(pool.bytes() == 500);
    pool.release(two);
}
