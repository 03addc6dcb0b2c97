#!/bin/sh
# Every snippet in a public header compiles as it stands there, as C and as C++, without a warning.
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh

# A snippet is a run of lines that are indented by five in a comment, from one that declares or calls something of scrim on.
# Each becomes a function; what it takes for granted are the parameters.
for header in include/scrim/*.h; do
    awk -v title="$(basename "$header" .h)" '
        function end() { if (on) print "    }\n}"; on = 0 }
        /^ \*     / {
            code = substr($0, 8)
            if (!on && code ~ /^(scrim_[a-z_]+[ (]|const char \*)/) {
                on = 1
                printf "void %s_%d(scrim_vault *vault, scrim_ledger *ledger, scrim_measurement *measurement,\n", title, ++number
                print "    scrim_measurement *count, scrim_answer *answer, const char *key, scrim_error error);"
                printf "void %s_%d(scrim_vault *vault, scrim_ledger *ledger, scrim_measurement *measurement,\n", title, number
                print "    scrim_measurement *count, scrim_answer *answer, const char *key, scrim_error error)\n{"
                print "    (void)vault, (void)ledger, (void)measurement, (void)count, (void)answer, (void)key, (void)error;\n    {"
                printf "#line %d \"%s\"\n", NR, FILENAME
            }
            if (on) { print code; next }
        }
        { end() }' "$header"
done >"$work/functions"
{
    printf '#include <stdio.h>\n#include "scrim.h"\nint64_t next_count(void);\n'
    printf 'const struct ArrowSchema *batch_schema(void);\nconst struct ArrowArray *next_batch(void);\n'
    cat "$work/functions"
} >"$work/snippets.c"
cp "$work/snippets.c" "$work/snippets.cc"
count=$(grep -c '^#line' "$work/snippets.c")
check "there are snippets: $count" test "$count" -ge 16
for title in accuracy audit calibration composition distribution feed histogram inspection ledger measurement query report \
    run series suggestion synth vault; do
    check "$title.h has one" grep -q "^void ${title}_1(" "$work/snippets.c"
done
# Each header stands alone, too.
for header in include/scrim.h include/scrim_local.h include/scrim/*.h; do
    printf '#include "%s"\nint x;\n' "${header#include/}" >"$work/alone.c"
    check "$header alone" "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror -Iinclude -fsyntax-only "$work/alone.c"
    ! command -v g++ >/dev/null 2>&1 || check "$header alone, in C++" g++ -x c++ -std=c++11 -Wall -Wextra -Wpedantic -Wold-style-cast \
        -Wconversion -Wshadow -Wundef -Werror -Iinclude -fsyntax-only "$work/alone.c"
done
for compiler in gcc clang; do
    if command -v "$compiler" >/dev/null 2>&1; then
        check "snippets are C: $compiler" "$compiler" -std=c11 -Wall -Wextra -Wpedantic -Wno-missing-field-initializers \
            -Werror -Iinclude -fsyntax-only "$work/snippets.c"
    else
        skip "snippets are C: $compiler" "$compiler is not installed"
    fi
done
for compiler in g++ clang++; do
    if command -v "$compiler" >/dev/null 2>&1; then
        printf '#include "scrim.h"\nconst scrim_query_options *at(const scrim_query_options *o);\nbool f() { return %s; }\n' \
            'at(SCRIM_OPTIONS(scrim_query_options, .epsilon = "1"))->epsilon != nullptr' >"$work/options.cc"
        check "SCRIM_OPTIONS is C++: $compiler" "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wold-style-cast -Wconversion \
            -Werror -Iinclude -fsyntax-only "$work/options.cc"
        check "snippets are C++: $compiler" "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Wno-missing-field-initializers \
            -Werror -Iinclude -fsyntax-only "$work/snippets.cc"
    else
        skip "snippets are C++: $compiler" "$compiler is not installed"
    fi
done
finish
