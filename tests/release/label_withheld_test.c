/* Labels for whom the answer was not shown to: they follow from what was charged, and no check of a label says more. */
#include "check.h"
#include "label_files.h"
#include "query/label/label.h"
#include "vault/vault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)

static const char policy[] =
    "unit=who\nmax-total-rows=2\ncolumn=x=int[0,10]\nmissing=x=0\ncolumn=kind=text\n"
    "keys=kind=a,b\nmissing=kind=a\nbudget=epsilon=1000,delta=0.1\n";

/* 100 people, each with `rows` rows. */
static bool begin(query_scene *s, int rows)
{
    static char text[200000];
    size_t used = (size_t)snprintf(text, sizeof text, "who,x,kind\n");
    for (int i = 0; i < 100; i++)
        for (int k = 0; k < rows; k++)
            used += (size_t)snprintf(text + used, sizeof text - used, "p%d,%d,%s\n", i,
                                     k % 11, k % 3 == 0 ? "b" : "a");
    return query_scene_begin(s, policy, text);
}

typedef struct question {
    const char *queries[2];
    const char *bounds, *max_total;
} question;

static const question questions[] = {
    {{"SELECT kind, SUM(x) AS s GROUP BY kind", "SELECT COUNT(*) AS n"}, NULL, NULL},
    {{"SELECT kind, COUNT(*) AS n, SUM(x) AS s GROUP BY kind"}, "auto", NULL},
    {{"SELECT COUNT(*) AS n", "SELECT SUM(x) AS s WHERE kind = 'a'"}, "auto", NULL},
    {{"SELECT SUM(x) AS s"}, "auto", "x=auto"},
    {{"SELECT MAX(x) AS m"}, "auto", NULL},
};

static void ask(query_scene *s, const question *q)
{
    scrim_result *result = NULL;
    if (!CHECK_STATUS(
            query_scene_ask_all(s, q->queries, q->queries[1] == NULL ? 1 : 2,
                                OPTIONS(.epsilon = "100", .delta = "0.0001",
                                        .bounds = q->bounds, .max_total = q->max_total),
                                &result),
            SCRIM_OK))
        CHECK_STR(s->error.message, "");
    scrim_result_free(result);
}

static void be_owner(query_scene *s)
{
    s->vault->is_owner = true;
}

/* Somebody else, who has no share. */
static void be_officer(query_scene *s)
{
    sc_identity_set(&s->vault->identity, 4242, "ann");
    s->vault->is_owner = false;
}

static scrim_label *label_of(query_scene *s)
{
    scrim_label *label = NULL;
    if (!CHECK_STATUS(scrim_label_new(s->vault, 1, &label, &s->error), SCRIM_OK))
        CHECK_STR(s->error.message, "");
    return label;
}

/* Hashes and the time are those of their vault. */
static bool is_of_the_vault(const char *key)
{
    return strncmp(key, "ledger.", 7) == 0 || strcmp(key, "release.time") == 0;
}

/* The first fact that differs; NULL: none. */
static const char *difference(const scrim_label *a, const scrim_label *b)
{
    if (scrim_label_count(a) != scrim_label_count(b))
        return "how many facts there are";
    for (size_t i = 0; i < scrim_label_count(a); i++) {
        const scrim_label_fact *fact = scrim_label_fact_at(a, i);
        const char *other = scrim_label_get(b, fact->key);
        if (!is_of_the_vault(fact->key) &&
            (other == NULL || strcmp(fact->value, other) != 0))
            return fact->key;
    }
    return NULL;
}

static void check_holds(query_scene *s, const scrim_label *label)
{
    if (!CHECK_STATUS(scrim_label_check(label, &s->error), SCRIM_OK) ||
        !CHECK_STATUS(scrim_label_check_ledger(label, s->vault, &s->error), SCRIM_OK))
        CHECK_STR(s->error.message, "");
}

/* An officer who alters a partial label is refused in words that say nothing of the answer. */
static void check_altered(query_scene *s, const scrim_label *partial)
{
    static const char *const keys[] = {SC_LABEL_WITHHELD, "kept.1"};
    for (size_t i = 0; i < COUNT(keys); i++) {
        scrim_label *forged =
            label_forge(partial, keys[i], i == 0 ? NULL : "9 rows per who");
        scrim_error error = {.message = ""};
        CHECK_STATUS(scrim_label_check_ledger(forged, s->vault, &error), SCRIM_E_CHECK);
        CHECK(strstr(error.message, i == 0 ? "has no signature" : "kept.1") != NULL);
        CHECK(strstr(error.message, "had rows left out") == NULL);
        scrim_label_free(forged);
    }
}

static void check_question(const question *q)
{
    query_scene one, many;
    if (!begin(&one, 1) || !begin(&many, 20))
        return;
    query_scene *const scenes[] = {&one, &many};
    scrim_label *whole[2], *partial[2];
    for (size_t i = 0; i < 2; i++) {
        query_scene *s = scenes[i];
        ask(s, q);
        CHECK_STATUS(scrim_vault_share(s->vault, "people", NULL, "0", NULL, &s->error),
                     SCRIM_OK);
        whole[i] = label_of(s);
        be_officer(s);
        partial[i] = label_of(s);
        if (whole[i] == NULL || partial[i] == NULL)
            return;
        CHECK(scrim_label_get(whole[i], SC_LABEL_WITHHELD) == NULL);
        CHECK(scrim_label_get(partial[i], SC_LABEL_WITHHELD) != NULL);
        CHECK(scrim_label_record(partial[i]) == NULL);
        CHECK_STR(scrim_label_get(partial[i], "cost.epsilon"), "100");
        /* Both verify for both; the signature proves that a whole one was given to its holder. */
        check_holds(s, partial[i]);
        check_holds(s, whole[i]);
        check_altered(s, partial[i]);
        be_owner(s);
        check_holds(s, partial[i]);
        check_holds(s, whole[i]);
    }
    CHECK(difference(whole[0], whole[1]) != NULL);
    const char *key = difference(partial[0], partial[1]);
    if (key != NULL)
        CHECK_FAIL("%s: %s", q->queries[0], key);
    for (size_t i = 0; i < 2; i++) {
        scrim_label_free(whole[i]);
        scrim_label_free(partial[i]);
        query_scene_end(scenes[i]);
    }
}

SLOW_TEST(a_label_for_others_follows_from_the_charge)
{
    CLAIM("label.booked");
    for (size_t i = 0; i < COUNT(questions); i++)
        check_question(&questions[i]);
}

/* No fact of the label follows from an answer of values alone. */
TEST(a_label_of_values_alone_is_whole_for_everybody)
{
    CLAIM("label.booked");
    query_scene s;
    if (!query_scene_begin(&s,
                           "unit=who\nrows-per-unit=1\ncolumn=x=int[0,10]\n"
                           "budget=epsilon=1000\n",
                           "who,x\na,1\nb,2\n"))
        return;
    ask(&s, &(question){{"SELECT COUNT(*) AS n"}, NULL, NULL});
    CHECK_STATUS(scrim_vault_share(s.vault, "people", NULL, "0", NULL, &s.error),
                 SCRIM_OK);
    be_officer(&s);
    scrim_label *label = label_of(&s);
    CHECK(scrim_label_get(label, SC_LABEL_WITHHELD) == NULL);
    CHECK(scrim_label_record(label) == NULL);
    check_holds(&s, label);
    scrim_label_free(label);
    query_scene_end(&s);
}

/* Once it is booked the label is whole, and somebody without a share was never refused one. */
TEST(a_label_is_whole_once_the_answer_was_shown)
{
    CLAIM("label.booked");
    query_scene s;
    scrim_vault_release found = {.id = 0};
    if (!begin(&s, 3))
        return;
    ask(&s, &(question){{"SELECT COUNT(*) AS n"}, NULL, NULL});
    be_officer(&s);
    scrim_label *label = label_of(&s);
    CHECK(scrim_label_get(label, SC_LABEL_WITHHELD) == NULL);
    scrim_label_free(label);
    be_owner(&s);
    CHECK_STATUS(scrim_vault_share(s.vault, "people", NULL, "200", NULL, &s.error),
                 SCRIM_OK);
    be_officer(&s);
    label = label_of(&s);
    CHECK(scrim_label_get(label, SC_LABEL_WITHHELD) != NULL);
    scrim_label_free(label);
    CHECK_STATUS(scrim_vault_replay(s.vault, 1, &found, &s.error), SCRIM_OK);
    scrim_vault_release_clear(&found);
    label = label_of(&s);
    CHECK(scrim_label_get(label, SC_LABEL_WITHHELD) == NULL);
    CHECK(strstr(scrim_label_get(label, "kept.1"), "had rows left out") != NULL);
    scrim_label_free(label);
    query_scene_end(&s);
}
