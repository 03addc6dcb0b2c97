#include "local_device.h"

#include "check.h"

#include <stdio.h>
#include <string.h>

const char *const device_of_values[] = {
    "randomised-response values=2 a=3 b=1",
    "randomised-response values=256 a=3 b=1",
    "randomised-response values=257 a=7747986 b=1048576",
    "projective-geometry values=7 a=3 b=1 field=2 digits=3",
    "projective-geometry values=1024 a=7747986 b=1048576 field=7 digits=5",
    "projective-geometry values=60000 a=7747986 b=1048576 field=2 digits=16",
    "projective-geometry values=40000000 a=7747986 b=1048576 field=7919 digits=3",
    "local-hashing values=9 a=5 b=2 field=3 digits=2",
    "local-hashing values=1024 a=7747986 b=1048576 field=7 digits=4",
    "hadamard values=3 a=3 b=1 blocks=1 order=4",
    "hadamard values=1024 a=7747986 b=1048576 blocks=4 order=512",
    "subset-selection values=5 a=3 b=1 chosen=2",
    "subset-selection values=1024 a=7747986 b=1048576 chosen=122",
    "symmetric-unary values=2 a=3 b=1",
    "symmetric-unary values=100 a=7 b=3",
    "symmetric-unary values=1024 a=3139872686 b=1155094610",
    "optimised-unary values=2 a=3 b=1",
    "optimised-unary values=65 a=5 b=2",
    "optimised-unary values=1024 a=3782994644 b=511972652",
    "square-wave values=4 a=3 b=1 width=0",
    "square-wave values=1024 a=7747986 b=1048576 width=132",
    NULL,
};

const char *const device_of_texts[] = {
    "text-hashing a=7 b=2 text=1 cells=2",
    "text-hashing a=57250309 b=1048576 text=8 cells=64",
    "text-hashing a=57250309 b=1048576 text=31 cells=65536",
    "prefix a=3 b=1 text=1 cells=4 prefixes=8",
    "prefix a=57250309 b=1048576 text=8 cells=64 prefixes=16,20,30,64",
    "prefix a=57250309 b=1048576 text=20 cells=64 prefixes=16,160",
    NULL,
};

scrim_local_config device_config(const char *words)
{
    char text[SCRIM_LOCAL_CONFIG_BYTES];
    scrim_local_config config;
    snprintf(text, sizeof text, "scrim-local/%d question=q protocol=%s\n",
             strstr(words, " cells=") != NULL ? 2 : 1, words);
    CHECK_INT(scrim_local_config_parse(text, &config), SCRIM_LOCAL_OK);
    return config;
}

static int tape_fill(void *context, void *out, size_t bytes)
{
    device_tape *tape = context;
    const size_t words = bytes / sizeof *tape->words;
    if (bytes % sizeof *tape->words != 0 || words > tape->count - tape->taken)
        return 1;
    memcpy(out, tape->words + tape->taken, bytes);
    tape->taken += words;
    return 0;
}

scrim_local_source device_tape_source(device_tape *tape)
{
    return (scrim_local_source){tape_fill, tape};
}

uint64_t device_word(uint64_t u, uint64_t n)
{
    const sc_uint128 least = ((sc_uint128)u << 64) + (0 - n) % n;
    return (uint64_t)((least + n - 1) / n);
}

/* splitmix64 */
static int seeded_fill(void *context, void *out, size_t bytes)
{
    uint64_t *seed = context;
    uint8_t *at = out;
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
        memcpy(at + i, &z, bytes - i < 8 ? bytes - i : 8);
    }
    return 0;
}

scrim_local_source device_seeded(uint64_t *seed)
{
    return (scrim_local_source){seeded_fill, seed};
}

uint64_t device_number(const uint8_t *report, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes; i++)
        number |= (uint64_t)report[i] << (8 * i);
    return number;
}

uint64_t device_report(const scrim_local_config *config, uint64_t x, uint64_t u,
                       uint64_t total)
{
    const uint64_t word = device_word(u, total);
    device_tape tape = {&word, 1, 0};
    const scrim_local_source source = device_tape_source(&tape);
    uint8_t report[8] = {0};
    CHECK_INT(scrim_local_encode(config, x, &source, report), SCRIM_LOCAL_OK);
    CHECK_INT(tape.taken, 1);
    return device_number(report, scrim_local_report_bytes(config));
}

void device_check_law(const uint64_t *rows, size_t values, size_t outputs, uint64_t total,
                      uint64_t a, uint64_t b)
{
    bool attained = false;
    for (size_t x = 0; x < values; x++) {
        uint64_t sum = 0;
        for (size_t y = 0; y < outputs; y++) {
            const uint64_t here = rows[x * outputs + y];
            sum += here;
            for (size_t other = 0; other < values; other++) {
                const uint64_t there = rows[other * outputs + y];
                if (here * b > there * a)
                    CHECK_FAIL("%zu and %zu differ too much at %zu", x, other, y);
                attained = attained || here * b == there * a;
            }
        }
        CHECK_INT(sum, total);
    }
    CHECK(attained);
}

/* sum / total == text, a fraction, in integers. */
static void check_fraction(uint64_t sum, uint64_t total, const char *text)
{
    unsigned long long over = 0, under = 1;
    REQUIRE(text != NULL && sscanf(text, "%llu/%llu", &over, &under) >= 1);
    CHECK_INT((sc_int128)sum * under, (sc_int128)total * over);
}

void device_check_pure(const uint64_t *rows, const uint8_t *supports, size_t values,
                       size_t outputs, uint64_t total, const char *p, const char *q)
{
    for (size_t x = 0; x < values; x++)
        for (size_t v = 0; v < values; v++) {
            uint64_t sum = 0;
            for (size_t y = 0; y < outputs; y++)
                sum += rows[x * outputs + y] * supports[v * outputs + y];
            check_fraction(sum, total, v == x ? p : q);
        }
}
