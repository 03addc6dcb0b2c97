/* RAPPOR of texts: a Bloom filter of 128 bits with two hashes, both steps. An operation is one report. */
#include "bench.h"
#include "scrim_local.h"

#include <string.h>

#define MANY 1024
#define TEXT 16

typedef struct texts {
    scrim_local_config config;
    uint8_t texts[MANY * TEXT];
    uint8_t reports[MANY * 17];
} texts;

static int fill(void *context, void *out, size_t bytes)
{
    scrim_error error;
    return (int)sc_bits_fill(context, out, bytes / sizeof(uint64_t), &error);
}

static void encode(void *context, uint64_t operations)
{
    texts *t = context;
    const scrim_local_source source = {fill, bench_bits()};
    while (operations > 0) {
        const uint64_t count = operations < MANY ? operations : MANY;
        if (scrim_local_encode_texts(&t->config, t->texts, count, &source, t->reports) !=
            SCRIM_LOCAL_OK)
            bench_die("scrim_local_encode_texts");
        bench_keep(t->reports);
        operations -= count;
    }
}

static void measure(const char *name, const char *parts)
{
    static texts t;
    char text[SCRIM_LOCAL_CONFIG_BYTES] =
        "scrim-local/1 question=q protocol=rappor values=0 text=16 bits=128 hashes=2 "
        "cohorts=64 ";
    strncat(text, parts, sizeof text - strlen(text) - 1);
    if (scrim_local_config_parse(text, &t.config) != SCRIM_LOCAL_OK)
        bench_die(text);
    for (size_t i = 0; i < sizeof t.texts; i++)
        t.texts[i] = (uint8_t)(i % TEXT < 4 ? i * 2654435761u >> 13 : 0);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_DRAWS,
                                .body = encode,
                                .context = &t,
                                .counted = MANY,
                                .target = 5});
}

BENCH(rappor_encoder)
{
    measure("device rappor, 128 bits, 2 hashes",
            "f=2147483648 p=2147483648 q=3221225472 epoch=1\n");
    measure("device rappor, 128 bits, 2 hashes, one-time",
            "f=2147483648 p=0 q=0 epoch=1\n");
}
