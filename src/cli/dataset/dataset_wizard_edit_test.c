/* The wizard on a pseudo-terminal: going back, and the last page. */
#include "check.h"
#include "owner_stage.h"
#include "scrim/vault.h"

#include <stdio.h>
#include <unistd.h>

/* Back over sections, with what was said before; a line of the last page by its number. */
TEST(wizard_goes_back_and_edits)
{
    static const owner_turn turns[] = {
        {"<", "this is the first question\n"},
        {"person_id", ""},
        {"?", "int is a whole number"},
        {"int[0,99]", ""},
        {"text", ""},
        {"", ""},
        {"bool", ""},
        {"n", ""},
        {"<", "now n; press Enter to keep it\n"},
        {"<", "now bool; press Enter to keep it, or type none to leave it out\n"},
        {"<", ""}, /* the keys of sex, which were left out */
        {"<", "now text; press Enter to keep it"},
        {"none", "sex: ignored; questions cannot use it\n"},
        {"", ""}, /* and forwards again */
        {"", ""},
        {"1", ""},
        {"y", ""}, /* one row of each person, which is a fact */
        {"", ""},
        {"", ""},
        {"1", ""},
        {"", "   7  budget=epsilon=1\n   8  population: adult\n"
             "   9  sex: ignored; questions cannot use it\n"},
        {"2", "now person_id; press Enter to keep it\n"}, /* unit */
        {"row", "type of person_id>"},                    /* a column like others now */
        {"", "   9  sex: ignored; questions cannot use it\n"},
        {"3", "now int; press Enter to keep it"}, /* column=age */
        {"", "now 0; press Enter to keep it"},
        {"", "now 99; press Enter to keep it"},
        {"120", "   3  column=age=int[0,120]\n"},
        {"?", "scrim adds the dataset with exactly these lines"},
        {"<", ""}, /* delta, which was left out */
        {"1e-6", "budget=epsilon=1,delta=1e-6\n"},
        {"y", ""}};
    owner_stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv", s.csv, NULL};
    stage_start(&s, "adult", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=age=int[0,120]\ncolumn=note=bool\n"
             "neighbours=add-remove\nbudget=epsilon=1,delta=1e-6\n",
             s.csv);
    stage_policy(&s, "adult", want);
    stage_end(&s);
}

/* Lines that were given are on the last page as well, those without a question too. */
TEST(wizard_edits_what_was_given)
{
    static const owner_turn turns[] = {{"2", ""},
                                       {"", "  10  cap=epsilon=1\n"},
                                       {"10", "now epsilon=1; press Enter to keep it\n"},
                                       {"much", "much"},
                                       {"epsilon=1/2", "  10  cap=epsilon=1/2\n"},
                                       {"2", "now age; press Enter to keep it\n"},
                                       {"row", "type of age>"},
                                       {"", "  11  age: ignored"},
                                       {"yes", ""}};
    owner_stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",
                                 s.csv,
                                 "--unit",
                                 "age",
                                 "--cap",
                                 "epsilon=1",
                                 "--rows-per-unit",
                                 "1",
                                 "--column",
                                 "sex=bool",
                                 "--population",
                                 "p",
                                 "--column",
                                 "note=bool",
                                 "--neighbours",
                                 "replace",
                                 "--column",
                                 "person_id=int[0,9]",
                                 NULL};
    stage_start(&s, "given", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=sex=bool\ncolumn=note=bool\n"
             "column=person_id=int[0,9]\nrows-per-unit=1\n"
             "neighbours=replace\npopulation=p\nbudget=epsilon=2\ncap=epsilon=1/2\n",
             s.csv);
    stage_policy(&s, "given", want);
    stage_end(&s);
}

/* A policy that the vault refuses can be mended: here people whose unit is another column. */
TEST(wizard_says_why_it_cannot_add)
{
    static const owner_turn turns[] = {
        {"age", ""}, {"", ""},
        {"", ""},    {"", ""},
        {"", ""},    {"1", ""},
        {"n", ""},   {"yes", "the population 'town' protects each"},
        {"2", ""},   {"person_id", ""},
        {"", ""},    {"yes", ""}};
    owner_stage s;
    char text[512];
    scrim_vault *vault = NULL;
    if (!stage_begin(&s))
        return;
    snprintf(text, sizeof text,
             "csv=%s\nunit=person_id\nmax-groups=1\nmax-rows=1\npopulation=town\n"
             "neighbours=add-remove\nbudget=epsilon=1\n",
             s.csv);
    REQUIRE_OK(scrim_vault_open(s.vault, NULL, &vault, NULL));
    CHECK_STATUS(scrim_vault_add_dataset(vault, "first", text, NULL), SCRIM_OK);
    scrim_vault_close(vault);
    const char *const words[] = {"--csv", s.csv, "--population", "town", NULL};
    stage_start(&s, "second", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(text, sizeof text,
             "csv=%s\nunit=person_id\nmax-total-rows=1\npopulation=town\n"
             "neighbours=add-remove\n",
             s.csv);
    stage_policy(&s, "second", text);
    stage_end(&s);
}

/* In the middle of a line, < returns to the page and leaves the rest of the line as it was; none is
 * an answer wherever Enter is one. */
TEST(wizard_returns_to_the_page)
{
    static const owner_turn turns[] = {
        {"none", "No file, so the dataset has no rows yet. Type < to name a file."},
        {"row", ""},
        {"none", ""}, /* the population of that name */
        {"none", "\"none\" is not valid here; type yes (add-remove) or no (replace)\n"},
        {"", ""},
        {"3", ""},
        {"1e-6", "   3  budget=epsilon=3,delta=1e-6\n   4  population: a\n"},
        {"3", "now 3; press Enter to keep it\n"},
        {"<", ""},
        {"3", ""},
        {"2", "now 1e-6; press Enter to keep it, or type none to leave it out\n"},
        {"<", "   3  budget=epsilon=2,delta=1e-6\n"},
        {"3", ""},
        {"", ""},
        {"none", "   3  budget=epsilon=2\n"},
        {"", "  type yes, no or the number of a line\n"},
        {"yes", ""}};
    owner_stage s;
    if (!stage_begin(&s))
        return;
    stage_start(&s, "a", NULL);
    stage_turns(&s, turns, COUNT(turns));
    stage_policy(&s, "a", "unit=row\nneighbours=add-remove\nbudget=epsilon=2\n");
    stage_end(&s);
}

/* Another type leaves its range open, so that < is the question before it. */
TEST(wizard_does_not_return_with_an_open_line)
{
    static const owner_turn turns[] = {
        {"1", ""},
        {"1e-6", "   8  age: ignored"},
        {"3", "now text; press Enter to keep it"},
        {"int", "smallest value of sex> "},
        {"<", "now int; press Enter to keep it"},
        {"text", "keys of sex> "},
        {"y", "is \"y\" the only key? Then type it with the quotes; type none for"},
        {"none", "  sex: private keys"},
        {"yes", ""}};
    owner_stage s;
    char want[512];
    if (!stage_begin(&s))
        return;
    const char *const words[] = {"--csv",
                                 s.csv,
                                 "--unit",
                                 "row",
                                 "--column",
                                 "sex=text",
                                 "--column",
                                 "age=none",
                                 "--column",
                                 "note=none",
                                 "--keys",
                                 "sex=Female",
                                 "--column",
                                 "person_id=none",
                                 "--population",
                                 "p",
                                 "--neighbours",
                                 "replace",
                                 NULL};
    stage_start(&s, "a", words);
    stage_turns(&s, turns, COUNT(turns));
    snprintf(want, sizeof want,
             "csv=%s\nunit=row\ncolumn=sex=text\nneighbours=replace\npopulation=p\n"
             "budget=epsilon=1,delta=1e-6\n",
             s.csv);
    stage_policy(&s, "a", want);
    stage_end(&s);
}
