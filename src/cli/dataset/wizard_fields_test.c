#include "check.h"
#include "cli/dataset/wizard_fields.h"
#include "cli/dataset/wizard_words.h"

#include <string.h>

/* Each field can be asked, explained with an example, and checked. */
TEST(wizard_fields_are_whole)
{
    for (size_t i = 0; i < SC_ASK_COUNT; i++) {
        const sc_wizard_field *field = &sc_wizard_fields[i];
        REQUIRE(field->name != NULL && field->help != NULL);
        CHECK(field->applies != NULL && field->check != NULL);
        size_t sentences = 0;
        for (const char *at = field->help; *at != '\0'; at++)
            sentences += *at == '.' && (at[1] == ' ' || at[1] == '\0');
        const bool has_example = strstr(field->help, "Example: ") != NULL;
        if (sentences + has_example < 2 || sentences > 3)
            CHECK_FAIL("%s: '%s'", field->name, field->help);
        /* An empty answer is told what to type; of a range, by its type. */
        CHECK(field->is_optional || field->fallback != NULL || field->legal != NULL ||
              i == SC_ASK_LOW || i == SC_ASK_HIGH || i == SC_ASK_OTHER);
        /* The mark behind a prompt is found nowhere else. */
        CHECK(strstr(field->help, "> ") == NULL);
        CHECK(field->ask == NULL || strstr(field->ask, "> ") == NULL);
    }
}

/* A wizard whose column c has such answers. */
static void begin(sc_wizard *w, const char *type, const char *keys, const char *delta)
{
    sc_policy_draft given = {.lines = NULL};
    *w = (sc_wizard){.fields = sc_wizard_fields};
    CHECK_STATUS(sc_wizard_init(w, "a", &given, NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_add_slot(w, SC_SCOPE_COLUMN, "c", NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){1, SC_ASK_TYPE}, type, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){1, SC_ASK_KEYS}, keys, NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){0, SC_ASK_DELTA}, delta, NULL),
                 SCRIM_OK);
}

TEST(wizard_fields_show_how_text_is_treated)
{
    static const struct {
        const char *type, *keys, *delta, *begins; /* NULL: nothing is shown */
    } cases[] = {
        {"text", "F,M", NULL, "public keys (2 listed); "},
        {"text", "a,\"b,\"\"c\"", "0", "public keys (2 listed); "},
        {"text", "x", "1e-6", "public keys (1 listed); "},
        {"text", "@many", "0", "public keys of a file; "},
        {"text", "", NULL, "private keys; "}, /* the budget is not known yet */
        {"text", "", "1e-6", "private keys; "},
        {"text", "", "0", "not a key; "},
        {"text", "", "0.00", "not a key; "},
        {"text", "", "", "not a key; "},
        {"", NULL, "0", "ignored; "},
        {"int", NULL, "0", "ignored; "}, /* it has no range */
        {"bool", NULL, "0", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_wizard w;
        char text[SC_TREATMENT_BYTES];
        begin(&w, cases[i].type, cases[i].keys, cases[i].delta);
        CHECK_INT(sc_wizard_treatment(&w, &w.slots[1], text), cases[i].begins != NULL);
        const char *begins = cases[i].begins == NULL ? "" : cases[i].begins;
        if (strncmp(text, begins, strlen(begins)) != 0)
            CHECK_FAIL("'%s' does not begin with '%s'", text, begins);
        sc_wizard_clear(&w);
    }
}

/* People who have a budget: its delta decides, and none is asked for. */
TEST(wizard_fields_go_by_the_budget_there_is)
{
    sc_wizard w;
    char text[SC_TREATMENT_BYTES];
    begin(&w, "text", "", NULL);
    w.budget = (scrim_budget){.neighbours = SCRIM_REPLACE, .delta = "0"};
    CHECK(sc_wizard_treatment(&w, &w.slots[1], text));
    CHECK(strncmp(text, "not a key; ", 11) == 0);
    w.budget = (scrim_budget){.neighbours = SCRIM_REPLACE, .delta = "1/1000000"};
    CHECK(sc_wizard_treatment(&w, &w.slots[1], text));
    CHECK(strncmp(text, "private keys; ", 14) == 0);
    static const sc_ask fixed[] = {SC_ASK_NEIGHBOURS, SC_ASK_EPSILON, SC_ASK_DELTA};
    for (size_t i = 0; i < COUNT(fixed); i++) {
        CHECK(!w.fields[fixed[i]].applies(&w, w.slots));
        w.budget.neighbours = SCRIM_NEIGHBOURS_UNSET;
        CHECK(w.fields[fixed[i]].applies(&w, w.slots));
        w.budget.neighbours = SCRIM_REPLACE;
    }
    sc_wizard_clear(&w);
}
