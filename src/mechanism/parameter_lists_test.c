/* A list of parameters and a line are two ways to say the same, for every mechanism. */
#include "check.h"
#include "mechanism/catalogue.h"
#include "scrim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All of the catalogue, with all parameters of a release; in canonical form. */
static const char *const lines[] = {
    "laplace sensitivity=1 epsilon=0.1 grid=0.5 lower=-2 upper=3 size=4 "
    "neighbours=replace",
    "laplace sensitivity=1 scale=3 neighbours=add-remove",
    "gaussian sensitivity=1 epsilon=1 delta=0.001 grid=0.5 size=3 neighbours=replace",
    "gaussian sensitivity=1 rho=0.5 neighbours=replace",
    "gaussian sensitivity=1 sigma=2 neighbours=replace",
    "gaussian sensitivity=1 variance=5 neighbours=replace",
    "truncated-laplace sensitivity=1 epsilon=1 bound=20 grid=0.5 lower=0 upper=9 size=2 "
    "neighbours=replace",
    "truncated-laplace sensitivity=1 scale=1 delta=0.001 neighbours=replace",
    "randomised-query places=0,50,1,90 masses=0.9,0.1,0.9,0.1 sizes=2,2 pairs=0,1 "
    "epsilon=1 theta=0.1 neighbours=replace",
    "robust-laplace rho=2 epsilon=0.5 theta=0.1 grid=0.5 neighbours=replace",
    "counter steps=100 sensitivity=2 epsilon=1 delta=0.001 neighbours=replace",
    "counter steps=100 sensitivity=2 rho=0.5 neighbours=add-remove",
    "linear-queries bins=2 coefficients=0.5,1 max-rows=3 grid=0.5 epsilon=1 delta=0.001 "
    "neighbours=replace",
    "linear-queries bins=5 workload=ranges rho=0.5 neighbours=add-remove",
    "marginals tables=2,3,7 max-rows=3 rho=0.5 neighbours=replace",
    "smalldb epsilon=1 bins=2 coefficients=0.5,1 rows=3 max-rows=2 max-count=9 "
    "grid=0.5 neighbours=replace",
    "smalldb epsilon=1 bins=3 workload=prefix alpha=0.5 neighbours=add-remove",
    "mwem epsilon=1 bins=2 coefficients=0.5,1 total=90 max-rows=2 max-count=9 grid=0.5 "
    "rounds=3 neighbours=replace",
    "mwem epsilon=1 bins=3 workload=prefix total=9 rounds=1 neighbours=add-remove",
    "online-weights epsilon=1 bins=2 coefficients=0.5,1 total=90 max-rows=2 max-count=9 "
    "grid=0.5 threshold=3 updates=2 neighbours=replace",
    "online-weights epsilon=1 bins=3 workload=prefix total=9 threshold=1 updates=1 "
    "neighbours=add-remove",
    "linear-queries bins=4 workload=marginals columns=2,2 ways=1 rho=0.5 "
    "neighbours=replace",
    "smalldb epsilon=1 bins=4 workload=marginals columns=2,2 ways=1 rows=3 "
    "neighbours=replace",
    "mwem epsilon=1 bins=4 workload=marginals columns=2,2 ways=1 total=9 rounds=1 "
    "neighbours=replace",
    "online-weights epsilon=1 bins=4 workload=marginals columns=2,2 ways=1 total=9 "
    "threshold=1 updates=1 neighbours=replace",
    "marginals tables=1 epsilon=0.5 delta=0.001 neighbours=add-remove",
    "exponential epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
    "neighbours=add-remove",
    "permute-and-flip epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
    "neighbours=add-remove",
    "one-sided-noisy-max epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
    "neighbours=add-remove",
    "base2-exponential epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
    "neighbours=add-remove",
    "noisy-max epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
    "noise=geometric neighbours=add-remove",
    "top-k epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 k=3 "
    "method=exponential neighbours=add-remove",
    "quantile p=0.25,0.5 epsilon=1 lower=0 upper=10 grid=0.1 max-rows=2 form=split "
    "neighbours=replace",
    "body q=0.9 epsilon=1 delta=0.001 dimensions=2 lower=0 upper=10 grid=0.1 cells=1024 "
    "directions=frames count=8 seed=5 max-rows=2 neighbours=replace",
    "body q=0.9 epsilon=1 dimensions=2 lower=0 upper=10 directions=given "
    "vectors=0.6,0.8,-0.6,-0.8 neighbours=add-remove",
    "depth-median epsilon=1 expected=900 dimensions=2 lower=0 upper=10 grid=0.1 "
    "points=64 "
    "levels=20 level-rows=3 directions=equiangular count=8 max-rows=2 neighbours=replace",
    "depth-median epsilon=1 expected=9 lower=0 upper=10 directions=given vectors=1,-1 "
    "neighbours=add-remove",
    "depth-median epsilon=1 expected=9 dimensions=2 lower=0 upper=10 seed=3 "
    "neighbours=add-remove",
    "body-depth epsilon=1 centre=2,3.5 dimensions=2 lower=0 upper=10 grid=0.5 "
    "directions=frames "
    "count=8 seed=5 max-rows=2 neighbours=replace",
    "body-depth epsilon=1 centre=2 lower=0 upper=10 directions=given vectors=1,-1 "
    "neighbours=replace",
    "body-extension q=0.75 epsilon=1 lower=0 upper=10 grid=0.1 spacing=0.3 reach=4 "
    "clip=5 "
    "neighbours=replace",
    "randomised-response epsilon=1 neighbours=local",
    "randomised-response keep=0.75 values=5 neighbours=local",
    "above-threshold epsilon=1 sensitivity=2 threshold=-5 monotone=yes "
    "neighbours=add-remove",
    "sparse-vector epsilon=1 sensitivity=2 threshold=5 count=3 form=b numeric=yes "
    "delta=0.001 monotone=yes neighbours=add-remove",
    "guess-and-check epsilon=1 sensitivity=2 threshold=5 count=3 guesses=4,-5 "
    "neighbours=replace",
    "generalised-sparse-vector sensitivity=1 threshold=5 threshold-scale=2 query-scale=4 "
    "count=3 length=10 resample=yes nonnegative=yes delta=0.001 neighbours=replace",
    "generalised-sparse-vector sensitivity=1 threshold=5 threshold-variance=20 "
    "query-variance=40 length=10 neighbours=replace",
    "stagewise-sparse-vector sensitivity=1 threshold=5 threshold-scale=2 query-scale=4 "
    "count=3 stage=2 stage-length=10 resample=yes nonnegative=yes delta=0.001 "
    "neighbours=replace",
    "stagewise-sparse-vector sensitivity=1 threshold=5 threshold-variance=20 "
    "query-variance=40 count=3 stage=3 stage-length=10 neighbours=replace",
    "partition-selection epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
    "partition-selection epsilon=0.5 delta=0.001 neighbours=add-remove",
    "range sensitivity=0.5 epsilon=1 width=9 grid=0.25 size=2 neighbours=replace",
    "range sensitivity=1 epsilon=1 delta=0.001 neighbours=add-remove",
    "threshold-weighted epsilon=1 delta=0.001 grid=0.25 max-groups=3 "
    "neighbours=add-remove",
    "threshold-truncated epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
    "stabilise sensitivity=4 epsilon=1 delta=0.001 max-groups=3 largest=2 "
    "neighbours=replace",
    "threshold-laplace epsilon=1 delta=0.001 max-rows=2 neighbours=replace",
    "threshold-laplace epsilon=1 delta=0.001 max-total=5 neighbours=replace",
    "threshold-laplace epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
    "threshold-laplace epsilon=1 threshold=20 neighbours=replace",
    "threshold-gaussian epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
    "interval-counts epsilon=1 cells=9 lower=-1 upper=3 neighbours=replace",
    "interval-counts epsilon=1 cells=9 circle=yes neighbours=add-remove",
    "interval-counts epsilon=1 cells=9 upper=3 dimensions=3 neighbours=replace",
    "item-sets epsilon=1 delta=0.001 length=9 items=4 size=2 max-rows=3 noise=laplace "
    "neighbours=replace",
    "frequent-sets epsilon=1 delta=0.001 length=9 items=4 size=5 frequent=30 max-rows=3 "
    "neighbours=replace",
    "bucket-histogram epsilon=1 delta=0.001 lower=-1 upper=3 beta=0.1 dimensions=2 "
    "norm=max labelled=yes outside=discard group=3 sampler=table mode=dense "
    "neighbours=replace",
    "bucket-histogram epsilon=1 q=9 upper=3 beta=0.1 neighbours=add-remove",
    "bucket-histogram epsilon=1 alpha=0.5 elements=1000 upper=3 beta=0.5 "
    "neighbours=replace",
    "stlap epsilon=1 q=27 group=3 mode=sparse neighbours=replace",
    "stlap epsilon=0.5 delta=0.001 sampler=table neighbours=add-remove",
    "rounded-stlap q=5 epsilon=0.25 neighbours=add-remove",
    "private-size-stlap size-epsilon=1 size-delta=0.001 bar-epsilon=2 bar-delta=0.01 "
    "tau=0.25 neighbours=add-remove",
    "emptiness epsilon=1 certain=5 neighbours=replace",
    "point-first epsilon=1 max-rows=3 weight=5 neighbours=replace",
    "point-first rho=0.5 neighbours=add-remove",
    "sum-first epsilon=1 delta=0.001 max-rows=3 weight=5 neighbours=replace",
    "sum-first rho=0.5 neighbours=add-remove",
    "hierarchy fan-outs=3,2 shares=0.5,0.25,0.25 epsilon=1 delta=0.001 max-rows=3 "
    "weight=5 neighbours=replace",
    "hierarchy fan-outs=4 rho=0.5 neighbours=add-remove",
    "laplace sensitivity=1 epsilon=1 whole=yes neighbours=replace",
    "gaussian sensitivity=1 sigma=2 whole=yes neighbours=replace",
    "truncated-laplace sensitivity=1 scale=1 delta=0.001 whole=yes neighbours=replace",
    "range sensitivity=1 epsilon=1 delta=0.001 whole=yes neighbours=replace",
    "threshold-weighted epsilon=1 delta=0.001 grid=0.25 max-groups=3 whole=yes "
    "neighbours=add-remove",
    "stabilise sensitivity=4 epsilon=1 delta=0.001 max-groups=3 largest=2 whole=yes "
    "neighbours=replace",
    "stabilise sensitivity=4 epsilon=1 threshold=20 neighbours=replace",
    "threshold-laplace epsilon=1 delta=0.001 max-total=5 whole=yes neighbours=replace",
};

#define LINES (sizeof lines / sizeof *lines)
#define PAIRS 16

/* "NAME key=value ..." taken apart, the last parameter first. */
typedef struct taken_apart {
    char text[256];
    const char *name;
    scrim_parameter list[PAIRS];
    size_t count;
} taken_apart;

static void take_apart(const char *line, taken_apart *out)
{
    char *rest = NULL;
    scrim_parameter pairs[PAIRS];
    snprintf(out->text, sizeof out->text, "%s", line);
    out->name = strtok_r(out->text, " ", &rest);
    out->count = 0;
    for (char *key; out->count < PAIRS && (key = strtok_r(NULL, " ", &rest)) != NULL;) {
        char *value = strchr(key, '=');
        *value = '\0';
        pairs[out->count++] = (scrim_parameter){key, value + 1};
    }
    for (size_t i = 0; i < out->count; i++)
        out->list[i] = pairs[out->count - 1 - i];
}

SLOW_TEST(parameter_lists_say_what_lines_say)
{
    for (size_t i = 0; i < LINES; i++) {
        scrim_measurement *made = NULL, *parsed = NULL;
        scrim_error error = {.message = ""};
        taken_apart line = {.count = 0};
        take_apart(lines[i], &line);
        if (scrim_measurement_new(line.name, line.list, line.count, &made, &error) !=
            SCRIM_OK)
            CHECK_FAIL("%s: %s", lines[i], error.message);
        else
            CHECK_STR(scrim_measurement_text(made), lines[i]);
        if (CHECK_STATUS(scrim_measurement_parse(lines[i], &parsed, NULL), SCRIM_OK))
            CHECK_STR(scrim_measurement_text(parsed), lines[i]);
        scrim_measurement_free(parsed);
        scrim_measurement_free(made);
    }
}

/* Makes a measurement again from the values that it was given. */
static scrim_status make_again(const scrim_measurement *m, scrim_measurement **out)
{
    sc_argument list[SC_PARAMETERS_MAX];
    const sc_parameters *own = &m->parameters;
    for (size_t i = 0; i < own->count; i++) {
        const sc_parameter_rule *parameter = &own->list[i];
        list[i] = (sc_argument){.name = parameter->name};
        if (own->given[i] && parameter->kind == SC_PARAMETER_WORD)
            list[i].word = parameter->words[sc_parameters_word(own, parameter->name, 0)];
        else if (own->given[i] && parameter->kind == SC_PARAMETER_RATIONALS)
            list[i].values = sc_parameters_items(own, parameter->name, &list[i].count);
        else if (own->given[i])
            list[i].values = &own->value[i];
    }
    return sc_measurement_of(m->mechanism, list, own->count, out, NULL);
}

SLOW_TEST(parameter_values_say_what_lines_say)
{
    for (size_t i = 0; i < LINES; i++) {
        scrim_measurement *parsed = NULL, *again = NULL;
        REQUIRE_OK(scrim_measurement_parse(lines[i], &parsed, NULL));
        if (CHECK_STATUS(make_again(parsed, &again), SCRIM_OK)) {
            scrim_cost a, b;
            CHECK_STR(scrim_measurement_text(again), lines[i]);
            REQUIRE_OK(scrim_measurement_cost(parsed, &a, NULL));
            REQUIRE_OK(scrim_measurement_cost(again, &b, NULL));
            CHECK_STR(a.epsilon, b.epsilon);
            CHECK_STR(a.delta, b.delta);
            CHECK_STR(a.rho, b.rho);
            CHECK_INT(a.neighbours, b.neighbours);
        }
        scrim_measurement_free(again);
        scrim_measurement_free(parsed);
    }
}

/* Does some line give this parameter to this mechanism? */
static bool is_given(const char *mechanism, const char *name)
{
    for (size_t i = 0; i < LINES; i++) {
        taken_apart line = {.count = 0};
        take_apart(lines[i], &line);
        for (size_t j = 0; strcmp(line.name, mechanism) == 0 && j < line.count; j++)
            if (strcmp(line.list[j].name, name) == 0)
                return true;
    }
    return false;
}

TEST(parameter_lists_have_every_parameter_of_a_mechanism)
{
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++) {
        const sc_mechanism *m = sc_catalogue_at(i);
        if (!is_given(m->entry.name, "neighbours"))
            continue; /* of which there is no line above */
        for (size_t j = 0; j < m->parameter_count - m->audit_count; j++)
            if (!CHECK(is_given(m->entry.name, m->parameters[j].name)))
                CHECK_FAIL("%s: no list has %s", m->entry.name, m->parameters[j].name);
    }
}

TEST(parameter_lists_that_leave_out_what_is_required_are_refused)
{
    scrim_measurement *made = NULL;
    for (size_t i = 0; scrim_mechanism_at(i) != NULL; i++) {
        const char *name = scrim_mechanism_at(i)->name;
        CHECK_STATUS(scrim_measurement_new(name, NULL, 0, &made, NULL), SCRIM_E_PARAM);
        CHECK_STATUS(scrim_measurement_new(
                         name, SCRIM_PARAMETERS({"neighbours", "replace"}), &made, NULL),
                     SCRIM_E_PARAM);
    }
    CHECK_STATUS(scrim_measurement_new(NULL, NULL, 0, &made, NULL), SCRIM_E_PARAM);
    CHECK_STATUS(scrim_measurement_new("laplace epsilon=1", NULL, 0, &made, NULL),
                 SCRIM_E_PARAM);
    CHECK(made == NULL);
}

/* A whole file, terminated; NULL if it cannot be opened. */
static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = file != NULL ? calloc(1, 65536) : NULL;
    if (text != NULL && fread(text, 1, 65535, file) == 0)
        text[0] = '\0';
    if (file != NULL)
        (void)fclose(file);
    return text;
}

/* The header explains every one of them by name. */
TEST(parameter_lists_are_explained_by_the_header)
{
    char *header = read_file("include/scrim/measurement.h");
    const char *begin =
                   header != NULL ? strstr(header, "/* A parameter by its name") : NULL,
               *end = begin != NULL ? strstr(begin, "*/") : NULL;
    REQUIRE(end != NULL);
    header[end - header] = '\0';
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++)
        for (size_t j = 0; j < sc_catalogue_at(i)->parameter_count; j++) {
            const char *name = sc_catalogue_at(i)->parameters[j].name;
            const size_t bytes = strlen(name);
            const char *at = begin;
            while ((at = strstr(at, name)) != NULL &&
                   !(at[-1] == ' ' && strchr(" ,=\n", at[bytes]) != NULL))
                at++;
            if (at == NULL)
                CHECK_FAIL("include/scrim/measurement.h does not explain %s", name);
        }
    free(header);
}
