#!/bin/sh
# The device side as one pair of files: it compiles alone, for a small processor without an operating
# system too, is small, needs nothing, and makes the reports of the library, also of 32-bit products.
# shellcheck disable=SC2317 # functions that ran calls
# shellcheck source=tests/cli/shell_check.sh
. tests/cli/shell_check.sh
pair=$work/pair
warn='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wundef -Werror'
check 'the files are joined' tools/amalgamate "$pair"

# A gateway of a fixed source: the reports of some values by every protocol that takes one.
cat >"$work/gateway.c" <<'END'
#include "scrim_local.h"
#include <stdio.h>
#include <string.h>

static int fill(void *context, void *out, size_t bytes)
{
    uint32_t *state = context;
    uint8_t *at = out;
    for (size_t i = 0; i < bytes; i++) {
        *state = *state * 1664525 + 1013904223;
        at[i] = (uint8_t)(*state >> 24);
    }
    return 0;
}

/* A state of one question, and its message. */
static int kept(const scrim_local_source *source)
{
    uint8_t state[4096], message[64] = {0};
    const uint64_t nat = (uint64_t)1 << 32;
    const size_t bytes = scrim_local_state_bytes(2, 64);
    scrim_local_config config;
    if (bytes == 0 || bytes > sizeof state ||
        scrim_local_config_parse("scrim-local/1 question=q protocol=randomised-response values=9 a=5 b=2\n",
                                 &config) ||
        scrim_local_state_init(state, bytes, 2, 64, 9 * nat, 2 * nat, source) ||
        scrim_local_state_prepare(state, bytes, &config, 1, 3) ||
        scrim_local_state_send(state, bytes, &config, 1, message))
        return 1;
    for (size_t i = 0; i < sizeof message; i++)
        printf("%02x", message[i]);
    printf("\n");
    return 0;
}

int main(void)
{
    static const char *const words[] = {
        "randomised-response values=1000 a=7747986 b=1048576",
        "projective-geometry values=1024 a=7747986 b=1048576 field=7 digits=5",
        "subset-selection values=100 a=7747986 b=1048576 chosen=12",
        "symmetric-unary values=100 a=7 b=3",
        "optimised-unary values=1024 a=3782994644 b=511972652",
        "local-hashing values=1024 a=7747986 b=1048576 field=7 digits=4",
        "hadamard values=1024 a=7747986 b=1048576 blocks=4 order=512",
        "square-wave values=1024 a=7747986 b=1048576 width=132",
        "text-hashing a=57250309 b=1048576 text=20 cells=64",
        "prefix a=57250309 b=1048576 text=8 cells=64 prefixes=16,32,64",
    };
    uint32_t state = 1;
    const scrim_local_source source = {fill, &state};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[SCRIM_LOCAL_CONFIG_BYTES];
        scrim_local_config config;
        snprintf(text, sizeof text, "scrim-local/%d question=q protocol=%s\n",
                 strstr(words[i], " cells=") != NULL ? 2 : 1, words[i]);
        if (scrim_local_config_parse(text, &config) != SCRIM_LOCAL_OK)
            return 1;
        for (uint64_t value = 0; value < 40; value++) {
            uint8_t report[256], message[32] = {(uint8_t)value, 'x'};
            if (config.text != 0
                    ? scrim_local_encode_text(&config, message, &source, report)
                    : scrim_local_encode(&config, value * 31, &source, report))
                return 1;
            for (size_t j = 0; j < scrim_local_report_bytes(&config); j++)
                printf("%02x", report[j]);
            printf(" %llu\n", (unsigned long long)scrim_local_loss(&config));
        }
    }
    return kept(&source);
}
END

# build NAME OPTION...: the gateway with the pair, by the host's compiler. Only the first needs warnings that the optimiser finds.
build() {
    program=$1
    shift
    # shellcheck disable=SC2086 # options
    "${CC:-gcc}" -std=c11 $warn "$@" -I "$pair" -o "$work/$program" "$work/gateway.c" "$pair/scrim_local.c"
}
check 'the pair compiles without a warning' build alone -O1
# absent: functions that the header declares and the pair lacks.
absent() {
    nm "$work/alone" | awk '{ print $NF }' >"$work/defined"
    sed 's/^ \*.*//' "$pair/scrim_local.h" | grep -o 'scrim_local_[a-z_]*(' | tr -d '(' | sort -u |
        grep -v -x -F -f "$work/defined"
}
check 'the pair has every function of the header' test -z "$(absent)"
check 'with products of 32-bit numbers too' build narrow -U__SIZEOF_INT128__
check 'and of 16-bit numbers' build small -DSCRIM_LOCAL_SMALL_PRODUCTS
check 'the library has the same functions' "${CC:-gcc}" -std=c11 -Iinclude -o "$work/library" \
    "$work/gateway.c" "$O/libscrim.a" -lflint-arb -lflint -lgmp -lcrypto -lsqlite3 -lz -lpthread -lm
ran 0 'the library makes reports' "$work/library"
cp "$work/out" "$work/reports"
out_lines 401
for program in alone narrow small; do
    ran 0 "$program makes reports" "$work/$program"
    check "$program makes the library's reports" cmp "$work/out" "$work/reports"
done

# small TARGET: freestanding for a small processor, with its frames on the stack in small.su; undefined symbols, and the bytes
# of code and tables.
small() {
    # shellcheck disable=SC2086 # options
    clang --target="$1" -std=c11 -ffreestanding -nostdlib -DSCRIM_LOCAL_FREESTANDING -Os -fstack-usage $warn \
        -c "$pair/scrim_local.c" -o "$work/small.o"
}
needs() {
    "$(command -v llvm-nm || echo nm)" -u "$work/small.o" |
        awk '$NF !~ /^(mem(cpy|set|move|cmp)|__aeabi_[a-z0-9]+|__u?(div|mod)[ds]i[34])$/ { print $NF }'
}
bytes() {
    "$(command -v llvm-size || echo size)" "$work/small.o" | awk 'NR == 2 { print $1 + $2 + $3 }'
}
# secrets: functions that see a secret and multiply or divide in a time that may depend on it, by a helper of
# the compiler or by an instruction. All others that do compute with public numbers alone.
secrets() {
    llvm-objdump -dr "$work/small.o" | awk '
        /^[0-9a-f]+ <[^$]/ { name = substr($2, 2, length($2) - 3) }
        /__aeabi_(lmul|ul?div|ui?div)|[ \t]([us]mull|[us]mlal|[us]div)[ \t.]/ { print name }' | sort -u |
        grep -v -E '(_(check|prepare|bytes|loss)|^sl_(coin_of|log_upper|log_lower)|^log2_bound|^nats)$' |
        grep -v -x -E 'read_number|scrim_local_(config_(format|is_within)|state_(bytes|choose|init|turn))|state_(cover|uniform)' |
        # the weights of all distances; how many values are left to choose from
        grep -v -x -E 'condensed_encode|bit_flip_permanent|subset_encode'
}
# shellcheck disable=SC2086 # options
command -v clang >/dev/null &&
    check 'clang compiles it without a warning' clang -std=c11 $warn -fsyntax-only "$pair/scrim_local.c"
for target in thumbv7m-none-eabi thumbv6m-none-eabi; do
    if command -v clang >/dev/null; then
        check "it compiles freestanding for $target" small "$target"
        check "$target: it needs nothing but the compiler's helpers" test -z "$(needs)"
        check "$target: $(bytes) bytes, under 50,000" test "$(bytes)" -lt 50000
        # docs/local.md says how much stack it takes.
        # shellcheck disable=SC2016 # the dollars are for awk
        check "$target: frames on the stack" awk -F '[:\t]' '{ limit = $(NF - 2) == "condensed_encode" ? 4600 : 3900
            if ($(NF - 1) > limit) { print; bad = 1 } } END { exit bad || NR < 50 }' "$work/small.su"
        if command -v llvm-objdump >/dev/null; then
            check "$target: no time of a product or a quotient depends on a secret" test -z "$(secrets)"
            sed -i 's/SL_SMALL_PRODUCTS 1/SL_SMALL_PRODUCTS 0/' "$pair/scrim_local.c"
            small "$target"
            check "$target: with products of the compiler it would" test -n "$(secrets)"
            tools/amalgamate "$pair"
        else
            skip "$target: no time of a product or a quotient depends on a secret" 'llvm is not installed'
        fi
    else
        skip "it compiles freestanding for $target" 'clang is not installed'
    fi
done
finish
