#include "base/memory.h"
#include "composition/calibration/noise_line.h"
#include "exact.h"
#include "mechanism/catalogue.h"

#include <string.h>

static scrim_status parse(const char *text, bool takes_delta, sc_noise_line *out,
                          scrim_error *error)
{
    sc_noise_line_init(out);
    return sc_noise_line_parse(text, takes_delta, out, error);
}

static void check_completed(const sc_noise_line *line, const char *value,
                            const char *delta, bool with_audit, const char *wanted)
{
    sc_ratio number, each;
    char *text = NULL;
    exact_ratio(value, &number);
    exact_ratio(delta == NULL ? "0" : delta, &each);
    if (CHECK_STATUS(sc_noise_line_complete(line, &number, delta == NULL ? NULL : &each,
                                            with_audit, &text, NULL),
                     SCRIM_OK))
        CHECK_STR(text, wanted);
    sc_free(text);
    sc_ratio_clear(&each);
    sc_ratio_clear(&number);
}

TEST(noise_line_is_completed)
{
    CLAIM("noise-line.whole");
    static const struct {
        const char *text, *open;
        bool grows, takes_delta, needs_delta;
        uint64_t values;
        const char *value, *delta, *whole, *ready;
    } list[] = {
        {"laplace sensitivity=3", "scale", true, false, false, 0, "1/3", NULL,
         "laplace sensitivity=3 scale=1/3", NULL},
        {" gaussian \t neighbours=replace size=4 ", "sigma", true, false, false, 4, "2.5",
         NULL, "gaussian neighbours=replace size=4 sigma=2.5", NULL},
        {"exponential candidates=10 monotone=yes", "epsilon", false, false, false, 10,
         "0.5", NULL, "exponential monotone=yes epsilon=0.5 candidates=10",
         "exponential monotone=yes epsilon=0.5"},
        {"truncated-laplace", "scale", true, false, true, 0, "2", "1e-6",
         "truncated-laplace scale=2 delta=0.000001", NULL},
        {"truncated-laplace bound=9", "scale", true, false, false, 0, "2", NULL,
         "truncated-laplace bound=9 scale=2", NULL},
        {"threshold-laplace delta=1e-9", "epsilon", false, true, false, 0, "1", NULL,
         "threshold-laplace delta=1e-9 epsilon=1", NULL},
        {"continuous-gaussian", "sigma", true, false, false, 0, "7", NULL,
         "continuous-gaussian sigma=7", NULL},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_noise_line line;
        if (CHECK_STATUS(parse(list[i].text, list[i].takes_delta, &line, NULL),
                         SCRIM_OK)) {
            CHECK_STR(line.open, list[i].open);
            CHECK(line.grows == list[i].grows);
            CHECK(line.needs_delta == list[i].needs_delta);
            CHECK_INT(line.values, list[i].values);
            check_completed(&line, list[i].value, list[i].delta, true, list[i].whole);
            check_completed(&line, list[i].value, list[i].delta, false,
                            list[i].ready == NULL ? list[i].whole : list[i].ready);
        }
        sc_noise_line_clear(&line);
    }
}

/* Targets for all releases may stand in the line. */
TEST(noise_line_takes_targets)
{
    sc_noise_line line;
    REQUIRE_OK(
        parse("gaussian epsilon=1/2 delta=1e-6 sensitivity=2", false, &line, NULL));
    sc_ratio half, two;
    exact_ratio("1/2", &half);
    exact_ratio("2", &two);
    CHECK(line.has_epsilon && line.has_delta);
    CHECK_INT(sc_ratio_compare(&line.epsilon, &half), 0);
    CHECK_INT(sc_ratio_compare(&line.sensitivity, &two), 0);
    CHECK_STR(line.fixed, "gaussian sensitivity=2");
    sc_ratio_clear(&two);
    sc_ratio_clear(&half);
    sc_noise_line_clear(&line);
}

TEST(noise_line_refuses_what_settles_it)
{
    static const struct {
        const char *text, *message;
        scrim_status status;
    } list[] = {
        {"", "name a mechanism", SCRIM_E_SYNTAX},
        {"laplcae", "did you mean 'laplace'", SCRIM_E_PARAM},
        {"laplace scale=1", "scale: leave it out; the result gives scale", SCRIM_E_PARAM},
        {"gaussian rho=1", "rho: leave it out; the result gives sigma", SCRIM_E_PARAM},
        {"randomised-response keep=3/4", "keep: leave it out", SCRIM_E_PARAM},
        {"generalised-sparse-vector", "its noise does not depend on a single parameter",
         SCRIM_E_PARAM},
        {"laplace epsilon=1 epsilon=2", "epsilon is given twice", SCRIM_E_PARAM},
        {"laplace epsilon=x", "epsilon: ", SCRIM_E_SYNTAX},
    };
    for (size_t i = 0; i < COUNT(list); i++) {
        sc_noise_line line;
        scrim_error error = {.message = ""};
        CHECK_STATUS(parse(list[i].text, false, &line, &error), list[i].status);
        if (strstr(error.message, list[i].message) == NULL)
            CHECK_STR(error.message, list[i].message);
        sc_noise_line_clear(&line);
    }
}

/* Every mechanism of the catalogue has an open parameter, but those whose noise is several. */
TEST(noise_line_knows_the_catalogue)
{
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++) {
        const char *name = sc_catalogue_at(i)->entry.name;
        sc_noise_line line;
        scrim_status status = parse(name, false, &line, NULL);
        bool is_several = strstr(name, "generalised") != NULL ||
                          strstr(name, "stagewise") != NULL ||
                          strcmp(name, "private-size-stlap") == 0;
        CHECK_STATUS(status, is_several ? SCRIM_E_PARAM : SCRIM_OK);
        sc_noise_line_clear(&line);
    }
}

typedef bool radius_of(const sc_ratio *beta, sc_ratio *out);

static void check_radius(radius_of *radius, const char *beta, const char *wanted)
{
    sc_ratio part, found, number, less, tolerance;
    exact_ratio(beta, &part);
    exact_ratio(wanted, &number); /* rounded down */
    exact_ratio("1e-13", &tolerance);
    sc_ratio_init(&found);
    sc_ratio_init(&less);
    CHECK(radius(&part, &found));
    sc_ratio_sub(&less, &found, &number);
    CHECK(sc_ratio_sign(&less) >= 0);
    sc_ratio_div(&less, &less, &number);
    CHECK(sc_ratio_compare(&less, &tolerance) < 0);
    sc_ratio_clear(&less);
    sc_ratio_clear(&found);
    sc_ratio_clear(&tolerance);
    sc_ratio_clear(&number);
    sc_ratio_clear(&part);
}

TEST(continuous_radius_is_the_quantile)
{
    CLAIM("continuous-radius.tail");
    check_radius(sc_continuous_laplace_radius, "0.05", "2.9957322735539909");
    check_radius(sc_continuous_laplace_radius, "1e-30", "69.077552789821370");
    check_radius(sc_continuous_gaussian_radius, "0.05", "1.9599639845400542");
    check_radius(sc_continuous_gaussian_radius, "0.5", "0.67448975019608174");
    check_radius(sc_continuous_gaussian_radius, "1e-20", "9.3360448492340600");
}
