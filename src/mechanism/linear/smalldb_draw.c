#include "base/memory.h"
#include "mechanism/linear/small_programme.h"
#include "mechanism/linear/small_rejection.h"
#include "mechanism/linear/small_tables.h"
#include "mechanism/linear/smalldb.h"
#include "mechanism/selection/exponential.h"

typedef sc_smalldb_state state;
typedef sc_smalldb_sums sums;

/* Scores. */

void sc_smalldb_add_up(const state *s, const sc_private_input *input, sums *out)
{
    out->rows = 0;
    for (size_t i = 0; i < input->count; i++)
        out->rows += input->values[i];
    for (size_t q = 0; q < s->matrix.queries; q++) {
        out->answers[q] = 0;
        for (size_t i = 0; i < input->count; i++)
            out->answers[q] +=
                (sc_int128)sc_linear_matrix_at(&s->matrix, q, i) * input->values[i];
    }
}

/* |m X - n Y| of one query. */
static sc_int128 error_of(const state *s, const sums *x, size_t query, sc_int128 y)
{
    const sc_int128 by = s->rows * x->answers[query] - x->rows * y;
    return by < 0 ? -by : by;
}

/* - max over queries of |m X - n Y|, Y what the table answers. */
static int64_t score(const state *s, const sums *x, const int64_t *table)
{
    sc_int128 worst = 0;
    for (size_t q = 0; q < s->matrix.queries; q++) {
        sc_int128 y = 0;
        for (size_t i = 0; i < s->matrix.bins; i++)
            y += (sc_int128)sc_linear_matrix_at(&s->matrix, q, i) * table[i];
        const sc_int128 size = error_of(s, x, q, y);
        worst = size > worst ? size : worst;
    }
    return -(int64_t)worst;
}

void sc_smalldb_score_all(const state *s, const sums *x, size_t count, int64_t *scores)
{
    int64_t table[SC_LINEAR_BINS];
    sc_small_tables_first(table, s->matrix.bins, s->rows);
    for (size_t i = 0; i < count; i++) {
        scores[i] = score(s, x, table);
        (void)sc_small_tables_next(table, s->matrix.bins);
    }
}

/* All tables. */

static scrim_status draw_all(const state *s, sc_bits *bits, const sums *x, int64_t *table,
                             scrim_error *error)
{
    uint64_t count = 0;
    size_t index = 0;
    if (!sc_integer_get_uint64(&s->tables, &count) || count > SC_SMALLDB_TABLES)
        return sc_fail(error, SCRIM_E_INTERNAL, "too many tables to look at");
    int64_t *scores = sc_allocate((size_t)count, sizeof *scores);
    if (scores == NULL)
        return sc_no_memory(error, "a release");
    sc_smalldb_score_all(s, x, (size_t)count, scores);
    const scrim_status status =
        sc_exponential_choose(&s->scores, bits, scores, (size_t)count, &index, error);
    sc_free_wiped(scores, (size_t)count * sizeof *scores);
    if (status != SCRIM_OK)
        return status;
    sc_small_tables_first(table, s->matrix.bins, s->rows);
    for (size_t i = 0; i < index; i++)
        (void)sc_small_tables_next(table, s->matrix.bins);
    return SCRIM_OK;
}

/* The programme. */

static void score_classes(const state *s, const sums *x, const sc_small_programme *p,
                          int64_t *scores)
{
    for (size_t class = 0; class < p->classes; class ++) {
        sc_int128 worst = 0;
        for (size_t q = 0; q < s->matrix.queries; q++) {
            const sc_int128 size = error_of(s, x, q, sc_small_programme_sum(p, q, class));
            worst = size > worst ? size : worst;
        }
        scores[class] = -(int64_t)worst;
    }
}

static scrim_status draw_programme(const state *s, sc_bits *bits, const sums *x,
                                   int64_t *table, scrim_error *error)
{
    sc_small_programme p;
    scrim_status status =
        sc_small_programme_new(&s->matrix, (uint64_t)s->rows, &p, error);
    if (status != SCRIM_OK)
        return status;
    const size_t classes = p.classes;
    int64_t *scores = sc_allocate(classes, sizeof *scores);
    if (scores == NULL) {
        status = sc_no_memory(error, "a release");
    } else {
        score_classes(s, x, &p, scores);
        status = sc_small_programme_draw(&p, &s->scores.rate, scores, bits, table, error);
        sc_free_wiped(scores, classes * sizeof *scores);
    }
    sc_small_programme_free(&p);
    return status;
}

/* Rejection. */

typedef struct scored {
    const state *state;
    const sums *x;
} scored;

static int64_t score_of(const void *context, const int64_t *table)
{
    const scored *s = context;
    return score(s->state, s->x, table);
}

scrim_status sc_smalldb_draw(const state *s, sc_smalldb_sampler sampler, sc_bits *bits,
                             const sums *x, int64_t *table, scrim_error *error)
{
    const scored context = {s, x};
    if (sampler == SC_SMALLDB_ALL)
        return draw_all(s, bits, x, table, error);
    if (sampler == SC_SMALLDB_PROGRAMME)
        return draw_programme(s, bits, x, table, error);
    return sc_small_rejection_draw(&(sc_small_rejection){.weights = s->scores.prepared,
                                                         .score = score_of,
                                                         .context = &context,
                                                         .bins = s->matrix.bins,
                                                         .rows = (uint64_t)s->rows},
                                   bits, table, error);
}
