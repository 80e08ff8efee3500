#include <tutti/runtime/shared.hpp>

#include "support/catch.hpp"

#include <memory>
#include <thread>
#include <vector>

using tutti::runtime::detail::shared;

TEST_CASE("shared: copies share their content, and the last one destroys it", "[runtime][shared]") {
    auto counted = std::make_shared<int>(4);
    {
        const shared one = shared::make(std::shared_ptr<int>(counted));
        shared two = one;
        shared three = std::move(two);
        two = one;
        CHECK(counted.use_count() == 2);
        CHECK(one.get() == three.get());
        CHECK(**static_cast<std::shared_ptr<int>*>(two.get()) == 4);
    }
    CHECK(counted.use_count() == 1);
    CHECK(shared{}.get() == nullptr);
}

TEST_CASE("shared: a reference keeps nothing", "[runtime][shared]") {
    int n = 3;
    const shared refers = shared::reference(n);
    CHECK(refers.get() == &n);
}

TEST_CASE("shared: threads copy and drop it side by side", "[runtime][shared][threads]") {
    const auto counted = std::make_shared<int>(4);
    {
        const shared all = shared::make(std::shared_ptr<int>(counted));
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([all] {
                for (int i = 0; i < 1000; ++i) shared copy = all;
            });
        for (std::thread& each : threads) each.join();
        CHECK(counted.use_count() == 2);
    }
    CHECK(counted.use_count() == 1);
}
