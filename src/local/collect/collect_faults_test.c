/* Every allocation between a file of reports and its estimates fails once. */
#include "faults.h"
#include "local_device.h"
#include "local_fleet.h"
#include "scrim/collection.h"

#include <string.h>

#define DEVICES 50
#define BATCH_BYTES (SCRIM_LOCAL_HEADER_BYTES + DEVICES * 16)

/* A protocol, and what can be asked of its estimates. */
typedef struct fault_case {
    const char *words, *post;
    int is_significant;
} fault_case;

static const fault_case cases[] = {
    {"randomised-response values=5 a=3 b=1", "em", 1},
    {"projective-geometry values=13 a=5 b=2 field=3 digits=3", "em", 1},
    {"local-hashing values=9 a=5 b=2 field=3 digits=2", "em", 1},
    {"hadamard values=14 a=5 b=2 blocks=2 order=8", "norm-sub", 0},
    {"subset-selection values=20 a=7 b=3 chosen=5", "simplex", 1},
    {"optimised-unary values=20 a=3 b=1", "simplex", 1},
    {"bit-flip values=9 a=3 b=1 chosen=3 epoch=1", NULL, 0},
    {"repeated-unary values=70 a=3 b=1 keep=3221225472 epoch=1", NULL, 1},
    {"rappor values=9 text=0 bits=9 hashes=0 cohorts=1 f=429496729 p=0 q=0 epoch=0", NULL,
     1},
    {"square-wave values=8 a=5 b=2 width=2", "em-smooth", 0},
    {"one-bit-mean values=101 a=27 b=10", NULL, 0},
    {"laplace-mean values=11 a=3 b=1 width=40", NULL, 0},
};

typedef struct fault_text {
    char text[8192];
    size_t bytes;
} fault_text;

static int keep(void *context, const char *text, size_t bytes)
{
    fault_text *to = context;
    if (to->bytes + bytes > sizeof to->text)
        return 0;
    memcpy(to->text + to->bytes, text, bytes);
    to->bytes += bytes;
    return 1;
}

static size_t make_batch(const fault_case *c, uint8_t batch[BATCH_BYTES])
{
    const scrim_local_config config = device_config(c->words);
    const size_t bytes = scrim_local_report_bytes(&config);
    uint64_t seed = 1;
    const scrim_local_source source = device_seeded(&seed);
    uint8_t *at = batch + SCRIM_LOCAL_HEADER_BYTES;
    if (!CHECK(bytes <= 16))
        return 0;
    scrim_local_header(&config, batch);
    batch[3] = 1;
    for (uint64_t i = 0; i < DEVICES; i++, at += bytes)
        CHECK_INT(scrim_local_encode(&config, i % 7, &source, at), SCRIM_LOCAL_OK);
    return (size_t)(at - batch);
}

/* A file in two pieces that end within a report. */
static scrim_status read_file(scrim_collection *collection, const void *bytes,
                              size_t count)
{
    const size_t first = count > 20 ? 19 : count;
    scrim_status status = scrim_collection_read(collection, bytes, first, NULL);
    if (status == SCRIM_OK)
        status = scrim_collection_read(collection, (const uint8_t *)bytes + first,
                                       count - first, NULL);
    return status == SCRIM_OK ? scrim_collection_end_file(collection, NULL) : status;
}

/* Reports, their sums once more as text, and estimates. */
static scrim_status use_all(const fault_case *c, const uint8_t *batch, size_t bytes,
                            scrim_collection **collection, scrim_estimates **estimates)
{
    static fault_text sums;
    const scrim_decode_options *options =
        SCRIM_OPTIONS(scrim_decode_options, .is_significant = c->is_significant,
                      .post = c->post, .updates = 3);
    scrim_status status = scrim_collection_new(fleet_config(c->words), collection, NULL);
    if (status == SCRIM_OK)
        status = read_file(*collection, batch, bytes);
    sums.bytes = 0;
    if (status == SCRIM_OK)
        status = scrim_collection_write(*collection, keep, &sums, NULL);
    if (status == SCRIM_OK)
        status = read_file(*collection, sums.text, sums.bytes);
    if (status == SCRIM_OK)
        status = scrim_collection_decode(*collection, options, estimates, NULL);
    return status;
}

TEST(collection_survives_without_memory)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t batch[BATCH_BYTES];
        const size_t bytes = make_batch(&cases[i], batch);
        FAULT_LOOP(fault)
        {
            scrim_collection *collection = NULL;
            scrim_estimates *estimates = NULL;
            const scrim_status status =
                use_all(&cases[i], batch, bytes, &collection, &estimates);
            if (status != (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK))
                CHECK_FAIL("%s: status %d", cases[i].words, (int)status);
            CHECK((estimates != NULL) == (status == SCRIM_OK));
            scrim_estimates_free(estimates);
            scrim_collection_free(collection);
        }
    }
}
