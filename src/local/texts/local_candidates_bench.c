#include "bench.h"
#include "scrim/local_candidates.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT 8
#define COHORTS 128
#define BITS 128
#define CANDIDATES 10000
#define HELD 1000

/* Counts of reports about the first texts, the rth of them held by 40,000/r devices. */
typedef struct counted {
    scrim_local_config config;
    uint64_t reports[COHORTS], ones[COHORTS * BITS];
    uint8_t texts[CANDIDATES * TEXT];
    scrim_local_candidate rows[CANDIDATES];
} counted;

static void send(counted *c, const uint8_t *text)
{
    uint8_t report[1 + BITS / 8];
    if (scrim_local_encode_text(&c->config, text, &scrim_local_system, report) !=
        SCRIM_LOCAL_OK)
        bench_die("no report");
    c->reports[report[0]]++;
    for (size_t bit = 0; bit < BITS; bit++)
        c->ones[(size_t)report[0] * BITS + bit] += report[1 + bit / 8] >> (bit % 8) & 1;
}

static counted *count_reports(void)
{
    counted *c = calloc(1, sizeof *c);
    if (c == NULL)
        bench_die("no memory");
    if (scrim_local_config_parse(
            "scrim-local/1 question=q protocol=rappor values=0 text=8 bits=128 hashes=2 "
            "cohorts=128 f=1932735283 p=1675037245 q=2619930050 epoch=1\n",
            &c->config) != SCRIM_LOCAL_OK)
        bench_die("no configuration");
    for (size_t i = 0; i < CANDIDATES; i++) {
        char name[TEXT + 1];
        memcpy(c->texts + i * TEXT, name,
               (size_t)snprintf(name, sizeof name, "v%zu", i + 1));
        for (size_t d = 0; i < HELD && d < 40000 / (i + 1); d++)
            send(c, c->texts + i * TEXT);
    }
    return c;
}

static void decode(void *context, uint64_t operations)
{
    counted *c = context;
    const scrim_local_counts counts = {c->reports, c->ones};
    scrim_local_explained explained;
    scrim_error error;
    for (; operations > 0; operations--)
        bench_must(scrim_local_candidates_decode(&c->config, &counts, c->texts,
                                                 CANDIDATES, c->rows, &explained, &error),
                   &error);
    bench_keep(c->rows);
}

BENCH(local_candidates)
{
    static const char name[] = "decode rappor, 10,000 candidates, 128 cohorts";
    if (!bench_is_wanted(name))
        return;
    counted *c = count_reports();
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_MILLISECONDS,
                                .body = decode,
                                .context = c,
                                .target = 5000});
    free(c);
}
