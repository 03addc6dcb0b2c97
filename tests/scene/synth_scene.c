#include "synth_scene.h"

#include "base/memory.h"
#include "check.h"
#include "ledger/ledger_tape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Large enough for every budget of a test. */
static const char *const widest = "1000";

static bool parse(const char *text, sc_ratio *out)
{
    return sc_ratio_parse(sc_text_of(text), out, NULL) == SCRIM_OK;
}

static bool make_allowance(synth_scene *s, const char *rho)
{
    SC_OWN(sc_ratio, total, epsilon, delta);
    /* a delta at which every rho of a test fits */
    if (rho != NULL &&
        (!parse(rho, &total) || !parse(widest, &epsilon) || !parse("1e-9", &delta)))
        return false;
    if (rho == NULL && !parse("1", &epsilon))
        return false;
    return sc_allowance_new(s->rounds.unit.neighbours, rho == NULL ? NULL : &total,
                            &epsilon, &delta, &s->rounds.allowance, NULL) == SCRIM_OK;
}

bool synth_scene_open(synth_scene *s, sc_records *records, const sc_round_unit *unit,
                      const char *rho, uint64_t seed)
{
    sc_bits_key key = {{0}};
    const scrim_ledger_options options = {.size = sizeof options,
                                          .neighbours = unit->neighbours,
                                          .epsilon = widest,
                                          .delta = "1e-9"};
    memset(s, 0, sizeof *s);
    sc_synth_released_init(&s->released);
    s->rounds = (sc_rounds){.records = records, .unit = *unit, .released = &s->released};
    if (scrim_ledger_new(&options, &s->ledger, NULL) != SCRIM_OK ||
        sc_tape_seeded(seed, &s->tape, NULL) != SCRIM_OK || !make_allowance(s, rho))
        return false;
    sc_ledger_use_bits(s->ledger, sc_tape_bits_of(s->tape));
    return sc_passage_open_within(s->ledger, "synth", s->rounds.allowance, &key, false,
                                  &s->rounds.passage, NULL) == SCRIM_OK;
}

void synth_scene_close(synth_scene *s)
{
    sc_passage_close(s->rounds.passage);
    sc_allowance_free(s->rounds.allowance);
    scrim_ledger_free(s->ledger);
    sc_tape_free(s->tape);
    sc_synth_released_clear(&s->released);
}

sc_records *synth_records(const sc_synth_columns *columns, const uint32_t *codes,
                          size_t rows)
{
    sc_records *records = NULL;
    if (!CHECK_STATUS(sc_records_new(columns, rows, &records, NULL), SCRIM_OK))
        return NULL;
    for (size_t i = 0; i < rows; i++)
        CHECK_STATUS(sc_records_add(records, codes + i * columns->count, 1, NULL),
                     SCRIM_OK);
    return records;
}

/* Through the table of all of these columns: they are few. */
sc_records *synth_part(const sc_records *records, const size_t *columns, size_t count)
{
    const sc_synth_columns *all = sc_records_columns(records);
    sc_synth_columns part = {.count = count};
    sc_clique clique = 0;
    sc_records *out = NULL;
    for (size_t i = 0; i < count; i++) {
        part.sizes[i] = all->sizes[columns[i]];
        clique |= sc_clique_of(columns[i]);
    }
    const size_t cells = (size_t)sc_clique_cells(all, clique);
    int64_t *counts = sc_allocate(cells, sizeof *counts);
    if (counts == NULL ||
        !CHECK_STATUS(sc_records_new(&part, cells, &out, NULL), SCRIM_OK)) {
        sc_free(counts);
        return NULL;
    }
    sc_records_count(records, &clique, 1, &counts);
    for (size_t cell = 0; cell < cells; cell++) {
        uint32_t codes[SC_SYNTH_COLUMNS_MAX];
        size_t rest = cell;
        for (size_t i = count; i-- > 0; rest /= part.sizes[i])
            codes[i] = (uint32_t)(rest % part.sizes[i]);
        if (counts[cell] > 0)
            CHECK_STATUS(sc_records_add(out, codes, (uint64_t)counts[cell], NULL),
                         SCRIM_OK);
    }
    sc_free(counts);
    return out;
}

static double variation(const int64_t *x, double n, const int64_t *y, double m,
                        size_t cells)
{
    double sum = 0;
    for (size_t i = 0; i < cells; i++)
        sum += fabs((double)x[i] / n - (double)y[i] / m);
    return sum / 2;
}

double synth_mean_variation(const sc_records *records, const sc_synth_rows *rows)
{
    const sc_synth_columns *columns = sc_records_columns(records);
    double sum = 0;
    size_t pairs = 0;
    for (size_t a = 0; a < columns->count; a++)
        for (size_t b = a + 1; b < columns->count; b++) {
            const sc_clique pair = sc_clique_of(a) | sc_clique_of(b);
            const size_t cells = (size_t)sc_clique_cells(columns, pair);
            int64_t *x = sc_allocate(cells, sizeof *x),
                    *y = sc_allocate(cells, sizeof *y);
            if (CHECK(x != NULL && y != NULL)) {
                sc_records_count(records, &pair, 1, &x);
                for (uint64_t i = 0; i < rows->count; i++)
                    y[(size_t)rows->codes[a][i] * columns->sizes[b] +
                      rows->codes[b][i]]++;
                sum += variation(x, (double)sc_records_total(records), y,
                                 (double)rows->count, cells);
                pairs++;
            }
            sc_free(x);
            sc_free(y);
        }
    return sum / (double)pairs;
}
