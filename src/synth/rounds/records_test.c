#include "check.h"
#include "faults.h"
#include "remains.h"
#include "synth/rounds/records.h"
#include "synth_scene.h"
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

/* Columns of one, two and four bytes. */
static const sc_synth_columns wide = {.count = 4, .sizes = {3, 300, 70000, 2}};

enum { ROWS = 5000 };

static uint64_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* Row i of a list that everybody can make again. */
static uint64_t make_row(size_t i, uint32_t codes[4])
{
    uint64_t state = i + check_seed() * 1000003;
    for (size_t k = 0; k < 4; k++)
        codes[k] = (uint32_t)(next(&state) % wide.sizes[k]);
    codes[2] %= 50; /* so that cells repeat */
    return 1 + next(&state) % 3;
}

static sc_records *make_records(size_t rows)
{
    sc_records *records = NULL;
    uint32_t codes[4];
    if (!CHECK_STATUS(sc_records_new(&wide, rows, &records, NULL), SCRIM_OK))
        return NULL;
    for (size_t i = 0; i < rows; i++) {
        const uint64_t times = make_row(i, codes);
        CHECK_STATUS(sc_records_add(records, codes, times, NULL), SCRIM_OK);
    }
    return records;
}

/* Fewer values than room was made for: rows are counted as in records that were made for them. */
TEST(records_can_have_fewer_values)
{
    CLAIM("records.exact");
    static const sc_synth_columns fewer = {.count = 4, .sizes = {2, 1, 300, 2}},
                                  more = {.count = 4, .sizes = {4, 1, 1, 1}},
                                  none = {.count = 4, .sizes = {1, 0, 1, 1}},
                                  others = {.count = 3, .sizes = {1, 1, 1}};
    static const uint32_t rows[][4] = {{1, 0, 299, 1}, {2, 5, 70000, 0}};
    const sc_clique all = 15;
    int64_t counts[1200], *out = counts;
    sc_records *records = NULL;
    REQUIRE_OK(sc_records_new(&wide, 2, &records, NULL));
    CHECK_STATUS(sc_records_narrow(records, &more, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_records_narrow(records, &none, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_records_narrow(records, &others, NULL), SCRIM_E_INTERNAL);
    CHECK_STATUS(sc_records_narrow(records, &fewer, NULL), SCRIM_OK);
    for (size_t i = 0; i < 2; i++)
        CHECK_STATUS(sc_records_add(records, rows[i], 1 + i, NULL), SCRIM_OK);
    CHECK_STATUS(sc_records_narrow(records, &fewer, NULL), SCRIM_E_INTERNAL);
    sc_records_count(records, &all, 1, &out);
    CHECK_INT(counts[1199], 1); /* 1, 0, 299, 1 */
    CHECK_INT(counts[1198], 2); /* codes beyond are the last ones */
    sc_records_free(records);
}

/* Every marginal against counting row by row, several at once. */
TEST(records_count_their_rows)
{
    CLAIM("records.exact");
    CLAIM("records.total");
    static const sc_clique cliques[] = {0, 1, 2, 8, 3, 9, 10, 11, 5, 12};
    int64_t *counts[COUNT(cliques)];
    sc_records *records = make_records(ROWS);
    REQUIRE(records != NULL);
    for (size_t k = 0; k < COUNT(cliques); k++)
        counts[k] = malloc(sc_clique_cells(&wide, cliques[k]) * sizeof *counts[k]);
    sc_records_count(records, cliques, COUNT(cliques), counts);
    for (size_t k = 0; k < COUNT(cliques); k++) {
        const size_t cells = (size_t)sc_clique_cells(&wide, cliques[k]);
        int64_t sum = 0;
        for (size_t i = 0; i < cells; i++)
            sum += counts[k][i];
        CHECK_INT(sum, sc_records_total(records));
        for (size_t i = 0; i < ROWS; i++) {
            uint32_t codes[4];
            size_t cell = 0;
            const uint64_t times = make_row(i, codes);
            for (size_t column = 0; column < 4; column++)
                if ((cliques[k] >> column & 1) != 0)
                    cell = cell * wide.sizes[column] + codes[column];
            counts[k][cell] -= (int64_t)times;
        }
        size_t left = 0;
        for (size_t i = 0; i < cells; i++)
            left += counts[k][i] != 0;
        CHECK_INT(left, 0);
        free(counts[k]);
    }
    sc_records_free(records);
}

/* A code beyond its column is the last one; a row beyond the room is a mistake of the caller. */
TEST(records_take_any_code)
{
    CLAIM("records.total");
    const sc_synth_columns columns = {.count = 2, .sizes = {2, 3}};
    const uint32_t codes[] = {7, UINT32_MAX};
    const sc_clique all = 3;
    int64_t counts[6], *out = counts;
    sc_records *records = NULL;
    REQUIRE_OK(sc_records_new(&columns, 2, &records, NULL));
    REQUIRE_OK(sc_records_add(records, codes, 4, NULL));
    REQUIRE_OK(sc_records_add(records, (const uint32_t[]){0, 1}, UINT64_MAX, NULL));
    CHECK_STATUS(sc_records_add(records, codes, 1, NULL), SCRIM_E_INTERNAL);
    sc_records_count(records, &all, 1, &out);
    CHECK_INT(counts[5], 4);
    CHECK_INT(counts[1], ((int64_t)1 << 40) - 4);
    CHECK_INT(sc_records_total(records), (int64_t)1 << 40);
    sc_records_free(records);
    sc_records_free(NULL);
    CHECK_STATUS(sc_records_new(&(sc_synth_columns){.count = 0}, 1, &records, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(
        sc_records_new(&(sc_synth_columns){.count = 1, .sizes = {0}}, 1, &records, NULL),
        SCRIM_E_PARAM);
}

/* Maps of rows: merged categories, impossible cells; the number of rows stays. */
TEST(records_are_mapped_row_by_row)
{
    CLAIM("records.total");
    const sc_synth_columns columns = {.count = 2, .sizes = {4, 3}};
    const uint32_t rows[] = {0, 0, 1, 1, 2, 2, 3, 0, 3, 2};
    const int64_t noisy[] = {100, 2, -5, 90}, other[] = {50, 60, 70};
    const int64_t *lists[] = {noisy, other};
    const sc_clique all = 3;
    bool is_impossible[12] = {false};
    int64_t counts[12], *out = counts;
    sc_recoding recoding;
    sc_records *records = synth_records(&columns, rows, 5);
    REQUIRE(records != NULL);
    is_impossible[3 * 3 + 2] = true; /* (3, 2) becomes (0, 1) */
    sc_records_move_impossible(records, all, is_impossible, (const uint32_t[]){0, 1});
    sc_records_count(records, &all, 1, &out);
    CHECK_INT(counts[11], 0);
    CHECK_INT(counts[1], 1);
    sc_recoding_init(&recoding);
    REQUIRE_OK(sc_recoding_compress(&columns, lists, 64, &recoding, NULL));
    sc_records_recode(records, &recoding); /* 0, 3, then 1 and 2 together */
    CHECK_INT(sc_records_columns(records)->sizes[0], 3);
    sc_records_count(records, &all, 1, &out);
    const int64_t want[] = {1, 1, 0, 1, 0, 0, 0, 1, 1};
    for (size_t i = 0; i < COUNT(want); i++)
        CHECK_INT(counts[i], want[i]);
    CHECK_INT(sc_records_total(records), 5);
    sc_recoding_clear(&recoding);
    sc_records_free(records);
}

TEST(records_answer_queries)
{
    CLAIM("records.exact");
    const sc_synth_columns columns = {.count = 2, .sizes = {2, 3}};
    const uint32_t numerators[] = {1, 2, 3, 4, 5, 1 << 20};
    sc_records *records = NULL;
    REQUIRE_OK(sc_records_new(&columns, 2, &records, NULL));
    REQUIRE_OK(sc_records_add(records, (const uint32_t[]){0, 2}, 10, NULL));
    REQUIRE_OK(sc_records_add(records, (const uint32_t[]){1, 2}, 1 << 30, NULL));
    const sc_linear_query whole = {3, numerators, 1 << 20}, second = {2, numerators, 4};
    CHECK_INT(sc_records_query(records, &whole), 30 + ((sc_int128)1 << 50));
    CHECK_INT(sc_records_query(records, &second), 3 * (10 + ((sc_int128)1 << 30)));
    sc_records_free(records);
}

/* Four codes of four bytes, one behind the other, are the secret. */
TEST(records_are_wiped)
{
    CLAIM("records.wiped");
    const sc_synth_columns columns = {.count = 1, .sizes = {1 << 24}};
    const uint32_t codes[4] = {12345678, 1414213, 2718281, 3141592};
    int64_t numbers[2];
    masked secret;
    memcpy(numbers, codes, sizeof numbers);
    masked_set(&secret, numbers);
    sc_records *records = synth_records(&columns, codes, 4);
    REQUIRE(records != NULL);
    freed_watch(&secret);
    sc_records_free(records);
    CHECK_INT(freed_remains(), 0);
}

TEST(records_survive_a_lack_of_memory)
{
    int made = 0;
    FAULT_LOOP(fault)
    {
        sc_records *records = NULL;
        const scrim_status status = sc_records_new(&wide, 100, &records, NULL);
        CHECK_STATUS(status, fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK);
        made += status == SCRIM_OK;
        sc_records_free(records);
    }
    CHECK_INT(made, 1);
}

/* The Adult table against the specification: its domain, and the sum of the distances of all pairs from the
 * product of true one-way marginals. */
TEST(records_of_adult_are_those_of_the_specification)
{
    CLAIM("records.exact");
    json_t *want = vectors_load("synthetic", "adult_noise_free");
    sc_records *records = synth_adult();
    REQUIRE(want != NULL && records != NULL);
    const int64_t n = sc_records_total(records);
    CHECK_INT(n, (int64_t)vectors_number(want, "rows"));
    const json_t *names = json_object_get(want, "columns");
    const json_t *domain = json_object_get(want, "domain");
    CHECK_INT(json_array_size(domain), 14);
    int64_t one[14][42], *ones[14], sum = 0;
    sc_clique cliques[14];
    for (size_t i = 0; i < 14; i++) {
        CHECK_STR(json_string_value(json_array_get(names, i)), synth_adult_names[i]);
        CHECK_INT(sc_records_columns(records)->sizes[i],
                  json_integer_value(json_array_get(domain, i)));
        ones[i] = one[i];
        cliques[i] = sc_clique_of(i);
    }
    sc_records_count(records, cliques, 14, ones);
    for (size_t a = 0; a < 14; a++)
        for (size_t b = a + 1; b < 14; b++) {
            const sc_clique pair = cliques[a] | cliques[b];
            const size_t width = sc_records_columns(records)->sizes[b];
            int64_t counts[42 * 42], *out = counts;
            sc_records_count(records, &pair, 1, &out);
            for (size_t i = 0; i < sc_clique_cells(sc_records_columns(records), pair);
                 i++) {
                const int64_t model =
                    (2 * one[a][i / width] * one[b][i % width] + n) / (2 * n);
                sum += counts[i] > model ? counts[i] - model : model - counts[i];
            }
        }
    CHECK_INT(sum, (int64_t)vectors_number(want, "sum_of_91_scores"));
    sc_records_free(records);
}

/* The cells of a block of rows, as the rows are counted, asked about and moved. */

typedef struct walking {
    sc_records *records;
    int64_t *counts;
    uint32_t *numerators;
    bool *is_impossible;
    int which;
} walking;

static void walk(void *context)
{
    walking *w = context;
    static const uint32_t other[SC_SYNTH_COLUMNS_MAX] = {0};
    const sc_clique all = 1;
    if (w->which == 0)
        sc_records_count(w->records, &all, 1, &w->counts);
    else if (w->which == 1)
        (void)sc_records_query(w->records, &(sc_linear_query){1, w->numerators, 1});
    else
        sc_records_move_impossible(w->records, 1, w->is_impossible, other);
}

TEST(records_leave_no_cell_on_the_stack)
{
    CLAIM("records.wiped");
    static const sc_synth_columns one = {.count = 1, .sizes = {70000}};
    static const uint32_t cells[] = {61234, 52345, 43456, 64567};
    walking w = {.counts = calloc(70000, sizeof *w.counts),
                 .numerators = calloc(70000, sizeof *w.numerators),
                 .is_impossible = calloc(70000, 1)};
    masked secret;
    masked_set(&secret, cells);
    REQUIRE_OK(sc_records_new(&one, 4, &w.records, NULL));
    REQUIRE(w.counts != NULL && w.numerators != NULL && w.is_impossible != NULL);
    for (size_t i = 0; i < 4; i++)
        REQUIRE_OK(sc_records_add(w.records, &cells[i], 1, NULL));
    for (w.which = 0; w.which < 3; w.which++) {
        remains_run(walk, &w);
        CHECK_INT(stack_remains(&secret), 0);
    }
    CHECK_INT(w.counts[61234], 1);
    sc_records_free(w.records);
    free(w.is_impossible);
    free(w.numerators);
    free(w.counts);
}
