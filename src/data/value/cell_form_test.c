#include "check.h"
#include "data/value/cell_form.h"
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
