#include "check.h"
#include "cli/answer/sheet_note.h"
#include "faults.h"

#include <stdlib.h>
#include <string.h>

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
