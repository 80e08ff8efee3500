#pragma once

#include <cstdio>
#include <string>

#include <unistd.h>

// Calls a function. Returns its output on standard error.
std::string written_to_stderr(const auto& f) {
    std::fflush(stderr);
    std::FILE* const file = std::tmpfile();
    const int before = dup(STDERR_FILENO);
    if (!file || before < 0 || dup2(fileno(file), STDERR_FILENO) < 0) return "the standard error could not be kept";
    f();
    std::fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}
