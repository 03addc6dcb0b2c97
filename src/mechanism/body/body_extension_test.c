#include "base/number/ball_double.h"
#include "check.h"
#include "exact.h"
#include "laws.h"
#include "mechanism/body/body_extension.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "scrim/audit.h"
#include "vectors.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MAX = 16 };

static int64_t row_at(const void *context, uint64_t rank)
{
    const int64_t *rows = context;
    return rows[rank - 1];
}

static int by_size(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The definition of a typical table, by order statistics; and as the source has it, by counts. */
static bool is_typical(const int64_t *x, size_t n, size_t k, const sc_extension_rule *r)
{
    const int64_t q = x[k - 1];
    if (q < r->low || q > r->high || k <= r->reach || k + r->reach > n)
        return false;
    for (size_t i = 1; i <= r->reach; i++)
        if (x[k - 1 + i] - q > (int64_t)i * r->step ||
            q - x[k - 1 - i] > (int64_t)i * r->step)
            return false;
    return true;
}

static bool is_typical_by_counts(const int64_t *x, size_t n, size_t k,
                                 const sc_extension_rule *r)
{
    const int64_t q = x[k - 1];
    if (q < r->low || q > r->high)
        return false;
    for (size_t i = 1; i <= r->reach; i++) {
        size_t above = 0, below = 0;
        for (size_t j = 0; j < n; j++) {
            above += x[j] >= q && x[j] <= q + (int64_t)i * r->step;
            below += x[j] <= q && x[j] >= q - (int64_t)i * r->step;
        }
        if (above < i || below < i)
            return false;
    }
    return true;
}

/* Fewest replacements after which the table is not typical, by trying them: rows of the table and far ends are all that a
 * replacement can change. */
static bool can_leave(int64_t *x, size_t n, size_t k, const sc_extension_rule *r,
                      uint64_t moves)
{
    int64_t sorted[ROWS_MAX];
    for (size_t i = 0; i < n; i++)
        sorted[i] = x[i];
    qsort(sorted, n, sizeof *sorted, by_size);
    if (!is_typical(sorted, n, k, r))
        return true;
    if (moves == 0)
        return false;
    for (size_t i = 0; i < n; i++)
        for (int far = -1; far <= 1; far += 2) {
            const int64_t was = x[i];
            x[i] = far * 1000000;
            const bool found = was != x[i] && can_leave(x, n, k, r, moves - 1);
            x[i] = was;
            if (found)
                return true;
        }
    return false;
}

static uint64_t distance_to_atypical(int64_t *x, size_t n, size_t k,
                                     const sc_extension_rule *r)
{
    uint64_t moves = 0;
    while (!can_leave(x, n, k, r, moves))
        moves++;
    return moves;
}

static sc_extension_rule rule_of(const json_t *row)
{
    return (sc_extension_rule){
        .low = json_integer_value(json_object_get(row, "lo")),
        .high = json_integer_value(json_object_get(row, "hi")),
        .step = json_integer_value(json_object_get(row, "Delta")),
        .reach = (uint64_t)json_integer_value(json_object_get(row, "K0"))};
}

static size_t rows_of(const json_t *row, int64_t *x)
{
    const json_t *list = json_object_get(row, "x");
    for (size_t i = 0; i < json_array_size(list); i++)
        x[i] = json_integer_value(json_array_get(list, i));
    qsort(x, json_array_size(list), sizeof *x, by_size);
    return json_array_size(list);
}

TEST(typical_tables_are_those_of_the_vectors)
{
    CLAIM("extension.exact");
    const json_t *rows = vectors_load("floating-body", "typical");
    REQUIRE(json_array_size(rows) == 8);
    for (size_t i = 0; i < 8; i++) {
        const json_t *row = json_array_get(rows, i);
        int64_t x[ROWS_MAX];
        const size_t n = rows_of(row, x), k = (size_t)vectors_number(row, "k");
        const sc_extension_rule r = rule_of(row);
        CHECK_INT(is_typical(x, n, k, &r), json_is_true(json_object_get(row, "typical")));
        CHECK_INT(is_typical_by_counts(x, n, k, &r),
                  json_is_true(json_object_get(row, "typical_count_version_of_source")));
        const uint64_t distance = distance_to_atypical(x, n, k, &r);
        CHECK_INT(distance, vectors_number(row, "distance_to_atypical"));
    }
}

/* moved(v) from the score itself: with D = 1 grid and t far from v nothing else counts... so it is read off the places. */
static uint64_t moved_at(const sc_extension_score *score, int64_t value)
{
    for (size_t i = 0; i < score->count; i++)
        if (score->places[i].value == value)
            return score->places[i].moved;
    return UINT64_MAX;
}

/* The score by its definition, over every v of the window. */
static int64_t score_by_definition(const int64_t *x, size_t n, size_t k,
                                   const sc_extension_rule *r, int64_t t)
{
    int64_t best = INT64_MIN;
    for (int64_t v = r->low; v <= r->high; v++) {
        int64_t a = 0, b = 0;
        for (int64_t i = 0; i <= (int64_t)r->reach; i++) {
            int64_t upto = 0, below = 0;
            for (size_t j = 0; j < n; j++) {
                upto += x[j] <= v + i * r->step;
                below += x[j] < v - i * r->step;
            }
            const int64_t right = (int64_t)k + i - upto,
                          left = below - ((int64_t)k - 1 - i);
            a = right > a ? right : a;
            b = left > b ? left : b;
        }
        const int64_t far = (t > v ? t - v : v - t) / r->step;
        const int64_t s = (far < (int64_t)r->reach ? far : (int64_t)r->reach) - a - b;
        best = s > best ? s : best;
    }
    return best < -(int64_t)r->clip ? -(int64_t)r->clip : best;
}

static int64_t score_at(const sc_extension_score *score, int64_t t)
{
    for (uint64_t level = 0; level <= score->rule.reach + score->rule.clip; level++) {
        int64_t first, last;
        sc_extension_interval(score, level, &first, &last);
        if (t >= first && t <= last)
            return (int64_t)level - (int64_t)score->rule.clip;
    }
    return INT64_MAX;
}

static void check_scores(const int64_t *x, size_t n, size_t k, const sc_extension_rule *r)
{
    sc_extension_score score;
    const sc_extension_table table = {.context = x, .row = row_at, .count = n, .k = k};
    const int64_t margin = (int64_t)r->reach * r->step;
    REQUIRE_OK(sc_extension_score_init(&score, r, NULL));
    sc_extension_score_find(&score, &table);
    size_t wrong = 0;
    for (int64_t t = r->low - margin; t <= r->high + margin; t++) {
        const int64_t got = score_at(&score, t);
        wrong += got != score_by_definition(x, n, k, r, t);
        if (is_typical(x, n, k, r)) {
            const int64_t far = llabs(t - x[k - 1]) / r->step;
            wrong += got != (far < (int64_t)r->reach ? far : (int64_t)r->reach);
        }
    }
    CHECK_INT(wrong, 0);
    sc_extension_score_clear(&score);
}

/* D of every v, and the score, as enumeration of all typical tables gives them. */
TEST(extension_is_that_of_the_vectors)
{
    CLAIM("extension.exact");
    const json_t *cases =
        json_object_get(vectors_load("floating-body", "routeA"), "cases");
    REQUIRE(json_array_size(cases) == 28);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *row = json_array_get(cases, i),
                     *list = json_object_get(row, "D_of_v"),
                     *at = json_object_get(row, "t"), *values = json_object_get(row, "S");
        int64_t x[ROWS_MAX];
        const size_t n = rows_of(row, x), k = (size_t)vectors_number(row, "k");
        sc_extension_rule r = rule_of(row);
        sc_extension_score score;
        r.clip = 2 * n;
        const sc_extension_table table = {
            .context = x, .row = row_at, .count = n, .k = k};
        REQUIRE_OK(sc_extension_score_init(&score, &r, NULL));
        sc_extension_score_find(&score, &table);
        for (size_t j = 0; j < json_array_size(list); j++) {
            const json_t *pair = json_array_get(list, j);
            const uint64_t got =
                moved_at(&score, json_integer_value(json_array_get(pair, 0)));
            CHECK(got == UINT64_MAX ||
                  got == (uint64_t)json_integer_value(json_array_get(pair, 1)));
        }
        /* The continuous score of the vector, from the places of ours: phi has no floor there. */
        for (size_t j = 0; j < json_array_size(at); j++) {
            const double t = json_number_value(json_array_get(at, j));
            double best = -HUGE_VAL;
            for (size_t p = 0; p < score.count; p++) {
                const double far =
                    fabs(t - (double)score.places[p].value) / (double)r.step;
                best = fmax(best,
                            fmin(far, (double)r.reach) - (double)score.places[p].moved);
            }
            CHECK(fabs(best - json_number_value(json_array_get(values, j))) < 1e-9);
        }
        sc_extension_score_clear(&score);
        r.clip = r.reach;
        check_scores(x, n, k, &r);
    }
}

/* Every table of 5 rows on 8 points, and one row replaced by each other: no score moves by more than 1. */
SLOW_TEST(extension_moves_by_one)
{
    CLAIM("extension.stable");
    static const sc_extension_rule rules[] = {
        {.low = 1, .high = 6, .step = 1, .reach = 2, .clip = 2},
        {.low = 0, .high = 7, .step = 2, .reach = 1, .clip = 3}};
    for (size_t c = 0; c < COUNT(rules); c++) {
        const sc_extension_rule *r = &rules[c];
        const int64_t margin = (int64_t)r->reach * r->step;
        enum { SPAN = 32 };
        static int8_t scores[32768][SPAN];
        for (size_t number = 0; number < 32768; number++) {
            int64_t x[5];
            bool is_sorted = true;
            for (size_t i = 0, rest = number; i < 5; i++, rest /= 8) {
                x[i] = (int64_t)(rest % 8);
                is_sorted &= i == 0 || x[i] >= x[i - 1];
            }
            if (!is_sorted)
                continue;
            sc_extension_score score;
            const sc_extension_table table = {
                .context = x, .row = row_at, .count = 5, .k = 3};
            REQUIRE_OK(sc_extension_score_init(&score, r, NULL));
            sc_extension_score_find(&score, &table);
            for (int64_t t = r->low - margin; t <= r->high + margin; t++) {
                scores[number][t + margin] = (int8_t)score_at(&score, t);
                if (c == 0 && number % 7 == 0)
                    CHECK_INT(scores[number][t + margin],
                              score_by_definition(x, 5, 3, r, t));
            }
            sc_extension_score_clear(&score);
            /* Against all smaller tables that differ in one row. */
            for (size_t i = 0; i < 5; i++)
                for (int64_t v = 0; v < 8; v++) {
                    int64_t y[5];
                    size_t other = 0;
                    for (size_t j = 0; j < 5; j++)
                        y[j] = j == i ? v : x[j];
                    qsort(y, 5, sizeof *y, by_size);
                    for (size_t j = 5; j-- > 0;)
                        other = other * 8 + (size_t)y[j];
                    if (other >= number)
                        continue;
                    size_t wrong = 0;
                    for (int64_t t = r->low - margin; t <= r->high + margin; t++)
                        wrong += abs(scores[number][t + margin] -
                                     scores[other][t + margin]) > 1;
                    if (wrong > 0)
                        CHECK_FAIL("tables %zu and %zu", number, other);
                }
        }
        CHECK(true);
    }
}

/* Large tables of every kind: a gap at the quantile, atoms, all outside, too flat. */
SLOW_TEST(extension_is_exact_on_large_tables)
{
    CLAIM("extension.exact");
    enum { ROWS = 20000 };
    static int64_t x[ROWS];
    const size_t n = check_count(2000, ROWS), k = (3 * n + 3) / 4;
    const sc_extension_rule r = {
        .low = -60, .high = 60, .step = 3, .reach = 12, .clip = 12};
    for (int kind = 0; kind < 6; kind++) {
        uint64_t state = (uint64_t)kind + 1;
        for (size_t i = 0; i < n; i++) {
            state = state * 6364136223846793005 + 1442695040888963407;
            const int64_t u = (int64_t)(state >> 40) % 100;
            x[i] = kind == 0   ? u / 2
                   : kind == 1 ? (u < 75 ? -20 : 20)
                   : kind == 2 ? u / 25 * 10
                   : kind == 3 ? 1000 + u
                   : kind == 4 ? u * 1000
                               : 5;
        }
        qsort(x, n, sizeof *x, by_size);
        sc_extension_score score;
        const sc_extension_table table = {
            .context = x, .row = row_at, .count = n, .k = k};
        REQUIRE_OK(sc_extension_score_init(&score, &r, NULL));
        sc_extension_score_find(&score, &table);
        for (int64_t t = -96; t <= 96; t += 24)
            CHECK_INT(score_at(&score, t), score_by_definition(x, n, k, &r, t));
        sc_extension_score_clear(&score);
    }
}

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    if (!CHECK_STATUS(scrim_measurement_parse_model(line, &m, &error), SCRIM_OK))
        CHECK_FAIL("%s: %s", line, error.message);
    return m;
}

SLOW_TEST(audit_of_the_extension_holds)
{
    CLAIM("body-extension.privacy");
    static const struct {
        const char *line;
        double least, most;
    } cases[] = {
        {"body-extension q=1/2 epsilon=1/2 lower=0 upper=7 spacing=1 reach=2 "
         "neighbours=replace records=5",
         0.3, 0.5},
        {"body-extension q=1/2 epsilon=2 lower=1 upper=6 spacing=2 reach=1 clip=3 "
         "neighbours=replace records=5",
         0.9, 2}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_measurement *m = made(cases[i].line);
        scrim_audit_report *report = NULL;
        scrim_audit_loss loss;
        scrim_audit_options options = {.size = sizeof options, .points = 3};
        REQUIRE(m != NULL);
        REQUIRE_OK(scrim_audit(m, &options, &report, NULL));
        scrim_audit_report_loss(report, &loss);
        if (!CHECK_INT(scrim_audit_report_verdict(report), SCRIM_AUDIT_HOLDS) ||
            !CHECK(loss.loss_lower >= cases[i].least && loss.loss_upper <= cases[i].most))
            CHECK_FAIL("%s: %s", cases[i].line, scrim_audit_report_summary(report));
        scrim_audit_report_free(report);
        scrim_measurement_free(m);
    }
}

SLOW_TEST(extension_draws_follow_their_law)
{
    CLAIM("body-extension.privacy");
    CLAIM("body-extension.accuracy");
    static const int64_t rows[] = {10, 11, 11, 12, 13, 13, 14, 15, 15, 16, 17};
    scrim_measurement *m =
        made("body-extension q=1/2 epsilon=8 lower=0 upper=20 spacing=2 reach=5 "
             "neighbours=replace");
    sc_outcomes law;
    sc_tape *tape = NULL;
    sc_certificate certificate;
    sc_ratio beta;
    static uint64_t seen[64];
    double probability[64], near = 0;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(9, &tape, NULL));
    const sc_private_input input = {.values = rows, .count = COUNT(rows)};
    sc_outcomes_init(&law, 1);
    REQUIRE_OK(m->mechanism->law(m, &input, 128, &law, NULL));
    REQUIRE(law.count == 41);
    for (size_t i = 0; i < check_count(3000, 100000); i++) {
        sc_int128 value;
        sc_mark mark;
        sc_draw out = {.values = &value, .marks = &mark, .capacity = 1};
        REQUIRE_OK(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL));
        seen[value + 10]++;
    }
    exact_ratio("1/20", &beta);
    sc_certificate_init(&certificate);
    REQUIRE_OK(m->mechanism->certify(m, &beta, COUNT(rows), &certificate, NULL));
    const double radius = sc_ball_near(&certificate.radius);
    CHECK(radius >= 2 && radius <= 8);
    CHECK_INT(certificate.form, SCRIM_CERTIFICATE_INTERVAL); /* of values, not of ranks */
    for (size_t i = 0; i < law.count; i++) {
        probability[i] = sc_ball_upper(&law.mass[i]);
        near += fabs((double)law.keys[i] - 13) <= radius ? probability[i] : 0;
    }
    CHECK(near >= 0.95);
    CHECK(laws_chi_square(seen, probability, law.count) > LAWS_FALSE_ALARM);
    sc_certificate_clear(&certificate);
    sc_ratio_clear(&beta);
    sc_outcomes_clear(&law);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(extension_takes_any_rows)
{
    CLAIM("body-extension.total");
    static const int64_t kinds[][6] = {
        {0, 0, 0, 0, 0, 0},
        {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
        {INT64_MIN, INT64_MIN, INT64_MIN, 0, INT64_MAX, INT64_MAX}};
    scrim_measurement *m =
        made("body-extension q=1/2 epsilon=1 lower=0 upper=1000000 spacing=3 reach=2 "
             "neighbours=replace");
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(9, &tape, NULL));
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (size_t n = 0; n <= 6; n++) {
            sc_int128 value = 0;
            sc_mark mark;
            sc_draw out = {.values = &value, .marks = &mark, .capacity = 1};
            const sc_private_input input = {.values = kinds[k], .count = n};
            CHECK_STATUS(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &out, NULL),
                         n < 5 ? SCRIM_E_PARAM : SCRIM_OK);
            CHECK(value >= -6 && value <= 1000006);
        }
    scrim_measurement_free(m);
    CHECK_STATUS(scrim_measurement_parse(
                     "body-extension q=1/2 epsilon=1 lower=0 upper=9 spacing=3 reach=2 "
                     "neighbours=add-remove",
                     &m, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(scrim_measurement_parse(
                     "body-extension q=1/2 epsilon=1 lower=0 upper=9 spacing=1/2 reach=2 "
                     "neighbours=replace",
                     &m, NULL),
                 SCRIM_E_PARAM);
    sc_tape_free(tape);
}
