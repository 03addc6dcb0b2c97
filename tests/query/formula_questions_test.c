/* Random arithmetic on aggregates, against SQLite on the same rows: the value before noise, and the public
 * range that it must lie in. */
#include "check.h"
#include "pass_scene.h"
#include "query/estimate/formula_form.h"
#include "query/estimate/real_digits.h"
#include "query/language/validate.h"
#include "row_oracle.h"

#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 60, TEXT = 20000, FORMULAS = 3 };

/* The same question in both dialects. */
typedef struct dialects {
    char ours[TEXT], theirs[TEXT];
    uint64_t *seed;
} dialects;

__attribute__((format(printf, 2, 3))) static void append(char *text, const char *format,
                                                         ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, TEXT - used, format, arguments);
    va_end(arguments);
}

static unsigned below(const dialects *d, unsigned n)
{
    return (unsigned)row_random(d->seed, n);
}

/* Sums of no value are 0, and means are quotients: of none there is none. */
static void put_leaf(dialects *d)
{
    static const char *const values[] = {"x", "y", "c", "x + c", "y * 2"};
    static const char *const filters[] = {"",
                                          "",
                                          "",
                                          " FILTER (WHERE x > 1)",
                                          " FILTER (WHERE y IS NOT NULL)",
                                          " FILTER (WHERE b)"};
    const char *value = values[below(d, COUNT(values))],
               *filter = filters[below(d, COUNT(filters))];
    switch (below(d, 4)) {
    case 0:
        append(d->ours, "COUNT(*)%s", filter);
        append(d->theirs, "COUNT(*)%s", filter);
        return;
    case 1:
        append(d->ours, "COUNT(%s)%s", value, filter);
        append(d->theirs, "COUNT(%s)%s", value, filter);
        return;
    case 2:
        append(d->ours, "SUM(%s)%s", value, filter);
        append(d->theirs, "COALESCE(SUM(%s)%s, 0)", value, filter);
        return;
    default:
        append(d->ours, "AVG(%s)%s", value, filter);
        append(d->theirs, "AVG(%s)%s", value, filter);
    }
}

static void put_any(dialects *d, unsigned depth);

static void put_both(dialects *d, const char *text)
{
    append(d->ours, "%s", text);
    append(d->theirs, "%s", text);
}

static void put_two(dialects *d, const char *between, unsigned depth)
{
    put_both(d, "(");
    put_any(d, depth);
    put_both(d, between);
    put_any(d, depth);
    put_both(d, ")");
}

/* SQLite's min and max give NULL where LEAST and GREATEST pass over it. */
static void put_extreme(dialects *d, unsigned depth)
{
    static char parts[2][2][TEXT];
    const bool is_least = below(d, 2) == 0;
    const size_t ours = strlen(d->ours), theirs = strlen(d->theirs);
    (void)depth;
    for (size_t i = 0; i < 2; i++) {
        put_leaf(d);
        snprintf(parts[i][0], TEXT, "%s", d->ours + ours);
        snprintf(parts[i][1], TEXT, "%s", d->theirs + theirs);
        d->ours[ours] = d->theirs[theirs] = '\0';
    }
    append(d->ours, "%s(%s, %s)", is_least ? "LEAST" : "GREATEST", parts[0][0],
           parts[1][0]);
    append(d->theirs, "COALESCE(%s(%s, %s), %s, %s)", is_least ? "MIN" : "MAX",
           parts[0][1], parts[1][1], parts[0][1], parts[1][1]);
}

static void put_any(dialects *d, unsigned depth)
{
    if (depth == 0) {
        put_leaf(d);
        return;
    }
    switch (below(d, 10)) {
    case 0:
    case 1:
        put_two(d, " + ", depth - 1);
        return;
    case 2:
        put_two(d, " - ", depth - 1);
        return;
    case 3:
        put_two(d, " * ", depth - 1);
        return;
    case 4:
    case 5: /* SQLite divides whole numbers to whole ones */
        append(d->ours, "(");
        append(d->theirs, "(CAST(");
        put_any(d, depth - 1);
        append(d->ours, " / ");
        append(d->theirs, " AS REAL) / ");
        put_any(d, depth - 1);
        put_both(d, ")");
        return;
    case 6:
        put_both(d, below(d, 2) == 0 ? "ABS(" : "-(");
        put_any(d, depth - 1);
        put_both(d, ")");
        return;
    case 7:
        put_extreme(d, depth - 1);
        return;
    case 8:
        put_both(d, "COALESCE(");
        put_any(d, depth - 1);
        put_both(d, ", 7)");
        return;
    default:
        put_both(d, "(100 * ");
        put_any(d, depth - 1);
        put_both(d, " - 3)");
    }
}

static void make_question(dialects *d)
{
    snprintf(d->ours, TEXT, "SELECT k");
    snprintf(d->theirs, TEXT, "SELECT k");
    for (int i = 0; i < FORMULAS; i++) {
        put_both(d, ", 0 + ");
        put_any(d, below(d, 4));
        append(d->ours, " AS f%d", i);
    }
    append(d->theirs, " FROM r");
    if (below(d, 2) == 0)
        put_both(d, below(d, 2) == 0 ? " WHERE x IS NOT NULL" : " WHERE y <> 2");
    put_both(d, " GROUP BY k");
    append(d->theirs, " ORDER BY k NULLS LAST");
}

/* The table, in a file and in SQLite. */

typedef struct scene {
    char path[64];
    sqlite3 *database;
    const sc_schema *schema;
} scene;

static void write_row(FILE *file, sqlite3 *database, uint64_t *seed)
{
    char cells[3][16], row[200];
    for (int i = 0; i < 3; i++)
        snprintf(cells[i], sizeof cells[i], "%d", (int)row_random(seed, 9) - 2);
    const bool no_x = row_random(seed, 4) == 0, no_y = row_random(seed, 4) == 0;
    const unsigned b = (unsigned)row_random(seed, 2), k = (unsigned)row_random(seed, 3);
    fprintf(file, "%s,%s,%s,%u,%u\n", no_x ? "" : cells[0], no_y ? "" : cells[1],
            cells[2], b, k);
    snprintf(row, sizeof row, "INSERT INTO r VALUES(%s,%s,%s,%u,%u)",
             no_x ? "NULL" : cells[0], no_y ? "NULL" : cells[1], cells[2], b, k);
    CHECK_INT(sqlite3_exec(database, row, NULL, NULL, NULL), SQLITE_OK);
}

static bool scene_begin(scene *s, uint64_t *seed)
{
    char policy[500];
    *s = (scene){.database = NULL};
    FILE *file = pass_file_new(s->path);
    if (!CHECK(file != NULL) ||
        !CHECK_INT(sqlite3_open(":memory:", &s->database), SQLITE_OK))
        return false;
    CHECK_INT(
        sqlite3_exec(s->database, "CREATE TABLE r(x, y, c, b, k)", NULL, NULL, NULL),
        SQLITE_OK);
    fputs("x,y,c,b,k\n", file);
    for (size_t i = 0; i < ROWS; i++)
        write_row(file, s->database, seed);
    fclose(file);
    snprintf(policy, sizeof policy,
             "unit=row\ncolumn=x=int[-2,6]\ncolumn=y=int[-2,6]\ncolumn=c=int[-2,6]\n"
             "missing=c=2\ncolumn=b=bool\nmissing=b=0\ncolumn=k=int[0,2]\nmissing=k=0\n"
             "csv=%s\n",
             s->path);
    return CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, NULL),
                        SCRIM_OK);
}

static void scene_end(scene *s)
{
    sqlite3_close(s->database);
    sc_schema_free(s->schema);
    unlink(s->path);
}

/* Values without noise. */

static void exact_numbers(const sc_statistics *statistics, const sc_group *g,
                          sc_int128 *out)
{
    for (size_t i = 0; i < statistics->count; i++) {
        const sc_group_statistic *t = &statistics->list[i];
        const sc_int128 n = t->value == SC_STATISTIC_NONE
                                ? (sc_int128)g->rows
                                : (sc_int128)g->present[t->value];
        out[t->first] = t->kind == SC_STATISTIC_ROWS
                            ? n
                            : g->sums[t->value] +
                                  n * (statistics->groups[t->value].centre - t->centre);
    }
}

/* A mean of no value has none, as in SQL; an answer shows the range then. */
static void value_of_leaf(const sc_formula_forms *f, size_t place,
                          const sc_int128 *numbers, sc_formula_number *out)
{
    SC_OWN(sc_ratio, rows);
    const sc_form *form = &f->forms[place];
    sc_form_value(f, form->top, numbers, &out->number);
    if (form->kind != SC_FORM_QUOTIENT)
        return;
    sc_form_value(f, form->bottom, numbers, &rows);
    out->is_null = sc_ratio_sign(&rows) == 0;
    if (!out->is_null)
        sc_ratio_div(&out->number, &out->number, &rows);
}

static bool is_within(const sc_formula_bounds *range, const sc_formula_number *value)
{
    return value->is_null ||
           ((!range->has_low || sc_ratio_compare(&range->low, &value->number) <= 0) &&
            (!range->has_high || sc_ratio_compare(&range->high, &value->number) >= 0));
}

/* NAN for NULL. */
static double value_of(const sc_query *query, size_t output,
                       const sc_statistics *statistics, const sc_group *group)
{
    const sc_formula *formula = query->outputs[output].formula;
    sc_formula_number all[SC_FORMULA_STEPS];
    sc_int128 numbers[SC_FORMULA_AGGREGATES * 8];
    sc_formula_forms f;
    double value = 0;
    if (CHECK(statistics->number_count <= COUNT(numbers)) &&
        CHECK_STATUS(sc_formula_forms_init(&f, formula, query, statistics, NULL),
                     SCRIM_OK)) {
        exact_numbers(statistics, group, numbers);
        for (size_t i = 0; i < formula->count; i++) {
            sc_formula_number_init(&all[i]);
            if (formula->steps[i].kind == SC_FORMULA_AGGREGATE)
                value_of_leaf(&f, i, numbers, &all[i]);
            else
                sc_formula_number_of(&formula->steps[i], all, &all[i]);
            CHECK(is_within(&f.ranges[i], &all[i]));
        }
        const sc_formula_number *last = &all[formula->count - 1];
        value = last->is_null ? (double)NAN : sc_real_upper(&last->number);
        for (size_t i = 0; i < formula->count; i++)
            sc_formula_number_clear(&all[i]);
        sc_formula_forms_clear(&f);
    }
    return value;
}

static bool is_same(double ours, double theirs)
{
    if (isnan(ours) || isnan(theirs))
        return isnan(ours) && isnan(theirs);
    return fabs(ours - theirs) <= 1e-9 * fmax(1, fabs(theirs));
}

/* Rows of both in the order of the key. */
static bool compare(const sc_query *query, const sc_statistics *statistics,
                    const sc_groups *groups, sqlite3_stmt *theirs)
{
    bool all = true;
    size_t row = 0;
    for (; all && sqlite3_step(theirs) == SQLITE_ROW; row++) {
        if (!CHECK(row < groups->count))
            return false;
        for (int i = 1; all && i <= FORMULAS; i++) {
            const double want = sqlite3_column_type(theirs, i) == SQLITE_NULL
                                    ? (double)NAN
                                    : sqlite3_column_double(theirs, i);
            const double got =
                value_of(query, (size_t)i, statistics, &groups->groups[row]);
            all = is_same(got, want);
            if (!all)
                CHECK_FAIL("output %d: %.17g in place of %.17g", i, got, want);
        }
    }
    return all && CHECK_INT(row, groups->count);
}

static bool check_question(const scene *s, const dialects *d, size_t *answered)
{
    const sc_pass_options options = {.workers = 1};
    const sc_query *query = NULL;
    scrim_error error = {.status = SCRIM_OK};
    sc_refusal refusal = {.error = &error};
    sqlite3_stmt *theirs = NULL;
    sc_statistics statistics;
    sc_pass *pass = NULL;
    sc_arena arena;
    bool all = true;
    sc_arena_init(&arena);
    const scrim_status status = sc_validate(sc_text_of(d->ours), sc_text_of("r"),
                                            s->schema, &arena, &query, &refusal);
    if (status == SCRIM_OK &&
        CHECK_STATUS(sc_statistics_of(query, false, &arena, &statistics, &error),
                     SCRIM_OK) &&
        CHECK_INT(sqlite3_prepare_v2(s->database, d->theirs, -1, &theirs, NULL),
                  SQLITE_OK)) {
        const sc_pass_statement asked = {
            .query = query, .statistics = &statistics, .max_groups = 1, .max_rows = 1};
        all = CHECK_STATUS(pass_run(s->schema, &asked, 1, &options, 7, &pass, &error),
                           SCRIM_OK) &&
              compare(query, &statistics, sc_pass_groups(pass, 0), theirs);
        sc_pass_close(pass);
        ++*answered;
    } else {
        all = CHECK_STATUS(status, SCRIM_E_LIMIT);
    }
    if (!all)
        CHECK_STR(d->ours, d->theirs);
    sqlite3_finalize(theirs);
    sc_arena_clear(&arena);
    return all;
}

TEST(formula_questions_mean_what_they_mean_in_sql)
{
    CLAIM("formula-form.range");
    CLAIM("formula-bounds.value");
    static dialects d;
    uint64_t seed = check_seed();
    size_t answered = 0;
    const uint64_t count = check_count_whole(300, 10000);
    scene s;
    d.seed = &seed;
    bool is_same_all = scene_begin(&s, &seed);
    for (uint64_t i = 0; is_same_all && i < count; i++) {
        if (i % 100 == 99) { /* other rows */
            scene_end(&s);
            is_same_all = scene_begin(&s, &seed);
        }
        make_question(&d);
        is_same_all = is_same_all && check_question(&s, &d, &answered);
    }
    CHECK(answered > count * 9 / 10);
    scene_end(&s);
}
