#include "check.h"
#include "data/source/csv_index.h"
#include "data/source/csv_numbers.h"
#include "random/bits_tape.h"

#include <stdlib.h>
#include <string.h>

#define ROWS 37
#define MOST 12 /* characters of a field */

/* Records of two fields, the second last, as an index finds them. */
typedef struct table {
    char *bytes;
    uint32_t marks[2 * ROWS + 1], records[ROWS];
} table;

static uint64_t word(sc_tape *tape)
{
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    return w;
}

/* Something of a number's characters: mostly as columns have it, else anything. */
static size_t put_field(sc_tape *tape, char decimal, char *to)
{
    static const char letters[] = "0123456789012345.-+ e\r/:";
    size_t count = word(tape) % (MOST + 1);
    if (word(tape) % 4 == 0) {
        for (size_t i = 0; i < count; i++)
            to[i] = letters[word(tape) % (sizeof letters - 1)];
        return count;
    }
    count = word(tape) % 9;
    for (size_t i = 0; i < count; i++)
        to[i] = (char)('0' + word(tape) % 10);
    if (count > 3 && word(tape) % 2 == 0)
        to[count - 3] = (char[]){'.', decimal}[word(tape) % 8 != 0];
    if (count > 1 && word(tape) % 3 == 0)
        to[0] = '-';
    return count;
}

static void fill(sc_tape *tape, table *t, char decimal, bool is_crlf)
{
    char room[ROWS * (2 * MOST + 3)];
    size_t used = 0;
    t->marks[0] = UINT32_MAX;
    for (size_t row = 0; row < ROWS; row++) {
        t->records[row] = (uint32_t)(2 * row);
        used += put_field(tape, decimal, room + used);
        t->marks[2 * row + 1] = (uint32_t)used;
        room[used++] = ';';
        used += put_field(tape, decimal, room + used);
        if (is_crlf)
            room[used++] = '\r';
        t->marks[2 * row + 2] = (uint32_t)used;
        room[used++] = '\n';
    }
    t->bytes = malloc(used + SC_CSV_PADDING);
    REQUIRE(t->bytes != NULL);
    memcpy(t->bytes, room, used);
    memset(t->bytes + used, '9', SC_CSV_PADDING);
}

static sc_text field_at(const sc_csv_column *column, size_t row)
{
    const uint32_t from = column->marks[column->records[row]] + 1;
    uint32_t to = column->marks[column->records[row] + 1];
    if (column->is_last && to > from && column->bytes[to - 1] == '\r')
        to--;
    return (sc_text){column->bytes + from, to - from};
}

/* Adds to *read how many rows were. */
static void check_rows(const sc_csv_column *column, const sc_field_reader *reader,
                       size_t from, size_t *read)
{
    int64_t values[ROWS];
    uint32_t others[ROWS];
    bool is_other[ROWS] = {false};
    const size_t left =
        sc_csv_numbers_read(column, reader, from, ROWS - from, values, others);
    REQUIRE(left <= ROWS - from);
    for (size_t i = 0; i < left; i++) {
        REQUIRE(others[i] >= from && others[i] < ROWS && !is_other[others[i]]);
        is_other[others[i]] = true;
    }
    for (size_t row = from; row < ROWS; row++) {
        int64_t want = 0;
        if (!is_other[row] && CHECK(sc_field_read(reader, field_at(column, row), &want)))
            CHECK_INT(values[row], want);
    }
    *read += ROWS - from - left;
}

TEST(csv_numbers_are_those_of_single_fields)
{
    CLAIM("csv-numbers.same");
    static const char *const types[] = {"decimal[0,100]",
                                        "decimal[-5,1000000]",
                                        "int[0,120]",
                                        "int[-2^62,2^62]",
                                        "decimal[-1,1]/0.0000001",
                                        "decimal[-9,9]/0.000000001",
                                        "decimal[0,5]/2^-10",
                                        "bool"};
    sc_tape *tape = NULL;
    size_t read = 0, rows = 0;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    for (uint64_t run = 0; run < check_count(2000, 200000); run++) {
        const sc_cell_form form = {.decimal = run % 4 == 3 ? ',' : '.'};
        sc_column column = {.name = sc_text_of("x"), .form = &form};
        sc_field_reader reader;
        table t;
        REQUIRE_OK(
            sc_column_set_type(&column, sc_text_of(types[run % COUNT(types)]), NULL));
        sc_field_reader_init(&reader, &column);
        if (!sc_csv_numbers_can(&reader))
            continue;
        fill(tape, &t, form.decimal, run % 3 == 0);
        const sc_csv_column first = {t.bytes, t.marks, t.records, false},
                            second = {t.bytes, t.marks + 1, t.records, true};
        check_rows(&first, &reader, run % 5, &read);
        check_rows(&second, &reader, run % 7, &read);
        rows += 2 * (size_t)ROWS;
        free(t.bytes);
    }
    /* Where the machine can, it reads more than a few. */
    CHECK(rows == 0 || read > rows / 4);
    sc_tape_free(tape);
}
