#include "check.h"
#include "exact.h"
#include "mechanism/threshold/hard_range.h"
#include "query/estimate/range_choice.h"
#include "scrim/threshold.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct setting {
    const char *sensitivity, *epsilon, *delta;
} setting;

static const setting settings[] = {
    {"1", "1", "1e-6"},       {"1", "1/1000", "1e-6"}, {"3", "1/10", "1e-4"},
    {"120", "1/20", "1/200"}, {"1", "1/10", "1/100"},  {"7", "1/100", "1e-5"},
    {"1", "1/1000", "1e-4"},  {"1", "5", "1e-9"},      {"1", "1/30", "1/2000"},
};

static scrim_measurement *choose(const setting *s, scrim_neighbours neighbours)
{
    sc_ratio sensitivity, epsilon, delta;
    scrim_measurement *m = NULL;
    exact_ratio(s->sensitivity, &sensitivity);
    exact_ratio(s->epsilon, &epsilon);
    exact_ratio(s->delta, &delta);
    CHECK_STATUS(sc_range_choose(&sensitivity, &epsilon, &delta, neighbours, &m, NULL),
                 SCRIM_OK);
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&sensitivity);
    return m;
}

/* The half-widths by their formulas, in doubles: x^(L-D+1) (1 - e^-epsilon) / (1+x) <= delta, and
 * for noise that is cut the same over 1 - 2 x^(B+1)/(1+x). */
static double width_of(double d, double epsilon, double delta, bool is_cut)
{
    const double x = exp(-epsilon / d);
    double width = d;
    for (;; width++) {
        const double all = is_cut ? 1 - 2 * pow(x, width + 1) / (1 + x) : 1;
        if (pow(x, width - d + 1) * -expm1(-epsilon) / (1 + x) / all <= delta)
            return width;
    }
}

static double number_of(const char *text)
{
    double a = 0, b = 1;
    (void)sscanf(text, "%lf/%lf", &a, &b);
    return a / b;
}

TEST(range_choice_is_the_narrower_one)
{
    CLAIM("range-choice.narrower");
    unsigned by_range = 0;
    for (size_t i = 0; i < COUNT(settings); i++) {
        const setting *s = &settings[i];
        const double d = number_of(s->sensitivity), epsilon = number_of(s->epsilon),
                     delta = number_of(s->delta), x = exp(-epsilon / d);
        const double cut = width_of(d, epsilon, delta, true),
                     range = width_of(d, epsilon, delta, false),
                     none = 2 * pow(x, range + 1) / (1 + x);
        const bool wants_range = range < cut && none <= 0.05;
        scrim_measurement *m = choose(s, i % 2 == 0 ? SCRIM_ADD_REMOVE : SCRIM_REPLACE);
        sc_int128 bound = 0;
        REQUIRE(m != NULL && sc_range_bound(m, &bound));
        CHECK(range <= cut);
        CHECK_INT(bound, (sc_int128)(wants_range ? range : cut));
        CHECK_INT(sc_range_may_be_none(m), wants_range);
        CHECK_INT(m->mechanism == &sc_hard_range, wants_range);
        /* whichever it is, it costs the same */
        CHECK_NEAR(number_of(s->epsilon), epsilon, 0);
        CHECK(strstr(scrim_measurement_text(m), "delta=") != NULL);
        by_range += wants_range;
        scrim_measurement_free(m);
    }
    CHECK(by_range > 1 && by_range + 1 < COUNT(settings));
}

TEST(range_choice_in_words)
{
    CLAIM("range-choice.narrower");
    static const setting narrow = {"1", "1/1000", "1e-6"}, wide = {"1", "1", "1e-6"};
    char text[SC_RANGE_TEXT_BYTES], want[SC_RANGE_TEXT_BYTES];
    scrim_measurement *m = choose(&narrow, SCRIM_ADD_REMOVE);
    double none = 0;
    REQUIRE_OK(scrim_range_none_upper(m, 1, &none, NULL));
    sc_range_put(m, text);
    snprintf(want, sizeof want,
             "within %.0f steps always, or no range with probability %.3g; %.0f by "
             "truncated-laplace",
             width_of(1, 1e-3, 1e-6, false), ceil(none * 1e5) / 1e5,
             width_of(1, 1e-3, 1e-6, true));
    CHECK_STR(text, want);
    scrim_measurement_free(m);
    m = choose(&wide, SCRIM_ADD_REMOVE);
    sc_range_put(m, text);
    CHECK_STR(text, "within 14 steps always; 14 by range");
    scrim_measurement_free(m);
    m = NULL;
    REQUIRE_OK(scrim_measurement_parse("laplace epsilon=1 sensitivity=1 "
                                       "neighbours=add-remove",
                                       &m, NULL));
    sc_range_put(m, text);
    CHECK_STR(text, "");
    sc_int128 bound = 7;
    CHECK(!sc_range_bound(m, &bound));
    CHECK_INT(bound, 7);
    scrim_measurement_free(m);
}

TEST(range_choice_beyond_the_limits)
{
    CLAIM("range-choice.narrower");
    sc_ratio sensitivity, epsilon, delta;
    scrim_measurement *m = NULL;
    scrim_error error = {.message = ""};
    exact_ratio("1e19", &sensitivity);
    exact_ratio("1/1000000", &epsilon);
    exact_ratio("1e-9", &delta);
    CHECK_STATUS(
        sc_range_choose(&sensitivity, &epsilon, &delta, SCRIM_ADD_REMOVE, &m, &error),
        SCRIM_E_LIMIT);
    CHECK(m == NULL && error.message[0] != '\0');
    sc_ratio_clear(&delta);
    sc_ratio_clear(&epsilon);
    sc_ratio_clear(&sensitivity);
}
