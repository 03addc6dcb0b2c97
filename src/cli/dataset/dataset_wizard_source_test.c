/* The wizard on a pseudo-terminal: files and databases, and how they write values. */
#include "check.h"
#include "owner_stage.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The separator that the header seems to have is offered, and taken only when the owner says so. */
SLOW_TEST(wizard_offers_the_separator_of_the_header)
{
    static const struct {
        const char *header, *answer, *line; /* line: what is kept */
        size_t columns;
    } cases[] = {
        {"id;age;note", "", "separator=;\n", 2},
        {"id;age;note", ";", "separator=;\n", 2},
        {"\"id\";\"age\"", "", "separator=;\n", 1},
        {"id\tage", "", "separator=tab\n", 1},
        {"id|a;b", "|", "separator=|\n", 1},
        {"id|a|b", "", "separator=|\n", 2},
    };
    for (size_t c = 0; c < COUNT(cases); c++) {
        owner_stage s;
        char want[256];
        size_t asked = 0;
        if (!stage_begin(&s))
            return;
        FILE *file = fopen(s.csv, "w");
        REQUIRE(file != NULL);
        fprintf(file, "%s\n1;2,3\n", cases[c].header);
        fclose(file);
        const char *const words[] = {
            "--csv",      s.csv, "--unit",       "id", "--population", "p",
            "--max-rows", "1",   "--max-groups", "1",  "--neighbours", "add-remove",
            NULL};
        stage_start(&s, "a", words);
        asked++;
        CHECK_INT(stage_wait(&s, asked), asked);
        stage_shown(&s, "The header is one column that contains ");
        stage_answer(&s, cases[c].answer);
        stage_answer(&s, "\n");
        for (size_t i = 0; i < cases[c].columns; i++) {
            asked++;
            CHECK_INT(stage_wait(&s, asked), asked);
            stage_answer(&s, "\n");
        }
        static const char *const rest[] = {"1\n", "\n", "yes\n"};
        for (size_t i = 0; i < COUNT(rest); i++) {
            asked++;
            CHECK_INT(stage_wait(&s, asked), asked);
            stage_answer(&s, rest[i]);
        }
        const int end = stage_finish(&s);
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
        snprintf(want, sizeof want,
                 "csv=%s\n%sunit=id\nmax-groups=1\nmax-rows=1\nneighbours=add-remove\n"
                 "population=p\nbudget=epsilon=1\n",
                 s.csv, cases[c].line);
        stage_policy(&s, "a", want);
        stage_end(&s);
    }
}

/* A file with decimal commas and other dates is declared so; each mistake is told when it is typed. */
TEST(wizard_asks_how_the_file_writes_values)
{
    static const char *const answers[] = {
        "",     ";",         "row",        "?",          "date",    "30.02.2025",
        "?",    "31.1.2025", "01.01.2025", "31.12.2025", "decimal", "0",
        "100",  "",          "?",          "comma",      ",",       "?",
        "DDMM", "?",         "DD.MM.YYYY", "?",          "NA,NA",   "NA,-",
        "",     "",          "1",          "",           "8",       "none",
        "yes"};
    owner_stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    FILE *file = fopen(s.csv, "w");
    REQUIRE(file != NULL);
    fputs("day;paid\n31.01.2025;1,5\n", file);
    fclose(file);
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "a", words);
    for (size_t i = 1; i < COUNT(answers); i++) {
        CHECK_INT(stage_wait(&s, i), i);
        stage_answer(&s, answers[i]);
        stage_answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    static const char *const shown[] = {
        "date is a day, timestamp a day with a time",
        ("\"2025-02-30\" is not valid here; type a date that exists, such as "
         "2025-01-31 or 31.01.2025"),
        "Example: 2020-01-01",
        ("\"2025-01-01\" is not valid here; type a date after the smallest value, "
         "2025-01-31"),
        "with another decimal mark and treats it as missing",
        "\"comma\" is not valid here; type . or ,",
        "Example: DD.MM.YYYY",
        "\"DDMM\" is not valid here; type YYYY, MM or M, and DD or D",
        "Example: NA,NULL",
        "the text 'NA' is given twice",
        "null=NA,-\n",
        "texts that mean missing: none\n"};
    for (size_t i = 0; i < COUNT(shown); i++)
        if (strstr(s.shown, shown[i]) == NULL)
            CHECK_FAIL("not shown: %s\n%s", shown[i], s.shown);
    snprintf(want, sizeof want,
             "csv=%s\nseparator=;\ndecimal=,\ndate-format=DD.MM.YYYY\nunit=row\n"
             "column=day=date[2025-01-31,2025-12-31]\ncolumn=paid=decimal[0,100]\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             s.csv);
    stage_policy(&s, "a", want);
    stage_end(&s);
}

/* A timestamp needs a zone, which is asked for once; a name is copied with its changes of offset. */
TEST(wizard_asks_for_the_zone_of_timestamps)
{
    owner_stage s;
    char want[512];
    static const char *const answers[] = {
        "timestamp\n",    "2024-01-01\n",    "2024-07-01\n", "timestamp\n",
        "2024-01-01\n",   "2024-02-01\n",    "\n",           "\n",
        "Nowhere/City\n", "Europe/Berlin\n", "1\n",          "\n",
        "yes\n"};
    if (!stage_begin(&s))
        return;
    FILE *file = fopen(s.csv, "w");
    REQUIRE(file != NULL);
    fputs("id,seen,paid\n1,2024-03-04 05:06:07,2024-01-02 03:04:05\n", file);
    fclose(file);
    const char *const words[] = {
        "--csv",      s.csv, "--unit",       "id", "--population", "p",
        "--max-rows", "1",   "--max-groups", "1",  "--neighbours", "add-remove",
        NULL};
    stage_start(&s, "a", words);
    for (size_t i = 0; i < COUNT(answers); i++) {
        CHECK_INT(stage_wait(&s, i + 1), i + 1);
        stage_answer(&s, answers[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    const char *const asked = strstr(s.shown, "Time zone of times without an offset");
    CHECK(asked != NULL && strstr(asked + 1, "Time zone of times") == NULL);
    snprintf(
        want, sizeof want,
        "csv=%s\ndate-format=YYYY-MM-DD\nzone=Europe/Berlin 2023-12-30/2024-07-03 +01:00 "
        "2024-03-31T01:00:00Z+02:00\nunit=id\n"
        "column=seen=timestamp[2024-01-01,2024-07-01]\n"
        "column=paid=timestamp[2024-01-01,2024-02-01]\nmax-groups=1\nmax-rows=1\n"
        "neighbours=add-remove\npopulation=p\nbudget=epsilon=1\n",
        s.csv);
    stage_policy(&s, "a", want);
    stage_end(&s);
}

static void make_database(const char *path)
{
    sqlite3 *database = NULL;
    REQUIRE(sqlite3_open(path, &database) == SQLITE_OK);
    CHECK_INT(sqlite3_exec(database, "CREATE TABLE people (id, age)", NULL, NULL, NULL),
              SQLITE_OK);
    sqlite3_close(database);
}

TEST(wizard_asks_for_the_table_of_a_database)
{
    static const owner_turn turns[] = {
        {"", "table has no default"},
        {"?", "Its tables:\n  people\n"},
        {"persons", "the source has no table 'persons'"},
        {"people", "Its columns:\n  id\n  age\n"},
        {"idd", "no column 'idd' in the source; did you mean 'id'?"},
        {"id", ""},
        {"int", ""},
        {"0", ""},
        {"120", ""},
        {"", ""}, /* no table of bounds */
        {"", ""}, /* no total of rows */
        {"1", ""},
        {"1", ""},
        {"", ""},
        {"", ""},
        {"1", ""},
        {"", ""},
        {"yes", ""}};
    owner_stage s;
    char path[96], want[256];
    if (!stage_begin(&s))
        return;
    snprintf(path, sizeof path, "%s/people.db", s.folder);
    make_database(path);
    const char *const words[] = {"--sqlite", path, NULL};
    stage_start(&s, "people", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "sqlite=%s\ntable=people\nunit=id\ncolumn=age=int[0,120]\nmax-groups=1\nmax-"
             "rows=1\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             path);
    stage_policy(&s, "people", want);
    stage_end(&s);
}

/* Rows that come from standard input have no header that could be read now. */
TEST(wizard_asks_for_the_names_of_a_stream)
{
    static const owner_turn turns[] = {{"id", "column 'id' is declared already"},
                                       {"age", ""},
                                       {"int", ""},
                                       {"0", ""},
                                       {"120", ""},
                                       {"age", "column 'age' is declared already"},
                                       {"", ""}, /* no more columns */
                                       {"60", ""},
                                       {"", ""}, /* no total of age */
                                       {"", ""},
                                       {"", ""},
                                       {"1", ""},
                                       {"", ""},
                                       {"yes", ""}};
    static const char *const words[] = {"--csv", "-", "--unit", "id", NULL};
    owner_stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "people", words);
    stage_turns(&s, turns, COUNT(turns));
    stage_policy(&s, "people",
                 "csv=-\nunit=id\ncolumn=age=int[0,120]\nmax-total-rows=60\n"
                 "neighbours=add-remove\nbudget=epsilon=1\n");
    stage_end(&s);
}
