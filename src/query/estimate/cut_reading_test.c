#include "check.h"
#include "query/estimate/cut_reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CELLS 5
/* A total of 5 rows. */
static const uint64_t from[CELLS] = {0, 1, 6, 21, 81};

static scrim_measurement *noise_of(const char *line)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK);
    return m;
}

static void begin(sc_ladder_reading *r, const scrim_measurement *noise)
{
    static const int64_t ends[CELLS];
    sc_ratio confidence;
    sc_ratio_init(&confidence);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("0.95"), &confidence, NULL), SCRIM_OK);
    sc_reading_init(r, ends, CELLS, 0, (sc_value_step){1, 1}, noise, &confidence);
    sc_ratio_clear(&confidence);
}

static uint64_t next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    return *seed ^= *seed << 17;
}

/* A difference of two geometric draws. */
static int64_t draw(double scale, uint64_t *seed)
{
    int64_t drawn[2];
    for (int i = 0; i < 2; i++)
        drawn[i] = (int64_t)floor(
            -scale * log(((double)(next(seed) >> 11) + 0.5) / 9007199254740992.0));
    return drawn[0] - drawn[1];
}

/* Each claim fails in at most one run of 20, and no claim is empty. */
static void check_coverage(const int64_t people[CELLS], const char *epsilon, double scale,
                           bool is_told)
{
    char line[100];
    snprintf(line, sizeof line, "laplace sensitivity=1 epsilon=%s neighbours=add-remove",
             epsilon);
    scrim_measurement *noise = noise_of(line);
    sc_ladder_reading r;
    uint64_t seed = check_seed() | 1, rows = 0, told = 0;
    const uint64_t runs = check_count(400, 20000);
    uint64_t missed = 0, missed_high = 0, wrong = 0;
    double all = 0, cut = 0;
    for (size_t i = 0; i < CELLS; i++) {
        rows += (uint64_t)people[i] * from[i];
        all += (double)people[i];
        cut += i > 0 ? (double)people[i] : 0;
    }
    begin(&r, noise);
    for (uint64_t run = 0; run < runs; run++) {
        for (size_t i = 0; i < CELLS; i++)
            r.counts[i] = people[i] + draw(scale, &seed);
        const sc_cut_reading got = sc_cut_read(&r, from, 1);
        missed += got.rows_low > rows;
        missed_high += got.rows_high < rows;
        told += got.rows_low > rows / 2;
        wrong += (double)got.people.low > cut / all * SC_LADDER_WHOLE ||
                 (double)got.people.high < cut / all * SC_LADDER_WHOLE;
        CHECK(got.rows_low <= got.rows_high);
        CHECK(got.people.low <= got.people.share && got.people.share <= got.people.high);
    }
    /* Beyond that a right engine is once in a million. */
    const double most = 0.05 * (double)runs + 5 * sqrt(0.0475 * (double)runs);
    CHECK((double)missed <= most);
    CHECK((double)missed_high <= most);
    CHECK((double)wrong <= most);
    if (is_told)
        CHECK(told > runs / 2);
    scrim_measurement_free(noise);
}

SLOW_TEST(cut_reading_is_true_with_the_confidence)
{
    CLAIM("cut-reading.people");
    CLAIM("cut-reading.rows");
    check_coverage((const int64_t[]){11000, 600, 250, 90, 60}, "1", 1, true);
    check_coverage((const int64_t[]){11000, 600, 250, 90, 60}, "0.05", 20, false);
    check_coverage((const int64_t[]){900, 0, 0, 0, 0}, "0.05", 20, false);
    check_coverage((const int64_t[]){500, 30, 0, 0, 1}, "0.3", 1 / 0.3, false);
}

/* Without noise to speak of the numbers are those of the people. */
TEST(cut_reading_of_hardly_any_noise)
{
    scrim_measurement *noise =
        noise_of("laplace sensitivity=1 epsilon=50 neighbours=add-remove");
    sc_ladder_reading r;
    begin(&r, noise);
    memcpy(r.counts, (const int64_t[]){980, 10, 5, 3, 2}, sizeof(int64_t[CELLS]));
    const sc_cut_reading got = sc_cut_read(&r, from, 1);
    CHECK_INT(got.rows_low, 10 + 5 * 6 + 3 * 21 + 2 * 81);
    CHECK_INT(got.people.share, 200);
    CHECK(got.people.low <= 200 && got.people.high >= 200 && got.people.high < 210);
    /* The share of rows among those that were kept. */
    CHECK_INT(sc_cut_share_of_rows(100, 900), 1000);
    CHECK_INT(sc_cut_share_of_rows(100, -900), SC_LADDER_WHOLE);
    CHECK_INT(sc_cut_share_of_rows(0, 0), 0);
    CHECK_INT(sc_cut_share_of_rows(UINT64_MAX, INT64_MAX), 6666);
    scrim_measurement_free(noise);
}

/* A cell that noise took below 0 weighs most, and would hide the people of all others. */
TEST(cut_reading_is_not_lowered_by_a_count_below_zero)
{
    CLAIM("cut-reading.rows");
    scrim_measurement *noise =
        noise_of("laplace sensitivity=1 epsilon=0.1 neighbours=add-remove");
    sc_ladder_reading r;
    begin(&r, noise);
    memcpy(r.counts, (const int64_t[]){2900, 60, 40, 20, 0}, sizeof(int64_t[CELLS]));
    const uint64_t want = sc_cut_read(&r, from, 1).rows_high;
    r.counts[CELLS - 1] = -60;
    CHECK_INT(sc_cut_read(&r, from, 1).rows_high, want);
    CHECK(want >= 60 + 40 * 6 + 20 * 21);
    scrim_measurement_free(noise);
}

/* Numbers that no table has neither overflow nor make a claim. */
TEST(cut_reading_of_hostile_counts)
{
    scrim_measurement *noise =
        noise_of("laplace sensitivity=1 epsilon=1 neighbours=add-remove");
    const uint64_t far[CELLS] = {0, 1, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    sc_ladder_reading r;
    begin(&r, noise);
    for (int sign = -1; sign < 2; sign++) {
        for (size_t i = 0; i < CELLS; i++)
            r.counts[i] = sign * ((int64_t)1 << 60);
        const sc_cut_reading got = sc_cut_read(&r, far, 1);
        CHECK(sign > 0 ? got.rows_low == UINT64_MAX : got.rows_low == 0);
        CHECK(got.people.low >= 0 && got.people.high <= SC_LADDER_WHOLE);
    }
    scrim_measurement_free(noise);
}
