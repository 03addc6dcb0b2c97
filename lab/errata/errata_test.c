#include "check.h"
#include "lab/errata/errata.h"
#include "vectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_kind(const char *word)
{
    for (size_t i = 0; lab_erratum_kind_at(i) != NULL; i++)
        if (strcmp(lab_erratum_kind_at(i), word) == 0)
            return true;
    return false;
}

static bool is_sentence(const char *text)
{
    const size_t bytes = strlen(text);
    return bytes > 2 && text[bytes - 1] == '.';
}

TEST(errata_are_all_there)
{
    CLAIM("errata.complete");
    const lab_erratum *row;
    size_t count = 0;
    for (; (row = lab_erratum_at(count)) != NULL; count++) {
        CHECK_INT(row->number, count + 1);
        CHECK(lab_erratum_find(row->number) == row);
        CHECK(lab_document_find(row->document) != NULL);
        CHECK(row->place[0] != '\0');
        CHECK(is_kind(row->kind));
        CHECK(is_sentence(row->statement));
        CHECK(row->counterexample[0] == '\0' || is_sentence(row->counterexample));
        CHECK(row->correction[0] != '\0');
        CHECK(row->title[0] != '\0' && strlen(row->title) <= 42);
        CHECK(row->run == NULL || row->steps == NULL);
        CHECK(!lab_erratum_runs(row) || row->counterexample[0] != '\0');
    }
    CHECK_INT(count, 164);
    CHECK(lab_erratum_find(0) == NULL);
    CHECK(lab_erratum_find(165) == NULL);
    CHECK(lab_document_find("005") == NULL);
}

/* Entries of the vectors that say in words what the row computes as a number. */
static const struct {
    const char *entry;
    lab_working_part part;
    const char *number;
} in_words[] = {
    {"E48", LAB_WORKING_CLAIMED, "1/2"},
    {"E48", LAB_WORKING_TRUE, "1.648721271"},
    {"E64", LAB_WORKING_CLAIMED, "0"},
    {"E80", LAB_WORKING_CLAIMED, "0"},
    /* Both mechanisms for counts, as the vectors of mechanisms.json say; these compare only one of them. */
    {"E60", LAB_WORKING_TRUE, "4.5397868702434394505e-5"},
    {"E80", LAB_WORKING_TRUE, "1"},
    {"E88", LAB_WORKING_CLAIMED, "-1"},
    {"E123", LAB_WORKING_CLAIMED, "1"},
    {"E123", LAB_WORKING_TRUE, "2"},
    {"E124", LAB_WORKING_CLAIMED, "1/10"},
    {"E124", LAB_WORKING_TRUE, "9/10"},
    {"E128", LAB_WORKING_CLAIMED, "1"},
    {"E135", LAB_WORKING_TRUE, "0"},
    {"E141", LAB_WORKING_CLAIMED, "1"},
    {"E141", LAB_WORKING_TRUE, "0"},
    {"E144", LAB_WORKING_TRUE, "-0.29289321881345248"},
};

static const char *wanted(const char *entry, lab_working_part part, const json_t *row)
{
    for (size_t i = 0; i < COUNT(in_words); i++)
        if (strcmp(in_words[i].entry, entry) == 0 && in_words[i].part == part)
            return in_words[i].number;
    return vectors_text(row, lab_working_part_name(part));
}

/* The number that a text begins with: "0 (never ...)" is 0. */
static bool begins_with_number(const char *text, char number[64], lab_quantity *value)
{
    const size_t bytes = strcspn(text, " ");
    snprintf(number, 64, "%.*s", (int)bytes, text);
    return lab_quantity_parse(value, number, strlen(number));
}

/* Half a unit of the last digit of a decimal; 0 for an integer and a fraction, which are exact. */
static void half_unit(const char *number, lab_quantity *out)
{
    const char *point = strchr(number, '.'), *power = strchr(number, 'e');
    char text[80];
    lab_quantity_set_int64(out, 0);
    if (point == NULL)
        return;
    const size_t places =
        (size_t)((power == NULL ? number + strlen(number) : power) - point) - 1;
    snprintf(text, sizeof text, "5e%d",
             (power == NULL ? 0 : atoi(power + 1)) - (int)places - 1);
    CHECK(lab_quantity_parse(out, text, strlen(text)));
}

/* Is the number what is printed, to its last digit? */
static bool is_printed(const lab_quantity *got, const char *number,
                       const lab_quantity *value)
{
    LAB_QUANTITY(slack);
    LAB_QUANTITY(want);
    LAB_QUANTITY(ball);
    half_unit(number, &slack);
    if (got->is_exact && fmpq_is_zero(slack.exact))
        return fmpq_equal(got->exact, value->exact) != 0;
    lab_quantity_ball(got, ball.ball);
    lab_quantity_ball(value, want.ball);
    lab_quantity_ball(&slack, slack.ball);
    arb_add_error(want.ball, slack.ball);
    return arb_contains(want.ball, ball.ball) ||
           (arb_rel_accuracy_bits(ball.ball) >= 60 && arb_overlaps(ball.ball, want.ball));
}

static const char *last_value(const lab_working *w, lab_working_part part)
{
    const char *value = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (w->lines[i].part == part)
            value = w->lines[i].value;
    return value;
}

/* The last number of a part; NULL for a part without numbers. */
static const lab_quantity *last_number(const lab_working *w, lab_working_part part)
{
    const lab_quantity *found = NULL;
    for (size_t i = 0; i < w->count; i++)
        if (w->lines[i].part == part && w->lines[i].has_number)
            found = &w->lines[i].number;
    return found;
}

static void check_part(const lab_working *w, const char *entry, lab_working_part part,
                       const json_t *row)
{
    char number[64];
    LAB_QUANTITY(value);
    const char *text = wanted(entry, part, row), *shown = last_value(w, part);
    const lab_quantity *got = last_number(w, part);
    if (text == NULL || shown == NULL)
        CHECK_FAIL("%s: no %s value", entry, lab_working_part_name(part));
    else if (!begins_with_number(text, number, &value))
        CHECK_STR(shown, text);
    else if (got == NULL || !is_printed(got, number, &value))
        CHECK_FAIL("%s: %s is %s, not %s", entry, lab_working_part_name(part), shown,
                   number);
    else
        CHECK(true);
}

SLOW_TEST(errata_vectors)
{
    CLAIM("errata.values");
    const char *entry;
    json_t *row, *entries = vectors_load("errata", "entries");
    static lab_working w;
    REQUIRE(entries != NULL);
    json_object_foreach(entries, entry, row)
    {
        const lab_erratum *erratum = lab_erratum_find((unsigned)atoi(entry + 1));
        REQUIRE(erratum != NULL);
        CHECK_STR(erratum->document, vectors_text(row, "document"));
        CHECK_STR(erratum->place, vectors_text(row, "place"));
        CHECK_STR(erratum->kind, vectors_text(row, "kind"));
        if (!CHECK(lab_erratum_runs(erratum)))
            continue;
        lab_working_init(&w);
        if (CHECK_STATUS(lab_erratum_run(erratum, &w, NULL), SCRIM_OK)) {
            check_part(&w, entry, LAB_WORKING_CLAIMED, row);
            check_part(&w, entry, LAB_WORKING_TRUE, row);
        }
        lab_working_clear(&w);
    }
}

/* Rows whose numbers are in the vectors of accounting alone: E96 and E106. */
#define ACCOUNTING_ROWS 2

/* Rows that run and have no entry in the vectors. */
SLOW_TEST(errata_beyond_the_vectors)
{
    static const struct {
        const char *entry, *claimed, *truth;
    } rows[] = {
        {"E52", "1.3838965267367375e-86", "1/20"},
        {"E57", "1", "10"},
        {"E79", "refused", "70"},
        {"E82", "0.0029077413781878997", "1/10"},
        {"E92", "1", "10"},
        {"E100", "6", "13.1048841840"},
        {"E103", "7.3890560989306502", "2.7182818284590452"},
        {"E130", "-51", "49"},
        {"E132", "32", "16"},
        {"E147", "0", "10"},
        {"E158", "1.6487212707001281e-6", "1/1000000"},
    };
    const lab_erratum *row;
    size_t count = 0;
    json_t *entries = vectors_load("errata", "entries");
    static lab_working w;
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_t *want =
            json_pack("{ssss}", "claimed", rows[i].claimed, "true", rows[i].truth);
        lab_working_init(&w);
        REQUIRE_OK(lab_erratum_run(lab_erratum_find((unsigned)atoi(rows[i].entry + 1)),
                                   &w, NULL));
        check_part(&w, rows[i].entry, LAB_WORKING_CLAIMED, want);
        check_part(&w, rows[i].entry, LAB_WORKING_TRUE, want);
        lab_working_clear(&w);
        json_decref(want);
    }
    for (size_t i = 0; (row = lab_erratum_at(i)) != NULL; i++)
        count += lab_erratum_runs(row);
    CHECK_INT(count, json_object_size(entries) + COUNT(rows) + ACCOUNTING_ROWS);
}

static const lab_quantity *named(const lab_working *w, const char *name)
{
    for (size_t i = 0; i < w->scope.count; i++)
        if (strcmp(w->scope.names[i], name) == 0)
            return &w->scope.values[i];
    return NULL;
}

/* A short decimal of what is exact is exact itself. */
static void check_number(const lab_quantity *got, const json_t *row, const char *name)
{
    char number[64];
    LAB_QUANTITY(value);
    const char *text = vectors_text(row, name);
    if (!CHECK(got != NULL && text != NULL && begins_with_number(text, number, &value)))
        return;
    const bool is_short = got->is_exact && strlen(number) < 8;
    if (!CHECK(is_short ? fmpq_equal(got->exact, value.exact) != 0
                        : is_printed(got, number, &value)))
        CHECK_FAIL("%s is not %s", name, text);
}

static void work(unsigned number, lab_working *w)
{
    lab_working_init(w);
    CHECK_STATUS(lab_erratum_run(lab_erratum_find(number), w, NULL), SCRIM_OK);
}

/* Numbers that other vectors have of the same statements. */
TEST(errata_agree_with_vectors_of_mechanisms)
{
    CLAIM("errata.values");
    static lab_working w;
    const json_t *row = vectors_load("mechanisms", "chernoff");
    work(39, &w);
    CHECK_INT(lab_working_integer(&w, "n"), vectors_number(row, "n"));
    check_number(named(&w, "mu"), row, "mu");
    check_number(named(&w, "eps"), row, "eps");
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row, "printed_bound");
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "exact_upper");
    check_number(last_number(&w, LAB_WORKING_STEP), row, "correct_bound");
    lab_working_clear(&w);
    row = vectors_load("flexible-accuracy", "input_robustness");
    work(3, &w);
    check_number(named(&w, "theta"), row, "theta");
    check_number(named(&w, "eps"), row, "eps");
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row, "delta_paper");
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "delta_tight");
    lab_working_clear(&w);
}

/* The two sides of the erratum, at a y. */
static void check_sides(const json_t *row)
{
    static lab_working own, w;
    char given[80];
    work(150, &own);
    lab_working_init(&w);
    snprintf(given, sizeof given, "y = %s", vectors_text(row, "y"));
    lab_working_input(&w, given, "y");
    for (size_t i = 0; i < own.count; i++)
        if (own.lines[i].part == LAB_WORKING_CLAIMED)
            lab_working_claimed(&w, own.lines[i].formula, "claimed");
        else if (own.lines[i].part == LAB_WORKING_TRUE)
            lab_working_true(&w, own.lines[i].formula, "true");
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row, "exp_y");
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "inv_one_minus_y");
    lab_working_clear(&w);
    lab_working_clear(&own);
}

TEST(errata_agree_with_vectors_of_thresholds)
{
    CLAIM("errata.values");
    size_t index;
    json_t *row;
    static lab_working w;
    json_array_foreach(vectors_load("thresholding", "a8_a11_direction"), index, row)
    {
        check_sides(row);
    }
    CHECK_INT(index, 3);
    row = json_object_get(vectors_load("thresholding", "lemma3"), "example");
    work(149, &w);
    check_number(named(&w, "delta"), row, "delta");
    check_number(named(&w, "rate"), row, "omega");
    lab_working_step(&w, "printed = exp(delta*D)", "factor");
    lab_working_step(&w, "largest = 1/x", "factor a step");
    check_number(named(&w, "printed"), row, "printed_factor");
    check_number(named(&w, "largest"), row, "true_max_ratio");
    lab_working_clear(&w);
    /* "delta=1 at every finite eps" */
    const char *bottom = vectors_text(vectors_load("thresholding", "bottom_vs_omission"),
                                      "keys_from_data_published_as_bottom");
    work(153, &w);
    REQUIRE(bottom != NULL && strncmp(bottom, "delta=", 6) == 0);
    CHECK_STR(last_value(&w, LAB_WORKING_TRUE), "1");
    CHECK_INT(atoi(bottom + 6), 1);
    lab_working_clear(&w);
}

/* The vector has a lower bound of the whole law, and the working the law of how many keys are kept.
 * In the pure version all keys are at the threshold, and one above it. */
TEST(errata_agree_with_vectors_of_kept_keys)
{
    CLAIM("errata.values");
    static lab_working w;
    char formula[80];
    int sign = 0;
    LAB_QUANTITY(bound);
    const json_t *row = vectors_load("thresholding", "theorem6_counterexample");
    work(155, &w);
    CHECK_INT(lab_working_integer(&w, "n"), vectors_number(row, "m"));
    check_number(named(&w, "K"), row, "kappa");
    check_number(named(&w, "p"), row, "inclusion_prob_D");
    check_number(named(&w, "q"), row, "inclusion_prob_Dprime");
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row, "theorem6_claimed_delta");
    const char *least = vectors_text(row, "hockey_stick_at_2eps_lower_bound");
    REQUIRE(least != NULL && lab_quantity_parse(&bound, least, strlen(least)));
    CHECK(lab_quantity_compare(&bound, last_number(&w, LAB_WORKING_TRUE), &sign) &&
          sign < 0);
    row = vectors_load("thresholding", "lemma8_pure");
    check_number(named(&w, "eps"), row, "eps");
    snprintf(formula, sizeof formula, "apart = %d*ln((1 - exp(-eps)/2)/(1/2))",
             (int)vectors_number(row, "m"));
    lab_working_step(&w, formula, "log ratio where all are kept");
    lab_working_step(&w, "allowed = 2*eps", "claimed");
    check_number(named(&w, "apart"), row, "log_ratio_all_included");
    check_number(named(&w, "allowed"), row, "lemma8_allows");
    lab_working_clear(&w);
}

/* The constant of erratum 96 for a number of releases and an epsilon. */
static void check_constant(const lab_working *own, const json_t *row)
{
    static lab_working w;
    char given[80];
    lab_working_init(&w);
    snprintf(given, sizeof given, "k = %d", (int)vectors_number(row, "k"));
    lab_working_input(&w, given, "k");
    snprintf(given, sizeof given, "eps = %s", vectors_text(row, "eps"));
    lab_working_input(&w, given, "epsilon");
    for (size_t i = 0; i < own->count; i++)
        if (own->lines[i].part == LAB_WORKING_STEP)
            lab_working_step(&w, own->lines[i].formula, "step");
        else if (own->lines[i].part == LAB_WORKING_TRUE)
            lab_working_true(&w, own->lines[i].formula, "constant");
    CHECK(!w.is_spoilt);
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "largest_constant_needed");
    lab_working_clear(&w);
}

SLOW_TEST(errata_agree_with_vectors_of_accounting)
{
    CLAIM("errata.values");
    size_t index;
    json_t *row;
    static lab_working w;
    row = vectors_load("local-and-accounting", "definition_8_2");
    work(95, &w);
    CHECK_INT(lab_working_integer(&w, "a"), vectors_number(row, "alpha"));
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row,
                 "smallest_eps_meeting_printed_form");
    check_number(last_number(&w, LAB_WORKING_STEP), row,
                 "smallest_eps_meeting_mironov_form");
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "true_renyi");
    lab_working_clear(&w);
    row = vectors_load("local-and-accounting", "svt_third_bound_condition");
    work(100, &w);
    check_number(named(&w, "T"), row, "T");
    check_number(last_number(&w, LAB_WORKING_CLAIMED), row,
                 "eps_rho_inf_plus_eps_nu_alpha");
    check_number(last_number(&w, LAB_WORKING_TRUE), row, "renyi_lower_bound");
    lab_working_clear(&w);
    row = vectors_load("local-and-accounting", "svt_9_11_simplification");
    work(106, &w);
    check_number(named(&w, "L"), row, "needs_log_1_over_rho_at_least");
    check_number(last_number(&w, LAB_WORKING_TRUE), row,
                 "i_e_false_positive_rate_at_most");
    lab_working_clear(&w);
    work(96, &w);
    json_array_foreach(vectors_load("local-and-accounting", "theorem_8_7"), index, row)
    {
        check_constant(&w, row);
    }
    CHECK_INT(index, 5);
    lab_working_clear(&w);
}

TEST(errata_have_lines)
{
    static lab_working w;
    work(11, &w);
    CHECK_INT(w.count, 4);
    CHECK_STR(lab_working_part_name(w.lines[0].part), "input");
    CHECK_STR(w.lines[0].value, "16");
    CHECK_STR(w.lines[1].formula, "eps = 1/sqrt(q)");
    CHECK_STR(w.lines[1].value, "0.25");
    CHECK_STR(lab_working_part_name(w.lines[3].part), "true");
    CHECK_STR(w.lines[3].value, "0.022227494350478423");
    lab_working_clear(&w);
    CHECK(!lab_erratum_runs(lab_erratum_find(8)));
}

TEST(working_lines)
{
    static lab_working w;
    lab_working_init(&w);
    lab_working_input(&w, "n = 3", "elements");
    lab_working_step(&w, "half = n/2", "half of them");
    lab_working_claimed(&w, "half", "claim");
    lab_working_say(&w, LAB_WORKING_TRUE, "truth", "%s", "unknown");
    lab_working_distance(&w, LAB_WORKING_STEP, "d",
                         &(lab_distance){"wasserstein",
                                         LAB_PLACES({"0", "1"}, {"2", "1"}),
                                         LAB_PLACES({"1", "1"}), NULL},
                         "distance");
    CHECK(!w.is_spoilt);
    CHECK_INT(w.count, 5);
    CHECK_STR(w.lines[1].value, "1.5");
    CHECK_STR(w.lines[1].formula, "half = n/2");
    CHECK_STR(w.lines[3].value, "unknown");
    CHECK_STR(w.lines[4].value, "1");
    CHECK(w.lines[2].has_number && !w.lines[3].has_number);
    CHECK_INT(lab_working_integer(&w, "n"), 3);
    lab_working_clear(&w);
}

/* A formula that cannot be computed is told, and nothing is added behind it. */
TEST(working_spoilt)
{
    static lab_working w;
    lab_working_init(&w);
    lab_working_step(&w, "n = 1/0", "none");
    lab_working_step(&w, "m = 1", "one");
    CHECK(w.is_spoilt);
    CHECK_STR(w.fault, "n = 1/0");
    CHECK_INT(w.count, 1);
    lab_working_clear(&w);
    lab_working_init(&w);
    for (int i = 0; i <= LAB_WORKING_LINES; i++)
        lab_working_step(&w, "1", "one too many");
    CHECK(w.is_spoilt);
    lab_working_clear(&w);
    lab_working_init(&w);
    lab_working_distance(&w, LAB_WORKING_STEP, "d",
                         &(lab_distance){"elsewhere", LAB_PLACES({"0", "1"}),
                                         LAB_PLACES({"1", "1"}), NULL},
                         "no kind");
    CHECK(w.is_spoilt);
    lab_working_clear(&w);
}
