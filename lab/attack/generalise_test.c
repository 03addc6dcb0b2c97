#include "check.h"
#include "faults.h"
#include "lab/attack/generalise.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t cut(const lab_public_column *const *columns, size_t column_count,
                  const uint32_t *rows, size_t row_count, size_t k, uint32_t *classes)
{
    return lab_median_cuts_make(
        &(lab_median_cuts){columns, column_count, rows, row_count, k}, classes);
}

/* The patients of the vectors, as a table. */
static bool read_patients(const json_t *vector, lab_public_table *out)
{
    char text[2000] = "zip,age,condition\n";
    const json_t *rows = json_object_get(vector, "rows");
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "%s,%d,%s\n",
                 json_string_value(json_array_get(row, 0)),
                 (int)json_integer_value(json_array_get(row, 1)),
                 json_string_value(json_array_get(row, 3)));
    }
    return CHECK_STATUS(lab_public_table_parse(text, out, NULL), SCRIM_OK);
}

/* By definition: the largest distance of a class from the table, and k. */
static void measure_plainly(const lab_lattice *lattice, const lab_public_table *table,
                            lab_anonymity *out)
{
    const lab_public_column *sensitive = &table->columns[2];
    *out = (lab_anonymity){.k = table->rows};
    for (size_t i = 0; i < table->rows; i++) {
        double distance = 0;
        size_t size = 0;
        for (uint32_t value = 1; value < sensitive->value_count; value++) {
            size_t inside = 0, whole = 0;
            size = 0;
            for (size_t j = 0; j < table->rows; j++) {
                const bool is_here = lattice->classes.of[i] == lattice->classes.of[j];
                size += is_here;
                inside += is_here && sensitive->codes[j] == value;
                whole += sensitive->codes[j] == value;
            }
            distance += fabs((double)inside / (double)size -
                             (double)whole / (double)table->rows) /
                        2;
        }
        out->t = fmax(out->t, distance);
        out->k = size < out->k ? size : out->k;
    }
}

static size_t node_of(const lab_lattice *lattice, const json_t *row)
{
    static const uint64_t buckets[] = {0, 10, 20, 100};
    size_t level = 0;
    while (buckets[level] != vectors_number(row, "age_bucket"))
        level++;
    return (size_t)vectors_number(row, "zip_digits_hidden") +
           level * lattice->ladders[0].levels;
}

static void check_lattice(lab_lattice *lattice, const lab_public_table *table,
                          const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const size_t node = node_of(lattice, row);
        lab_anonymity seen, plain;
        CHECK(lab_lattice_measure(lattice, node, &seen));
        CHECK_INT(seen.k, vectors_number(row, "k"));
        CHECK_INT(lattice->smallest[node], seen.k);
        CHECK_INT(seen.classes, vectors_number(row, "classes"));
        CHECK_INT(seen.l, vectors_number(row, "distinct_sensitive_min"));
        measure_plainly(lattice, table, &plain);
        CHECK_INT(plain.k, seen.k);
        CHECK_NEAR(seen.t, plain.t, 1e-12);
    }
}

/* Against all pairs of nodes: no other node that is nowhere higher has k. */
static void check_minimal(const lab_lattice *lattice, size_t k)
{
    for (size_t node = 0; node < lattice->node_count; node++) {
        bool is_minimal = lattice->smallest[node] >= k;
        for (size_t other = 0; other < lattice->node_count; other++) {
            bool is_below = other != node;
            for (size_t i = 0; i < lattice->count; i++)
                is_below = is_below && lab_lattice_level(lattice, other, i) <=
                                           lab_lattice_level(lattice, node, i);
            if (is_below && lattice->smallest[other] >= k)
                is_minimal = false;
        }
        CHECK(lab_lattice_is_minimal(lattice, node, k) == is_minimal);
    }
}

TEST(generalise_patients)
{
    CLAIM("generalise.minimal");
    static const unsigned ages[] = {10, 20, 100};
    const json_t *vector = vectors_load("mechanisms", "k_anonymity");
    lab_public_table table;
    lab_ladder ladders[2];
    lab_lattice lattice;
    REQUIRE(vector != NULL && read_patients(vector, &table));
    REQUIRE(lab_ladder_of_digits(&ladders[0], &table.columns[0], 3));
    REQUIRE(lab_ladder_of_numbers(&ladders[1], &table.columns[1], ages, 3));
    REQUIRE(lab_lattice_init(&lattice, ladders, 2, &table.columns[2], table.rows));
    CHECK_INT(lattice.node_count, json_array_size(json_object_get(vector, "lattice")));
    check_lattice(&lattice, &table, json_object_get(vector, "lattice"));
    for (size_t k = 1; k <= 5; k++)
        check_minimal(&lattice, k);
    lab_lattice_clear(&lattice);
    lab_ladder_clear(&ladders[0]);
    lab_ladder_clear(&ladders[1]);
    lab_public_table_clear(&table);
}

TEST(ladders_of_texts_have_no_buckets)
{
    static const unsigned widths[] = {5};
    lab_public_table table;
    lab_ladder ladder;
    REQUIRE_OK(lab_public_table_parse("a,b\n1,x\n7,2\n", &table, NULL));
    REQUIRE(lab_ladder_of_numbers(&ladder, &table.columns[1], widths, 1));
    CHECK_INT(ladder.levels, 1);
    CHECK(lab_ladder_drop(&ladder));
    CHECK_STR(ladder.words[1], "dropped");
    CHECK_INT(ladder.maps[1][1], ladder.maps[1][2]);
    lab_ladder_clear(&ladder);
    REQUIRE(lab_ladder_of_numbers(&ladder, &table.columns[0], widths, 1));
    CHECK_INT(ladder.levels, 2);
    CHECK_STR(ladder.words[1], "by 5");
    lab_ladder_clear(&ladder);
    lab_public_table_clear(&table);
}

TEST(median_cuts_leave_k_rows)
{
    enum { ROWS = 600 };
    static uint32_t rows[ROWS], classes[ROWS];
    lab_public_table table;
    const lab_public_column *columns[3];
    size_t count = 0;
    REQUIRE_OK(lab_public_table_read("data/pums.csv", NULL, &table, NULL));
    REQUIRE_OK(lab_public_columns_find(&table, "age,sex,educ", 3, columns, &count, NULL));
    for (uint32_t i = 0; i < ROWS; i++)
        rows[i] = i + 100;
    for (size_t k = 2; k <= 50; k += 6) {
        size_t sizes[ROWS] = {0};
        const size_t made = cut(columns, count, rows, ROWS, k, classes);
        CHECK(made > 1 && made <= ROWS / k);
        for (size_t i = 0; i < ROWS; i++)
            sizes[classes[i] < ROWS ? classes[i] : 0]++;
        for (size_t i = 0; i < made; i++)
            CHECK(sizes[i] >= k);
        /* Few rows agree in age alone: classes are not much larger than they must be. */
        CHECK(made >= ROWS / (4 * k));
    }
    /* All rows agree: one class. */
    CHECK_INT(cut(columns, 0, rows, ROWS, 2, classes), 1);
    lab_public_table_clear(&table);
}

/* All that reads and generalises a table, once; false without memory. */
static bool generalise_once(void)
{
    static const unsigned widths[] = {2, 4};
    static const uint32_t rows[] = {0, 1, 2, 3};
    uint32_t classes[COUNT(rows)];
    lab_public_table table;
    lab_ladder ladders[2] = {{0}};
    lab_lattice lattice = {0};
    lab_anonymity seen;
    const scrim_status status =
        lab_public_table_parse("a,b,c\n1,x1,u\n2,x2,v\n3,x1,u\n4,x2,w\n", &table, NULL);
    if (status != SCRIM_OK) {
        CHECK_STATUS(status, SCRIM_E_MEMORY);
        return false;
    }
    const lab_public_column *columns[] = {&table.columns[0], &table.columns[1]};
    const bool is_done =
        lab_ladder_of_numbers(&ladders[0], &table.columns[0], widths, 2) &&
        lab_ladder_drop(&ladders[0]) &&
        lab_ladder_of_digits(&ladders[1], &table.columns[1], 1) &&
        lab_lattice_init(&lattice, ladders, 2, &table.columns[2], table.rows) &&
        lab_lattice_measure(&lattice, lattice.node_count - 1, &seen) &&
        cut(columns, 2, rows, COUNT(rows), 2, classes) == 2;
    CHECK(!is_done || (seen.k == 4 && seen.l == 3));
    lab_lattice_clear(&lattice);
    lab_ladder_clear(&ladders[0]);
    lab_ladder_clear(&ladders[1]);
    lab_public_table_clear(&table);
    return is_done;
}

TEST(generalise_survives_faults)
{
    bool is_done = false;
    FAULT_LOOP(fault)
    {
        is_done = generalise_once();
        CHECK(is_done || fault_hit());
    }
    CHECK(is_done);
}
