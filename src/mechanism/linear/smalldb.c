#include "mechanism/linear/smalldb.h"

#include "base/memory.h"
#include "mechanism/linear/linear_matrix.h"
#include "mechanism/linear/small_programme.h"
#include "mechanism/selection/exponential.h"
#include "model/domain.h"

#include <string.h>

#define ROWS_MAX 4096
#define STEPS_MAX 1024
/* Counts of a bin: 256 of them times rows and steps are at most 2^61. */
#define COUNT_TEXT "2^31"
#define COUNT_MOST ((int64_t)1 << 31)

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-31", "1000",
                     "a rational above 0, from 4.7e-10 to 1000"),
    SC_LINEAR_MATRIX_PARAMETERS,
    SC_RULE_COUNT("rows", "4096", "the rows of the answer, an integer from 1 to 4096"),
    {.name = "alpha",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .below = "1",
     .domain = "a rational above 0 and below 1"},
    SC_RULE_COUNT("max-rows", "2^20",
                  "the most rows of one unit, an integer from 1 to 1048576"),
    SC_RULE_COUNT("max-count", COUNT_TEXT,
                  "the most rows of one bin that count, an integer from 1 to 2147483648"),
    {.name = "grid",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .above = "0",
     .domain = "a step that divides 1"},
    SC_PARAMETER_NEIGHBOURS,
};

typedef sc_smalldb_state state;
typedef sc_smalldb_sums sums;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

static int64_t unit_rows(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-rows", 1);
}

/* Making one. */

bool sc_smalldb_rows(uint64_t queries, const sc_ratio *alpha, uint64_t *out)
{
    uint64_t found = 0;
    bool is_known = false;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, size, square);
    SC_OWN(sc_ratio, twice);
    SC_OWN(sc_integer, whole);
    sc_ratio_mul(&twice, alpha, alpha);
    sc_ratio_add(&twice, &twice, &twice);
    for (long bits = 128; bits <= 4096 && !is_known; bits *= 2) {
        sc_ball_set_int128(&size, 2 * (sc_int128)queries);
        sc_ball_log(&size, &size, bits);
        sc_ball_set_ratio(&square, &twice, bits);
        sc_ball_div(&size, &size, &square, bits);
        is_known = sc_ball_floor(&size, &whole);
    }
    if (!is_known || !sc_integer_get_uint64(&whole, &found) || found >= ROWS_MAX)
        return false;
    *out = found + 1;
    return true;
}

static scrim_status set_rows(const scrim_measurement *m, state *s, scrim_error *error)
{
    static const char *const either[] = {"rows", "alpha", NULL};
    uint64_t rows = 0;
    const scrim_status status = sc_measurement_one_of(m, either, error);
    if (status != SCRIM_OK)
        return status;
    s->rows = sc_measurement_integer(m, "rows", 0);
    if (s->rows > 0)
        return SCRIM_OK;
    if (!sc_smalldb_rows(s->matrix.queries, sc_measurement_get(m, "alpha"), &rows))
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "alpha",
                                 "needs an answer of more than %d rows", ROWS_MAX);
    s->rows = (int64_t)rows;
    return SCRIM_OK;
}

/* epsilon/(2 D), D = max-rows rows steps. */
static scrim_status set_rate(const scrim_measurement *m, state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, twice);
    s->scores.steps = (uint64_t)unit_rows(m) * (uint64_t)s->rows * (uint64_t)s->steps;
    s->scores.choice = &sc_exponential_choice;
    s->scores.rounds = 1;
    s->scores.range = UINT64_MAX >> 2;
    sc_ratio_set_int64(&twice, 2 * (int64_t)s->scores.steps);
    sc_ratio_div(&s->scores.rate, sc_measurement_get(m, "epsilon"), &twice);
    return sc_scores_prepare_weights(m, &s->scores, error);
}

static int64_t most_of_a_bin(const scrim_measurement *m)
{
    return sc_measurement_integer(m, "max-count", COUNT_MOST);
}

/* exp(epsilon N max-count/(2 r)) turns at most are expected. */
static bool rejection_fits(const scrim_measurement *m, const state *s)
{
    const int64_t steps = (int64_t)(s->matrix.bins * (s->matrix.queries + 1)) + s->rows;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ratio, exponent, part);
    SC_OWN(sc_ball, turns, most);
    sc_ratio_set_int64(&exponent, (int64_t)s->matrix.bins * most_of_a_bin(m));
    sc_ratio_set_int64(&part, 2 * unit_rows(m));
    sc_ratio_div(&exponent, &exponent, &part);
    sc_ratio_mul(&exponent, &exponent, sc_measurement_get(m, "epsilon"));
    if (sc_ratio_compare_int64(&exponent, 64) > 0)
        return false;
    sc_ball_set_ratio(&turns, &exponent, 128);
    sc_ball_exp(&turns, &turns, 128);
    sc_ball_mul_int64(&turns, &turns, steps, 128);
    sc_ball_set_int64(&most, (int64_t)SC_SMALLDB_WORK);
    return sc_ball_is_less_equal(&turns, &most);
}

static scrim_status set_sampler(const scrim_measurement *m, state *s, scrim_error *error)
{
    uint64_t tables = 0;
    sc_small_tables_count(s->matrix.bins, (uint64_t)s->rows, &s->tables);
    if (sc_integer_get_uint64(&s->tables, &tables) && tables <= SC_SMALLDB_TABLES)
        s->sampler = SC_SMALLDB_ALL;
    else if (sc_small_programme_fits(&s->matrix, (uint64_t)s->rows))
        s->sampler = SC_SMALLDB_PROGRAMME;
    else if (rejection_fits(m, s))
        s->sampler = SC_SMALLDB_REJECTION;
    else
        return sc_fail_parameter(
            error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "rows",
            "has more than %llu possible answers over these bins, of too many kinds",
            (unsigned long long)SC_SMALLDB_TABLES);
    return SCRIM_OK;
}

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_int64(&high, most_of_a_bin(m));
    const scrim_status status = sc_domain_set_grid(&m->domain, NULL, &low, &high, error);
    m->domain.count_min = m->domain.count_max = state_of(m)->matrix.bins;
    m->domain.is_whole = true;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->scores.rate);
    sc_integer_init(&s->tables);
    scrim_status status = sc_linear_matrix_read(m, &s->matrix, error);
    if (status == SCRIM_OK)
        status = sc_linear_matrix_steps(m, STEPS_MAX, &s->steps, error);
    if (status == SCRIM_OK)
        status = set_rows(m, s, error);
    if (status == SCRIM_OK)
        status = set_sampler(m, s, error);
    if (status == SCRIM_OK)
        status = set_rate(m, s, error);
    return status == SCRIM_OK ? set_domain(m, error) : status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    sc_scores_discard_weights(s->scores.prepared);
    sc_ratio_clear(&s->scores.rate);
    sc_integer_clear(&s->tables);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_bounded_range(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

/* (ln tables + ln(1/beta))/h, in rows: all tables but the best one may be as bad. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    (void)count;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, bound, part);
    SC_OWN(sc_ratio, radius, factor);
    sc_ball_set_integer(&bound, &s->tables);
    sc_ball_log(&bound, &bound, 128);
    sc_ball_set_ratio(&part, beta, 128);
    sc_ball_log(&part, &part, 128);
    sc_ball_sub(&bound, &bound, &part, 128);
    sc_ratio_set_int64(&factor, 2 * unit_rows(m));
    sc_ratio_div(&factor, &factor, sc_measurement_get(m, "epsilon"));
    sc_ball_set_ratio(&part, &factor, 128);
    sc_ball_mul(&bound, &bound, &part, 128);
    if (!sc_ball_round_up(&bound, 20, &radius))
        return sc_fail(error, SCRIM_E_INTERNAL, "a radius is not finite");
    sc_certificate_pac(out, &radius, beta,
                       "the error of the best answer of so many rows");
    return SCRIM_OK;
}

/* Drawing. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->matrix.bins;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    int64_t table[SC_LINEAR_BINS];
    sums *x = sc_allocate(1, sizeof *x);
    if (x == NULL)
        return sc_no_memory(error, "a release");
    sc_smalldb_add_up(s, input, x);
    const scrim_status status = sc_smalldb_draw(s, s->sampler, bits, x, table, error);
    sc_free_wiped(x, sizeof *x);
    for (size_t i = 0; status == SCRIM_OK && i < s->matrix.bins; i++) {
        out->values[i] = table[i];
        out->marks[i] = SC_MARK_VALUE;
        out->count = s->matrix.bins;
    }
    return status;
}

/* The audit. */

/* 0 where there are more than can be listed. */
static size_t listed(const state *s)
{
    uint64_t tables = 0;
    const bool is_listed =
        sc_integer_get_uint64(&s->tables, &tables) && tables <= SC_OUTCOMES_MAX;
    return is_listed ? (size_t)tables : 0;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    int64_t table[SC_LINEAR_BINS];
    const size_t count = listed(s);
    if (count == 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %zu answers",
                       SC_OUTCOMES_MAX);
    sums *x = sc_allocate(1, sizeof *x);
    int64_t *scores = sc_allocate(count, sizeof *scores);
    sc_ball *mass = sc_balls_new(count);
    scrim_status status = x == NULL || scores == NULL || mass == NULL
                              ? sc_no_memory(error, "a law")
                              : SCRIM_OK;
    if (status == SCRIM_OK) {
        sc_smalldb_add_up(s, input, x);
        sc_smalldb_score_all(s, x, count, scores);
        status =
            sc_exponential_probabilities(&s->scores, scores, count, bits, mass, error);
    }
    sc_small_tables_first(table, s->matrix.bins, s->rows);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        status = sc_outcomes_add(out, table, &mass[i], error);
        (void)sc_small_tables_next(table, s->matrix.bins);
    }
    sc_balls_free(mass, mass == NULL ? 0 : count);
    sc_free(scores);
    sc_free(x);
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

/* Neighbours: up to two rows in the first and in the last bin, and the rows of a unit in any bin; under replace they
 * come from the first one. */
enum { BASES = 9 };

static size_t pair_count(const scrim_measurement *m)
{
    const state *s = state_of(m);
    const bool is_small =
        s->matrix.bins <= SC_PAIR_VALUES && listed(s) > 0 && listed(s) <= 4096;
    return is_small ? BASES * s->matrix.bins : 0;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const size_t bins = state_of(m)->matrix.bins, base = index / bins;
    out->x_count = out->y_count = bins;
    for (size_t i = 0; i < bins; i++)
        out->x[i] = 0;
    out->x[0] += (int64_t)(base % 3);
    out->x[bins - 1] += (int64_t)(base / 3);
    memcpy(out->y, out->x, bins * sizeof *out->y);
    out->y[index % bins] += unit_rows(m);
    if (sc_measurement_neighbours(m) == SCRIM_REPLACE)
        out->x[0] += unit_rows(m);
}

const sc_mechanism sc_smalldb = {
    .entry = {.name = "smalldb",
              .parameters =
                  "epsilon=R bins=N coefficients=R,...|workload=W "
                  "rows=N|alpha=R [columns=N,... ways=N max-rows=N max-count=N grid=R]",
              .input = "numbers",
              .claim = "epsilon-DP, pure; epsilon^2/8 concentrated",
              .does = "Chooses a whole small table from which all queries can be "
                      "answered. Its rows are made up; it is likely where its answers "
                      "are close to the true ones.",
              .example =
                  "bins=3 workload=prefix rows=4 epsilon=1/10 neighbours=add-remove",
              .example_input = "120\n340\n280\n",
              .reference = "Blum, Ligett, Roth: A Learning Theory Approach to "
                           "Noninteractive Database Privacy, 2013"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

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

/* Adds to the answers of a table those of `more` rows of one bin. */
static void add_bin(const state *s, size_t bin, int64_t more, sc_int128 *answers)
{
    for (size_t q = 0; q < s->matrix.queries; q++)
        answers[q] += (sc_int128)sc_linear_matrix_at(&s->matrix, q, bin) * more;
}

/* The order of the tables is one for all data, and neighbours in it differ in few bins: their answers are those of the table
 * before with a change. */
void sc_smalldb_score_all(const state *s, const sums *x, size_t count, int64_t *scores)
{
    int64_t table[SC_LINEAR_BINS], added[SC_LINEAR_BINS] = {0};
    sc_int128 answers[SC_LINEAR_QUERIES] = {0};
    sc_small_tables_first(table, s->matrix.bins, s->rows);
    for (size_t i = 0; i < count; i++) {
        sc_int128 worst = 0;
        for (size_t b = 0; b < s->matrix.bins; b++) {
            if (table[b] != added[b])
                add_bin(s, b, table[b] - added[b], answers);
            added[b] = table[b];
        }
        for (size_t q = 0; q < s->matrix.queries; q++) {
            const sc_int128 size = error_of(s, x, q, answers[q]);
            worst = size > worst ? size : worst;
        }
        scores[i] = -(int64_t)worst;
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
