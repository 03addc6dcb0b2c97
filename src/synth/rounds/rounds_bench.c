/* Whole releases of a synthesiser, without the reading of the file: what is charged, drawn and fitted. */
#include "adult_records.h"
#include "base/memory.h"
#include "bench.h"
#include "synth/rounds/aim.h"
#include "synth/rounds/mst.h"
#include "synth/rounds/mwem.h"
#include "synth/rounds/synth_released.h"

#include <time.h>

/* epsilon 1, delta 1e-9 */
#define RHO "0.014973"

typedef struct scene {
    scrim_ledger *ledger;
    sc_synth_released released;
    sc_rounds rounds;
} scene;

static void parse(const char *text, sc_ratio *out)
{
    scrim_error error;
    bench_must(sc_ratio_parse(sc_text_of(text), out, &error), &error);
}

static void scene_open(scene *s, sc_records *records)
{
    static const scrim_ledger_options options = {.size = sizeof options,
                                                 .neighbours = SCRIM_ADD_REMOVE,
                                                 .epsilon = "1000",
                                                 .delta = "1e-9"};
    sc_bits_key key = {{0}};
    scrim_error error;
    SC_OWN(sc_ratio, rho, epsilon, delta);
    parse(RHO, &rho);
    parse("1000", &epsilon);
    parse("1e-9", &delta);
    sc_synth_released_init(&s->released);
    s->rounds = (sc_rounds){
        .records = records, .unit = {SCRIM_ADD_REMOVE, 1}, .released = &s->released};
    bench_must(scrim_ledger_new(&options, &s->ledger, &error), &error);
    bench_must(sc_allowance_new(SCRIM_ADD_REMOVE, &rho, &epsilon, &delta,
                                &s->rounds.allowance, &error),
               &error);
    bench_must(sc_passage_open_within(s->ledger, "synth", s->rounds.allowance, &key,
                                      false, &s->rounds.passage, &error),
               &error);
}

static void scene_close(scene *s)
{
    sc_passage_close(s->rounds.passage);
    sc_allowance_free(s->rounds.allowance);
    scrim_ledger_free(s->ledger);
    sc_synth_released_clear(&s->released);
}

/* The model that all rows come from. */
static void fit(const scene *s)
{
    scrim_error error;
    sc_recoding recoding;
    sc_synth_model *model = NULL;
    sc_recoding_init(&recoding);
    bench_must(sc_released_model(&s->released, &(sc_released_options){.zero_count = 0},
                                 &recoding, &model, &error),
               &error);
    sc_synth_model_free(model);
    sc_recoding_clear(&recoding);
}

static void run_mst(sc_records *records)
{
    scene s;
    scrim_error error;
    sc_mst_plan plan;
    sc_mst_plan_init(&plan);
    scene_open(&s, records);
    bench_must(sc_mst_run(&s.rounds, &plan, &error), &error);
    fit(&s);
    scene_close(&s);
    sc_mst_plan_clear(&plan);
}

static void run_aim(sc_records *records)
{
    scene s;
    scrim_error error;
    sc_aim_plan plan;
    sc_aim_plan_init(&plan);
    scene_open(&s, records);
    bench_must(sc_aim_run(&s.rounds, &plan, &error), &error);
    fit(&s);
    scene_close(&s);
    sc_aim_plan_clear(&plan);
}

/* 10^6 possible rows, and ten tables of three columns: 10^4 counts that are queries. */
static void run_mwem(sc_records *records)
{
    scene s;
    scrim_error error;
    sc_mwem_plan plan;
    sc_weight_model *model = NULL;
    sc_clique cliques[20];
    size_t count = 0;
    for (size_t a = 0; a < 6; a++)
        for (size_t b = a + 1; b < 6; b++)
            for (size_t c = b + 1; c < 6; c++)
                cliques[count++] = sc_clique_of(a) | sc_clique_of(b) | sc_clique_of(c);
    sc_mwem_plan_init(&plan);
    plan.cliques = cliques;
    plan.count = count / 2;
    plan.rounds = 30;
    scene_open(&s, records);
    bench_must(sc_mwem_run(&s.rounds, &plan, &model, &error), &error);
    scene_close(&s);
    sc_weight_model_free(model);
    sc_mwem_plan_clear(&plan);
}

/* 10^5 rows whose columns lean on each other. */
static sc_records *million(void)
{
    static const sc_synth_columns columns = {6, {10, 10, 10, 10, 10, 10}};
    scrim_error error;
    sc_records *records = NULL;
    uint64_t state = 1;
    bench_must(sc_records_new(&columns, 100000, &records, &error), &error);
    for (size_t i = 0; i < 100000; i++) {
        uint32_t codes[6] = {0};
        for (size_t c = 0; c < 6; c++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const uint32_t drawn = (uint32_t)((state >> 33) % 10);
            codes[c] = c > 0 && drawn < 5 ? codes[c - 1] : drawn;
        }
        bench_must(sc_records_add(records, codes, 1, &error), &error);
    }
    return records;
}

/* One run each, of processor time: they take seconds. */
static void measure(const char *name, sc_records *(*make)(void),
                    void (*run)(sc_records *records), double target)
{
    struct timespec from, to;
    if (!bench_is_wanted(name))
        return;
    sc_records *records = make();
    if (records == NULL)
        bench_die("data/adult.csv cannot be read");
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    run(records);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    double taken = 1e3 * (double)(to.tv_sec - from.tv_sec) +
                   1e-6 * (double)(to.tv_nsec - from.tv_nsec);
    sc_records_free(records);
    bench_record(name, BENCH_MILLISECONDS, &taken, 1, target);
}

BENCH(synth_rounds)
{
    measure("synth MST of Adult, 14 columns", synth_adult, run_mst, 5000);
    measure("synth AIM of Adult, 14 columns", synth_adult, run_aim, 60000);
    measure("synth MWEM of 10^6 cells, 10^4 counts, 30 rounds", million, run_mwem, 60000);
}
