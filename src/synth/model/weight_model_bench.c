#include "bench.h"
#include "synth/model/weight_model.h"

#include <stdlib.h>

static const sc_synth_columns columns = {6, {10, 10, 10, 10, 10, 10}};
/* A query is about three of the columns. */
#define THREE ((sc_clique)7)
#define CELLS 1000
#define MARGINALS "mwem 10 updates of 10^6 rows by marginals"
#define QUERIES "mwem 10 updates of 10^6 rows by queries"

static void update(void *context, uint64_t operations)
{
    for (; operations > 0; operations--)
        sc_weight_model_update(context, 1);
}

static void measure(const char *name, sc_weight_model *model)
{
    bench_measure(&(bench_case){
        .name = name, .unit = BENCH_MILLISECONDS, .body = update, .context = model});
    sc_weight_model_free(model);
}

/* Ten updates each, and what is added up anew after them. */
BENCH(weight_model)
{
    scrim_error error;
    sc_weight_model *marginals, *queries;
    int64_t counts[100];
    if (!bench_is_wanted(MARGINALS) && !bench_is_wanted(QUERIES))
        return;
    uint32_t *numerators;
    numerators = calloc(CELLS, sizeof *numerators);
    if (numerators == NULL)
        bench_die("no memory");
    bench_must(sc_weight_model_new(&columns, 100000, &marginals, &error), &error);
    bench_must(sc_weight_model_new(&columns, 100000, &queries, &error), &error);
    for (int64_t i = 0; i < 100; i++)
        counts[i] = 505 + 10 * i;
    for (size_t i = 0; i < 10; i++) {
        const sc_linear_query query = {THREE, numerators, 1};
        for (size_t u = 0; u < CELLS; u++)
            numerators[u] = u % (i + 2) == 0;
        bench_must(sc_weight_model_measure(
                       marginals, sc_clique_of(i % 5) | sc_clique_of(5), counts, &error),
                   &error);
        bench_must(sc_weight_model_measure_query(queries, &query, 20000, &error), &error);
    }
    measure(MARGINALS, marginals);
    measure(QUERIES, queries);
    free(numerators);
}
