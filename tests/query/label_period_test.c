/* Labels of all releases of a time: exact sums of the entries, made again from a later ledger. */
#include "check.h"
#include "query/label/label_period.h"
#include "query_scene.h"

#include <stdio.h>
#include <string.h>

static bool begin(query_scene *s)
{
    return query_scene_begin(
        s,
        "unit=household\ncolumn=k=int[0,3]\nmissing=k=0\nmax-groups=2\n"
        "max-rows=2\nbudget=epsilon=4,delta=0.001\n",
        "household,k\n1,2\n2,3\n3,1\n");
}

static void ask(query_scene *s, const char *query, const char *epsilon, uint64_t time)
{
    scrim_result *result = NULL;
    scrim_vault_tell_time(s->vault, time);
    REQUIRE_OK(query_scene_ask_all(
        s, &query, 1, SCRIM_OPTIONS(scrim_query_options, .epsilon = epsilon), &result));
    scrim_result_free(result);
}

static scrim_label *label_of(query_scene *s, uint64_t from, uint64_t until)
{
    scrim_label_period period = {.from = from, .until = until};
    scrim_label *label = NULL;
    CHECK_STATUS(scrim_vault_count(s->vault, &period.entries, &s->error), SCRIM_OK);
    CHECK_STATUS(sc_label_make_period(s->vault, &period, NULL, &label, &s->error),
                 SCRIM_OK);
    return label;
}

static void check_fact(const scrim_label *label, const char *key, const char *value)
{
    const char *is = scrim_label_get(label, key);
    CHECK_STR(is == NULL ? "missing" : is, value);
}

TEST(a_label_of_a_time_has_the_sums_of_the_ledger)
{
    CLAIM("label.period");
    query_scene s;
    if (!begin(&s))
        return;
    ask(&s, "SELECT COUNT(*) AS a", "1/3", 1000);
    ask(&s, "SELECT COUNT(*) AS b", "1.25", 2000);
    ask(&s, "SELECT COUNT(*) AS c", "0.25", 3000);
    scrim_label *year = label_of(&s, 2000, 3000), *all = label_of(&s, 0, 0);
    scrim_label *none = label_of(&s, 5000, 6000);
    check_fact(year, "period.charges", "1");
    check_fact(year, "period.releases", "1");
    check_fact(year, "budget.1.charges-before", "1");
    check_fact(year, "budget.1.spent-before", "1/3");
    check_fact(year, "budget.1.spent", "1.25");
    check_fact(year, "budget.1.spent-end", "19/12");
    check_fact(all, "budget.1.spent-end", "11/6");
    check_fact(all, "budget.1.total", "4");
    check_fact(none, "period.releases", "0");
    check_fact(none, "budget.1.spent", "0");
    check_fact(none, "budget.1.spent-before", "11/6");
    CHECK(scrim_label_get(year, "release.number") == NULL);
    CHECK(scrim_label_is_signed(year) && scrim_label_is_signed(none));
    ask(&s, "SELECT COUNT(*) AS d", "0.5", 2500);
    REQUIRE_OK(scrim_label_check(year, &s.error));
    REQUIRE_OK(scrim_label_check_ledger(year, s.vault, &s.error));
    REQUIRE_OK(scrim_label_check_ledger(none, s.vault, &s.error));
    scrim_label_free(year);
    scrim_label_free(all);
    scrim_label_free(none);
    query_scene_end(&s);
}

/* Sums that are not those of the ledger are found without the signature, too. */
TEST(a_label_of_a_time_with_other_sums_is_refused)
{
    CLAIM("label.period");
    query_scene s;
    if (!begin(&s))
        return;
    ask(&s, "SELECT COUNT(*) AS a", "1/2", 1000);
    scrim_label *label = label_of(&s, 0, 0);
    for (size_t i = 0; i < label->count; i++)
        if (strcmp(label->facts[i].key, "budget.1.spent-end") == 0)
            label->facts[i].value = "0.25";
    REQUIRE_OK(sc_label_seal(label, &s.error));
    CHECK_STATUS(scrim_label_check_ledger(label, s.vault, &s.error), SCRIM_E_CHECK);
    CHECK(strstr(s.error.message, "budget.1.spent-end does not hold") != NULL);
    scrim_label_free(label);
    query_scene_end(&s);
}
