#include <tutti/base/diagnostic.hpp>
#include <tutti/base/error.hpp>
#include <tutti/instrument/cycles.hpp>
#include <tutti/instrument/progress.hpp>
#include <tutti/instrument/totals.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/remark.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/writing.hpp>
#include <tutti/relay/ir/result_names.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/sequential.hpp>

#include "kernels.hpp"
#include "plugins.hpp"
#include "profile_file.hpp"
#include "program.hpp"
#include "type_blame.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace program {

namespace {

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

// Records the first pass that failed.
struct first_failure {
    std::string name;

    void pass_failed(const relay::ir_module*, const tutti::pass_info& info, const std::exception_ptr&) {
        if (name.empty()) name = info.name;
    }
};

// Shows the running pass on the progress line.
void show(const tutti::instrument::progress_step& at) {
    if (!at.pass.empty()) doing("pass " + to_text(at), at.done, at.total);
}

// Collects notes that are printed even though no option requests them. Omits duplicates.
struct unasked {
    int opt_level;
    std::vector<std::string> said{};

    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        if (why == tutti::skip_reason::opt_level)
            add(std::string{info.name} + " was skipped: its level " + std::to_string(info.opt_level) +
                " is above --opt-level=" + std::to_string(opt_level));
    }
    void add(std::string what) {
        if (std::ranges::find(said, what) == said.end()) said.push_back(std::move(what));
    }
};

// Adds a note for each operator that a ConvertLayout option names but that does not exist. The instrument is added only
// if the pipeline contains ConvertLayout, since passes emit remarks only if an instrument receives them.
struct unknown_operators {
    unasked& heard;

    void pass_remarked(const tutti::pass_info& info, const tutti::remark& remark) {
        const relay::op_set& ops = extensions().operators;
        if (remark.text != relay::convert_layout::no_call || ops.find(remark.where)) return;
        const std::string meant{ops.nearest(remark.where)};
        heard.add(std::string{info.name} + ": " + std::string{remark.where} + ": no such operator" +
                  tutti::detail::did_you_mean(meant));
    }
};

bool has_stopped = false;
bool quiet = false; // true during a second run, which prints nothing

void print(std::string_view text) {
    if (!quiet) report(text);
}

// Runs the pipeline again to find the pass that made a well-typed program ill-typed. Returns its name, or "" if there
// is no such pass.
std::string ill_typed_by(const source& from, const wanted_passes& wanted) {
    relay::ir_module again = read_again(from);
    type_blame blame;
    if (!is_well_typed(again)) return {};
    runtime::context_options<relay::ir_module> context = wanted.context;
    context.instruments.clear();
    context.instruments.push_back(blame);
    runtime::pass_context<relay::ir_module> ctx{std::move(context)};
    quiet = true;
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(wanted.pipeline, again); });
    } catch (const std::exception&) { // the same failure again
    }
    quiet = false;
    return blame.culprit;
}

} // namespace

std::vector<add_passes>& further_passes() {
    static std::vector<add_passes> all;
    return all;
}

relay::extensions& extensions() {
    static relay::extensions all = [] {
        auto passes = relay::registered_passes(print); // for passes that print, such as PrintIR
        for (const add_passes add : further_passes()) add(passes);
        relay::extensions made{{std::move(passes), library_instruments()}};
        for (const kernel_choice& each : kernel_choices())
            made.add_kernels(each.name, std::string{each.about}, *each.kernels);
        return made;
    }();
    return all;
}

const runtime::registry<relay::ir_module>& known_passes() { return extensions().passes; }
const runtime::instrument_registry<relay::ir_module>& known_instruments() { return extensions().instruments; }

bool stopped_early() { return has_stopped; }

void run_passes(source& from, const wanted_passes& wanted) {
    first_failure failed;
    unasked heard{wanted.context.opt_level};
    runtime::context_options<relay::ir_module> context = wanted.context;
    run_limit few{wanted};
    context.instruments.insert(context.instruments.begin(), few);
    context.instruments.insert(context.instruments.begin(), failed);
    context.instruments.push_back(heard);
    context.instruments.push_back(
        tutti::instrument::progress{{.pipeline = tutti::write_pipeline(wanted.pipeline)}, show});
    tutti::instrument::totals measured;
    if (!wanted.profile.empty()) context.instruments.push_back(measured);
    tutti::stop_token limit;
    if (wanted.time_limit) {
        limit.request_after(*wanted.time_limit);
        context.stop = &limit;
    }
    crash_teller teller;
    bool has_new_names = false;
    if (!wanted.reproducer.empty()) {
        has_new_names = keep_result_names(from);
        context.instruments.push_back(teller);
        tell_of_crashes(wanted.reproducer);
    }
    tutti::instrument::cycles endless;
    const auto refuse = [&](std::string text) {
        for (const auto& each : endless.found()) note("tutti", "fixpoint: " + to_text(each));
        if (!wanted.reproducer.empty()) note("tutti", "`tutti opt " + wanted.reproducer + "` does the same again");
        return failure{pass_failed, std::move(text)};
    };
    unknown_operators unknown{heard};
    const auto names = known_passes().names(wanted.pipeline);
    const auto contains = [&](std::string_view name) { return std::ranges::find(names, name) != names.end(); };
    if (contains(relay::convert_layout::info.name)) context.instruments.push_back(unknown);
    if (contains(tutti::fixpoint_adaptor::name)) context.instruments.push_back(endless);
    tutti::thread_pool threads{wanted.threads}; // created here, since threads do not survive a fork
    context.executor = tutti::on(threads);
    runtime::pass_context<relay::ir_module> ctx{std::move(context)};
    const auto by = [&] {
        const bool named = !failed.name.empty() && failed.name != wanted.pipeline.info.name;
        return named ? "pass " + failed.name + ": " : std::string{};
    };
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(wanted.pipeline, from.module); });
    } catch (const tutti::error& e) {
        const bool ill_typed = failed.name == "InferType" && few.left.left() != 0; // 0: the run limit was exceeded
        const std::string culprit = ill_typed ? ill_typed_by(from, wanted) : std::string{};
        throw refuse(message(from, e, culprit.empty() ? by() : "pass " + culprit + " made an ill-typed program: "));
    } catch (const std::bad_alloc&) {
        throw refuse(message(from.name, by() + "there is not enough memory"));
    } catch (const std::exception& e) {
        throw refuse(message(from.name, by() + e.what()));
    }
    if (!wanted.profile.empty()) profiles::add_to(wanted.profile, measured.all());
    if (relay::function* const main = from.module.find("main"); has_new_names && main != nullptr)
        relay::set_result_names(*main, {});
    for (const auto& each : endless.found()) heard.add("fixpoint: " + to_text(each));
    if (limit.stopped()) {
        has_stopped = true;
        heard.add("--time-limit: stopped at " + std::string{limit.stopped_at()} +
                  "; the program is as the passes have left it until then");
    }
    for (const std::string& each : heard.said) note("tutti", each);
}

} // namespace program
