#include "lab/experiment/table_extension.h"

#include "lab/experiment/experiment_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS, SIDE, ROWS, Q, SPACING, REACH, EPSILON, WORDS };

#define WHOLE(its_name, usual, least, most)                                              \
    {                                                                                    \
        .name = (its_name), .default_text = (usual), .low = (least), .high = (most),     \
        .is_whole = true, .domain = "an integer from " least " to " most                 \
    }
static const lab_word_rule rules[WORDS] = {
    WHOLE("dimensions", "2", "1", "3"),
    WHOLE("side", "3", "2", "8"),
    WHOLE("rows", "4", "1", "8"),
    {.name = "q",
     .default_text = "3/4",
     .low = "1/2",
     .high = "1",
     .is_below_high = true,
     .domain = "a number of at least 1/2 and below 1"},
    WHOLE("spacing", "1", "1", "8"),
    WHOLE("reach", "1", "1", "4"),
    {.name = "epsilon",
     .default_text = "1",
     .low = "0",
     .high = "20",
     .is_above_low = true,
     .domain = "a number above 0 and at most 20"}};

#define MOST_DIMENSIONS 3
#define MOST_ROWS 8
#define MOST_CODES ((size_t)1 << 20) /* tables, rows in order */
#define MOST_TABLES 2500
#define MOST_OUTPUTS 2500
#define FAR 1000

/* f and outputs are in halves of a step. */
typedef struct place {
    int at[MOST_DIMENSIONS];
} place;

typedef struct table {
    unsigned char points[MOST_ROWS]; /* ascending */
    bool is_typical;
    place f;
} table;

typedef struct universe {
    size_t dimensions, side, points, rows, rank;
    int spacing, reach;
    double epsilon;
    table *tables;
    size_t count, typical;
    int *index; /* of the tables, by their code; -1: not ascending */
    place *outputs;
    size_t output_count;
    double *scores, *logs; /* of each table at each output */
} universe;

/* Tables. */

static size_t power(size_t base, size_t exponent)
{
    size_t result = 1;
    for (size_t i = 0; i < exponent && result <= MOST_CODES; i++)
        result *= base;
    return result;
}

static int coordinate(const universe *u, unsigned point, size_t j)
{
    return (int)(point / power(u->side, j) % u->side);
}

static size_t code_of(const universe *u, const unsigned char *points)
{
    size_t code = 0;
    for (size_t i = 0; i < u->rows; i++)
        code = code * u->points + points[i];
    return code;
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static bool is_dense(const universe *u, const int *x, size_t rank)
{
    for (int m = 1; m <= u->reach; m++)
        if (x[rank - 1 + (size_t)m] - x[rank - 1] > m * u->spacing ||
            x[rank - 1] - x[rank - 1 - (size_t)m] > m * u->spacing)
            return false;
    return true;
}

static void describe(const universe *u, table *t)
{
    const size_t other = u->rows + 1 - u->rank;
    t->is_typical = true;
    for (size_t j = 0; j < u->dimensions; j++) {
        int x[MOST_ROWS];
        for (size_t i = 0; i < u->rows; i++)
            x[i] = coordinate(u, t->points[i], j);
        qsort(x, u->rows, sizeof *x, ascending);
        t->f.at[j] = x[u->rank - 1] + x[other - 1];
        t->is_typical = t->is_typical && is_dense(u, x, u->rank) && is_dense(u, x, other);
    }
}

static bool next_table(const universe *u, unsigned char *points)
{
    size_t i = u->rows;
    while (i > 0 && points[i - 1] == u->points - 1)
        i--;
    if (i == 0)
        return false;
    const unsigned char value = (unsigned char)(points[i - 1] + 1);
    for (size_t k = i - 1; k < u->rows; k++)
        points[k] = value;
    return true;
}

static bool list_tables(universe *u)
{
    unsigned char points[MOST_ROWS] = {0};
    const size_t codes = power(u->points, u->rows);
    u->tables = calloc(MOST_TABLES, sizeof *u->tables);
    u->index = malloc(codes * sizeof *u->index);
    if (u->tables == NULL || u->index == NULL)
        return false;
    for (size_t i = 0; i < codes; i++)
        u->index[i] = -1;
    do {
        table *t = &u->tables[u->count];
        memcpy(t->points, points, sizeof points);
        describe(u, t);
        u->typical += t->is_typical;
        u->index[code_of(u, points)] = (int)u->count++;
    } while (u->count < MOST_TABLES && next_table(u, points));
    return true;
}

/* How many rows differ. */
static int distance(const universe *u, const table *a, const table *b)
{
    size_t i = 0, k = 0, same = 0;
    while (i < u->rows && k < u->rows) {
        same += a->points[i] == b->points[k];
        const bool steps_a = a->points[i] <= b->points[k],
                   steps_b = b->points[k] <= a->points[i];
        i += steps_a;
        k += steps_b;
    }
    return (int)(u->rows - same);
}

/* Outputs: as far as phi reaches around every f, so that the restricted densities have one total. */

static int edge(const universe *u)
{
    return 2 * u->reach * u->spacing;
}

static size_t axis_outputs(const universe *u)
{
    return 2 * (u->side - 1) + 2 * (size_t)edge(u) + 1;
}

static bool list_outputs(universe *u)
{
    const size_t axis = axis_outputs(u);
    u->outputs = calloc(u->output_count, sizeof *u->outputs);
    for (size_t i = 0; u->outputs != NULL && i < u->output_count; i++)
        for (size_t j = 0; j < u->dimensions; j++)
            u->outputs[i].at[j] = (int)(i / power(axis, j) % axis) - edge(u);
    return u->outputs != NULL;
}

/* The largest coordinate of the difference, in steps. */
static double apart(const universe *u, const place *a, const place *b)
{
    int most = 0;
    for (size_t j = 0; j < u->dimensions; j++)
        most = abs(a->at[j] - b->at[j]) > most ? abs(a->at[j] - b->at[j]) : most;
    return most / 2.0;
}

static double phi(const universe *u, const place *t, const place *f)
{
    return fmin(apart(u, t, f) / u->spacing, u->reach);
}

/* S. Typical tables with one f count by the nearest of them. */

static size_t value_of(const universe *u, const place *f)
{
    size_t value = 0;
    for (size_t j = u->dimensions; j > 0; j--)
        value = value * (2 * u->side - 1) + (size_t)f->at[j - 1];
    return value;
}

static void score_table(const universe *u, const table *x, int *nearest, double *scores)
{
    const size_t values = power(2 * u->side - 1, u->dimensions);
    for (size_t v = 0; v < values; v++)
        nearest[v] = FAR;
    for (size_t i = 0; i < u->count; i++) {
        int *best = &nearest[value_of(u, &u->tables[i].f)];
        const int d = u->tables[i].is_typical ? distance(u, x, &u->tables[i]) : FAR;
        *best = d < *best ? d : *best;
    }
    for (size_t t = 0; t < u->output_count; t++)
        scores[t] = -HUGE_VAL;
    for (size_t v = 0; v < values; v++) {
        place f = {{0}};
        for (size_t j = 0; j < u->dimensions; j++)
            f.at[j] = (int)(v / power(2 * u->side - 1, j) % (2 * u->side - 1));
        for (size_t t = 0; nearest[v] < FAR && t < u->output_count; t++)
            scores[t] = fmax(scores[t], phi(u, &u->outputs[t], &f) - nearest[v]);
    }
}

static void set_logs(const universe *u, const double *scores, double *logs)
{
    double total = 0;
    for (size_t t = 0; t < u->output_count; t++)
        total += exp(-u->epsilon / 2 * scores[t]);
    for (size_t t = 0; t < u->output_count; t++)
        logs[t] = -u->epsilon / 2 * scores[t] - log(total);
}

static bool score_tables(universe *u)
{
    int *nearest = malloc(power(2 * u->side - 1, u->dimensions) * sizeof *nearest);
    u->scores = malloc(u->count * u->output_count * sizeof *u->scores);
    u->logs = malloc(u->count * u->output_count * sizeof *u->logs);
    const bool is_well = nearest != NULL && u->scores != NULL && u->logs != NULL;
    for (size_t i = 0; is_well && i < u->count; i++) {
        score_table(u, &u->tables[i], nearest, u->scores + i * u->output_count);
        set_logs(u, u->scores + i * u->output_count, u->logs + i * u->output_count);
    }
    free(nearest);
    return is_well;
}

/* Results. */

static double loss_of(const universe *u, size_t x, size_t y)
{
    const double *a = u->logs + x * u->output_count, *b = u->logs + y * u->output_count;
    double most = 0;
    for (size_t t = 0; t < u->output_count; t++)
        most = fmax(most, fabs(a[t] - b[t]));
    return most;
}

static int less(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* Each table against those with one of its rows replaced. */
static void compare_neighbours(const universe *u, lab_extension *out)
{
    for (size_t x = 0; x < u->count; x++)
        for (size_t i = 0; i < u->rows; i++)
            for (size_t p = 0; p < u->points; p++) {
                unsigned char points[MOST_ROWS];
                memcpy(points, u->tables[x].points, sizeof points);
                points[i] = (unsigned char)p;
                qsort(points, u->rows, 1, less);
                const size_t y = (size_t)u->index[code_of(u, points)];
                if (y <= x)
                    continue;
                const double loss = loss_of(u, x, y);
                out->loss = fmax(out->loss, loss);
                if (u->tables[x].is_typical && u->tables[y].is_typical)
                    out->typical_loss = fmax(out->typical_loss, loss);
            }
}

static void compare_scores(const universe *u, lab_extension *out)
{
    for (size_t x = 0; x < u->count; x++) {
        const table *own = &u->tables[x];
        const double *scores = u->scores + x * u->output_count,
                     *logs = u->logs + x * u->output_count;
        bool is_changed = false;
        double mean = 0;
        for (size_t t = 0; t < u->output_count; t++) {
            is_changed =
                is_changed || fabs(scores[t] - phi(u, &u->outputs[t], &own->f)) > 1e-12;
            mean += exp(logs[t]) * apart(u, &u->outputs[t], &own->f);
        }
        out->changed += own->is_typical && is_changed;
        out->error = fmax(out->error, mean);
        if (own->is_typical)
            out->typical_error = fmax(out->typical_error, mean);
    }
}

/* The question. */

static size_t whole_of(const lab_word *word)
{
    int64_t value = 0;
    return lab_quantity_int64(&word->value, &value) ? (size_t)value : 0;
}

/* C(points + rows - 1, rows), or more than any limit. */
static size_t multisets(size_t points, size_t rows)
{
    size_t count = 1;
    for (size_t i = 1; i <= rows && count <= MOST_CODES; i++)
        count = count * (points + i - 1) / i;
    return count;
}

static scrim_status fail_question(scrim_status status, const char *name,
                                  const char *message, scrim_error *error)
{
    return lab_fail(error, status, "%s: %s", name, message);
}

static scrim_status read_universe(const lab_word *words, universe *u, scrim_error *error)
{
    u->dimensions = whole_of(&words[DIMENSIONS]);
    u->side = whole_of(&words[SIDE]);
    u->rows = whole_of(&words[ROWS]);
    u->spacing = (int)whole_of(&words[SPACING]);
    u->reach = (int)whole_of(&words[REACH]);
    u->epsilon = lab_quantity_upper(&words[EPSILON].value);
    u->points = power(u->side, u->dimensions);
    /* k is at least q rows, and k - 1 is below that. */
    LAB_QUANTITY(share);
    LAB_QUANTITY(rows);
    lab_quantity_set_int64(&rows, (int64_t)u->rows);
    lab_quantity_mul(&share, &words[Q].value, &rows);
    int sign = 1;
    for (u->rank = 0; sign > 0; u->rank += sign > 0) {
        lab_quantity_set_int64(&rows, (int64_t)u->rank);
        if (!lab_quantity_compare(&share, &rows, &sign))
            break;
    }
    const size_t other = u->rows + 1 - u->rank, reach = (size_t)u->reach;
    if (u->rank + reach > u->rows || other <= reach)
        return fail_question(SCRIM_E_PARAM, "reach",
                             "the ranks around q lie outside of the rows; use more rows, "
                             "a smaller q or a smaller reach",
                             error);
    u->output_count = power(axis_outputs(u), u->dimensions);
    if (power(u->points, u->rows) > MOST_CODES ||
        multisets(u->points, u->rows) > MOST_TABLES || u->output_count > MOST_OUTPUTS)
        return fail_question(SCRIM_E_LIMIT, "rows",
                             "there are too many tables; use fewer rows, a smaller side "
                             "or fewer dimensions",
                             error);
    return SCRIM_OK;
}

static scrim_status enumerate(universe *u, lab_extension *out, scrim_error *error)
{
    if (!list_tables(u) || !list_outputs(u))
        return fail_question(SCRIM_E_MEMORY, "rows", "out of memory", error);
    if (u->typical == 0)
        return fail_question(SCRIM_E_PARAM, "spacing", "no table is typical", error);
    if (!score_tables(u))
        return fail_question(SCRIM_E_MEMORY, "rows", "out of memory", error);
    out->tables = u->count;
    out->typical = u->typical;
    out->outputs = u->output_count;
    out->epsilon = u->epsilon;
    compare_neighbours(u, out);
    compare_scores(u, out);
    return SCRIM_OK;
}

scrim_status lab_extension_of(const char *line, lab_extension *out, scrim_error *error)
{
    lab_word words[WORDS];
    lab_extension found = {.tables = 0};
    universe u = {.count = 0};
    scrim_status status = lab_words_read(rules, WORDS, line, words, error);
    if (status == SCRIM_OK)
        status = read_universe(words, &u, error);
    if (status == SCRIM_OK)
        status = enumerate(&u, &found, error);
    if (status == SCRIM_OK) {
        (void)snprintf(found.text, sizeof found.text,
                       "all tables of %zu points of %zu places, in %zu dimensions",
                       u.rows, u.points, u.dimensions);
        *out = found;
    }
    free(u.logs);
    free(u.scores);
    free(u.outputs);
    free(u.index);
    free(u.tables);
    lab_words_clear(words, WORDS);
    return status;
}
