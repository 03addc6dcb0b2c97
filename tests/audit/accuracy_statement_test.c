/* Accuracy statements of the catalogue against the exact law, line by line: for one value the radius holds as
 * often as it says, and is at most half as wide again as the exact quantile. Here are the mechanisms that
 * add noise to a number, whose law lists the number that is shown; a robust one around another mechanism
 * adds up the radii of both, and is left out unless that is Laplace noise without ends. Statements about scores are
 * compared in the tests of selection (choices_check_accuracy), those about queries in sparse_accuracy_test,
 * and those about reports in local_mechanism_test and randomised_response_test. */
#include "audit/catalogue_lines.h"
#include "choices.h"
#include "model/certificate.h"
#include "model/mechanism.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BETA 0.05
#define WORST 1.5

typedef struct noise_tail {
    double at[4096]; /* mass at each distance from the truth; beyond the last: rest */
    double rest;
} noise_tail;

static bool tail_of(const scrim_measurement *m, noise_tail *out)
{
    sc_pair pair = {.x_count = 0};
    sc_outcomes law;
    m->mechanism->pair(m, 0, &pair);
    if (pair.x_count != 1)
        return false;
    sc_outcomes_init(&law, m->mechanism->width(m, 1));
    const sc_private_input input = {.values = pair.x, .count = 1};
    bool is_known =
        law.width == 1 && m->mechanism->law(m, &input, 128, &law, NULL) == SCRIM_OK;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < law.count && is_known; i++) {
        const int64_t apart = llabs(law.keys[i] - pair.x[0]);
        const double mass = sc_ball_upper(&law.mass[i]);
        if (law.keys[i] == SC_OUTCOMES_NO_NUMBER)
            is_known = false;
        else if (apart < 4096)
            out->at[apart] += mass;
        else
            out->rest += mass;
    }
    out->rest += sc_ball_upper(&law.rest);
    sc_outcomes_clear(&law);
    return is_known;
}

/* P(distance > r), and the least r for which that is at most BETA. */
static double beyond(const noise_tail *t, int64_t r)
{
    double sum = t->rest;
    for (int64_t i = 4095; i > r; i--)
        sum += t->at[i];
    return sum;
}

static int64_t quantile_of(const noise_tail *t)
{
    int64_t r = 0;
    while (r < 4095 && beyond(t, r) > BETA)
        r++;
    return r;
}

static bool adds_noise(const char *line)
{
    static const char *const names[] = {"laplace ",           "gaussian ",
                                        "truncated-laplace ", "laplace-share ",
                                        "gaussian-share ",    "robust-laplace "};
    if (strncmp(line, "robust ", 7) == 0)
        return strstr(line, " of laplace ") != NULL && strstr(line, " lower=") == NULL;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strncmp(line, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static bool check_line(const char *line)
{
    static noise_tail tail;
    scrim_measurement *m = NULL;
    scrim_certificate found = {.form = SCRIM_CERTIFICATE_NONE};
    bool is_checked = false;
    if (strstr(line, "grid=") != NULL || !adds_noise(line) ||
        scrim_measurement_parse_model(line, &m, NULL) != SCRIM_OK)
        return false;
    if (m->mechanism->law != NULL && m->mechanism->pair != NULL &&
        scrim_measurement_certify(m, "0.95", 1, &found, NULL) == SCRIM_OK &&
        (found.form == SCRIM_CERTIFICATE_INTERVAL ||
         found.form == SCRIM_CERTIFICATE_RANGE) &&
        tail_of(m, &tail)) {
        const double radius = strtod(found.radius, NULL);
        const int64_t quantile = quantile_of(&tail), whole = (int64_t)floor(radius);
        const bool is_hard = found.form == SCRIM_CERTIFICATE_RANGE;
        if (!CHECK(beyond(&tail, whole) <= (is_hard ? 1e-18 : BETA) * (1 + 1e-9)) ||
            !CHECK(is_hard || radius <= WORST * (double)quantile ||
                   radius <= (double)quantile + 1))
            check_fail(__FILE__, __LINE__,
                       "%s: radius %s, exact quantile %lld, %g beyond", line,
                       found.radius, (long long)quantile, beyond(&tail, whole));
        is_checked = true;
    }
    scrim_measurement_free(m);
    return is_checked;
}

SLOW_TEST(accuracy_of_one_value_is_that_of_its_law)
{
    size_t lines = 0, mechanisms = 0;
    const char *last = "";
    for (size_t f = 0; f < line_family_count; f++) {
        const line_family *family = &line_families[f];
        const size_t all = line_count(family),
                     step = check_is_long() || all < 7 ? 1 : all / 7;
        bool is_any = false;
        for (size_t i = 0; i < all; i += step) {
            char line[LINE_BYTES];
            line_at(family, i, line);
            const bool is_checked = check_line(line);
            lines += is_checked;
            is_any = is_any || is_checked;
        }
        mechanisms += is_any && strcmp(last, family->name) != 0;
        last = is_any ? family->name : last;
    }
    CHECK(lines >= 60);
    CHECK(mechanisms >= 6);
}
