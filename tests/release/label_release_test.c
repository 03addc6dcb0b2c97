/* Labels of questions and of single measurements, from end to end. */
#include "base/digest.h"
#include "check.h"
#include "mechanism/histogram/stlap.h"
#include "query/label/label.h"
#include "query/query_scene.h"
#include "vault/vault_key.h"
#include "vault/vault_tape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS(...) SCRIM_OPTIONS(scrim_query_options, __VA_ARGS__)
#define BUDGET "budget=epsilon=100,delta=0.5\n"

static const char people[] = "person,age,sex,city,income\n"
                             "a,10,Female,Ulm,1\n"
                             "b,20,Male,Ulm,2.5\n"
                             "c,30,Female,Bonn,3\n";

static bool begin(query_scene *s, const char *lines)
{
    char policy[2000];
    snprintf(policy, sizeof policy, "%s%s%s", query_scene_columns, BUDGET, lines);
    return query_scene_begin(s, policy, people);
}

/* Asks and labels; NULL when that fails. */
static scrim_label *label_all(query_scene *s, const char *const *queries, size_t count,
                              const scrim_query_options *options)
{
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    scrim_label *label = NULL;
    if (CHECK_STATUS(query_scene_ask_all(s, queries, count, options, &result),
                     SCRIM_OK)) {
        scrim_result_describe(result, &facts);
        if (!CHECK_STATUS(scrim_label_new(s->vault, facts.release, &label, &s->error),
                          SCRIM_OK))
            CHECK_STR(s->error.message, "");
    } else {
        CHECK_STR(s->error.message, "");
    }
    scrim_result_free(result);
    return label;
}

static scrim_label *label_of(query_scene *s, const char *query,
                             const scrim_query_options *options)
{
    return label_all(s, &query, 1, options);
}

/* The label whose text is this, with the hash made anew. */
static scrim_label *resealed(const char *text)
{
    sc_digester *digester = NULL;
    sc_digest digest;
    char hash[SC_DIGEST_TEXT_BYTES], *whole = NULL;
    scrim_label *label = NULL;
    const char *end = strstr(text, "\nhash ");
    if (!CHECK(end != NULL) || !CHECK_STATUS(sc_digester_new(&digester, NULL), SCRIM_OK))
        return NULL;
    const sc_text facts = {text, (size_t)(end - text) + 1};
    CHECK_STATUS(sc_digest_of(digester, facts, (sc_text){NULL, 0}, &digest, NULL),
                 SCRIM_OK);
    sc_digest_format(&digest, hash);
    whole = malloc(facts.bytes + 100);
    if (CHECK(whole != NULL)) {
        snprintf(whole, facts.bytes + 100, "%.*shash %s\n", (int)facts.bytes, text, hash);
        CHECK_STATUS(scrim_label_find(whole, strlen(whole), &label, NULL), SCRIM_OK);
    }
    free(whole);
    sc_digester_free(digester);
    return label;
}

/* The text with the value of a fact changed, or (NULL) without it. */
static char *changed(const scrim_label *label, const char *key, const char *value)
{
    char line[SC_LABEL_KEY_BYTES + 2];
    const char *text = scrim_label_text(label);
    char *out = malloc(strlen(text) + 1000);
    snprintf(line, sizeof line, "\n%s ", key);
    const char *at = strstr(text, line);
    if (!CHECK(at != NULL) || !CHECK(out != NULL))
        abort();
    const char *end = strchr(at + 1, '\n');
    if (value == NULL)
        snprintf(out, strlen(text) + 1000, "%.*s%s", (int)(at - text), text, end);
    else
        snprintf(out, strlen(text) + 1000, "%.*s%s%s%s", (int)(at - text), text, line,
                 value, end);
    return out;
}

/* A forger who lowers a claim and makes the hash anew is found out by the mechanisms. */
static void check_refused(const scrim_label *label, const char *key, const char *value)
{
    char *text = changed(label, key, value);
    scrim_label *other = resealed(text);
    scrim_error error = {.message = ""};
    if (other != NULL && !CHECK_STATUS(scrim_label_check(other, &error), SCRIM_E_CHECK))
        CHECK_FAIL("%s %s", key, value == NULL ? "(left out)" : value);
    CHECK(error.message[0] != '\0');
    scrim_label_free(other);
    free(text);
}

static void check_get(const scrim_label *label, const char *key, const char *want)
{
    const char *got = scrim_label_get(label, key);
    if (!CHECK_STR(got == NULL ? "(none)" : got, want))
        CHECK_STR("", key);
}

SLOW_TEST(label_says_what_was_released)
{
    CLAIM("label.vault");
    query_scene s;
    scrim_label *label = NULL, *again = NULL;
    if (begin(&s, "max-groups=2\nmax-rows=3\nmax-size=64KiB\nquantum=0.01\n")) {
        scrim_vault_tell_time(s.vault, 1700000000);
        label = label_of(&s, "SELECT sex, COUNT(*) AS n, AVG(age) GROUP BY sex",
                         OPTIONS(.epsilon = "0.5"));
    }
    if (label != NULL) {
        check_get(label, "release.dataset", "people");
        check_get(label, "release.time", "2023-11-14T22:13:20Z");
        check_get(label, "release.question.1",
                  "SELECT sex, COUNT(*) AS n, AVG(age) GROUP BY sex");
        check_get(label, "protection.unit", "person");
        check_get(label, "protection.neighbours", "add-remove");
        check_get(label, "protection.max-groups", "2");
        check_get(label, "protection.max-rows", "3");
        check_get(label, "cost.epsilon", "0.5");
        check_get(label, "cost.delta", "0");
        check_get(label, "cost.guess", "0.589");
        check_get(label, "cost.group-2-epsilon", "1");
        check_get(label, "cost.group-4-epsilon", "2");
        check_get(label, "cost.charged", "0.5");
        check_get(label, "cost.budget", "100");
        check_get(label, "cost.spent", "0.5");
        check_get(label, "mechanism.1.what", "present and missing values of age");
        check_get(label, "mechanism.2.what", "sum of age");
        check_get(label, "mechanism.3.what", "people cut");
        check_get(label, "mechanism.3.line",
                  "laplace sensitivity=1 epsilon=0.025 neighbours=add-remove");
        check_get(label, "mechanism.4.what", "(none)");
        CHECK(strstr(scrim_label_get(label, "kept.1"), " had rows left out") != NULL);
        CHECK(strstr(scrim_label_get(label, "limitations.1"), " had rows left out") !=
              NULL);
        check_get(label, "columns.1.missing", "is NULL");
        check_get(label, "columns.1.type", "int[0,120]");
        check_get(label, "columns.2.name", "sex");
        check_get(label, "columns.3.name", "(none)");
        check_get(label, "keys.1.kind", "public");
        check_get(label, "keys.1.count", "3");
        check_get(label, "accuracy.confidence", "0.95");
        check_get(label, "side-channels.quantum", "0.01");
        CHECK_STATUS(scrim_label_check(label, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(label, s.vault, NULL), SCRIM_OK);
        if (CHECK_STATUS(scrim_label_new(
                             s.vault,
                             strtoull(scrim_label_get(label, "release.number"), NULL, 10),
                             &again, NULL),
                         SCRIM_OK))
            CHECK_STR(scrim_label_text(again), scrim_label_text(label));
    }
    scrim_label_free(again);
    scrim_label_free(label);
    query_scene_end(&s);
}

/* In place of a probability, the certificate of each column; its numbers are held against the ledger,
 * and the charge follows from the mechanism's line. */
TEST(label_has_certificates_of_histograms)
{
    CLAIM("label.vault");
    query_scene s;
    scrim_label *label = NULL, *other = NULL;
    if (begin(&s, "max-rows=2\n"))
        label = label_of(&s, "SELECT MAX(age, 1), MIN(age, 10) AS low",
                         OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "stlap"));
    if (label != NULL) {
        check_get(label, "accuracy.confidence", "(none)");
        check_get(label, "mechanism.1.what", "histogram of age");
        check_get(label, "certificate.1.column", "max_age");
        check_get(label, "certificate.2.column", "low");
        scrim_measurement *histogram = NULL;
        char want[200];
        REQUIRE_OK(scrim_measurement_parse(scrim_label_get(label, "mechanism.1.line"),
                                           &histogram, NULL));
        snprintf(want, sizeof want,
                 "dropped=%llu beta=0 gamma=0 distortion=drop metric=absolute case=worst",
                 (unsigned long long)121 * sc_stlap_q(histogram));
        scrim_measurement_free(histogram);
        check_get(label, "certificate.1.flexible", want);
        CHECK(strstr(scrim_label_get(label, "certificate.2.statement"),
                     "within 5 of the true minimum") != NULL);
        CHECK(strstr(scrim_label_get(label, "certificate.1.statement"),
                     " rows of each") != NULL);
        CHECK_STATUS(scrim_label_check(label, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(label, s.vault, NULL), SCRIM_OK);
        check_refused(label, "cost.delta", "0.0000001");
        char *text = changed(label, "certificate.1.flexible",
                             "dropped=1 beta=0 gamma=0 distortion=drop metric=absolute "
                             "case=worst");
        other = resealed(text);
        if (CHECK(other != NULL))
            CHECK_STATUS(scrim_label_check_ledger(other, s.vault, NULL), SCRIM_E_CHECK);
        free(text);
    }
    scrim_label_free(other);
    scrim_label_free(label);
    query_scene_end(&s);
}

/* Later releases change the total and the head, and nothing else. */
TEST(label_stays_true_as_time_goes_on)
{
    CLAIM("label.vault");
    query_scene s;
    scrim_label *first = NULL, *second = NULL;
    if (begin(&s, "")) {
        first = label_of(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "1"));
        second = label_of(&s, "SELECT COUNT(*) AS m", OPTIONS(.epsilon = "2"));
    }
    if (first != NULL && second != NULL) {
        CHECK_STATUS(scrim_label_check_ledger(first, s.vault, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(second, s.vault, NULL), SCRIM_OK);
        check_get(first, "cost.spent", "1");
        check_get(second, "cost.spent", "3");
    }
    scrim_label_free(second);
    scrim_label_free(first);
    query_scene_end(&s);
}

/* The time is the last that was noted before the charge, however long ago; not a later one. */
SLOW_TEST(label_has_the_time_of_its_charge)
{
    CLAIM("label.vault");
    query_scene s;
    scrim_label *early = NULL, *late = NULL;
    char epsilon[64];
    if (begin(&s, "")) {
        scrim_vault_tell_time(s.vault, 1000);
        for (int i = 0; i < 40; i++) {
            scrim_label_free(early);
            snprintf(epsilon, sizeof epsilon, "0.10%d", i + 10);
            early = label_of(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = epsilon));
        }
        scrim_vault_tell_time(s.vault, 2000);
        late = label_of(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "0.1"));
    }
    if (early != NULL && late != NULL) {
        check_get(early, "release.time", "1970-01-01T00:16:40Z");
        check_get(late, "release.time", "1970-01-01T00:33:20Z");
        CHECK_STATUS(scrim_label_check_ledger(early, s.vault, NULL), SCRIM_OK);
    }
    scrim_label_free(late);
    scrim_label_free(early);
    query_scene_end(&s);
}

/* Every kind of part: its claim is computed from the label alone. */
SLOW_TEST(label_claims_follow_from_mechanisms)
{
    CLAIM("claim.recomputed");
    static const struct {
        const char *lines, *query, *delta, *mechanism;
    } cases[] = {
        {"", "SELECT COUNT(*) AS n, SUM(age) AS s", NULL, "laplace"},
        {"", "SELECT COUNT(*) AS n, SUM(age) AS s", "1e-6", "gaussian"},
        {"max-groups=2\n", "SELECT sex, MEDIAN(age) AS m GROUP BY sex", NULL, NULL},
        {"max-groups=2\nneighbours=replace\nmissing=age=0\nmissing=sex=Male\n"
         "missing=city=x\nmissing=income=0\n",
         "SELECT sex, MEDIAN(age) AS m GROUP BY sex", NULL, NULL},
        {"max-groups=2\n", "SELECT city, COUNT(*) AS n GROUP BY city", "1e-6", NULL},
        {"", "SELECT city, AVG(age) AS n GROUP BY city", "1e-6", "gaussian"},
        {"", "SELECT COUNT(*) WITH RANGE AS n, VAR(income) AS v", "1e-6", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        query_scene s;
        scrim_label *label = NULL;
        if (begin(&s, cases[i].lines))
            label = label_of(&s, cases[i].query,
                             OPTIONS(.epsilon = "0.7", .delta = cases[i].delta,
                                     .mechanism = cases[i].mechanism));
        if (label != NULL) {
            CHECK_STATUS(scrim_label_check(label, &s.error), SCRIM_OK);
            CHECK_STATUS(scrim_label_check_ledger(label, s.vault, NULL), SCRIM_OK);
            check_refused(label, "cost.epsilon", "0.6");
            check_refused(label, "cost.delta", "1e-9");
            check_refused(label, "cost.guess", "0.51");
            check_refused(label, "cost.group-2-epsilon", "0.7");
            check_refused(label, "cost.group-2-delta", "0.5");
            check_refused(label, "cost.group-4-epsilon", "0.7");
            check_refused(label, "cost.group-4-delta", NULL);
            check_refused(label, "mechanism.1.copies", "7");
            check_refused(label, "mechanism.1.line", NULL);
            check_refused(label, "protection.neighbours", "local");
        }
        scrim_label_free(label);
        query_scene_end(&s);
    }
}

/* A batch, and a part that is left out. */
TEST(label_of_a_batch)
{
    CLAIM("claim.recomputed");
    static const char *const queries[] = {"SELECT COUNT(*) AS n", "SELECT SUM(age) AS s"};
    query_scene s;
    scrim_label *label = NULL;
    if (begin(&s, ""))
        label = label_all(&s, queries, 2, OPTIONS(.epsilon = "1"));
    if (label != NULL) {
        check_get(label, "release.question.2", "SELECT SUM(age) AS s");
        check_get(label, "mechanism.2.question", "2");
        CHECK_STATUS(scrim_label_check(label, NULL), SCRIM_OK);
        char *without = changed(label, "mechanism.2.line", NULL);
        scrim_label *cut = resealed(without);
        free(without);
        if (cut != NULL) {
            check_refused(cut, "mechanism.2.copies", NULL);
            scrim_label_free(cut);
        }
    }
    scrim_label_free(label);
    query_scene_end(&s);
}

/* A forger who makes all of it fit has no ledger that says so. */
SLOW_TEST(label_is_held_against_the_ledger)
{
    CLAIM("label.vault");
    static const struct {
        const char *key, *value;
    } lies[] = {{"release.number", "3"},
                {"release.question.1", "SELECT 1"},
                {"protection.max-rows", "9"},
                {"ledger.answer-digest", "00"},
                {"ledger.head", "00"},
                {"ledger.entries", "1000"},
                {"ledger.entries", "2"},
                {"columns.1.type", "int[0,1]"},
                {"limitations.1", "there are none"}};
    query_scene s;
    scrim_label *label = NULL;
    if (begin(&s, ""))
        label = label_of(&s, "SELECT SUM(age) AS s", OPTIONS(.epsilon = "1"));
    for (size_t i = 0; label != NULL && i < COUNT(lies); i++) {
        char *text = changed(label, lies[i].key, lies[i].value);
        scrim_label *other = resealed(text);
        if (other != NULL) {
            CHECK_STATUS(scrim_label_check(other, NULL), SCRIM_OK);
            if (!CHECK_STATUS(scrim_label_check_ledger(other, s.vault, &s.error),
                              SCRIM_E_CHECK))
                CHECK_STR("", lies[i].key);
        }
        scrim_label_free(other);
        free(text);
    }
    scrim_label_free(label);
    query_scene_end(&s);
}

/* As the vault's own program would have signed it. */
static void sign(const query_scene *s, scrim_label *label)
{
    CHECK_STATUS(
        sc_vault_key_sign(s->vault, sc_label_content(label), &label->signature, NULL),
        SCRIM_OK);
    label->has_signature = true;
    CHECK_STATUS(sc_label_seal(label, NULL), SCRIM_OK);
}

/* Another version words its sentences otherwise, which its signature proves; numbers are numbers. */
TEST(label_of_another_version)
{
    CLAIM("label.vault");
    query_scene s;
    scrim_label *label = NULL;
    if (begin(&s, ""))
        label = label_of(&s, "SELECT SUM(age) AS s", OPTIONS(.epsilon = "1"));
    if (label != NULL) {
        char *text = changed(label, "software.version", "9.9");
        scrim_label *later = resealed(text);
        free(text);
        text = changed(later, "limitations.1", "put otherwise");
        scrim_label *worded = resealed(text);
        free(text);
        text = changed(worded, "protection.max-rows", "9");
        scrim_label *lying = resealed(text);
        free(text);
        CHECK_STATUS(scrim_label_check_ledger(worded, s.vault, NULL), SCRIM_E_CHECK);
        sign(&s, worded);
        sign(&s, lying);
        CHECK_STATUS(scrim_label_check_ledger(worded, s.vault, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(lying, s.vault, NULL), SCRIM_E_CHECK);
        scrim_label_free(lying);
        scrim_label_free(worded);
        scrim_label_free(later);
    }
    scrim_label_free(label);
    query_scene_end(&s);
}

/* Labels of formats 3 to 6 have other sentences, and those of 3 another word for private keys; they are
 * proved as they were written. The sentences of this format are compared. */
SLOW_TEST(label_of_an_earlier_format)
{
    CLAIM("label.vault");
    static const struct {
        char format;
        const char *kind;
        scrim_status status;
    } cases[] = {{'3', "discovered", SCRIM_OK},  {'3', "private", SCRIM_E_CHECK},
                 {'3', "public", SCRIM_E_CHECK}, {'4', "private", SCRIM_OK},
                 {'4', "public", SCRIM_E_CHECK}, {'4', "discovered", SCRIM_E_CHECK},
                 {'5', "private", SCRIM_OK},     {'6', "private", SCRIM_OK},
                 {'7', "private", SCRIM_E_CHECK}};
    query_scene s;
    scrim_label *label = NULL;
    if (begin(&s, ""))
        label = label_of(&s, "SELECT city, COUNT(*) AS n GROUP BY city",
                         OPTIONS(.epsilon = "1", .delta = "1e-6"));
    if (label != NULL)
        check_get(label, "keys.1.kind", "private");
    for (size_t i = 0; label != NULL && i < COUNT(cases); i++) {
        char *text = changed(label, "protection.who", "in other words");
        scrim_label *worded = resealed(text);
        free(text);
        text = changed(worded, "keys.1.kind", cases[i].kind);
        text[strlen("scrim-label ")] = cases[i].format;
        scrim_label *old = resealed(text);
        free(text);
        sign(&s, old);
        CHECK_STATUS(scrim_label_check_ledger(old, s.vault, NULL), cases[i].status);
        scrim_label_free(old);
        scrim_label_free(worded);
    }
    scrim_label_free(label);
    query_scene_end(&s);
}

/* Single measurements, with and without an epsilon of their own. */
static void check_run(const char *accounting, const char *line, const char *epsilon,
                      const char *rho)
{
    query_scene s;
    scrim_ledger *ledger = NULL;
    scrim_measurement *m = NULL;
    scrim_answer *answer = NULL;
    scrim_label *label = NULL;
    const int64_t count = 3;
    if (begin(&s, accounting) &&
        CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK) &&
        CHECK_STATUS(scrim_vault_ledger(s.vault, "people", &ledger, NULL), SCRIM_OK) &&
        CHECK_STATUS(scrim_release(ledger, m,
                                   &(scrim_input){.integers = &count, .count = 1},
                                   &answer, &s.error),
                     SCRIM_OK) &&
        CHECK_STATUS(
            scrim_label_new(s.vault, scrim_answer_entry(answer), &label, &s.error),
            SCRIM_OK)) {
        check_get(label, "release.kind", "measurement");
        check_get(label, "protection.unit", "person");
        check_get(label, "cost.epsilon", epsilon);
        check_get(label, "cost.rho", rho);
        CHECK_STATUS(scrim_label_check(label, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(label, s.vault, NULL), SCRIM_OK);
        check_refused(label, "cost.rho", "1/1000");
        check_refused(label, "cost.guess", "0.5");
    }
    scrim_label_free(label);
    scrim_answer_free(answer);
    scrim_ledger_free(ledger);
    scrim_measurement_free(m);
    query_scene_end(&s);
}

TEST(label_of_a_measurement)
{
    CLAIM("claim.recomputed");
    check_run("", "laplace sensitivity=1 epsilon=1 neighbours=add-remove", "1", "0.5");
    check_run("accounting=concentrated\n",
              "gaussian sensitivity=1 rho=1/10 neighbours=add-remove", "(none)", "0.1");
}

/* No answer, nobody's name. */
TEST(label_holds_no_value)
{
    CLAIM("label.public");
    query_scene s;
    scrim_result *result = NULL;
    scrim_result_facts facts = {.release = 0};
    scrim_label *label = NULL;
    if (begin(&s, "")) {
        sc_vault_use_identity(s.vault, 4711, "zacharias");
        /* Millions: a small number may be that of another fact by chance. */
        if (CHECK_STATUS(query_scene_ask(&s, "SELECT SUM(age * 1000003) AS s",
                                         OPTIONS(.epsilon = "50"), &result),
                         SCRIM_OK)) {
            scrim_result_describe(result, &facts);
            CHECK_STATUS(scrim_label_new(s.vault, facts.release, &label, NULL), SCRIM_OK);
        }
    }
    if (label != NULL) {
        CHECK(strstr(scrim_label_text(label), "zacharias") == NULL);
        for (size_t i = 0; i < scrim_label_count(label); i++)
            CHECK(strcmp(scrim_label_fact_at(label, i)->value,
                         scrim_result_cell_at(result, 0, 0, 0)->value) != 0);
    }
    scrim_label_free(label);
    scrim_result_free(result);
    query_scene_end(&s);
}

TEST(label_refuses_what_is_none)
{
    query_scene s;
    scrim_label *label = NULL;
    if (begin(&s, "")) {
        CHECK_STATUS(scrim_label_new(s.vault, 1, &label, &s.error), SCRIM_E_PARAM);
        CHECK_STATUS(scrim_label_new(s.vault, 99, &label, &s.error), SCRIM_E_PARAM);
    }
    query_scene_end(&s);
}

/* Format 5 may state a larger cost than what is proved now, and no smaller one. */
static void check_stated(query_scene *s, const scrim_label *label, const char *key,
                         const char *value, scrim_status status)
{
    char *text = changed(label, key, value);
    text[strlen("scrim-label ")] = '5';
    scrim_label *old = resealed(text);
    free(text);
    sign(s, old);
    CHECK_STATUS(scrim_label_check_ledger(old, s->vault, NULL), status);
    if (status == SCRIM_OK)
        CHECK_STATUS(scrim_label_check(old, NULL), SCRIM_OK);
    scrim_label_free(old);
}

TEST(label_compares_what_is_alike)
{
    query_scene s;
    scrim_label *a = NULL, *b = NULL, *other = NULL;
    if (begin(&s, "")) {
        a = label_of(&s, "SELECT COUNT(*) AS n", OPTIONS(.epsilon = "1"));
        b = label_of(&s, "SELECT SUM(age) AS n", OPTIONS(.epsilon = "2"));
    }
    if (a != NULL && b != NULL) {
        CHECK_STATUS(scrim_label_compare(a, b, NULL), SCRIM_OK);
        char *text = changed(b, "protection.unit", "row");
        other = resealed(text);
        free(text);
        CHECK_STATUS(scrim_label_compare(a, other, &s.error), SCRIM_E_POLICY);
        scrim_label_free(other);
        text = changed(b, "protection.neighbours", "replace");
        other = resealed(text);
        free(text);
        CHECK_STATUS(scrim_label_compare(a, other, &s.error), SCRIM_E_POLICY);
    }
    scrim_label_free(other);
    scrim_label_free(a);
    scrim_label_free(b);
    query_scene_end(&s);
}

/* A batch that was charged jointly has both numbers, and both follow from the mechanisms. */
SLOW_TEST(label_of_a_joint_charge_is_recomputed)
{
    CLAIM("claim.recomputed");
    enum { STATEMENTS = 40 };
    query_scene s;
    scrim_label *label = NULL;
    static char text[STATEMENTS][64];
    const char *queries[STATEMENTS];
    for (int i = 0; i < STATEMENTS; i++) {
        snprintf(text[i], sizeof text[i], "SELECT COUNT(*) AS n WHERE age > %d", i);
        queries[i] = text[i];
    }
    if (begin(&s, ""))
        label =
            label_all(&s, queries, STATEMENTS,
                      OPTIONS(.epsilon = "1", .delta = "1e-6", .mechanism = "laplace"));
    if (label != NULL) {
        check_get(label, "cost.epsilon", "1");
        check_get(label, "cost.charged", "0.627097");
        check_get(label, "cost.joint-epsilon", "0.627097");
        check_get(label, "cost.joint-delta", "0.000001");
        CHECK_STATUS(scrim_label_check(label, NULL), SCRIM_OK);
        CHECK_STATUS(scrim_label_check_ledger(label, s.vault, NULL), SCRIM_OK);
        check_refused(label, "cost.joint-epsilon", "0.627096");
        check_refused(label, "cost.joint-epsilon", "0.627098");
        check_stated(&s, label, "cost.joint-epsilon", "0.627098", SCRIM_OK);
        check_stated(&s, label, "cost.joint-epsilon", "0.627096", SCRIM_E_CHECK);
        check_stated(&s, label, "cost.charged", "0.627098", SCRIM_E_CHECK);
        check_refused(label, "cost.joint-epsilon", NULL);
        check_refused(label, "cost.joint-delta", "0.0000009");
        check_refused(label, "cost.joint-delta", "1");
        check_refused(label, "cost.joint-delta", "much");
    }
    scrim_label_free(label);
    query_scene_end(&s);
}
