#include "check.h"
#include "data/table/disclosure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A linear congruential generator: every run has the same tables. */
static uint64_t drawn = 20220519;

static size_t draw_below(size_t limit)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(drawn >> 33) % limit;
}

#define ROWS 60
#define COLUMNS 4 /* the last is sensitive */

/* A small table with many repeated values: person, columns. */
typedef struct toy {
    int unit[ROWS], cell[ROWS][COLUMNS];
    size_t rows, columns;
    bool has_units;
} toy;

static void make_toy(toy *t, bool has_units)
{
    t->rows = draw_below(ROWS) + 1;
    t->columns = COLUMNS;
    t->has_units = has_units;
    for (size_t i = 0; i < t->rows; i++) {
        t->unit[i] = has_units ? (int)draw_below(t->rows / 2 + 1) : (int)i;
        for (size_t c = 0; c < COLUMNS; c++)
            t->cell[i][c] = (int)draw_below(2 + c);
    }
}

/* 0 is written as a missing value. */
static void write_toy(const toy *t, char path[40])
{
    snprintf(path, 40, "/tmp/disclosure.XXXXXX");
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!CHECK(out != NULL))
        return;
    fprintf(out, "id,a,b,c,s\n");
    for (size_t i = 0; i < t->rows; i++) {
        fprintf(out, "u%d", t->unit[i]);
        for (size_t c = 0; c < COLUMNS; c++)
            fprintf(out, t->cell[i][c] == 0 ? "," : ",%d", t->cell[i][c]);
        fprintf(out, "\n");
    }
    fclose(out);
}

static bool agree(const toy *t, size_t i, size_t k, size_t set)
{
    for (size_t c = 0; c + 1 < COLUMNS; c++)
        if ((set >> c & 1) != 0 && t->cell[i][c] != t->cell[k][c])
            return false;
    return true;
}

/* The definitions, by comparing each row with each other one. */
static void by_pairs(const toy *t, size_t set, scrim_risk_set *out)
{
    bool is_unique[ROWS] = {false}, is_certain[ROWS] = {false};
    *out = (scrim_risk_set){.k = UINT64_MAX, .l = UINT64_MAX};
    for (size_t i = 0; i < t->rows; i++) {
        bool seen[ROWS] = {false};
        size_t people = 0, values = 0, rows = 0, first = ROWS, counts[COLUMNS + 2] = {0},
               all[COLUMNS + 2] = {0};
        double apart = 0;
        for (size_t k = 0; k < t->rows; k++) {
            all[t->cell[k][COLUMNS - 1]]++;
            if (!agree(t, i, k, set))
                continue;
            first = k < first ? k : first;
            people += !seen[t->unit[k]];
            seen[t->unit[k]] = true;
            rows++;
            values += counts[t->cell[k][COLUMNS - 1]]++ == 0;
        }
        for (size_t v = 0; v < COLUMNS + 2; v++)
            apart += fabs((double)counts[v] / (double)rows -
                          (double)all[v] / (double)t->rows) /
                     2;
        out->classes += first == i;
        out->k = people < out->k ? people : out->k;
        out->l = values < out->l ? values : out->l;
        out->t = apart > out->t ? apart : out->t;
        is_unique[t->unit[i]] |= people == 1;
        is_certain[t->unit[i]] |= values == 1;
    }
    for (size_t u = 0; u < ROWS; u++) {
        out->unique += is_unique[u];
        out->certain += is_certain[u];
    }
}

static scrim_status look(const char *path, bool has_units, const char *columns,
                         const char *sensitive, scrim_risk *out)
{
    char policy[400];
    scrim_error error = {.message = ""};
    sc_survey_request reading = {.workers = 1};
    snprintf(policy, sizeof policy,
             "csv=%s\nunit=%s\ncolumn=a=int[0,9]\ncolumn=b=int[0,9]\n"
             "column=c=int[0,9]\ncolumn=s=int[0,9]\n%s",
             path, has_units ? "id" : "row",
             has_units ? "max-groups=1\nmax-rows=9\n" : "");
    scrim_status status =
        sc_schema_parse(sc_text_of(policy), NULL, &reading.schema, &error);
    const sc_disclosure_request request = {&reading, columns, sensitive};
    if (status == SCRIM_OK)
        status = sc_disclosure_look(&request, out, &error);
    CHECK(status == SCRIM_OK || error.message[0] != '\0');
    sc_schema_free(reading.schema);
    return status;
}

TEST(disclosure_is_that_of_all_pairs_of_rows)
{
    CLAIM("disclosure.exact");
    for (uint64_t round = 0; round < check_count(60, 3000); round++) {
        toy t;
        scrim_risk risk;
        char path[40];
        make_toy(&t, round % 2 == 0);
        write_toy(&t, path);
        REQUIRE_OK(look(path, t.has_units, "a,b,c", "s", &risk));
        unlink(path);
        bool seen[ROWS] = {false};
        size_t people = 0;
        for (size_t i = 0; i < t.rows; i++) {
            people += !seen[t.unit[i]];
            seen[t.unit[i]] = true;
        }
        CHECK_INT(risk.people, people);
        CHECK_INT(risk.rows, t.rows);
        CHECK_INT(risk.count, 3);
        for (size_t n = 0; n < risk.count; n++) {
            const scrim_risk_set *got = &risk.sets[n];
            scrim_risk_set want, best = {.unique = 0};
            by_pairs(&t, got->set, &want);
            CHECK_INT(got->column_count, n + 1);
            CHECK_INT(got->unique, want.unique);
            CHECK_INT(got->k, want.k);
            CHECK_INT(got->classes, want.classes);
            CHECK_INT(got->l, want.l);
            CHECK(fabs(got->t - want.t) < 1e-12);
            CHECK_INT(got->certain, want.certain);
            for (size_t set = 1; set < 8; set++) {
                by_pairs(&t, set, &want);
                if ((size_t)__builtin_popcountll(set) == n + 1 &&
                    want.unique > best.unique)
                    best = want;
            }
            CHECK_INT(got->unique, best.unique);
        }
        scrim_risk_clear(&risk);
    }
}

TEST(disclosure_refuses_what_is_no_column)
{
    CLAIM("disclosure.exact");
    scrim_risk risk;
    char path[40];
    const toy t = {.rows = 2, .unit = {0, 1}};
    write_toy(&t, path);
    CHECK_STATUS(look(path, true, "a,x", NULL, &risk), SCRIM_E_PARAM);
    CHECK_STATUS(look(path, true, "", NULL, &risk), SCRIM_E_PARAM);
    CHECK_STATUS(look(path, true, "a", "id", &risk), SCRIM_E_PARAM);
    CHECK_STATUS(look(path, true, "a,b,c,s,a,b,c,s,a", NULL, &risk), SCRIM_E_PARAM);
    REQUIRE_OK(look(path, true, NULL, NULL, &risk));
    CHECK_INT(risk.count, 4);
    CHECK_INT(risk.has_sensitive, 0);
    CHECK_INT(risk.sets[3].k, 2);
    CHECK_INT(risk.sets[3].unique, 0);
    unlink(path);
    CHECK_STATUS(look(path, true, NULL, NULL, &risk), SCRIM_E_INPUT);
}
