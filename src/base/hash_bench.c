#include "base/hash.h"
#include "bench.h"

static unsigned char data[4096];

/* Each hash keys the next, so that none can be left out or begun early. */
static void hash(void *context, uint64_t operations)
{
    const size_t *bytes = context;
    sc_hash_key key = {1, 2};
    for (; operations > 0; operations--)
        key.k0 = sc_hash(&key, data, *bytes);
    bench_keep(&key);
}

BENCH(hash)
{
    size_t short_bytes = 8, long_bytes = sizeof data;
    bench_measure(&(bench_case){.name = "hash of 8 bytes",
                                .unit = BENCH_NANOSECONDS,
                                .body = hash,
                                .context = &short_bytes,
                                .counted = 1000});
    bench_measure(&(bench_case){.name = "hash of 4 KiB",
                                .unit = BENCH_GIGABYTES,
                                .body = hash,
                                .context = &long_bytes,
                                .bytes = sizeof data,
                                .counted = 100});
}
