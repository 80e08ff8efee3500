// Parts of glibc and GCC's start-up files that the distribution's libc++ refers to, for programs that are linked with musl.

#include <stdarg.h>
#include <stdio.h>

void* __dso_handle = 0;

int __vfprintf_chk(FILE* to, int flag, const char* format, va_list values) {
    (void)flag;
    return vfprintf(to, format, values);
}
int __fprintf_chk(FILE* to, int flag, const char* format, ...) {
    (void)flag;
    va_list values;
    va_start(values, format);
    const int written = vfprintf(to, format, values);
    va_end(values);
    return written;
}
