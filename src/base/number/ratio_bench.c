#include "base/number/ratio.h"
#include "bench.h"

#include <stdio.h>

static void parse(void *context, uint64_t operations)
{
    scrim_error error;
    sc_ratio value;
    sc_ratio_init(&value);
    for (; operations > 0; operations--)
        bench_must(sc_ratio_parse(sc_text_of(context), &value, &error), &error);
    sc_ratio_clear(&value);
}

static void measure_parse(char *number)
{
    char name[BENCH_NAME_BYTES];
    (void)snprintf(name, sizeof name, "ratio parse %s", number);
    bench_measure(&(bench_case){.name = name,
                                .unit = BENCH_NANOSECONDS,
                                .body = parse,
                                .context = number,
                                .counted = 1000});
}

BENCH(ratio)
{
    char integer[] = "10", decimal[] = "0.1", fraction[] = "1/3", power[] = "2^-40";
    measure_parse(integer);
    measure_parse(decimal);
    measure_parse(fraction);
    measure_parse(power);
}
