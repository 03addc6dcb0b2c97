#include "check.h"
#include "cli/dataset/wizard_draft.h"
#include "cli/dataset/wizard_fields.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* In a folder of its own, which is left empty. */
typedef struct stage {
    char folder[64], before[PATH_MAX];
    sc_wizard wizard;
} stage;

static void begin(stage *s, const char *name, const char *policy)
{
    sc_policy_draft given = {.lines = NULL};
    snprintf(s->folder, sizeof s->folder, "/tmp/scrim-draft-XXXXXX");
    REQUIRE(getcwd(s->before, sizeof s->before) != NULL);
    REQUIRE(mkdtemp(s->folder) != NULL && chdir(s->folder) == 0);
    s->wizard = (sc_wizard){.fields = sc_wizard_fields};
    REQUIRE_OK(sc_policy_draft_read(&given, policy, strlen(policy), NULL));
    CHECK_STATUS(sc_wizard_init(&s->wizard, name, &given, NULL), SCRIM_OK);
    sc_policy_draft_clear(&given);
}

static void end(stage *s)
{
    sc_wizard_clear(&s->wizard);
    CHECK(chdir(s->before) == 0);
    CHECK(rmdir(s->folder) == 0);
}

static void say(sc_wizard *w, size_t slot, sc_ask field, const char *text)
{
    CHECK_STATUS(sc_wizard_answer(w, (sc_wizard_step){slot, field}, text, NULL),
                 SCRIM_OK);
}

static void read_text(const char *path, char text[4096])
{
    FILE *file = fopen(path, "r");
    REQUIRE(file != NULL);
    text[fread(text, 1, 4095, file)] = '\0';
    fclose(file);
}

/* A draft is a policy file: what is in it, and what is missing in comments. */
TEST(wizard_draft_is_read_back)
{
    stage s;
    char path[PATH_MAX], text[4096];
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    begin(&s, "a", "csv=-\ncap=epsilon=1\n");
    CHECK(!sc_wizard_has_answers(&s.wizard)); /* options are not lost */
    CHECK_STATUS(sc_wizard_add_slot(&s.wizard, SC_SCOPE_COLUMN, "x", NULL), SCRIM_OK);
    CHECK_STATUS(sc_wizard_add_slot(&s.wizard, SC_SCOPE_COLUMN, "evil\033\ry", NULL),
                 SCRIM_OK);
    CHECK_STATUS(sc_wizard_add_slot(&s.wizard, SC_SCOPE_COLUMN, "b", NULL), SCRIM_OK);
    say(&s.wizard, s.wizard.count - 3, SC_ASK_TYPE, "date");
    say(&s.wizard, s.wizard.count - 1, SC_ASK_TYPE, "bool");
    CHECK(sc_wizard_has_answers(&s.wizard));
    CHECK_STATUS(sc_wizard_keep_draft(&s.wizard, path, &error), SCRIM_OK);
    CHECK_STR(path, "a.policy");
    read_text(path, text);
    CHECK(strstr(text, "# missing: unit=COLUMN, or unit=row\n") != NULL);
    CHECK(strstr(text, "# missing: column=x=date[SMALLEST,LARGEST]\n") != NULL);
    CHECK(strstr(strstr(text, "=x=date") + 1, "=x=date") == NULL); /* told once */
    CHECK(strstr(text, "# missing: column=evil??y=TYPE") != NULL);
    CHECK(
        strstr(text, "# missing: max-total-rows=N, or other bounds, unless unit=row\n") !=
        NULL);
    CHECK(strstr(text, "# missing: budget=epsilon=R,delta=R\n") != NULL);
    CHECK_STATUS(sc_policy_draft_read(&draft, text, strlen(text), &error), SCRIM_OK);
    CHECK_INT(draft.count, 3);
    CHECK_STR(sc_policy_draft_get(&draft, "csv"), "-");
    CHECK_STR(sc_policy_draft_get(&draft, "column"), "b=bool");
    CHECK_STR(sc_policy_draft_get(&draft, "cap"), "epsilon=1");
    sc_policy_draft_clear(&draft);
    CHECK(unlink(path) == 0);
    end(&s);
}

/* No file is ever replaced, and where none can be written that is said. */
TEST(wizard_draft_replaces_nothing)
{
    stage s;
    char path[PATH_MAX], text[4096];
    scrim_error error;
    begin(&s, "a", "unit=row\n");
    FILE *file = fopen("a.policy", "w");
    REQUIRE(file != NULL);
    fputs("mine", file);
    fclose(file);
    static const char *const names[] = {"a-2.policy", "a-3.policy"};
    for (size_t i = 0; i < COUNT(names); i++) {
        CHECK_STATUS(sc_wizard_keep_draft(&s.wizard, path, &error), SCRIM_OK);
        CHECK_STR(path, names[i]);
    }
    read_text("a.policy", text);
    CHECK_STR(text, "mine");
    CHECK(unlink("a.policy") == 0 && unlink("a-2.policy") == 0 &&
          unlink("a-3.policy") == 0);
    end(&s);
    begin(&s, "folder/a", "unit=row\n"); /* a folder that is not there */
    CHECK_STATUS(sc_wizard_keep_draft(&s.wizard, path, &error), SCRIM_E_PARAM);
    CHECK(strstr(error.message, "No such file") != NULL);
    end(&s);
}

/* A draft that was resumed is replaced, unless it is of another name. */
TEST(wizard_draft_keeps_a_draft_of_another_name)
{
    static const char *const names[] = {"ab", "b", "a"};
    stage s;
    char path[PATH_MAX], text[4096], want[200];
    scrim_error error;
    begin(&s, "a", "unit=row\n");
    s.wizard.resumed = "old.policy";
    for (size_t i = 0; i < COUNT(names); i++) {
        FILE *file = fopen("old.policy", "w");
        REQUIRE(file != NULL);
        snprintf(want, sizeof want,
                 "# A draft. 'scrim dataset add %s --policy old.policy' asks\n",
                 names[i]);
        fputs(want, file);
        fclose(file);
        const bool is_same = strcmp(names[i], "a") == 0;
        CHECK_STATUS(sc_wizard_keep_draft(&s.wizard, path, &error), SCRIM_OK);
        CHECK_STR(path, is_same ? "old.policy" : "a.policy");
        read_text("old.policy", text);
        CHECK_INT(strcmp(text, want) == 0, !is_same);
        CHECK(unlink(path) == 0 && (is_same || unlink("old.policy") == 0));
    }
    end(&s);
}

/* The words about a column; NULL: nothing. */
static const char *text_of(const sc_wizard *w, const char *column, sc_ask field)
{
    const sc_wizard_slot *slot = sc_wizard_column(w, column);
    return slot == NULL ? NULL : slot->text[field];
}

/* "Not applicable" is an answer; a budget whose delta was not answered is no answer yet. */
TEST(wizard_draft_keeps_none)
{
    stage s;
    char path[PATH_MAX], text[4096];
    scrim_error error;
    sc_policy_draft draft = {.lines = NULL};
    begin(&s, "a", "csv=-\nunit=row\n");
    sc_wizard *w = &s.wizard;
    static const char *const names[] = {"out", "free", "listed", "no", "open"};
    for (size_t i = 0; i < COUNT(names); i++)
        CHECK_STATUS(sc_wizard_add_slot(w, SC_SCOPE_COLUMN, names[i], NULL), SCRIM_OK);
    say(w, 1, SC_ASK_TYPE, "");
    say(w, 2, SC_ASK_TYPE, "text");
    say(w, 2, SC_ASK_KEYS, "");
    say(w, 3, SC_ASK_TYPE, "text");
    say(w, 3, SC_ASK_KEYS, "x");
    say(w, 4, SC_ASK_TYPE, "int");
    say(w, 4, SC_ASK_LOW, "0");
    say(w, 4, SC_ASK_HIGH, "9");
    say(w, 4, SC_ASK_SECRET, "n");
    say(w, 0, SC_ASK_NULLS, "");
    say(w, 0, SC_ASK_EPSILON, "3");
    CHECK_STATUS(sc_wizard_keep_draft(w, path, &error), SCRIM_OK);
    read_text(path, text);
    CHECK(strstr(text, "# missing: budget=epsilon=3,delta=R\n") != NULL);
    CHECK(strstr(text, "# missing: column=open=TYPE") != NULL);
    CHECK(strstr(text, "# missing: column=out") == NULL);
    CHECK(strstr(text, "# empty: private keys\nkeys=free=\n") != NULL);
    CHECK_STATUS(sc_policy_draft_read(&draft, text, strlen(text), &error), SCRIM_OK);
    sc_wizard again = {.fields = sc_wizard_fields};
    CHECK_STATUS(sc_wizard_init(&again, "a", &draft, &error), SCRIM_OK);
    CHECK_STR(text_of(&again, "out", SC_ASK_TYPE), "");
    CHECK_STR(text_of(&again, "no", SC_ASK_TYPE), "");
    CHECK_STR(text_of(&again, "free", SC_ASK_KEYS), "");
    CHECK_STR(text_of(&again, "listed", SC_ASK_KEYS), "x");
    CHECK(again.slots[0].text[SC_ASK_NULLS] != NULL);
    CHECK(again.slots[0].text[SC_ASK_EPSILON] == NULL);
    sc_wizard_clear(&again);
    sc_policy_draft_clear(&draft);
    CHECK(unlink(path) == 0);
    say(w, 0, SC_ASK_DELTA, "");
    CHECK_STATUS(sc_wizard_keep_draft(w, path, &error), SCRIM_OK);
    read_text(path, text);
    CHECK(strstr(text, "\nbudget=epsilon=3\n") != NULL);
    CHECK(unlink(path) == 0);
    end(&s);
}
