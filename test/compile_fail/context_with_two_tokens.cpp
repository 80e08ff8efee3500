// expect-error: a stoppable must be given at most once; leave out all but one
#include <tutti/pass.hpp>
#include <tutti/pass/stop.hpp>

int main() {
    tutti::stop_token a, b;
    tutti::pass_context ctx{tutti::stoppable{a}, tutti::stoppable{b}};
}
