#include "check.h"
#include "synth/release/synth_domain.h"

#include <stdio.h>
#include <string.h>

static const char policy[] =
    "unit=row\ncolumn=age=int[0,90]\ncolumn=grade=int[1,6]\nmissing=grade=1\n"
    "column=pay=decimal[0,10]/0.5\ncolumn=day=date[2020-01-01,2020-12-31]\n"
    "column=ok=bool\ncolumn=sex=text\nkeys=sex=Male,Female\ncolumn=year=int[0,3000]\n"
    "keys=year=900,1000,2000\ncolumn=word=text\n";

typedef struct coding {
    const sc_schema *schema;
    sc_arena arena;
    sc_coded_column c;
    scrim_error error;
} coding;

static scrim_status code(coding *k, const char *name, const char *cut)
{
    *k = (coding){.schema = NULL};
    sc_arena_init(&k->arena);
    CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &k->schema, NULL), SCRIM_OK);
    const sc_column *column = sc_schema_column(k->schema, sc_text_of(name));
    k->c = (sc_coded_column){.column = column,
                             .is_nullable = sc_schema_may_be_null(
                                 k->schema, (size_t)(column - k->schema->columns))};
    return cut == NULL ? sc_coded_usual(&k->c, &k->arena, &k->error)
                       : sc_column_cut(&k->c, sc_text_of(cut), &k->arena, &k->error);
}

static void end(coding *k)
{
    sc_arena_clear(&k->arena);
    sc_schema_free(k->schema);
}

/* Private keys: a value that was not found is NULL. */
TEST(coded_column_has_found_categories)
{
    CLAIM("coded-column.found");
    static const struct {
        const char *text;
        uint32_t code;
    } cases[] = {{"bee", 0},  {"cat", 1}, {"dog", 2}, {"ant", 3}, {"be", 3},
                 {"bees", 3}, {"cow", 3}, {"emu", 3}, {"", 3}};
    const sc_text texts[] = {sc_text_of("bee"), sc_text_of("cat"), sc_text_of("dog")};
    coding k;
    CHECK_STATUS(code(&k, "word", NULL), SCRIM_E_PARAM);
    CHECK_STR(k.error.parameter, "private-keys");
    k.c.is_listed = true;
    k.c.selection = "partition-selection";
    k.c.count = 3;
    CHECK(sc_coded_is_open(&k.c));
    k.c.texts = texts;
    CHECK(!sc_coded_is_open(&k.c));
    CHECK_INT(sc_coded_size(&k.c), 4);
    for (size_t i = 0; i < COUNT(cases); i++)
        CHECK_INT(sc_coded_code(&k.c, &(sc_key_part){.is_text = true,
                                                     .text = sc_text_of(cases[i].text)}),
                  cases[i].code);
    k.c.count = 0;
    CHECK_INT(
        sc_coded_code(&k.c, &(sc_key_part){.is_text = true, .text = sc_text_of("bee")}),
        0);
    end(&k);
}

/* The cut, the size with NULL, and all categories. */
TEST(coded_column_has_declared_categories)
{
    CLAIM("coded-column.back");
    static const struct {
        const char *name, *cut, *again;
        uint32_t size;
        const char *first, *last;
    } cases[] = {
        {"age", NULL, "0:1:91", 92, "0", "90"},
        {"age", "17:5:15", "17:5:15", 16, "17 to 21", "87 to 90"},
        {"age", "17:5:3", "17:5:3", 4, "17 to 21", "27 to 31"},
        {"age", "30", "0:30:4", 5, "0 to 29", "90"},
        {"age", "18,65", "18,65", 4, "0 to 17", "65 to 90"},
        {"age", "0,18", "0,18", 3, "0 to 17", "18 to 90"},
        {"age", "0,18,65", "18,65", 4, "0 to 17", "65 to 90"},
        {"grade", NULL, "1:1:6", 6, "1", "6"},
        {"pay", "2.5", "0:2.5:5", 6, "0 to 2", "10"},
        {"day", "2020-03-01:7:2", "2020-03-01:7:2", 3, "2020-03-01 to 2020-03-07",
         "2020-03-08 to 2020-03-14"},
        {"ok", NULL, "", 3, "false", "true"},
        {"sex", NULL, "", 3, "Female", "Male"},
        {"year", NULL, "", 4, "900", "2000"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        coding k;
        char text[200], cut[200] = "";
        uint32_t found = 0;
        sc_text_sink sink;
        CHECK_STATUS(code(&k, cases[i].name, cases[i].cut), SCRIM_OK);
        sc_text_sink_init(&sink, cut, sizeof cut);
        sc_column_cut_put(&k.c, &sink);
        CHECK_STR(cut, cases[i].again);
        CHECK_INT(sc_coded_size(&k.c), cases[i].size);
        (void)sc_coded_format(&k.c, 0, text, sizeof text);
        CHECK_STR(text, cases[i].first);
        (void)sc_coded_format(&k.c, k.c.count - 1, text, sizeof text);
        CHECK_STR(text, cases[i].last);
        for (uint32_t u = 0; u < sc_coded_size(&k.c); u++) {
            (void)sc_coded_format(&k.c, u, text, sizeof text);
            char *to = strstr(text, " to ");
            if (to != NULL)
                *to = '\0';
            CHECK_STATUS(sc_coded_find(&k.c, sc_text_of(text), &found), SCRIM_OK);
            CHECK_INT(found, u);
        }
        CHECK_STATUS(sc_coded_find(&k.c, sc_text_of("none"), &found), SCRIM_E_PARAM);
        end(&k);
        if (cut[0] == '\0')
            continue;
        /* A record has the cut as it was written. */
        CHECK_STATUS(code(&k, cases[i].name, cut), SCRIM_OK);
        CHECK_INT(sc_coded_size(&k.c), cases[i].size);
        end(&k);
    }
}

static uint32_t code_of(const coding *k, int64_t value)
{
    return sc_coded_code(&k->c, &(sc_key_part){.value = value});
}

TEST(coded_column_puts_every_value_into_a_category)
{
    CLAIM("coded-column.total");
    coding k;
    CHECK_STATUS(code(&k, "age", "17:5:3"), SCRIM_OK);
    for (int64_t age = 0; age <= 90; age++)
        CHECK_INT(code_of(&k, age), age < 22 ? 0 : age < 27 ? 1 : 2);
    CHECK_INT(code_of(&k, SC_NULL), 3);
    end(&k);
    CHECK_STATUS(code(&k, "year", NULL), SCRIM_OK);
    CHECK_INT(code_of(&k, 900), 0);
    CHECK_INT(code_of(&k, 1000), 1);
    CHECK_INT(code_of(&k, 2000), 2);
    end(&k);
    CHECK_STATUS(code(&k, "sex", NULL), SCRIM_OK);
    CHECK_INT(sc_coded_code(&k.c, &(sc_key_part){true, 0, sc_text_of("Female")}), 0);
    CHECK_INT(sc_coded_code(&k.c, &(sc_key_part){true, 0, sc_text_of("Male")}), 1);
    CHECK_INT(sc_coded_code(&k.c, &(sc_key_part){true, 0, sc_null_text()}), 2);
    end(&k);
}

TEST(column_cut_refuses_what_is_none)
{
    static const struct {
        const char *name, *cut;
        scrim_status status;
    } cases[] = {
        {"age", "0", SCRIM_E_PARAM},      {"age", "-1", SCRIM_E_PARAM},
        {"age", "1/2", SCRIM_E_PARAM},    {"age", "", SCRIM_E_PARAM},
        {"age", "x", SCRIM_E_PARAM},      {"age", "17:5", SCRIM_E_PARAM},
        {"age", "17:5:0", SCRIM_E_PARAM}, {"age", "200:5:3", SCRIM_E_PARAM},
        {"age", "65,18", SCRIM_E_PARAM},  {"age", "18,18", SCRIM_E_PARAM},
        {"age", "0,0,18", SCRIM_E_PARAM}, {"pay", "0.3", SCRIM_E_PARAM},
        {"sex", "2", SCRIM_E_PARAM},      {"ok", "1", SCRIM_E_PARAM},
        {"year", "100", SCRIM_E_PARAM},   {"word", NULL, SCRIM_E_PARAM},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        coding k;
        CHECK_STATUS(code(&k, cases[i].name, cases[i].cut), cases[i].status);
        end(&k);
    }
}
