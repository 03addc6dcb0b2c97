#include "check.h"
#include "cli/dataset/wizard_fields.h"
#include "cli/dataset/wizard_page.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void begin(sc_wizard *w, const char *policy)
{
    sc_policy_draft given = {.lines = NULL};
    *w = (sc_wizard){.fields = sc_wizard_fields};
    REQUIRE_OK(sc_policy_draft_read(&given, policy, strlen(policy), NULL));
    CHECK_STATUS(sc_wizard_init(w, NULL, &given, NULL), SCRIM_OK);
    sc_policy_draft_clear(&given);
}

static void say(sc_wizard *w, size_t slot, sc_ask field, const char *text)
{
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){slot, field}, text, NULL),
                 SCRIM_OK);
}

/* The text on standard error. */
static void show(sc_wizard *w, char text[8192])
{
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const int kept = dup(STDERR_FILENO);
    CHECK(dup2(ends[1], STDERR_FILENO) == STDERR_FILENO);
    close(ends[1]);
    const scrim_status status = sc_wizard_page_show(w, NULL);
    CHECK(dup2(kept, STDERR_FILENO) == STDERR_FILENO);
    close(kept);
    CHECK_STATUS(status, SCRIM_OK);
    const ssize_t got = read(ends[0], text, 8191);
    text[got > 0 ? got : 0] = '\0';
    close(ends[0]);
}

/* Every line has a number; text says how it is treated; nothing steers the terminal (A61). */
TEST(A61_wizard_page_shows_every_line)
{
    static char text[8192], keys[1200];
    sc_wizard w;
    memset(keys, 'k', sizeof keys - 1);
    begin(&w, "csv=-\nunit=row\ncolumn=sex=text\nkeys=sex=F,M\ncolumn=city=text\n"
              "budget=epsilon=1\nshare=*=epsilon=1\n");
    say(&w, 0, SC_ASK_NAME, "a");
    CHECK_STATUS(sc_wizard_add_slot(&w, SC_SCOPE_COLUMN, "e\033[2J", NULL), SCRIM_OK);
    show(&w, text);
    CHECK_STR(text,
              "The policy of a:\n   1  name=a\n   2  csv=-\n   3  unit=row\n"
              "   4  column=sex=text\n"
              "      public keys (2 listed); all groups are shown, even if empty\n"
              "   5  keys=sex=F,M\n   6  column=city=text\n"
              "      not a key; the budget has delta 0, so no question can group by it, "
              "only conditions can use it\n"
              "   7  budget=epsilon=1\n   8  share=*=epsilon=1\n"
              "   9  e?[2J: ignored; questions cannot use it\n"
              "Type yes to add the dataset, a number to change that line, q to leave and "
              "keep a draft, no to leave without one.\n");
    say(&w, (size_t)(sc_wizard_column(&w, "sex") - w.slots), SC_ASK_KEYS, keys);
    show(&w, text);
    CHECK(strstr(text, "kkk...\n") != NULL && strlen(text) < 1200);
    sc_wizard_clear(&w);
}

/* Numbers of the last page are those of its lines; a line has all of its questions asked again. */
TEST(wizard_page_edits_by_number)
{
    sc_wizard room, *w = &room;
    sc_wizard_step step;
    begin(w, "csv=-\ndecimal=,\nunit=row\ncolumn=x=decimal[0,1]/0.1\n"
             "neighbours=replace\n"
             "population=p\nbudget=epsilon=1,delta=0\ncap=epsilon=1\n");
    say(w, 0, SC_ASK_NAME, "a");
    CHECK_STATUS(sc_wizard_add_slot(w, SC_SCOPE_COLUMN, "y", NULL), SCRIM_OK);
    say(w, w->count - 1, SC_ASK_TYPE, "");
    say(w, 0, SC_ASK_NULLS, "");
    CHECK(!sc_wizard_open_step(w, &step));
    /* name, csv, unit, column, decimal, population, neighbours, budget, cap, no texts that mean missing,
     * and y */
    static const sc_ask asked[11][4] = {
        {SC_ASK_NAME},       {SC_ASK_CSV},
        {SC_ASK_UNIT},       {SC_ASK_TYPE, SC_ASK_LOW, SC_ASK_HIGH, SC_ASK_STEP},
        {SC_ASK_DECIMAL},    {SC_ASK_POPULATION},
        {SC_ASK_NEIGHBOURS}, {SC_ASK_EPSILON, SC_ASK_DELTA},
        {SC_ASK_OTHER},      {SC_ASK_NULLS},
        {SC_ASK_TYPE}};
    for (size_t i = 0; i < COUNT(asked); i++) {
        CHECK(sc_wizard_page_edit(w, i + 1));
        for (size_t k = 0; k < 4 && (k == 0 || asked[i][k] != 0); k++) {
            REQUIRE(sc_wizard_open_step(w, &step));
            if (!CHECK_INT(step.field, asked[i][k]))
                CHECK_FAIL("line %zu", i + 1);
            const char *present = w->slots[step.slot].text[step.field];
            say(w, step.slot, step.field, present == NULL ? "" : present);
        }
        CHECK(!sc_wizard_open_step(w, &step));
    }
    CHECK(!sc_wizard_page_edit(w, 0) && !sc_wizard_page_edit(w, 12));
    sc_wizard_clear(w);
}
