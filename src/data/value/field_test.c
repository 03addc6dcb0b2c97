#include "check.h"
#include "data/value/field.h"
#include "random/bits_tape.h"

#include <stdio.h>
#include <string.h>

static sc_column column_of(const char *type)
{
    sc_column column = {.name = sc_text_of("x")};
    CHECK_STATUS(sc_column_set_type(&column, sc_text_of(type), NULL), SCRIM_OK);
    return column;
}

/* Reads both ways, from memory that ends where the padding does. */
static bool read_both(const sc_column *column, sc_text text, int64_t *place)
{
    sc_field_reader reader;
    int64_t plain = 0, fast = 0;
    char *room = malloc(text.bytes + SC_FIELD_PADDING);
    if (room == NULL)
        return CHECK_FAIL("no memory");
    memset(room + text.bytes, '9', SC_FIELD_PADDING);
    memcpy(room, text.start, text.bytes);
    sc_field_reader_init(&reader, column);
    const bool is_plain = sc_field_read_plain(column, text, &plain);
    const bool is_fast = sc_field_read(&reader, (sc_text){room, text.bytes}, &fast);
    free(room);
    if (is_plain != is_fast || plain != fast) {
        char quote[SC_TEXT_QUOTE_BYTES];
        CHECK_FAIL("'%s': plain %d %lld, fast %d %lld", sc_text_quote(text, quote),
                   is_plain, (long long)plain, is_fast, (long long)fast);
    }
    if (is_plain && (plain < column->grid.low || plain > column->grid.high))
        CHECK_FAIL("%lld is outside of the range", (long long)plain);
    *place = plain;
    return is_plain;
}

typedef struct reading {
    const char *text;
    bool is_read;
    int64_t place;
} reading;

static void check_formed(const sc_cell_form *form, const char *type, const reading *list,
                         size_t count)
{
    sc_column column = column_of(type);
    column.form = form;
    for (size_t i = 0; i < count; i++) {
        int64_t place = 0;
        const bool is_read = read_both(&column, sc_text_of(list[i].text), &place);
        if (is_read != list[i].is_read || (is_read && place != list[i].place))
            CHECK_FAIL("%s of '%s': %d, %lld", type, list[i].text, is_read,
                       (long long)place);
    }
    CHECK(count > 0);
}

static void check_readings(const char *type, const reading *list, size_t count)
{
    check_formed(NULL, type, list, count);
}

/* A comma is the decimal mark where it is declared, and a point is not; nothing is a mark of
 * thousands. */
TEST(field_reads_a_decimal_comma_where_declared)
{
    CLAIM("field.total");
    CLAIM("field.twins");
    const sc_cell_form comma = {.decimal = ','};
    static const reading list[] = {
        {"1,5", true, 150},
        {"-1,5", true, -150},
        {",5", true, 50},
        {"5,", true, 500},
        {"1,50", true, 150},
        {"12345,67", true, 100000},
        {"123,4567890123456789", true, 12346},
        {"1,5e1", true, 1500},
        {" 1,5 ", true, 150},
        {"0,1234567890123456789012345", true, 12},
        {"7", true, 700},
        {"inf", true, 100000},
        {"1.5", false, 0},
        {"1.50", false, 0},
        {"1.234,5", false, 0},
        {"1.234.567", false, 0},
        {"1,234.5", false, 0},
        {"1,2,3", false, 0},
        {"1 234,5", false, 0},
        {"1'234,5", false, 0},
        {",", false, 0},
        {"", false, 0},
        {"0.1234567890123456789012345", false, 0},
    };
    check_formed(&comma, "decimal[-1000,1000]", list, COUNT(list));
    static const reading whole[] = {
        {"7,5", true, 8}, {"7,4999", true, 7}, {"7.5", false, 0}, {"1.000", false, 0}};
    check_formed(&comma, "int[0,120]", whole, COUNT(whole));
    static const reading binary[] = {{"0,25", true, 1}, {"0.25", false, 0}};
    check_formed(&comma, "decimal[0,4]/2^-2", binary, COUNT(binary));
}

TEST(field_reads_dates_by_their_form)
{
    CLAIM("field.total");
    sc_cell_form german = {.decimal = '.'};
    REQUIRE(sc_date_form_parse(sc_text_of("DD.MM.YYYY"), &german.date));
    static const reading list[] = {
        {"02.01.1970", true, 1},       {" 02.01.1970 ", true, 1},
        {"02.01.1970 23:59", true, 1}, {"02.01.1970T23", true, 1},
        {"01.01.1960", true, 0},       {"1.1.1970", false, 0},
        {"1970-01-02", false, 0},      {"02.01.70", false, 0},
        {"02.01.19701", false, 0},     {"02.01.1970x", false, 0},
        {"30.02.1970", false, 0},      {"02/01/1970", false, 0}};
    check_formed(&german, "date[1970-01-01,1970-12-31]", list, COUNT(list));
}

/* All that a hostile cell may hold: a number, or missing; nothing else happens. */
TEST(A19_a_cell_is_a_number_or_missing)
{
    CLAIM("field.total");
    static const reading list[] = {
        {"7", true, 700},
        {" 7 ", true, 700},
        {"+3", true, 300},
        {"-0.0", true, 0},
        {"-0", true, 0},
        {"5e-324", true, 0},
        {"1e308", true, 100000},
        {"1e400", true, 100000},
        {"-1e400", true, -100000},
        {"inf", true, 100000},
        {"-inf", true, -100000},
        {"Infinity", true, 100000},
        {"NaN", false, 0},
        {"nan", false, 0},
        {"-nan", false, 0},
        {"sNaN", false, 0},
        {"NULL", false, 0},
        {"", false, 0},
        {" ", false, 0},
        {"abc", false, 0},
        {"1_000", false, 0},
        {"1,5", false, 0},
        {"1.5.", false, 0},
        {"..5", false, 0},
        {".", false, 0},
        {"-", false, 0},
        {"+", false, 0},
        {"-.", false, 0},
        {"--5", false, 0},
        {"0x10", false, 0},
        {"1/2", false, 0},
        {"2^3", false, 0},
        {"12 3", false, 0},
        {".5", true, 50},
        {"5.", true, 500},
        {"-5.", true, -500},
        {"0.005", true, 1},
        {"-0.005", true, 0},
        {"-0.0051", true, -1},
        {"0.0049999", true, 0},
        {"999.995", true, 100000},
        {"999.994", true, 99999},
        {"1000", true, 100000},
        {"99999999", true, 100000},
        {"-99999999", true, -100000},
        {"123456789012345678", true, 100000},
        {"0.1234567890123456789012345", true, 12},
        {"000000000000000000000000000007", true, 700},
        {"7e0", true, 700},
        {"1e-3", true, 0},
        {"12:34", false, 0},
        {"12;34", false, 0},
        {"12/34", false, 0},
        {"1.:5", false, 0},
    };
    check_readings("decimal[-1000,1000]", list, sizeof list / sizeof *list);
    const sc_column column = column_of("decimal[-1000,1000]");
    int64_t place = 0;
    CHECK(!read_both(&column, (sc_text){"\0", 1}, &place));
    CHECK(!read_both(&column, (sc_text){"1\0", 2}, &place));
    CHECK(!read_both(&column, (sc_text){"12345\0", 6}, &place));
}

TEST(field_reads_whole_numbers)
{
    CLAIM("field.total");
    static const reading list[] = {
        {"0", true, 0},          {"120", true, 120},  {"121", true, 120},
        {"-1", true, 0},         {"7.5", true, 8},    {"7.4999", true, 7},
        {"12345678", true, 120}, {"1.2e1", true, 12}, {"x", false, 0}};
    check_readings("int[0,120]", list, sizeof list / sizeof *list);
    static const reading wide[] = {
        {"4611686018427387904", true, INT64_C(4611686018427387904)},
        {"4611686018427387905", true, INT64_C(4611686018427387904)},
        {"9223372036854775808", true, INT64_C(4611686018427387904)},
        {"-99999999999999999999999", true, -INT64_C(4611686018427387904)},
        {"-999999999999999999", true, -INT64_C(999999999999999999)}};
    check_readings("int[-2^62,2^62]", wide, sizeof wide / sizeof *wide);
}

TEST(field_reads_dates_and_truth)
{
    CLAIM("field.total");
    static const reading dates[] = {{"2020-01-01", true, 18262},
                                    {" 2020-01-02 ", true, 18263},
                                    {"2020-01-02T10:00:00Z", true, 18263},
                                    {"2020-01-02 10:00", true, 18263},
                                    {"1066-10-14", true, 18262},
                                    {"9999-12-31", true, 18627},
                                    {"2020-02-30", false, 0},
                                    {"2020-1-1", false, 0},
                                    {"2020-01-021", false, 0},
                                    {"01.02.2020", false, 0},
                                    {"", false, 0}};
    check_readings("date[2020-01-01,2020-12-31]", dates, sizeof dates / sizeof *dates);
    static const reading truths[] = {
        {"true", true, 1},  {"TRUE", true, 1}, {"t", true, 1},   {"Yes", true, 1},
        {"y", true, 1},     {"1", true, 1},    {"0", true, 0},   {"no", true, 0},
        {"False", true, 0}, {" f ", true, 0},  {"N", true, 0},   {"2", false, 0},
        {"", false, 0},     {"tru", false, 0}, {"on", false, 0}, {"1.0", false, 0}};
    check_readings("bool", truths, sizeof truths / sizeof *truths);
}

TEST(field_longer_than_the_longest_is_missing)
{
    CLAIM("field.total");
    const sc_column column = column_of("int[0,120]");
    char *text = malloc(SC_COLUMN_VALUE_BYTES + 1);
    REQUIRE(text != NULL);
    memset(text, '0', SC_COLUMN_VALUE_BYTES + 1);
    int64_t place = 0;
    text[SC_COLUMN_VALUE_BYTES - 1] = '7';
    CHECK(read_both(&column, (sc_text){text, SC_COLUMN_VALUE_BYTES}, &place));
    CHECK_INT(place, 7);
    CHECK(!read_both(&column, (sc_text){text, SC_COLUMN_VALUE_BYTES + 1}, &place));
    free(text);
}

static uint64_t word(sc_tape *tape)
{
    uint64_t w = 0;
    CHECK_STATUS(sc_bits_word(sc_tape_bits_of(tape), &w, NULL), SCRIM_OK);
    return w;
}

static int write_number(char *text, size_t capacity, uint64_t form, double x)
{
    switch (form) {
    case 0:
        return snprintf(text, capacity, "%.17g", x);
    case 1:
        return snprintf(text, capacity, "%.3f", x);
    case 2:
        return snprintf(text, capacity, "%.20f", x);
    case 3:
        return snprintf(text, capacity, "%.60f", x);
    case 4:
        return snprintf(text, capacity, "%e", x);
    case 5:
        return snprintf(text, capacity, "%.17e", x);
    case 6:
        return snprintf(text, capacity, " %+g", x);
    default:
        return snprintf(text, capacity, "%.0f ", x);
    }
}

/* Numbers as programs write them, with many digits, with powers, at and near halves. */
TEST(field_twins_agree_on_long_numbers)
{
    CLAIM("field.twins");
    static const char *const types[] = {"int[-1000,100000]",     "decimal[-100,100]",
                                        "decimal[-5,5]/2^-10",   "decimal[0,1]/2^-60",
                                        "decimal[-4,4]/1e-18",   "int[-2^62,2^62]",
                                        "decimal[-1e9,1e9]/1e-9"};
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(3000, 300000);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const sc_column column = column_of(types[t]);
        for (uint64_t i = 0; i < count; i++) {
            char text[400];
            int64_t place;
            /* A few bits at any height: many are halves of some step. */
            const uint64_t w = word(tape);
            double x = (double)(w & (i % 3 == 0 ? 7 : UINT64_C(0xfffffffffffff)));
            const int shift = (int)(word(tape) % 130) - 90;
            for (int k = shift; k != 0; k += k < 0 ? 1 : -1)
                x = k < 0 ? x / 2 : x * 2;
            const int bytes =
                write_number(text, sizeof text, word(tape) % 8, w >> 63 != 0 ? -x : x);
            CHECK(read_both(&column, (sc_text){text, (size_t)bytes}, &place));
        }
    }
    sc_tape_free(tape);
}

/* Texts that look like numbers, of all short lengths. */
TEST(field_twins_agree)
{
    CLAIM("field.twins");
    static const char *const types[] = {
        "int[-1000,100000]",           "decimal[-100,100]",
        "decimal[0,1]/0.000000001",    "decimal[-5,5]/2^-10",
        "decimal[0,1]/2^-60",          "decimal[-4,4]/1e-18",
        "decimal[0,5000000]/100",      "decimal[0,1024]/2^4",
        "decimal[0,1e-20]/1e-25",      "bool",
        "date[2020-01-01,2021-01-01]",
    };
    static const char letters[] = "0123456789012345678901234567890123456789....--+e /:";
    sc_tape *tape = NULL;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count(20000, 2000000);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        const sc_column column = column_of(types[t]);
        for (uint64_t i = 0; i < count; i++) {
            char text[24];
            int64_t place;
            const size_t bytes = word(tape) % (sizeof text + 1);
            for (size_t j = 0; j < bytes; j++)
                text[j] = letters[word(tape) % (sizeof letters - 1)];
            /* Half of them with one point at most, so that many are numbers. */
            char *point = bytes > 0 && i % 2 == 0 ? memchr(text, '.', bytes) : NULL;
            for (size_t j = 0; j < bytes && i % 2 == 0; j++)
                if (text + j != point && (text[j] < '0' || text[j] > '9'))
                    text[j] = '5';
            read_both(&column, (sc_text){text, bytes}, &place);
        }
    }
    sc_tape_free(tape);
    CHECK(count > 0);
}
