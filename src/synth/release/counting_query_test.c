#include "check.h"
#include "faults.h"
#include "synth/release/counting_query.h"
#include "synth/release/synth_domain.h"

#include <string.h>

static const char policy[] =
    "unit=row\ncolumn=age=int[0,90]\ncolumn=grade=int[1,6]\nmissing=grade=1\n"
    "column=pay=decimal[0,10]/0.5\ncolumn=day=date[2020-01-01,2020-12-31]\n"
    "column=ok=bool\ncolumn=sex=text\nkeys=sex=Male,Female\ncolumn=year=int[0,3000]\n"
    "keys=year=900,1000,2000\ncolumn=odd=text\nkeys=odd=\"a,b\",c|d,e..f,#,plain,NULL\n"
    "column=word=text\n";

/* age in tens, days in three parts; the rest as it comes. word has private keys. */
typedef struct scene {
    const sc_schema *schema;
    sc_arena arena;
    sc_synth_domain domain;
    scrim_error error;
} scene;

static bool begin(scene *s)
{
    static const struct {
        const char *name, *cut;
    } asked[] = {
        {"age", "10"}, {"grade", NULL}, {"pay", "2"},   {"day", "2020-03-01,2020-09-01"},
        {"ok", NULL},  {"sex", NULL},   {"year", NULL}, {"odd", NULL}};
    *s = (scene){.schema = NULL};
    sc_arena_init(&s->arena);
    if (!CHECK_STATUS(sc_schema_parse(sc_text_of(policy), NULL, &s->schema, &s->error),
                      SCRIM_OK))
        return false;
    for (size_t i = 0; i < COUNT(asked); i++) {
        const sc_column *column = sc_schema_column(s->schema, sc_text_of(asked[i].name));
        sc_coded_column *c = &s->domain.columns[s->domain.count++];
        c->column = column;
        c->is_nullable =
            sc_schema_may_be_null(s->schema, (size_t)(column - s->schema->columns));
        if (!CHECK_STATUS(
                asked[i].cut == NULL
                    ? sc_coded_usual(c, &s->arena, &s->error)
                    : sc_column_cut(c, sc_text_of(asked[i].cut), &s->arena, &s->error),
                SCRIM_OK))
            return false;
    }
    s->domain.columns[s->domain.count++] =
        (sc_coded_column){.column = sc_schema_column(s->schema, sc_text_of("word")),
                          .is_listed = true,
                          .is_nullable = true,
                          .selection = "partition-selection",
                          .count = 3};
    return true;
}

static void end(scene *s)
{
    sc_arena_clear(&s->arena);
    sc_schema_free(s->schema);
}

static scrim_status read(scene *s, const char *line)
{
    const sc_text lines[] = {sc_text_of("# a comment"), sc_text_of(" \t"),
                             sc_text_of(line)};
    return sc_counting_queries_read(&s->domain, lines, COUNT(lines), &s->arena,
                                    &s->error);
}

/* A query that is written in many ways has one text, and that is read as itself. */
TEST(counting_queries_have_one_text)
{
    CLAIM("counting-query.back");
    static const struct {
        const char *written, *text;
    } cases[] = {
        {"sex=Female", "sex=Female"},
        {" sex = Male | Female ", "sex=Female|Male"},
        {"sex=NULL|Male", "sex=Male|NULL"},
        {"sex=Female, age=20..39", "age=20..39, sex=Female"},
        {"age=20..29|30..39|60..69", "age=20..39|60..69"},
        {"age=..9", "age=0..9"},
        {"age=80..", "age=80..90"},
        {"age=..|NULL", "age=0..90|NULL"},
        {"age=90", "age=90"},
        {"grade=3", "grade=3"},
        {"grade=2|3|5", "grade=2..3|5"},
        {"pay=2..3.5", "pay=2..3.5"},
        {"pay=2.0 .. 5.5", "pay=2..5.5"},
        {"day=2020-03-01..2020-08-31", "day=2020-03-01..2020-08-31"},
        {"day=2020-09-01..", "day=2020-09-01..2020-12-31"},
        {"ok=true", "ok=true"},
        {"year=900|1000", "year=900..1000"},
        {"year=1000..", "year=1000..2000"},
        {"odd=\"a,b\"|e..f", "odd=\"a,b\"|e..f"},
        {"odd=plain|\"c|d\"|\"#\"", "odd=\"#\"|\"c|d\"|plain"},
        {"\"odd\"=\"plain\"", "odd=plain"},
        {"odd=NULL", "odd=NULL"},
        {"odd=\"NULL\"", "odd=\"NULL\""},
        {"odd=NULL|\"NULL\"", "odd=\"NULL\"|NULL"},
        {"ok=false, grade=1..6, sex=Male", "grade=1..6, ok=false, sex=Male"},
    };
    scene s;
    REQUIRE(begin(&s));
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (!CHECK_STATUS(read(&s, cases[i].written), SCRIM_OK)) {
            CHECK_FAIL("%s: %s", cases[i].written, s.error.message);
            continue;
        }
        CHECK_INT(s.domain.query_count, 1);
        CHECK_STR(s.domain.query_texts[0], cases[i].text);
        const sc_linear_query first = s.domain.queries[0];
        REQUIRE_OK(read(&s, cases[i].text));
        CHECK_STR(s.domain.query_texts[0], cases[i].text);
        sc_synth_columns sizes;
        sc_synth_domain_sizes(&s.domain, &sizes);
        CHECK_INT(s.domain.queries[0].clique, first.clique);
        CHECK(memcmp(s.domain.queries[0].numerators, first.numerators,
                     (size_t)sc_clique_cells(&sizes, first.clique) *
                         sizeof *first.numerators) == 0);
    }
    end(&s);
}

/* Every cell of three columns, against what the query says of each by itself. */
TEST(counting_queries_count_their_categories)
{
    CLAIM("counting-query.whole");
    scene s;
    sc_synth_columns sizes;
    REQUIRE(begin(&s));
    REQUIRE_OK(read(&s, "age=20..39|NULL, grade=2|5..6, sex=Male"));
    const sc_linear_query *q = &s.domain.queries[0];
    sc_synth_domain_sizes(&s.domain, &sizes);
    CHECK_INT(q->clique, 1 + 2 + 32);
    CHECK_INT(q->den, 1);
    CHECK_INT(sizes.sizes[0], 11);
    CHECK_INT(sizes.sizes[1], 6);
    CHECK_INT(sizes.sizes[5], 3);
    for (uint32_t age = 0; age < 11; age++)
        for (uint32_t grade = 0; grade < 6; grade++)
            for (uint32_t sex = 0; sex < 3; sex++) {
                const bool is_in = (age == 2 || age == 3 || age == 10) &&
                                   (grade == 1 || grade >= 4) && sex == 1;
                CHECK_INT(q->numerators[(age * 6 + grade) * 3 + sex], is_in);
            }
    end(&s);
}

TEST(counting_queries_are_listed_once)
{
    scene s;
    REQUIRE(begin(&s));
    const sc_text lines[] = {sc_text_of("sex=Male"), sc_text_of("age=..9"),
                             sc_text_of("#"),        sc_text_of("age=0..9"),
                             sc_text_of("sex=Male"), sc_text_of("sex=Female")};
    REQUIRE_OK(sc_counting_queries_read(&s.domain, lines, COUNT(lines), &s.arena, NULL));
    CHECK_INT(s.domain.query_count, 3);
    CHECK_STR(s.domain.query_texts[0], "age=0..9");
    CHECK_STR(s.domain.query_texts[1], "sex=Female");
    CHECK_STR(s.domain.query_texts[2], "sex=Male");
    end(&s);
}

TEST(counting_queries_refuse_what_is_none)
{
    CLAIM("counting-query.whole");
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"age=25", "line 3: '25' cuts the bin 20 to 29 of 'age'; ask for whole bins"},
        {"age=20..35",
         "line 3: '20..35' cuts the bin 30 to 39 of 'age'; ask for whole bins"},
        {"sex=Male, age=21..39",
         "line 3: '21..39' cuts the bin 20 to 29 of 'age'; ask for whole bins"},
        {"age=30..29", "line 3: '30..29' is not a value of 'age'"},
        {"age=20..x", "line 3: '20..x' is not a value of 'age'"},
        {"age=", "line 3: '' is not a value of 'age'"},
        {"age=|20..29", "line 3: '' is not a value of 'age'"},
        {"sex=female", "line 3: 'female' is not a value of 'sex'"},
        {"grade=NULL", "line 3: 'NULL' is not a value of 'grade'"},
        {"year=950", "line 3: '950' is not a value of 'year'"},
        {"year=NULL..", "line 3: 'NULL..' is not a value of 'year'"},
        {"year=900..NULL", "line 3: '900..NULL' is not a value of 'year'"},
        {"odd=a,b", "line 3: 'a' is not a value of 'odd'"},
        {"sex=\"Male", "line 3: '\"Male' is not a value of 'sex'"},
        {"sex=\"Malex", "line 3: '\"Malex' is not a value of 'sex'"},
        {"sex=\"Male\"x\"", "line 3: '\"Male\"x\"' is not a value of 'sex'"},
        {"sex=\"NULL\"", "line 3: 'NULL' is not a value of 'sex'"},
        {"sex",
         "line 3: 'sex' must be COLUMN=VALUE, COLUMN=VALUE|VALUE or COLUMN=LOW..HIGH"},
        {"sex=Male,, age=..9",
         "line 3: '' must be COLUMN=VALUE, COLUMN=VALUE|VALUE or COLUMN=LOW..HIGH"},
        {"ages=1", "line 3: 'ages' is not one of the columns"},
        {"sex=Male, sex=Female", "line 3: 'sex' is named twice"},
        {"word=x", "line 3: 'word' has private keys, which are not selected yet"},
        {"", "there is no query; write one a line, such as sex=Female, age=20..39"},
    };
    scene s;
    REQUIRE(begin(&s));
    for (size_t i = 0; i < COUNT(cases); i++) {
        CHECK_STATUS(read(&s, cases[i].line), SCRIM_E_PARAM);
        CHECK_STR(s.error.parameter, "queries");
        CHECK_STR(s.error.message, cases[i].message);
    }
    end(&s);
}

SLOW_TEST(counting_queries_have_public_limits)
{
    static sc_text lines[SC_SYNTH_QUERIES + 1];
    scene s;
    REQUIRE(begin(&s));
    for (size_t i = 0; i < COUNT(lines); i++)
        lines[i] = sc_text_of("sex=Male");
    CHECK_STATUS(
        sc_counting_queries_read(&s.domain, lines, COUNT(lines) - 1, &s.arena, &s.error),
        SCRIM_OK);
    CHECK_STATUS(
        sc_counting_queries_read(&s.domain, lines, COUNT(lines), &s.arena, &s.error),
        SCRIM_E_LIMIT);
    /* 465696 cells each */
    for (size_t i = 0; i < 37; i++)
        lines[i] = sc_text_of("age=.., grade=.., pay=.., day=.., ok=.., sex=Male, "
                              "year=.., odd=plain");
    CHECK_STATUS(sc_counting_queries_read(&s.domain, lines, 36, &s.arena, &s.error),
                 SCRIM_OK);
    CHECK_STATUS(sc_counting_queries_read(&s.domain, lines, 37, &s.arena, &s.error),
                 SCRIM_E_LIMIT);
    CHECK_STR(s.error.parameter, "queries");
    end(&s);
}

TEST(counting_queries_survive_without_memory)
{
    scene s;
    REQUIRE(begin(&s));
    FAULT_LOOP(fault)
    {
        sc_arena arena;
        sc_arena_init(&arena);
        const sc_text lines[] = {sc_text_of("\"sex\"=Male, age=20..39, odd=\"a,b\"")};
        const scrim_status status =
            sc_counting_queries_read(&s.domain, lines, 1, &arena, &s.error);
        CHECK(status == (fault_hit() ? SCRIM_E_MEMORY : SCRIM_OK));
        sc_arena_clear(&arena);
    }
    end(&s);
}
