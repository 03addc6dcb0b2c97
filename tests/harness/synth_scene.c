#include "synth_scene.h"

#include "account/ledger_tape.h"
#include "base/memory.h"
#include "check.h"

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

/* Adult. */

const char *const synth_adult_names[14] = {
    "age",          "workclass",      "fnlwgt",         "education_num", "marital_status",
    "occupation",   "relationship",   "race",           "sex",           "capital_gain",
    "capital_loss", "hours_per_week", "native_country", "salary"};

enum { FIELDS = 16, ADULT = 14, TEXTS = 42, TEXT_BYTES = 32 };

/* Where each column is in the file; a number has a first value and a width, a text has none. */
static const struct {
    int field;
    uint32_t size;
    long first, width;
} cuts[ADULT] = {{1, 15, 17, 5}, {2, 9, 0, 0},      {3, 15, 0, 99000}, {5, 16, 1, 1},
                 {6, 7, 0, 0},   {7, 15, 0, 0},     {8, 6, 0, 0},      {9, 5, 0, 0},
                 {10, 2, 0, 0},  {11, 15, 0, 6667}, {12, 15, 0, 300},  {13, 15, 1, 7},
                 {14, 42, 0, 0}, {15, 2, 0, 0}};

/* Texts in the order in which they come. */
typedef struct word_list {
    char words[TEXTS][TEXT_BYTES];
    uint32_t count;
} word_list;

static uint32_t word_code(word_list *list, const char *word)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strcmp(list->words[i], word) == 0)
            return i;
    if (list->count < TEXTS)
        snprintf(list->words[list->count++], TEXT_BYTES, "%s", word);
    return list->count - 1;
}

static size_t split(char *line, char *fields[FIELDS])
{
    size_t count = 0;
    line[strcspn(line, "\r\n")] = 0;
    for (char *at = line; at != NULL && count < FIELDS; count++) {
        fields[count] = at;
        at = strchr(at, ',');
        if (at != NULL)
            *at++ = 0;
    }
    return count;
}

static void code_line(char *fields[FIELDS], word_list *lists, uint32_t codes[ADULT])
{
    for (size_t i = 0; i < ADULT; i++) {
        const char *text = fields[cuts[i].field];
        if (cuts[i].width == 0) {
            codes[i] = word_code(&lists[i], text);
            continue;
        }
        const long bin = (strtol(text, NULL, 10) - cuts[i].first) / cuts[i].width;
        codes[i] = bin < 0 ? 0 : (uint32_t)bin;
    }
}

sc_records *synth_adult(void)
{
    char line[512];
    char *fields[FIELDS];
    uint32_t codes[ADULT];
    sc_records *records = NULL;
    sc_synth_columns columns = {.count = ADULT};
    static word_list lists[ADULT];
    memset(lists, 0, sizeof lists);
    for (size_t i = 0; i < ADULT; i++)
        columns.sizes[i] = cuts[i].size;
    FILE *file = fopen("data/adult.csv", "r");
    if (file == NULL)
        return NULL;
    if (!CHECK_STATUS(sc_records_new(&columns, 40000, &records, NULL), SCRIM_OK) ||
        fgets(line, sizeof line, file) == NULL) {
        fclose(file);
        return records;
    }
    while (fgets(line, sizeof line, file) != NULL)
        if (CHECK(split(line, fields) == FIELDS)) {
            code_line(fields, lists, codes);
            CHECK_STATUS(sc_records_add(records, codes, 1, NULL), SCRIM_OK);
        }
    fclose(file);
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
