// expect-error: a context on an executor must not be as_current, which is for one thread; leave out one of the two
#include <tutti/pass.hpp>
#include <tutti/pass/parallel.hpp>

tutti::inline_executor here;

void run() { tutti::pass_context ctx{tutti::as_current{}, tutti::on(here)}; }
