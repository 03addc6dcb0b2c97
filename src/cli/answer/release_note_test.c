#include "check.h"
#include "cli/answer/release_note.h"

#include <stdio.h>
#include <string.h>

static const char *buffered(sc_output *output)
{
    output->bytes[output->used] = '\0';
    return output->bytes;
}

static scrim_cost cost_of(const char *epsilon, const char *delta, const char *rho)
{
    scrim_cost cost = {.neighbours = SCRIM_ADD_REMOVE};
    snprintf(cost.epsilon, sizeof cost.epsilon, "%s", epsilon);
    snprintf(cost.delta, sizeof cost.delta, "%s", delta);
    snprintf(cost.rho, sizeof cost.rho, "%s", rho);
    return cost;
}

static scrim_certificate certificate_of(scrim_certificate_form form)
{
    return (scrim_certificate){.form = form,
                               .confidence = "0.95",
                               .radius = "30",
                               .alpha = "0.1",
                               .beta = "2",
                               .gamma = "1e-9",
                               .excludes = "clamping"};
}

#define LINE "laplace sensitivity=1 epsilon=0.1 neighbours=add-remove"

TEST(note_tells_cost_and_accuracy)
{
    static sc_output output;
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse(LINE, &m, NULL));
    const scrim_cost cost = cost_of("0.1", "1e-9", "0.005");
    const scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_INTERVAL);
    sc_output_init(&output, -1);
    sc_release_note_write(&output, m, &cost, &certificate, 240);
    scrim_measurement_free(m);
    CHECK_STR(buffered(&output),
              "released    " LINE "\n"
              "cost        epsilon 0.1, delta 1e-9, rho 0.005\n"
              "neighbours  add-remove: one unit is added or removed\n"
              "meaning     a guess whether one person is in the data is right at "
              "most 52.5 % of the time\n"
              "accuracy    each value is within 30 of the truth with probability 0.95\n"
              "not covered clamping; values that are not numbers, which count as 0 (see "
              "--labels, "
              "--header)\n");
}

/* Rows have no labels, and a certificate that covers all still has numbers to be read. */
TEST(note_tells_what_is_no_number)
{
    static sc_output output;
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse(
        "quantile p=1/2 epsilon=1 lower=0 upper=9 neighbours=add-remove", &m, NULL));
    const scrim_cost cost = cost_of("1", "0", "");
    scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_NONE);
    certificate.excludes = "";
    sc_output_init(&output, -1);
    sc_release_note_write(&output, m, &cost, &certificate, 240);
    scrim_measurement_free(m);
    CHECK(strstr(buffered(&output), "\nnot covered values that are not numbers, which "
                                    "count as 0 (see --header)\n") != NULL);
}

TEST(note_warns_of_a_large_epsilon)
{
    static const struct {
        const char *epsilon, *caution;
    } cases[] = {{"1", NULL},
                 {"1.01", "caution     epsilon above 1 is weak protection: "},
                 {"4.99", "caution     epsilon above 1 is weak protection: "},
                 {"5", "caution     epsilon 5 or more is hardly any protection: "},
                 {"21/2", "caution     epsilon 5 or more is hardly any protection: "},
                 {"", NULL}};
    const scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_NONE);
    scrim_measurement *m = NULL;
    REQUIRE_OK(scrim_measurement_parse(LINE, &m, NULL));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static sc_output output;
        const scrim_cost cost = cost_of(cases[i].epsilon, "0", "1/2");
        sc_output_init(&output, -1);
        sc_release_note_write(&output, m, &cost, &certificate, 240);
        const char *text = buffered(&output);
        CHECK((strstr(text, "caution") != NULL) == (cases[i].caution != NULL));
        if (cases[i].caution != NULL)
            CHECK(strstr(text, cases[i].caution) != NULL);
        CHECK(strstr(text, "meaning") != NULL);
    }
    scrim_measurement_free(m);
}

TEST(note_words_fit_each_certificate)
{
    static const struct {
        scrim_certificate_form form;
        const char *words, *name;
        const char *input;
    } cases[] = {
        {SCRIM_CERTIFICATE_NONE, "no guarantee", "none", "numbers"},
        {SCRIM_CERTIFICATE_INTERVAL,
         "each value is within 30 of the truth with probability 0.95", "interval",
         "numbers"},
        {SCRIM_CERTIFICATE_PAC,
         "the chosen candidate is at most 30 worse than the best remaining one, with "
         "probability 0.95",
         "pac", "scores"},
        {SCRIM_CERTIFICATE_PAC,
         "answers are right except for queries within 30 of the threshold, with "
         "probability 0.95",
         "pac", "queries"},
        {SCRIM_CERTIFICATE_PAC,
         "no rank is off by more than 30 rows with probability 0.95", "pac", "rows"},
        {SCRIM_CERTIFICATE_PAC,
         "a group of 30 units or more is kept with probability 0.95", "pac", "counts"},
        {SCRIM_CERTIFICATE_PAC,
         "a set of 30 transactions or more is kept with probability 0.95", "pac",
         "transactions"},
        {SCRIM_CERTIFICATE_RANGE, "each value is within 30 of the truth, always", "range",
         "numbers"},
        {SCRIM_CERTIFICATE_FLEXIBLE,
         "within 2 of the truth of an input distorted by 0.1, except with probability "
         "1e-9",
         "flexible", "numbers"},
        {SCRIM_CERTIFICATE_FREQUENCY,
         "every frequency estimated from them, clamped to 0 to 1, is within 30 of the "
         "truth with probability 0.95",
         "frequency", "values"},
        {SCRIM_CERTIFICATE_DROP,
         "no value is above the truth, and none more than 30 below it", "drop", "counts"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static sc_output output;
        const scrim_certificate certificate = certificate_of(cases[i].form);
        sc_output_init(&output, -1);
        sc_certificate_write(&output, &certificate, cases[i].input);
        CHECK_STR(buffered(&output), cases[i].words);
        CHECK_STR(sc_certificate_form_name(cases[i].form), cases[i].name);
    }
}

/* (e^E + D) / (1 + e^E), by hand to more digits than are shown. */
TEST(note_bounds_a_guess_from_above)
{
    static const struct {
        const char *epsilon, *delta;
        double guess;
    } cases[] = {
        {"0", "0", 0.5},      {"1", "0", 0.732},  {"0.1", "0", 0.525},
        {"1/10", "0", 0.525}, {"2", "0", 0.881},  {"1", "0.1", 0.758},
        {"1000", "0", 1},     {"0", "1/2", 0.75}, {"", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scrim_cost cost = cost_of(cases[i].epsilon, cases[i].delta, "");
        CHECK_NEAR(sc_cost_guess_upper(&cost), cases[i].guess, 1e-12);
    }
    /* sqrt(rho / 2) is 0.30630, and below 1 - 1 / (1 + e^1) where that is smaller. */
    const scrim_cost alone = cost_of("", "", "0.187642"),
                     both = cost_of("1", "0", "0.187642"),
                     large = cost_of("1", "0", "1/2");
    CHECK_NEAR(sc_cost_guess_upper(&alone), 0.654, 1e-12);
    CHECK_NEAR(sc_cost_guess_upper(&both), 0.654, 1e-12);
    CHECK_NEAR(sc_cost_guess_upper(&large), 0.732, 1e-12);
}

/* The exact delta of a truncated noise is a fraction of 45 digits. */
TEST(note_rounds_long_numbers_up)
{
    static sc_output output;
    const scrim_cost cost =
        cost_of("1", "589565510736959039/618970019642690137449562112", "");
    scrim_certificate certificate = certificate_of(SCRIM_CERTIFICATE_RANGE);
    sc_output_init(&output, -1);
    sc_cost_write(&output, &cost);
    CHECK_STR(buffered(&output), "epsilon 1, delta 9.52495e-10");
    strcpy(certificate.radius, "1/1267650600228229401496703205376");
    sc_output_init(&output, -1);
    sc_certificate_write(&output, &certificate, "numbers");
    CHECK_STR(buffered(&output), "each value is within 7.88861e-31 of the truth, always");
}
