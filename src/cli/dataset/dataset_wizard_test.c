/* The wizard on a pseudo-terminal, as an owner sees it: what is asked, and what is wrong with an answer. */
#include "check.h"
#include "owner_stage.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

TEST(wizard_asks_for_a_policy)
{
    owner_stage s;
    char answers[20][128], want[512];
    if (!stage_begin(&s))
        return;
    const size_t count = stage_answers(&s, answers);
    stage_start(&s, "adult", NULL);
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(stage_wait(&s, i + 1), i + 1);
        stage_answer(&s, answers[i]);
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    stage_shown(&s, "added dataset adult (version 1), budget \"adult\"");
    stage_shown(&s, "  column=age=int[0,120]\n");
    stage_shown(&s, "press Enter to leave this column out.\n");
    stage_shown(&s, "Give the range a value may have by definition");
    stage_shown(&s,
                "  sex: public keys (2 listed); all groups are shown, even if empty\n");
    stage_shown(&s, "note: ignored; questions cannot use it\n");
    stage_shown(&s, "max-total of age>");
    /* Raw data are looked at when the dataset was added, not before. */
    const char *seen = strstr(s.shown, "SENSITIVE"), *added = strstr(s.shown, "added d");
    CHECK(seen != NULL && added != NULL && added < seen);
    CHECK(strstr(s.shown, "canary") == NULL && strstr(s.shown, "Female,4") == NULL);
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=age=int[0,120]\ncolumn=sex=text\n"
             "keys=sex=Female,Male\nmax-total-rows=60\nmax-total=age=900\n"
             "neighbours=add-remove\n"
             "budget=epsilon=3,delta=1e-6\n",
             s.csv);
    stage_policy(&s, "adult", want);
    stage_end(&s);
}

/* Answers that are not right are asked for again, with the reason. */
TEST(wizard_asks_again)
{
    static const owner_turn turns[] = {
        {"tests/missing.csv", "No such file"},
        {"", ""},
        {"", "unit has no default; type the name of a column, or row\n"},
        {"row", ""},
        {"a b", "\"a b\" is not valid here; type a name of letters"},
        {"", ""},
        {"near", "\"near\" is not valid here; type yes (add-remove) or no (replace)\n"},
        {"", ""}, /* add-remove */
        {"", "epsilon has no default; type a number above 0"},
        {"three", "\"three\" is not valid here; type a number above 0"},
        {"-1", "\"-1\" is not valid here"},
        {"0", "\"0\" is not valid here"},
        {"1,delta=1", "\"1,delta=1\" is not valid here"},
        {"epsilon=1/3", ""},
        {"x", "\"x\" is not valid here; type a number of at least 0 and less than 1"},
        {"1", "\"1\" is not valid here"},
        {"3/2", "\"3/2\" is not valid here"},
        {"", ""},
        {"maybe", "\"maybe\" is not valid here; type yes, no or the number of a line\n"},
        {"9", "\"9\" is not valid here"},
        {"yes", ""},
    };
    owner_stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "a", NULL);
    stage_turns(&s, turns, COUNT(turns));
    stage_policy(&s, "a", "unit=row\nneighbours=add-remove\nbudget=epsilon=1/3\n");
    stage_end(&s);
}

/* Under replace each column has a default; what options say is not asked. */
TEST(wizard_asks_only_for_what_is_missing)
{
    static const char *const turns[] = {
        "day",     "", /* no type, so asked again; then left out */
        "decimal", "0", "1", "0.001", "bool", "", "", "replace", "1", "0", "yes"};
    owner_stage s;
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",
                                 s.csv,
                                 "--unit",
                                 "row",
                                 "--max-groups",
                                 "3",
                                 "--population",
                                 "town",
                                 "--column",
                                 "sex=text",
                                 "--keys",
                                 "sex=F",
                                 "--max-rows",
                                 "1",
                                 "--missing",
                                 "sex=F",
                                 NULL};
    stage_start(&s, "b", words);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(stage_wait(&s, i + 1), i + 1);
        stage_answer(&s, turns[i]);
        stage_answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    CHECK(strstr(s.shown, "max-groups>") == NULL && strstr(s.shown, "unit>") == NULL);
    CHECK(strstr(s.shown, "missing age>") == NULL); /* it may be NULL */
    char want[512];
    snprintf(
        want, sizeof want,
        "csv=%s\ndecimal=.\nunit=row\ncolumn=sex=text\ncolumn=age=decimal[0,1]/0.001\n"
        "column=note=bool\nkeys=sex=F\nmissing=sex=F\nmax-groups=3\nmax-rows="
        "1\nneighbours=replace\n"
        "population=town\nbudget=epsilon=1,delta=0\n",
        s.csv);
    stage_policy(&s, "b", want);
    stage_end(&s);
}

/* Neighbours that were said with an option, and those of a population that is there. */
TEST(wizard_takes_neighbours_that_are_there)
{
    static const owner_turn first[] = {
        {"persn_id", "no column 'persn_id' in the source; did you mean 'person_id'?\n"},
        {"telephone", "no column 'telephone' in the source\n"},
        {"person_id", ""},
        {"", "sex: private keys; only groups with enough people are shown"},
        {"int", ""},
        {"9", ""},
        {"0", "\"0\" is not valid here; type a whole number above the smallest value, 9"},
        {"<", "now 9; press Enter to keep it\n"},
        {"0", ""},
        {"120", ""},
        {"", ""}, /* no note */
        {"perhaps", "\"perhaps\" is not valid here; type y or n\n"},
        {"y", ""},
        {"sx", "'sx' is not a column that questions may use"},
        {" sex , age", ""},
        {"none", "\"none\" is not valid here; type a number above 0"},
        {"1", "SENSITIVE: raw data, for the owner only"},
        {"many",
         "\"many\" is not valid here; type a whole number from 1 to 1000000000, or "
         "none"},
        {"", ""}, /* no total of rows */
        {"", "max-groups has no default; type a whole number"},
        {"0", "\"0\" is not valid here; type a whole number from 1"},
        {"1", "at epsilon 1, grouped by sex,age"},
        {"3", ""}, /* groups, rows */
        {"some", "\"some\" is not valid here; type a multiple of the column's step"},
        {"", ""}, /* no total */
        {"1", ""},
        {"", "not a key; the budget has delta 0"},
        {"yes", ""}};
    static const owner_turn second[] = {{"person_id", ""}, {"", ""}, {"", ""},
                                        {"bool", ""},      {"", ""}, {"2", ""},
                                        {"yes", ""}};
    char want[512];
    owner_stage s;
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",        s.csv,          "--column",
                                 "sex=text",     "--population", "town",
                                 "--neighbours", "replace",      NULL};
    stage_start(&s, "c", words);
    stage_turns(&s, first, COUNT(first));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=sex=text\ncolumn=age=int[0,120]\n"
             "max-groups=1\nmax-rows=3\nbounds-from=check\nneighbours=replace\n"
             "population=town\n"
             "budget=epsilon=1\n",
             s.csv);
    stage_policy(&s, "c", want);
    const char *const others[] = {"--csv", s.csv, "--population", "town", NULL};
    stage_start(&s, "d", others);
    stage_turns(&s, second, COUNT(second));
    snprintf(want, sizeof want,
             "csv=%s\nunit=person_id\ncolumn=note=bool\nmax-total-rows="
             "2\npopulation=town\n"
             "neighbours=replace\n",
             s.csv);
    /* person_id is a column like the others there. */
    stage_policy(&s, "d", want);
    stage_end(&s);
}

TEST(wizard_asks_for_the_name)
{
    static const char *const words[] = {"--unit", "row", NULL};
    static const char *const turns[] = {"a b", "town", "", "", "", "2", "", "y"};
    owner_stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, NULL, words);
    for (size_t i = 0; i < COUNT(turns); i++) {
        CHECK_INT(stage_wait(&s, i + 1), i + 1);
        stage_answer(&s, turns[i]);
        stage_answer(&s, "\n");
    }
    const int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 0);
    stage_policy(&s, "town", "unit=row\nneighbours=add-remove\nbudget=epsilon=2\n");
    stage_end(&s);
}

TEST(wizard_does_not_begin_with_a_name_that_cannot_be)
{
    owner_stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "a b", NULL);
    int end = stage_finish(&s);
    CHECK(WIFEXITED(end) && WEXITSTATUS(end) == 2);
    stage_shown(&s, "invalid name 'a b'");
    CHECK(strstr(s.shown, "> ") == NULL);
    stage_end(&s);
}

/* No answer could mend it, so that nothing is asked. */
TEST(wizard_does_not_begin_with_a_mistake)
{
    owner_stage s;
    if (!stage_begin(&s))
        return;
    const struct {
        const char *words[7], *reason;
        int end;
    } cases[] = {
        {{"--csv", s.csv, "--unit", "persn_id"}, "did you mean 'person_id'?", 6},
        {{"--csv", s.csv, "--column", "agee=int[0,9]"}, "no column 'agee'", 6},
        {{"--csv", s.csv, "--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--sqlite", s.csv, "--column", "age=itn[0,9]"}, "--column age=itn[0,9]", 2},
        {{"--cap", "1"}, "cap", 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        stage_start(&s, "new", cases[i].words);
        const int end = stage_finish(&s);
        CHECK(WIFEXITED(end) && WEXITSTATUS(end) == cases[i].end);
        stage_shown(&s, cases[i].reason);
        CHECK(strstr(s.shown, "> ") == NULL);
    }
    stage_end(&s);
}

/* A number that identifies somebody is taken only when the owner says so. */
TEST(wizard_asks_whether_a_secret_number_is_meant)
{
    static const owner_turn turns[] = {
        {"int[0,9]", "person_id looks like an identifier"},
        {"well", "\"well\" is not valid here; type y or n\n"},
        {"yes", ""},
        {"int[0,9]", ""}, /* an age is not missing */
        {"", ""},
        {"", ""},
        {"", ""},
        {"", ""},
        {"1", ""},
        {"", ""},
        {"3", "now int"},
        {"", ""},
        {"", ""},
        {"", ""},
        {"n", "person_id: ignored"},
        {"yes", ""}};
    owner_stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, "--unit", "row", NULL};
    stage_start(&s, "a", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=age=int[0,9]\nneighbours=add-remove\n"
             "budget=epsilon=1\n",
             s.csv);
    stage_policy(&s, "a", want);
    stage_end(&s);
}
