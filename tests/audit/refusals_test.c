/* THREATS A23: what would make noise vanish is refused, for every mechanism, while there is no data
 * yet. The statuses are those of exit status 2. */
#include "audit/catalogue_lines.h"
#include "check.h"
#include "mechanism/catalogue.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>

static bool is_usage(scrim_status status)
{
    return (int)status / 10 == 2;
}

/* Parses "line key=value" without whatever the line said of that key. */
static scrim_status parse_with(const char *line, const char *key, const char *value,
                               scrim_error *error)
{
    char changed[LINE_BYTES + 256];
    sc_text_sink sink;
    sc_text rest = sc_text_of(line), word, name, old;
    sc_text_sink_init(&sink, changed, sizeof changed);
    while (sc_text_word(&rest, &word)) {
        if (sc_text_split(word, '=', &name, &old) && sc_text_is(name, key))
            continue;
        sc_text_put(&sink, word);
        sc_text_put(&sink, sc_text_of(" "));
    }
    sc_text_put(&sink, sc_text_of(key));
    sc_text_put(&sink, sc_text_of("="));
    sc_text_put(&sink, sc_text_of(value));
    scrim_measurement *m = NULL;
    scrim_status status = scrim_measurement_parse_model(changed, &m, error);
    scrim_measurement_free(m);
    return status;
}

static const line_family *family_of(const char *name)
{
    for (size_t i = 0; i < line_family_count; i++)
        if (strcmp(line_families[i].name, name) == 0)
            return &line_families[i];
    return NULL;
}

/* Numbers that are 0 nowhere: without them there is no noise, or nothing to hide. */
static const char *const never_zero[] = {"epsilon",
                                         "sensitivity",
                                         "scale",
                                         "sigma",
                                         "variance",
                                         "rho",
                                         "threshold-scale",
                                         "query-scale",
                                         "query-variance",
                                         "size",
                                         "count",
                                         "threshold-variance",
                                         "size-epsilon",
                                         "bar-epsilon",
                                         "k",
                                         "max-groups",
                                         "stage",
                                         "grid",
                                         "bound",
                                         "values",
                                         "candidates",
                                         "queries",
                                         "length",
                                         "stage-length"};
static const char *const no_numbers[] = {"nan", "inf", "-inf", "NaN", "0x1", "1e", "one"};

static bool is_never_zero(const char *name)
{
    for (size_t i = 0; i < sizeof never_zero / sizeof *never_zero; i++)
        if (strcmp(never_zero[i], name) == 0)
            return true;
    return false;
}

static void check_refused(const char *line, const char *key, const char *value)
{
    scrim_error error = {.message = ""};
    scrim_status status = parse_with(line, key, value, &error);
    if (!CHECK(is_usage(status)))
        CHECK_FAIL("%s with %s=%s: %s", line, key, value, scrim_status_name(status));
    CHECK(strlen(error.message) > 0);
}

TEST(mechanisms_refuse_what_would_make_noise_vanish)
{
    const sc_mechanism *mechanism;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++) {
        char line[LINE_BYTES];
        const line_family *family = family_of(mechanism->entry.name);
        REQUIRE(family != NULL);
        line_at(family, 0, line);
        bool has_any = false;
        for (size_t k = 0; k < mechanism->parameter_count; k++) {
            const sc_parameter_rule *parameter = &mechanism->parameters[k];
            if (parameter->kind == SC_PARAMETER_WORD) {
                check_refused(line, parameter->name, "perhaps");
                continue;
            }
            for (size_t n = 0; n < sizeof no_numbers / sizeof *no_numbers; n++)
                check_refused(line, parameter->name, no_numbers[n]);
            check_refused(line, parameter->name, "1e999999999");
            if (is_never_zero(parameter->name)) {
                check_refused(line, parameter->name, "0");
                check_refused(line, parameter->name, "-1");
                has_any = true;
            }
            if (strcmp(parameter->name, "delta") == 0 ||
                strcmp(parameter->name, "keep") == 0) {
                check_refused(line, parameter->name, "1");
                check_refused(line, parameter->name, "2");
                check_refused(line, parameter->name, "-1e-9");
            }
        }
        CHECK(has_any);
    }
}

/* Ranges without an inside, or with one end. */
TEST(mechanisms_refuse_ranges_that_are_none)
{
    const char *const ranges[] = {"lower=5 upper=5",   "lower=1 upper=0",
                                  "lower=nan upper=1", "lower=0 upper=inf",
                                  "lower=0.5 upper=2", "lower= upper=1"};
    const char *const lines[] = {
        "laplace epsilon=1 sensitivity=1 neighbours=add-remove",
        "truncated-laplace epsilon=1 bound=9 sensitivity=1 neighbours=add-remove",
        "exponential epsilon=1 sensitivity=1 neighbours=add-remove",
        "permute-and-flip epsilon=1 sensitivity=1 neighbours=add-remove",
        "noisy-max epsilon=1 sensitivity=1 neighbours=add-remove",
        "top-k k=1 epsilon=1 sensitivity=1 neighbours=add-remove",
        "base2-exponential epsilon=2 sensitivity=1 neighbours=add-remove"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
            char line[256];
            scrim_measurement *m = NULL;
            (void)snprintf(line, sizeof line, "%s %s", lines[i], ranges[k]);
            scrim_status status = scrim_measurement_parse(line, &m, NULL);
            if (!CHECK(is_usage(status)))
                CHECK_FAIL("%s: %s", line, scrim_status_name(status));
            CHECK(m == NULL);
        }
}

/* For data everything is said: the relation, the sensitivity, the threshold. */
TEST(measurements_for_data_want_everything_said)
{
    const sc_mechanism *mechanism;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++)
        for (size_t k = 0; k < mechanism->parameter_count; k++) {
            static const char *const wanted[] = {"neighbours", "sensitivity",
                                                 "threshold"};
            const char *name = mechanism->parameters[k].name;
            for (size_t n = 0; n < 3; n++) {
                if (strcmp(name, wanted[n]) != 0)
                    continue;
                /* Alone missing: the message names it. */
                char line[256];
                scrim_error error = {.message = ""};
                scrim_measurement *m = NULL;
                (void)snprintf(line, sizeof line, "%s%s%s%s", mechanism->entry.name,
                               n == 0 ? "" : " neighbours=replace",
                               n == 1 || strcmp(mechanism->entry.input, "values") == 0
                                   ? ""
                                   : " sensitivity=1",
                               n == 2 || strcmp(mechanism->entry.input, "queries") != 0
                                   ? ""
                                   : " threshold=0");
                CHECK(is_usage(scrim_measurement_parse(line, &m, &error)));
                CHECK(m == NULL);
            }
        }
}
