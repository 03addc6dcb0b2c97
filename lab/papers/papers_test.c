#include "check.h"
#include "lab/papers/papers.h"
#include "vectors.h"

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

/* A statement that has a command says what it prints; one that lacks something says what. */
static void check_row(const lab_statement *row)
{
    const bool is_whole = row->state == LAB_RUNS || row->state == LAB_CORRECTED;
    const bool has_command = row->command != NULL;
    CHECK(lab_document_find(row->document) != NULL);
    CHECK_INT(rows_at(row->document, row->place), 1);
    CHECK(row->about[0] != '\0');
    CHECK(has_command == (row->prints != NULL));
    CHECK(has_command == (is_whole || row->state == LAB_PARTLY));
    CHECK(!has_command ||
          (strstr(row->command, "scrim ") != NULL && strchr(row->command, '\n') == NULL));
    CHECK(!has_command || strlen(row->prints) >= 8);
    CHECK(is_whole || row->note != NULL);
    CHECK(row->state != LAB_PARTLY || strstr(row->note, "ot yet: ") != NULL);
    CHECK(row->state != LAB_NOT_YET || strncmp(row->note, "not yet: ", 9) == 0);
    CHECK((row->theirs == NULL) == (row->ours == NULL));
    CHECK(row->ours == NULL || strstr(row->prints, row->ours) != NULL);
    CHECK(lab_statement_find(row->document, row->place) == row);
}

TEST(papers_say_what_runs)
{
    const lab_statement *row;
    size_t count = 0;
    for (; (row = lab_statement_at(count)) != NULL; count++)
        check_row(row);
    CHECK(count >= 300);
}

TEST(papers_are_found_by_short_names)
{
    const lab_statement *row = lab_statement_find("002", "Theorem 4.2");
    CHECK(row != NULL);
    CHECK(lab_statement_find("002", "thm 4.2") == row);
    CHECK(lab_statement_find("002", "  Thm.4.2 ") == row);
    CHECK(lab_statement_find("002", "THEOREM  4.2") == row);
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
static void check_errata(const lab_statement *row)
{
    for (const char *text = row->errata; text != NULL && *text != '\0';) {
        char *end;
        const unsigned long number = strtoul(text, &end, 10);
        const lab_erratum *erratum = lab_erratum_find((unsigned)number);
        CHECK(end > text && erratum != NULL);
        CHECK_STR(erratum->document, row->document);
        CHECK(lab_statement_has_erratum(row, erratum->number));
        text = end;
    }
    CHECK(!lab_statement_has_erratum(row, 0));
    CHECK(row->state != LAB_CORRECTED || row->errata != NULL);
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
        {129, "not in scrim"}, /* no command */
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
