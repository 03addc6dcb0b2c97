#include "check.h"
#include "lab/attack/public_table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads a table of these bytes; the file is gone when it returns. */
static scrim_status read_checked(const char *text, const char *digest,
                                 lab_public_table *out, scrim_error *error)
{
    char path[] = "/tmp/scrim-table-XXXXXX";
    const int file = mkstemp(path);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    const scrim_status status = lab_public_table_read(path, digest, out, error);
    unlink(path);
    return status;
}

static scrim_status read_text(const char *text, lab_public_table *out, scrim_error *error)
{
    return read_checked(text, NULL, out, error);
}

TEST(public_table_reads_cells)
{
    lab_public_table table;
    const lab_public_column *found[2];
    scrim_error error;
    size_t count = 0;
    REQUIRE_OK(read_text("a,b,c\r\n1,\"x, y\",z\r\n\n1,?,\r\n2,\"x, y\"\n3,w,z,more",
                         &table, &error));
    CHECK_INT(table.rows, 4);
    CHECK_INT(table.column_count, 3);
    CHECK_STR(table.columns[2].name, "c");
    CHECK_INT(table.columns[0].codes[0], table.columns[0].codes[1]);
    CHECK_INT(table.columns[0].value_count, 4);
    CHECK_INT(table.columns[1].codes[0], table.columns[1].codes[2]);
    CHECK_STR(table.columns[1].values[table.columns[1].codes[0]], "x, y");
    CHECK_INT(table.columns[1].codes[1], 0);
    CHECK_INT(table.columns[2].codes[1], 0);
    CHECK_INT(table.columns[2].codes[2], 0);
    CHECK_INT(table.columns[2].codes[3], table.columns[2].codes[0]);
    REQUIRE_OK(lab_public_columns_find(&table, "c,a", 2, found, &count, &error));
    CHECK(count == 2 && found[0] == &table.columns[2] && found[1] == &table.columns[0]);
    CHECK_STATUS(lab_public_columns_find(&table, "c,d", 2, found, &count, &error),
                 SCRIM_E_PARAM);
    CHECK_STR(error.message, "unknown column 'd'; available: a, b, c");
    CHECK_STATUS(lab_public_columns_find(&table, "a,b,c", 2, found, &count, &error),
                 SCRIM_E_LIMIT);
    lab_public_table_clear(&table);
}

TEST(public_table_refuses)
{
    lab_public_table table;
    CHECK_STATUS(read_text("", &table, NULL), SCRIM_E_INPUT);
    CHECK_STATUS(read_text("a,b\n", &table, NULL), SCRIM_E_INPUT);
    CHECK_STATUS(lab_public_table_read("/dev/null/at/all.csv", NULL, &table, NULL),
                 SCRIM_E_INPUT);
    CHECK_STATUS(lab_public_table_read("/tmp", NULL, &table, NULL), SCRIM_E_INPUT);
}

/* The digest is that of "a\n1\n". */
TEST(public_table_has_its_digest)
{
    static const char *const digest =
        "309b0e45a73d3fc5325e2b6ed0a01ef8b9cde6b05a5633c1f893f970d52bfddc";
    lab_public_table table;
    REQUIRE_OK(read_checked("a\n1\n", digest, &table, NULL));
    CHECK_INT(table.rows, 1);
    lab_public_table_clear(&table);
    CHECK_STATUS(read_checked("a\n2\n", digest, &table, NULL), SCRIM_E_POLICY);
    CHECK_STATUS(read_checked("a\n1\n2\n", digest, &table, NULL), SCRIM_E_POLICY);
    CHECK_STATUS(read_checked("", digest, &table, NULL), SCRIM_E_POLICY);
    CHECK_STATUS(read_checked("a\n1\n", "", &table, NULL), SCRIM_E_POLICY);
    CHECK(table.bytes == NULL);
}

TEST(row_classes_agree_with_pairs)
{
    enum { ROWS = 200 };
    uint32_t codes[2][ROWS];
    lab_row_classes classes;
    for (uint32_t i = 0; i < ROWS; i++) {
        codes[0][i] = i * i % 17;
        codes[1][i] = i * 7 % 11;
    }
    REQUIRE(lab_row_classes_init(&classes, ROWS));
    lab_row_classes_split(&classes, codes[0]);
    lab_row_classes_split(&classes, codes[1]);
    size_t alone = 0, smallest = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        size_t size = 0;
        for (size_t j = 0; j < ROWS; j++) {
            const bool is_same = codes[0][i] == codes[0][j] && codes[1][i] == codes[1][j];
            size += is_same;
            CHECK((classes.of[i] == classes.of[j]) == is_same);
        }
        CHECK_INT(classes.sizes[classes.of[i]], size);
        alone += size == 1;
        smallest = size < smallest ? size : smallest;
    }
    CHECK_INT(lab_row_classes_alone(&classes), alone);
    CHECK_INT(lab_row_classes_smallest(&classes), smallest);
    lab_row_classes_join(&classes);
    CHECK_INT(classes.count, 1);
    CHECK_INT(lab_row_classes_smallest(&classes), ROWS);
    lab_row_classes_clear(&classes);
}
