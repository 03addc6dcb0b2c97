#include "check.h"
#include "lab/papers/papers.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t rows_at(const char *document, const char *place)
{
    const lab_statement *row;
    size_t count = 0;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        count += strcmp(row->document, document) == 0 && strcmp(row->place, place) == 0;
    return count;
}

TEST(papers_have_every_numbered_statement)
{
    CLAIM("papers.complete");
    const char *document;
    json_t *places, *place;
    size_t index, count = 0;
    json_t *statements = vectors_load("papers", "statements");
    json_object_foreach(statements, document, places)
    {
        CHECK(lab_document_find(document) != NULL);
        json_array_foreach(places, index, place)
        {
            CHECK_INT(rows_at(document, json_string_value(place)), 1);
            count++;
        }
    }
    CHECK_INT(count, 246);
}

/* "Equation (3)" is at the beginning of "Equation (3), Lemma 4", too. */
static size_t equations_at(const char *document, const char *place)
{
    const lab_statement *row;
    const size_t bytes = strlen(place);
    size_t count = 0;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        count += strcmp(row->document, document) == 0 &&
                 strncmp(row->place, place, bytes) == 0 &&
                 (row->place[bytes] == '\0' || row->place[bytes] == ',');
    return count;
}

TEST(papers_have_every_numbered_equation)
{
    CLAIM("papers.complete");
    const char *document;
    char place[LAB_NAME_BYTES];
    json_t *times, *numbers;
    size_t index, count = 0, rows = 0;
    const lab_statement *row;
    json_t *equations = vectors_load("papers", "equations");
    json_object_foreach(equations, document, numbers)
    {
        json_array_foreach(numbers, index, times)
        {
            const size_t wanted = (size_t)json_integer_value(times);
            snprintf(place, sizeof place, "Equation (%zu)", index + 1);
            CHECK_INT(equations_at(document, place), wanted);
            snprintf(place, sizeof place, "(%zu)", index + 1);
            CHECK((lab_statement_find(document, place) != NULL) == (wanted == 1));
            count += wanted;
        }
    }
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        rows += strncmp(row->place, "Equation ", strlen("Equation ")) == 0;
    CHECK_INT(count, 94);
    CHECK_INT(rows, count);
}

/* An equation names a row that is there, and has its command. */
static void check_part(const lab_statement *row)
{
    const lab_statement *runs = lab_statement_with_command(row);
    CHECK_INT(rows_at(row->document, row->of), 1);
    CHECK(runs == row || strcmp(runs->place, row->of) == 0);
    CHECK(runs == row || runs->of == NULL);
}

/* A statement that has a command says what it prints; one that lacks something says what. */
static void check_row(const lab_statement *row)
{
    const lab_statement_state state = lab_statement_state_of(row);
    const lab_statement *runs = lab_statement_with_command(row);
    const bool is_whole = state == LAB_RUNS || state == LAB_CORRECTED;
    const bool has_command = runs->command != NULL;
    CHECK(lab_document_find(row->document) != NULL);
    CHECK_INT(rows_at(row->document, row->place), 1);
    CHECK(row->about[0] != '\0');
    CHECK(has_command == (runs->prints != NULL));
    CHECK(state == LAB_STEP || has_command == (is_whole || state == LAB_PARTLY));
    CHECK(!has_command || (strstr(runs->command, "scrim ") != NULL &&
                           strchr(runs->command, '\n') == NULL));
    CHECK(!has_command || strlen(runs->prints) >= 8);
    CHECK(is_whole || state == LAB_STEP || row->note != NULL || runs->note != NULL);
    CHECK((row->theirs == NULL) == (row->ours == NULL));
    CHECK(row->ours == NULL || strstr(row->prints, row->ours) != NULL);
    CHECK(lab_statement_find(row->document, row->place) == row);
    if (row->of != NULL)
        check_part(row);
    else
        CHECK(!row->is_step);
}

TEST(papers_say_what_runs)
{
    const lab_statement *row;
    size_t count = 0;
    for (; (row = lab_statement_at(count)) != NULL; count++)
        check_row(row);
    CHECK(count >= 400);
}

/* Each state by its definition, of rows that are made for it: 46 is false, 38 a typo, 81 a gap. */
TEST(papers_have_states_that_follow)
{
    CLAIM("papers.states");
    static const struct {
        lab_statement row;
        lab_statement_state state;
    } cases[] = {
        {{.document = "002", .command = "scrim list"}, LAB_RUNS},
        {{.document = "002", .command = "scrim list", .errata = "38"}, LAB_RUNS},
        {{.document = "002", .command = "scrim list", .errata = "65"}, LAB_RUNS},
        {{.document = "002", .command = "scrim list", .errata = "42"}, LAB_RUNS},
        {{.document = "002", .command = "scrim list", .related = "46"}, LAB_RUNS},
        {{.document = "002", .command = "scrim list", .errata = "46"}, LAB_CORRECTED},
        {{.document = "002", .command = "scrim list", .errata = "38 46"}, LAB_CORRECTED},
        {{.document = "002", .command = "scrim list", .errata = "81"}, LAB_CORRECTED},
        {{.document = "002", .command = "scrim list", .errata = "43"}, LAB_CORRECTED},
        {{.document = "002", .command = "scrim list", .note = "a; not yet: b"},
         LAB_PARTLY},
        {{.document = "002", .note = "not yet: b"}, LAB_NOT_YET},
        {{.document = "002", .note = "words", .errata = "46"}, LAB_NO_COMMAND},
        {{.document = "002", .of = "Definition 3.6"}, LAB_CORRECTED},
        {{.document = "002", .of = "Theorem 2.1"}, LAB_RUNS},
        {{.document = "002", .of = "Theorem 2.1", .is_step = true}, LAB_STEP},
        {{.document = "002", .of = "Theorem 2.4"}, LAB_NO_COMMAND}};
    for (size_t i = 0; i < COUNT(cases); i++)
        if (lab_statement_state_of(&cases[i].row) != cases[i].state)
            CHECK_FAIL("case %zu: %s", i,
                       lab_statement_state_name(lab_statement_state_of(&cases[i].row)));
    CHECK_STR(lab_statement_state_name(LAB_STEP), "step");
}

/* A row that is corrected computes its own erratum, shows a number beside the document's, or says what is right. */
TEST(papers_show_what_they_correct)
{
    CLAIM("papers.states");
    const lab_statement *row;
    char show[32];
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++) {
        bool is_shown = row->of != NULL || row->theirs != NULL || row->note != NULL;
        const lab_erratum *erratum;
        for (size_t j = 0; (erratum = lab_erratum_at(j)) != NULL; j++) {
            snprintf(show, sizeof show, "scrim errata %u", erratum->number);
            is_shown =
                is_shown || (lab_statement_has_erratum(row, erratum->number) &&
                             row->command != NULL && strstr(row->command, show) != NULL);
        }
        if (!CHECK(is_shown || lab_statement_state_of(row) != LAB_CORRECTED))
            CHECK_FAIL("%s, %s", row->document, row->place);
    }
}

TEST(papers_are_found_by_short_names)
{
    const lab_statement *row = lab_statement_find("002", "Theorem 4.2");
    CHECK(row != NULL);
    CHECK(lab_statement_find("002", "thm 4.2") == row);
    CHECK(lab_statement_find("002", "  Thm.4.2 ") == row);
    CHECK(lab_statement_find("002", "THEOREM  4.2") == row);
    row = lab_statement_find("000", "(12)");
    CHECK(row != NULL && strcmp(row->place, "Equation (12)") == 0);
    CHECK(lab_statement_find("000", "eq. 12") == row);
    CHECK(lab_statement_find("000", "Equation 12") == row);
    CHECK(lab_statement_find("000", "equation (12)") == row);
    CHECK(lab_statement_find("000", "12") == NULL);
    CHECK(lab_statement_find("000", "(120)") == NULL);
    CHECK(lab_statement_find("004", "(1)") == NULL); /* there are two */
    CHECK(lab_statement_find("004", "(1), Lemma 3") != NULL);
    row = lab_statement_find("004", "Section 4.2");
    CHECK(row != NULL && row == lab_statement_find("004", "Section 4.2, non-integral"));
    CHECK(lab_statement_find("004", "Section 4") == NULL);
    CHECK(lab_statement_find("002", "th 4.2") == NULL);
    CHECK(lab_statement_find("002", "Theorem 4.20") == NULL);
    CHECK(lab_statement_find("002", "Theorem") == NULL);
    CHECK(lab_statement_find("002", "") == NULL);
    CHECK(lab_statement_find("001", "Theorem 4.2") == NULL);
    CHECK(lab_statement_find("005", "Theorem 4.2") == NULL);
    CHECK(lab_statement_find("003", "Def. 16") ==
          lab_statement_find("003", "Definition 16"));
    char longest[4096];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    CHECK(lab_statement_find("002", longest) == NULL);
    for (size_t i = 1; i < sizeof longest - 1; i += 2)
        longest[i] = ' ';
    CHECK(lab_statement_find("002", longest) == NULL);
}

/* Each number is one of an erratum of the same document. */
static void check_numbers(const lab_statement *row, const char *text)
{
    while (text != NULL && *text != '\0') {
        char *end;
        const unsigned long number = strtoul(text, &end, 10);
        const lab_erratum *erratum = lab_erratum_find((unsigned)number);
        CHECK(end > text && erratum != NULL);
        CHECK_STR(erratum->document, row->document);
        CHECK(lab_statement_has_erratum(row, erratum->number));
        text = end;
    }
}

static void check_errata(const lab_statement *row)
{
    char all[LAB_ERRATA_BYTES];
    check_numbers(row, row->errata);
    check_numbers(row, row->related);
    lab_statement_errata(row, all);
    check_numbers(row, all);
    CHECK(!lab_statement_has_erratum(row, 0));
    CHECK(strlen(all) + 8 < LAB_ERRATA_BYTES);
}

TEST(errata_belong_to_statements)
{
    CLAIM("papers.errata");
    const lab_statement *row;
    const lab_erratum *erratum;
    for (size_t i = 0; (row = lab_statement_at(i)) != NULL; i++)
        check_errata(row);
    for (size_t i = 0; (erratum = lab_erratum_at(i)) != NULL; i++) {
        size_t named = 0;
        for (size_t j = 0; (row = lab_statement_at(j)) != NULL; j++)
            named += lab_statement_has_erratum(row, erratum->number);
        CHECK(named > 0);
    }
}

TEST(errata_say_where_scrim_has_them)
{
    static const struct {
        unsigned number;
        const char *uses;
    } known[] = {
        {6, "scrim distance wasserstein"}, /* a command without a mechanism */
        {16, "emptiness"},
        {35, "scrim attack k-anonymity"},
        {38, "scrim experiment tail-bounds"},
        {159, "not in scrim"}, /* a command that only shows another one */
        {126, "not in scrim"}, /* a command that only shows the erratum */
        {86, "rappor"},
        {99, "generalised-sparse-vector"},
        {12,
         "bucket-histogram, stlap"}, /* "range" is a statistic there, and no mechanism */
        {140, "scrim body admissible"},
        {165, "not in scrim"},
    };
    char uses[LAB_USES_BYTES];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        lab_erratum_uses(known[i].number, uses);
        CHECK_STR(uses, known[i].uses);
    }
}
