#include "check.h"
#include "cli/answer/sheet_note.h"
#include "faults.h"
#include "ledger/answer.h"
#include "mechanism/threshold/unit_counts.h"

#include <stdlib.h>
#include <string.h>

TEST(rank_note_finds_the_name)
{
    static const struct {
        const char *query, *name; /* NULL: no top list */
    } cases[] = {
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC LIMIT 3", "n"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n, a LIMIT 3", "n"},
        {"SELECT COUNT(*) AS \"my n\" FROM t ORDER BY \"my n\" LIMIT 3", "my n"},
        {"SELECT COUNT(*) AS n FROM t WHERE a = ' ORDER BY b' ORDER BY n LIMIT 3", "n"},
        {"SELECT TOP 3 a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC", "n"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY 2 DESC LIMIT 3", "2"},
        {"SELECT a, COUNT(*) FROM t GROUP BY a ORDER BY COUNT(*) LIMIT 3", "COUNT(*)"},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a ORDER BY n DESC", NULL},
        {"SELECT a, COUNT(*) AS n FROM t GROUP BY a", NULL},
        {"", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char name[SCRIM_COLUMN_BYTES] = "";
        CHECK(sc_rank_name(cases[i].query, name) == (cases[i].name != NULL));
        CHECK_STR(name, cases[i].name == NULL ? "" : cases[i].name);
    }
}

TEST(sheet_note_is_read_as_it_was_written)
{
    const char *labels[] = {"red", "", " a b ", "\"q\"", "label x", "gr\xc3\xbcn"};
    const sc_sheet_note note = {.confidence = "9/10",
                                .count = 6,
                                .name = "n of them",
                                .label_name = "colour",
                                .labels = labels,
                                .label_count = 6};
    sc_sheet_note again;
    scrim_error error;
    char *text = sc_sheet_note_format(&note);
    REQUIRE(text != NULL);
    CHECK_STR(text, "confidence 9/10\ncount 6\nname n of them\nlabel-name colour\n"
                    "label red\nlabel \nlabel  a b \nlabel \"q\"\nlabel label x\n"
                    "label gr\xc3\xbcn\n");
    REQUIRE_OK(sc_sheet_note_parse(text, &again, &error));
    CHECK_STR(again.confidence, "9/10");
    CHECK_INT(again.count, 6);
    CHECK_STR(again.name, "n of them");
    CHECK_STR(again.label_name, "colour");
    CHECK_INT(again.label_count, 6);
    for (size_t i = 0; i < again.label_count && i < 6; i++)
        CHECK_STR(again.labels[i], labels[i]);
    sc_sheet_note_clear(&again);
    free(text);
}

/* An answer of three values: those that are kept, or the one that is chosen. */
static void check_taken(bool (*is_kept)(const scrim_measurement *, sc_mark, sc_int128),
                        sc_mark mark, const sc_int128 *values, size_t count,
                        const char *const wants[3])
{
    static const char *const labels[] = {"red", "green", "blue"};
    const sc_mechanism mechanism = {.is_kept = is_kept};
    scrim_measurement m = {.mechanism = &mechanism};
    sc_int128 copies[3] = {0};
    sc_mark marks[3] = {mark, mark, mark};
    sc_sheet_note note = {.label_count = 3};
    scrim_answer *answer = NULL;
    memcpy(copies, values, count * sizeof *copies);
    m.domain.grid = (sc_grid){.is_decimal = true, .low = -99, .high = 99};
    sc_cost_init(&m.cost);
    REQUIRE_OK(sc_answer_new(
        &m, &(sc_draw){.values = copies, .marks = marks, .capacity = 3, .count = count},
        1, &answer, NULL));
    REQUIRE(sc_sheet_note_take(&note, answer, labels));
    for (size_t i = 0; i < 3; i++)
        CHECK_STR(note.labels[i], wants[i]);
    free(note.labels);
    CHECK(sc_sheet_note_take(&note, answer, NULL) && note.labels == NULL);
    scrim_answer_free(answer);
    sc_cost_clear(&m.cost);
}

TEST(sheet_note_takes_labels_that_are_shown)
{
    check_taken(NULL, SC_MARK_VALUE, (sc_int128[]){0, 1, 0}, 3,
                (const char *[]){"red", "green", "blue"});
    check_taken(sc_unit_counts_is_one, SC_MARK_VALUE, (sc_int128[]){0, 1, 0}, 3,
                (const char *[]){"", "green", ""});
    check_taken(sc_unit_counts_is_above, SC_MARK_BELOW, (sc_int128[]){0, 0, 0}, 3,
                (const char *[]){"", "", ""});
    check_taken(NULL, SC_MARK_INDEX, (sc_int128[]){2}, 1,
                (const char *[]){"", "", "blue"});
    check_taken(NULL, SC_MARK_ABOVE, (sc_int128[]){0, 1}, 2,
                (const char *[]){"red", "green", ""});
}

/* Answers that another surface has recorded, and lines that a later version may add. */
TEST(sheet_note_of_other_texts)
{
    static const char *const texts[] = {"", "\n\n", "nonsense",
                                        "unit person\nshape 3 4\n", "confidence"};
    sc_sheet_note note;
    scrim_error error;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        REQUIRE_OK(sc_sheet_note_parse(texts[i], &note, &error));
        CHECK_STR(note.confidence, "0.95");
        CHECK(note.count == 0 && note.name == NULL && note.labels == NULL);
        sc_sheet_note_clear(&note);
    }
    REQUIRE_OK(sc_sheet_note_parse(NULL, &note, &error));
    CHECK_STR(note.confidence, "0.95");
    sc_sheet_note_clear(&note);
}

TEST(sheet_note_without_memory)
{
    int made = 0;
    FAULT_LOOP(fault)
    {
        sc_sheet_note note;
        scrim_error error;
        scrim_status status = sc_sheet_note_parse("label a\nlabel b\n", &note, &error);
        CHECK(status == SCRIM_OK || status == SCRIM_E_MEMORY);
        if (status == SCRIM_OK)
            made += note.label_count == 2;
        sc_sheet_note_clear(&note);
    }
    CHECK_INT(made, 1);
}
