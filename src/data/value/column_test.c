#include "check.h"
#include "data/value/column.h"
#include "faults.h"

#include <stdio.h>
#include <string.h>

TEST(cell_form_begins_plain)
{
    sc_cell_form form;
    sc_cell_form_init(&form);
    CHECK_INT(form.decimal, '.');
    CHECK_INT(form.date.bytes, 0);
    CHECK(!sc_cell_form_is_null(&form, sc_text_of("NULL")));
    CHECK(!sc_cell_form_is_null(&form, sc_text_of("")));
}

TEST(cell_form_refuses_and_says_why)
{
    static const struct {
        int line; /* of decimal, date-format, null */
        const char *value, *message;
        scrim_status status;
    } rows[] = {
        {0, "", "the decimal mark must be . or ,", SCRIM_E_PARAM},
        {0, ";", "the decimal mark must be . or ,", SCRIM_E_PARAM},
        {0, ".,", "the decimal mark must be . or ,", SCRIM_E_PARAM},
        {1, "%d.%m.%Y",
         "a date format needs YYYY, MM or M, and DD or D, with . / - or blanks between "
         "them, such as DD.MM.YYYY",
         SCRIM_E_PARAM},
        {2, "", "write a list of texts as TEXT,TEXT,...", SCRIM_E_PARAM},
        {2, "a,,b", "an empty cell is always missing; leave the empty text out",
         SCRIM_E_PARAM},
        {2, "\"\"", "an empty cell is always missing; leave the empty text out",
         SCRIM_E_PARAM},
        {2, "a,b,a", "the text 'a' is given twice", SCRIM_E_PARAM},
        {2, "\"a",
         "write texts as TEXT,TEXT,...; put a text that contains a comma in double "
         "quotes",
         SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_cell_form form;
        sc_arena arena;
        scrim_error error = {.message = ""};
        const sc_text value = sc_text_of(rows[i].value);
        sc_arena_init(&arena);
        sc_cell_form_init(&form);
        CHECK_STATUS(rows[i].line == 0 ? sc_cell_form_set_decimal(&form, value, &error)
                     : rows[i].line == 1
                         ? sc_cell_form_set_date(&form, value, &error)
                         : sc_cell_form_set_nulls(&form, value, &arena, &error),
                     rows[i].status);
        CHECK_STR(error.message, rows[i].message);
        sc_arena_clear(&arena);
    }
}

TEST(cell_form_knows_null_by_all_its_bytes)
{
    static const struct {
        const char *text;
        bool is_null;
    } rows[] = {{"NA", true},   {"-", true},    {"a,b", true},    {"n/a ", true},
                {"na", false},  {" NA", false}, {"NA ", false},   {"N", false},
                {"NAN", false}, {"", false},    {"a", false},     {"b", false},
                {"--", false},  {"n/a", false}, {"\"NA\"", false}};
    sc_cell_form form;
    sc_arena arena;
    sc_arena_init(&arena);
    sc_cell_form_init(&form);
    REQUIRE_OK(sc_cell_form_set_nulls(&form, sc_text_of("NA, - ,\"a,b\",\"n/a \""),
                                      &arena, NULL));
    for (size_t i = 0; i < COUNT(rows); i++)
        if (sc_cell_form_is_null(&form, sc_text_of(rows[i].text)) != rows[i].is_null)
            CHECK_FAIL("'%s'", rows[i].text);
    sc_arena_clear(&arena);
}

/* As many as there may be, of all lengths, and one more. */
TEST(cell_form_has_64_null_texts)
{
    char list[SC_CELL_FORM_NULLS * 80] = "", *at = list;
    sc_cell_form form;
    sc_arena arena;
    for (int i = 1; i <= SC_CELL_FORM_NULLS; i++)
        at += sprintf(at, "%s%0*d", i > 1 ? "," : "", i + 4, i);
    sc_arena_init(&arena);
    sc_cell_form_init(&form);
    REQUIRE_OK(sc_cell_form_set_nulls(&form, sc_text_of(list), &arena, NULL));
    for (int i = 1; i <= SC_CELL_FORM_NULLS; i++) {
        char text[80];
        sprintf(text, "%0*d", i + 4, i);
        CHECK(sc_cell_form_is_null(&form, sc_text_of(text)));
        text[0] = 'x';
        CHECK(!sc_cell_form_is_null(&form, sc_text_of(text)));
    }
    memcpy(at, ",x", 3);
    sc_cell_form_init(&form);
    CHECK_STATUS(sc_cell_form_set_nulls(&form, sc_text_of(list), &arena, NULL),
                 SCRIM_E_LIMIT);
    sc_arena_clear(&arena);
}

TEST(cell_form_has_one_mark_of_decimals)
{
    static const struct {
        char decimal;
        const char *text, *plain; /* plain is NULL: it is no number */
    } rows[] = {{'.', "1.5", "1.5"},     {'.', "1,5", "1,5"}, {',', "1,5", "1.5"},
                {',', "15", "15"},       {',', "1.5", NULL},  {',', "1.234,5", NULL},
                {',', "1,2,3", "1.2.3"}, {',', "", ""},       {',', "-,5e3", "-.5e3"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const sc_cell_form form = {.decimal = rows[i].decimal};
        sc_text text = sc_text_of(rows[i].text);
        char room[20];
        const bool is_number = sc_cell_form_point(&form, &text, room);
        CHECK_INT(is_number, rows[i].plain != NULL);
        if (is_number && !CHECK(sc_text_is(text, rows[i].plain)))
            CHECK_FAIL("'%s'", rows[i].text);
    }
}

TEST(cell_form_survives_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_cell_form form;
        sc_arena arena;
        sc_arena_init(&arena);
        sc_cell_form_init(&form);
        const scrim_status status =
            sc_cell_form_set_nulls(&form, sc_text_of("NA,\"a,b\""), &arena, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_arena_clear(&arena);
    }
}

static scrim_status typed(sc_column *column, const char *type, scrim_error *error)
{
    *column = (sc_column){.name = sc_text_of("x")};
    return sc_column_set_type(column, sc_text_of(type), error);
}

TEST(column_types_are_exact)
{
    CLAIM("column.exact");
    static const struct {
        const char *type;
        sc_column_type kind;
        bool is_decimal;
        int exponent;
        int64_t low, high;
    } rows[] = {
        {"int[0,120]", SC_COLUMN_INT, false, 0, 0, 120},
        {"int[ -5 , 1e3 ]", SC_COLUMN_INT, false, 0, -5, 1000},
        {"int[-2^62,2^62]", SC_COLUMN_INT, false, 0, -(INT64_C(1) << 62),
         INT64_C(1) << 62},
        {"decimal[0,100000]", SC_COLUMN_DECIMAL, true, -2, 0, 10000000},
        {"decimal[0,100000]/0.01", SC_COLUMN_DECIMAL, true, -2, 0, 10000000},
        {"decimal[-1.5,1]/2^-10", SC_COLUMN_DECIMAL, false, -10, -1536, 1024},
        {"decimal[0,5000] / 1000", SC_COLUMN_DECIMAL, true, 3, 0, 5},
        {"date[1970-01-02,2020-12-31]", SC_COLUMN_DATE, false, 0, 1, 18627},
        {"bool", SC_COLUMN_BOOL, false, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_column column;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(typed(&column, rows[i].type, &error), SCRIM_OK))
            CHECK_FAIL("%s: %s", rows[i].type, error.message);
        CHECK_INT(column.type, rows[i].kind);
        CHECK_INT(column.grid.is_decimal, rows[i].is_decimal);
        CHECK_INT(column.grid.exponent, rows[i].exponent);
        CHECK_INT(column.grid.low, rows[i].low);
        CHECK_INT(column.grid.high, rows[i].high);
    }
}

/* No bound, no range, no step: refused before there are data. */
TEST(A23_column_without_bounds_is_refused)
{
    CLAIM("column.exact");
    static const struct {
        const char *type;
        scrim_status status;
    } rows[] = {
        {"", SCRIM_E_PARAM},
        {"int", SCRIM_E_PARAM},
        {"int[]", SCRIM_E_PARAM},
        {"int[0]", SCRIM_E_PARAM},
        {"int[5,5]", SCRIM_E_PARAM},
        {"int[1,0]", SCRIM_E_PARAM},
        {"int[nan,1]", SCRIM_E_PARAM},
        {"int[0,inf]", SCRIM_E_PARAM},
        {"int[0,0.5]", SCRIM_E_PARAM},
        {"int[0,1]/0.1", SCRIM_E_PARAM},
        {"int[0,1", SCRIM_E_PARAM},
        {"int[0,1,2]", SCRIM_E_PARAM},
        {"integer[0,1]", SCRIM_E_PARAM},
        {"int[0,2^63]", SCRIM_E_LIMIT},
        {"int[-2^62-1,0]", SCRIM_E_PARAM},
        {"int[0,1e99999]", SCRIM_E_LIMIT},
        {"decimal", SCRIM_E_PARAM},
        {"decimal[0,0.005]", SCRIM_E_PARAM},
        {"decimal[0,1]/0.03", SCRIM_E_PARAM},
        {"decimal[0,1]/0", SCRIM_E_PARAM},
        {"decimal[0,1]/-0.1", SCRIM_E_PARAM},
        {"decimal[0,1]/", SCRIM_E_PARAM},
        {"decimal[0,1]0.01", SCRIM_E_PARAM},
        {"decimal[0,1]/1e-400", SCRIM_E_LIMIT},
        {"date[2020-01-01,2020-01-01]", SCRIM_E_PARAM},
        {"date[2020-02-30,2020-03-01]", SCRIM_E_PARAM},
        {"date[2021-01-01,2020-01-01]", SCRIM_E_PARAM},
        {"date", SCRIM_E_PARAM},
        {"bool[0,1]", SCRIM_E_PARAM},
        {"text[10]", SCRIM_E_PARAM},
        {"Text", SCRIM_E_PARAM},
        {"double", SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_column column;
        scrim_error error = {.message = ""};
        if (!CHECK_STATUS(typed(&column, rows[i].type, &error), rows[i].status))
            CHECK_FAIL("%s", rows[i].type);
        CHECK(error.message[0] != '\0');
    }
}

TEST(column_missing_is_a_value_of_the_column)
{
    CLAIM("column.exact");
    static const struct {
        const char *type, *value;
        bool is_legal;
        int64_t place;
    } rows[] = {
        {"int[0,120]", "0", true, 0},
        {"int[0,120]", "120", true, 120},
        {"int[0,120]", "121", false, 0},
        {"int[0,120]", "-1", false, 0},
        {"int[0,120]", "0.5", false, 0},
        {"int[0,120]", "", false, 0},
        {"int[0,120]", "nan", false, 0},
        {"decimal[0,1]", "0.25", true, 25},
        {"decimal[0,1]", "1/4", true, 25},
        {"decimal[0,1]", "1/3", false, 0},
        {"decimal[0,1]", "0.255", false, 0},
        {"date[2020-01-01,2020-12-31]", "2020-01-31", true, 18292},
        {"date[2020-01-01,2020-12-31]", "2021-01-31", false, 0},
        {"bool", "true", true, 1},
        {"bool", "false", true, 0},
        {"bool", "yes", true, 1},
        {"bool", "T", true, 1},
        {"bool", "1", true, 1},
        {"bool", "No", true, 0},
        {"bool", "0", true, 0},
        {"bool", "2", false, 0},
        {"bool", "ja", false, 0},
        {"bool", "", false, 0},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_column column;
        REQUIRE_OK(typed(&column, rows[i].type, NULL));
        const scrim_status status =
            sc_column_set_missing(&column, sc_text_of(rows[i].value), &arena, NULL);
        CHECK_STATUS(status, rows[i].is_legal ? SCRIM_OK : SCRIM_E_PARAM);
        CHECK_INT(column.has_missing, rows[i].is_legal);
        if (rows[i].is_legal)
            CHECK_INT(column.grid.missing, rows[i].place);
    }
    sc_column text;
    REQUIRE_OK(typed(&text, "text", NULL));
    CHECK_STATUS(sc_column_set_missing(&text, sc_text_of(""), &arena, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_column_set_missing(&text, sc_text_of("\xff"), &arena, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_column_set_missing(&text, sc_text_of("none"), &arena, NULL),
                 SCRIM_OK);
    CHECK(sc_text_is(text.missing, "none"));
    sc_arena_clear(&arena);
}

TEST(column_totals_hold_zero)
{
    CLAIM("column.exact");
    static const struct {
        const char *type, *value;
        bool is_legal;
        int64_t low, high;
    } rows[] = {
        {"int[0,100]", "500", true, 0, 500},
        {"int[-100,0]", "500", true, -500, 0},
        {"int[5,100]", "500", true, 0, 500},
        {"int[-3,100]", "500", true, -500, 500},
        {"int[-3,100]", "-100,500", true, -100, 500},
        {"int[-3,100]", " -100 , 500 ", true, -100, 500},
        {"int[-3,100]", "0,500", true, 0, 500},
        {"int[0,100]", "-100,500", true, 0, 500},
        {"int[0,100]", "3", true, 0, 3},
        {"decimal[0,100]", "500.25", true, 0, 50025},
        {"decimal[0,100]", "500.255", false, 0, 0},
        {"int[0,100]", "0.5", false, 0, 0},
        {"int[0,100]", "0", false, 0, 0},
        {"int[0,100]", "-5", false, 0, 0},
        {"int[-3,100]", "5,9", false, 0, 0},
        {"int[-3,100]", "-9,-5", false, 0, 0},
        {"int[-3,100]", "5,-9", false, 0, 0},
        {"int[0,100]", "-9,0", false, 0, 0},
        {"int[0,100]", "4611686018427387904", true, 0, (int64_t)1 << 62},
        {"int[0,100]", "4611686018427387905", false, 0, 0},
        {"int[0,100]", "", false, 0, 0},
        {"int[0,100]", "1,2,3", false, 0, 0},
        {"int[0,100]", "many", false, 0, 0},
        {"date[2020-01-01,2020-12-31]", "5", false, 0, 0},
        {"bool", "1", false, 0, 0},
        {"text", "1", false, 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        sc_column column;
        REQUIRE_OK(typed(&column, rows[i].type, NULL));
        CHECK_STATUS(sc_column_set_total(&column, sc_text_of(rows[i].value), NULL),
                     rows[i].is_legal ? SCRIM_OK : SCRIM_E_PARAM);
        CHECK_INT(column.has_total, rows[i].is_legal);
        if (rows[i].is_legal) {
            CHECK_INT(column.total_low, rows[i].low);
            CHECK_INT(column.total_high, rows[i].high);
        }
    }
}

/* "a|b|c", the keys in their order. */
static void join(const sc_column *column, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    for (size_t i = 0; i < column->key_count; i++) {
        sc_text_put(&sink, sc_text_of(i > 0 ? "|" : ""));
        sc_text_put(&sink, column->keys[i].text);
    }
}

TEST(column_keys_are_sorted_as_bytes)
{
    CLAIM("column.exact");
    static const struct {
        const char *type, *list;
        bool as_lines;
        const char *keys; /* NULL: refused */
    } rows[] = {
        {"text", "Male,Female", false, "Female|Male"},
        {"text", " b , a ", false, "a|b"},
        {"text", "\"a,b\",c,\"d\"\"e\"", false, "a,b|c|d\"e"},
        {"text", "b,ba,a,\xc3\xa9", false, "a|b|ba|\xc3\xa9"},
        {"text", "a", false, "a"},
        {"text", "", false, NULL},
        {"text", "a,,b", false, NULL},
        {"text", "a,", false, NULL},
        {"text", ",a", false, NULL},
        {"text", "\"a", false, NULL},
        {"text", "\"a\"b", false, NULL},
        {"text", "\"a\",", false, NULL},
        {"text", "\"\"", false, NULL},
        {"text", "a,a", false, NULL},
        {"text", "\xff", false, NULL},
        {"text", "b\na\r\n\n\"q\",c", true, "\"q\",c|a|b"},
        {"text", "\n\n", true, NULL},
        {"int[0,20]", "9,10,1", false, "1|10|9"},
        {"int[0,20]", "1,1.0", false, NULL},
        {"int[0,20]", "21", false, NULL},
        {"decimal[0,1]", "0.50,1", false, "0.5|1"},
        {"bool", "true,false", false, "false|true"},
        {"date[2020-01-01,2020-12-31]", "2020-02-01,2020-01-01", false,
         "2020-01-01|2020-02-01"},
    };
    sc_arena arena;
    sc_arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sc_column column;
        char text[200];
        REQUIRE_OK(typed(&column, rows[i].type, NULL));
        const scrim_status status = sc_column_set_keys(&column, sc_text_of(rows[i].list),
                                                       rows[i].as_lines, &arena, NULL);
        CHECK_STATUS(status, rows[i].keys != NULL ? SCRIM_OK : SCRIM_E_PARAM);
        CHECK_INT(column.has_keys, rows[i].keys != NULL);
        join(&column, text, sizeof text);
        if (rows[i].keys != NULL)
            CHECK_STR(text, rows[i].keys);
    }
    sc_arena_clear(&arena);
}

TEST(column_names)
{
    char long_name[SC_COLUMN_NAME_BYTES + 2];
    memset(long_name, 'a', sizeof long_name);
    CHECK(sc_column_is_name((sc_text){long_name, SC_COLUMN_NAME_BYTES}));
    CHECK(!sc_column_is_name((sc_text){long_name, SC_COLUMN_NAME_BYTES + 1}));
    CHECK(sc_column_is_name(sc_text_of("monthly income (\xe2\x82\xac)")));
    static const char *const wrong[] = {"", " a", "a ", "a=b", "a\nb", "a\x1b", "\xff"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!sc_column_is_name(sc_text_of(wrong[i])));
    CHECK(!sc_column_is_name((sc_text){"a\0b", 3}));
    CHECK(!sc_column_is_text((sc_text){"a\0b", 3}));
    CHECK(sc_column_is_text(sc_text_of("a\nb")));
}

TEST(column_keys_survive_without_memory)
{
    FAULT_LOOP(fault)
    {
        sc_column column;
        sc_arena arena;
        sc_arena_init(&arena);
        REQUIRE_OK(typed(&column, "text", NULL));
        const scrim_status status =
            sc_column_set_keys(&column, sc_text_of("a,b"), false, &arena, NULL);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_arena_clear(&arena);
    }
}
