// The main function of all test programs. Catch2 v2 generates it here, and v3 has it in its library.
#define CATCH_CONFIG_MAIN
#include "catch.hpp"

namespace test_support {

void check(Catch::ITransientExpression const& outcome, checked_expression const& expression) {
    using Catch::ResultDisposition;
    int const disposition =
        ResultDisposition::ContinueOnFailure | (expression.is_false ? ResultDisposition::FalseTest : 0);
    Catch::AssertionHandler handler{
        expression.macro,
        Catch::SourceLineInfo{expression.file, expression.line},
        expression.text,
        static_cast<ResultDisposition::Flags>(disposition),
    };
    handler.handleExpr(outcome);
    handler.complete();
}

} // namespace test_support
