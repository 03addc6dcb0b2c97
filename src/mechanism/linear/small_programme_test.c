#include "check.h"
#include "mechanism/linear/small_programme.h"
#include "noise_checks.h"

#include <stdio.h>
#include <string.h>

static const char *const lines[] = {
    "linear-queries rho=1 bins=1 coefficients=1 neighbours=add-remove",
    "linear-queries rho=1 bins=3 coefficients=1,0,0,0,1,0,1,1/2,0 grid=1/2 "
    "neighbours=add-remove",
    "linear-queries rho=1 bins=4 workload=prefix neighbours=add-remove",
    "linear-queries rho=1 bins=5 coefficients=1,1,0,0,1,0,0,0,0,0,0,1,1,0,0 "
    "neighbours=add-remove",
    "linear-queries rho=1 bins=3 coefficients=1/4,3/4,1,1,0,1/4 grid=1/4 "
    "neighbours=add-remove",
};

static size_t class_of(const sc_small_programme *p, const int64_t *table)
{
    size_t class = 0;
    for (size_t i = 0; i < p->matrix->bins; i++)
        class += p->shifts[i] * (size_t)table[i];
    return class;
}

static void check_class(const sc_small_programme *p, const int64_t *table)
{
    for (size_t q = 0; q < p->matrix->queries; q++) {
        int64_t want = 0;
        for (size_t i = 0; i < p->matrix->bins; i++)
            want += table[i] * sc_linear_matrix_at(p->matrix, q, i);
        CHECK_INT(sc_small_programme_sum(p, q, class_of(p, table)), want);
    }
}

/* Against a list of all tables. */
static void check_counts(const sc_linear_matrix *matrix, uint64_t rows)
{
    static uint64_t want[1 << 16];
    int64_t table[SC_LINEAR_BINS];
    sc_small_programme p;
    SC_OWN(sc_integer, found);
    CHECK(sc_small_programme_fits(matrix, rows));
    REQUIRE_OK(sc_small_programme_new(matrix, rows, &p, NULL));
    REQUIRE(p.classes <= sizeof want / sizeof *want);
    memset(want, 0, sizeof want);
    sc_small_tables_first(table, matrix->bins, (int64_t)rows);
    do {
        check_class(&p, table);
        want[class_of(&p, table)]++;
    } while (sc_small_tables_next(table, matrix->bins));
    for (size_t class = 0; class < p.classes; class ++) {
        uint64_t count = 0;
        sc_small_programme_count(&p, class, &found);
        CHECK(sc_integer_get_uint64(&found, &count));
        CHECK_INT(count, want[class]);
    }
    sc_small_programme_free(&p);
}

TEST(small_programme_counts_tables)
{
    CLAIM("small-programme.counts");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        sc_linear_matrix matrix;
        scrim_measurement *m = noise_made(lines[i]);
        REQUIRE(m != NULL);
        REQUIRE_OK(sc_linear_matrix_read(m, &matrix, NULL));
        for (uint64_t rows = 1; rows <= 5; rows++)
            check_counts(&matrix, rows);
        scrim_measurement_free(m);
    }
}

/* Counts of more than one word: all classes together are all tables. */
TEST(small_programme_counts_beyond_a_word)
{
    CLAIM("small-programme.counts");
    char line[700] = "linear-queries rho=1 bins=60 neighbours=add-remove coefficients=1";
    sc_linear_matrix matrix;
    sc_small_programme p;
    SC_OWN(sc_integer, sum, part, want);
    for (size_t i = 1, at = strlen(line); i < 60; i++, at += 2)
        memcpy(line + at, i % 3 == 0 ? ",1" : ",0", sizeof ",1");
    scrim_measurement *m = noise_made(line);
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_linear_matrix_read(m, &matrix, NULL));
    REQUIRE_OK(sc_small_programme_new(&matrix, 90, &p, NULL));
    CHECK_INT(p.words, 3);
    for (size_t class = 0; class < p.classes; class ++) {
        sc_small_programme_count(&p, class, &part);
        sc_integer_add(&sum, &sum, &part);
    }
    sc_small_tables_count(60, 90, &want);
    CHECK(sc_integer_compare(&sum, &want) == 0);
    /* 30 rows in the 20 bins that count, 60 in the others */
    sc_small_tables_count(20, 30, &want);
    sc_small_tables_count(40, 60, &part);
    sc_integer_mul(&want, &want, &part);
    sc_small_programme_count(&p, 30, &part);
    CHECK(sc_integer_compare(&part, &want) == 0);
    sc_small_programme_free(&p);
    scrim_measurement_free(m);
}

/* 2^24 bins times states, no more. */
TEST(small_programme_keeps_its_limit)
{
    sc_linear_matrix matrix;
    scrim_measurement *m = noise_made(
        "linear-queries rho=1 bins=4 coefficients=1,0,0,0 neighbours=add-remove");
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_linear_matrix_read(m, &matrix, NULL));
    CHECK(sc_small_programme_fits(&matrix, 2047)); /* 4 * 2048 * 2048 */
    CHECK(!sc_small_programme_fits(&matrix, 2048));
    scrim_measurement_free(m);
}
