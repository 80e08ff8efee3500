#pragma once

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/names.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/resolve.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
