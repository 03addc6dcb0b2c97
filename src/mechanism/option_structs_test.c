/* Options structs and lines are two ways to say the same, for every mechanism. */
#include "check.h"
#include "mechanism/catalogue.h"
#include "scrim.h"

#include <string.h>

/* Lines that some struct said too, by what they begin with. */
static const char *told[64];
static size_t told_count;

/* What a struct made is what the line makes, and the line is told in its canonical form. */
static void check_same(scrim_status status, scrim_measurement *made, const char *line,
                       const scrim_error *error)
{
    scrim_measurement *parsed = NULL;
    if (status != SCRIM_OK)
        CHECK_FAIL("%s: %s", line, error->message);
    else if (CHECK_STATUS(scrim_measurement_parse(line, &parsed, NULL), SCRIM_OK)) {
        CHECK_STR(scrim_measurement_text(made), line);
        CHECK_STR(scrim_measurement_text(parsed), line);
        told[told_count++] = line;
    }
    scrim_measurement_free(parsed);
    scrim_measurement_free(made);
}

#define SAME(name, line, ...)                                                            \
    do {                                                                                 \
        scrim_measurement *made = NULL;                                                  \
        scrim_error error;                                                               \
        scrim_status status = scrim_##name##_new(                                        \
            SCRIM_OPTIONS(scrim_##name##_options, __VA_ARGS__), &made, &error);          \
        check_same(status, made, line, &error);                                          \
    } while (0)

/* No struct, one of zeros, one that says nothing but its size; and words that are none. */
#define REFUSED(name)                                                                    \
    do {                                                                                 \
        const scrim_##name##_options zeros = {0};                                        \
        scrim_measurement *made = NULL;                                                  \
        CHECK_STATUS(scrim_##name##_new(NULL, &made, NULL), SCRIM_E_PARAM);              \
        CHECK_STATUS(scrim_##name##_new(&zeros, &made, NULL), SCRIM_E_PARAM);            \
        CHECK_STATUS(scrim_##name##_new(&(scrim_##name##_options){.size = sizeof zeros}, \
                                        &made, NULL),                                    \
                     SCRIM_E_PARAM);                                                     \
        CHECK_STATUS(scrim_##name##_new(SCRIM_OPTIONS(scrim_##name##_options,            \
                                                      .neighbours = SCRIM_REPLACE),      \
                                        &made, NULL),                                    \
                     SCRIM_E_PARAM);                                                     \
        CHECK(made == NULL);                                                             \
    } while (0)

TEST(option_structs_of_zeros_are_refused)
{
    CLAIM("options.grow");
    REFUSED(laplace);
    REFUSED(gaussian);
    REFUSED(truncated_laplace);
    REFUSED(robust_laplace);
    REFUSED(exponential);
    REFUSED(permute_and_flip);
    REFUSED(one_sided_noisy_max);
    REFUSED(noisy_max);
    REFUSED(base2_exponential);
    REFUSED(top_k);
    REFUSED(quantile);
    REFUSED(randomised_response);
    REFUSED(above_threshold);
    REFUSED(sparse_vector);
    REFUSED(generalised_sparse_vector);
    REFUSED(stagewise_sparse_vector);
    REFUSED(partition_selection);
    REFUSED(range);
    REFUSED(threshold_truncated);
    REFUSED(threshold_weighted);
    REFUSED(stabilise);
    REFUSED(threshold_laplace);
    REFUSED(threshold_gaussian);
    REFUSED(stlap);
    REFUSED(bucket_histogram);
    REFUSED(private_size_stlap);
    REFUSED(emptiness);
}

static void say_noise(void)
{
    SAME(laplace,
         "laplace sensitivity=1 epsilon=0.1 grid=0.5 lower=-2 upper=3 size=4 "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .epsilon = "1/10",
         .grid = "2^-1", .lower = "-2", .upper = "3", .values = "4");
    SAME(laplace, "laplace sensitivity=1 scale=3 neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .sensitivity = "1", .scale = "3");
    SAME(gaussian,
         "gaussian sensitivity=1 epsilon=1 delta=0.001 grid=0.5 size=3 "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .epsilon = "1",
         .delta = "1/1000", .grid = "1/2", .values = "3");
    SAME(gaussian, "gaussian sensitivity=1 rho=0.5 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .rho = "1/2");
    SAME(gaussian, "gaussian sensitivity=1 sigma=2 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .sigma = "2");
    SAME(gaussian, "gaussian sensitivity=1 variance=5 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .variance = "5");
    SAME(truncated_laplace,
         "truncated-laplace sensitivity=1 epsilon=1 bound=20 grid=0.5 lower=0 upper=9 "
         "size=2 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .epsilon = "1", .bound = "20",
         .grid = "0.5", .lower = "0", .upper = "9", .values = "2");
    SAME(truncated_laplace,
         "truncated-laplace sensitivity=1 scale=1 delta=0.001 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .scale = "1", .delta = "0.001");
    SAME(robust_laplace,
         "robust-laplace rho=2 epsilon=0.5 theta=0.1 grid=0.5 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .rho = "2", .epsilon = "1/2", .theta = "1/10",
         .grid = "0.5");
}

#define SCORES                                                                           \
    "epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "                   \
    "neighbours=add-remove"
#define SCORES_MEMBERS                                                                   \
    .neighbours = SCRIM_ADD_REMOVE, .epsilon = "100/2", .sensitivity = "2",              \
    .monotone = "yes", .grid = "0.1", .lower = "-1", .upper = "7"

static void say_selection(void)
{
    SAME(exponential, "exponential " SCORES, SCORES_MEMBERS);
    SAME(permute_and_flip, "permute-and-flip " SCORES, SCORES_MEMBERS);
    SAME(one_sided_noisy_max, "one-sided-noisy-max " SCORES, SCORES_MEMBERS);
    SAME(base2_exponential, "base2-exponential " SCORES, SCORES_MEMBERS);
    SAME(noisy_max,
         "noisy-max epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 "
         "noise=geometric neighbours=add-remove",
         SCORES_MEMBERS, .noise = "geometric");
    SAME(top_k,
         "top-k epsilon=50 sensitivity=2 monotone=yes grid=0.1 lower=-1 upper=7 k=3 "
         "method=exponential neighbours=add-remove",
         SCORES_MEMBERS, .k = "3", .method = "exponential");
    SAME(quantile,
         "quantile p=0.25,0.5 epsilon=1 lower=0 upper=10 grid=0.1 max-rows=2 form=split "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .p = "1/4,1/2", .epsilon = "1", .lower = "0",
         .upper = "10", .grid = "0.1", .max_rows = "2", .form = "split");
    SAME(randomised_response, "randomised-response epsilon=1 neighbours=local",
         .neighbours = SCRIM_LOCAL, .epsilon = "1");
    SAME(randomised_response, "randomised-response keep=0.75 values=5 neighbours=local",
         .neighbours = SCRIM_LOCAL, .keep = "3/4", .values = "5");
}

static void say_sparse(void)
{
    SAME(above_threshold,
         "above-threshold epsilon=1 sensitivity=2 threshold=-5 monotone=yes "
         "neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1", .sensitivity = "2",
         .threshold = "-5", .monotone = "yes");
    SAME(sparse_vector,
         "sparse-vector epsilon=1 sensitivity=2 threshold=5 count=3 form=b numeric=yes "
         "delta=0.001 monotone=yes neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1", .sensitivity = "2",
         .threshold = "5", .count = "3", .form = "b", .numeric = "yes", .delta = "0.001",
         .monotone = "yes");
    SAME(generalised_sparse_vector,
         "generalised-sparse-vector sensitivity=1 threshold=5 threshold-scale=2 "
         "query-scale=4 count=3 length=10 resample=yes nonnegative=yes delta=0.001 "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .threshold = "5",
         .threshold_scale = "2", .query_scale = "4", .count = "3", .length = "10",
         .resample = "yes", .nonnegative = "yes", .delta = "0.001");
    SAME(generalised_sparse_vector,
         "generalised-sparse-vector sensitivity=1 threshold=5 threshold-variance=20 "
         "query-variance=40 length=10 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .threshold = "5",
         .threshold_variance = "20", .query_variance = "40", .length = "10");
    SAME(stagewise_sparse_vector,
         "stagewise-sparse-vector sensitivity=1 threshold=5 threshold-scale=2 "
         "query-scale=4 count=3 stage=2 stage-length=10 resample=yes nonnegative=yes "
         "delta=0.001 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .threshold = "5",
         .threshold_scale = "2", .query_scale = "4", .count = "3", .stage = "2",
         .stage_length = "10", .resample = "yes", .nonnegative = "yes", .delta = "0.001");
    SAME(stagewise_sparse_vector,
         "stagewise-sparse-vector sensitivity=1 threshold=5 threshold-variance=20 "
         "query-variance=40 count=3 stage=3 stage-length=10 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .threshold = "5",
         .threshold_variance = "20", .query_variance = "40", .count = "3", .stage = "3",
         .stage_length = "10");
}

static void say_threshold(void)
{
    SAME(partition_selection,
         "partition-selection epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_groups = "3");
    SAME(partition_selection,
         "partition-selection epsilon=0.5 delta=0.001 neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1/2", .delta = "1e-3");
    SAME(range,
         "range sensitivity=0.5 epsilon=1 width=9 grid=0.25 size=2 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1/2", .epsilon = "1", .width = "9",
         .grid = "1/4", .values = "2");
    SAME(range, "range sensitivity=1 epsilon=1 delta=0.001 neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .sensitivity = "1", .epsilon = "1",
         .delta = "1e-3");
    SAME(threshold_weighted,
         "threshold-weighted epsilon=1 delta=0.001 grid=0.25 max-groups=3 "
         "neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1", .delta = "1e-3", .grid = "1/4",
         .max_groups = "3");
    SAME(threshold_truncated,
         "threshold-truncated epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_groups = "3");
    SAME(stabilise,
         "stabilise sensitivity=4 epsilon=1 delta=0.001 max-groups=3 largest=2 "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "4", .epsilon = "1", .delta = "1e-3",
         .max_groups = "3", .largest = "2");
    SAME(threshold_laplace,
         "threshold-laplace epsilon=1 delta=0.001 max-rows=2 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_rows = "2");
    SAME(threshold_laplace,
         "threshold-laplace epsilon=1 delta=0.001 max-total=5 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_total = "5");
    SAME(threshold_laplace,
         "threshold-laplace epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_groups = "3");
    SAME(threshold_gaussian,
         "threshold-gaussian epsilon=1 delta=0.001 max-groups=3 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_groups = "3");
}

static void say_histogram(void)
{
    SAME(bucket_histogram,
         "bucket-histogram epsilon=1 delta=0.001 lower=-1 upper=3 beta=0.1 dimensions=2 "
         "norm=max labelled=yes outside=discard group=3 sampler=table mode=dense "
         "neighbours=replace",
         .epsilon = "1", .delta = "0.001", .lower = "-1", .upper = "3", .beta = "0.1",
         .dimensions = "2", .norm = "max", .labelled = "yes", .outside = "discard",
         .group = "3", .sampler = "table", .mode = "dense", .neighbours = SCRIM_REPLACE);
    SAME(bucket_histogram,
         "bucket-histogram epsilon=1 q=9 upper=3 beta=0.1 neighbours=add-remove",
         .epsilon = "1", .q = "9", .upper = "3", .beta = "0.1",
         .neighbours = SCRIM_ADD_REMOVE);
    SAME(stlap, "stlap epsilon=1 q=27 group=3 mode=sparse neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .q = "27", .group = "3",
         .mode = "sparse");
    SAME(stlap, "stlap epsilon=0.5 delta=0.001 sampler=table neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1/2", .delta = "1e-3",
         .sampler = "table");
    SAME(private_size_stlap,
         "private-size-stlap size-epsilon=1 size-delta=0.001 bar-epsilon=2 "
         "bar-delta=0.01 tau=0.25 neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .size_epsilon = "1", .size_delta = "1e-3",
         .bar_epsilon = "2", .bar_delta = "1e-2", .tau = "1/4");
    SAME(emptiness, "emptiness epsilon=1 certain=5 neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .certain = "5");
}

/* Was " name=" said of a mechanism? */
static bool was_told(const char *mechanism, const char *name)
{
    const size_t length = strlen(mechanism), bytes = strlen(name);
    for (size_t i = 0; i < told_count; i++) {
        const char *at = told[i];
        if (strncmp(at, mechanism, length) != 0 || at[length] != ' ')
            continue;
        while ((at = strchr(at + 1, ' ')) != NULL)
            if (strncmp(at + 1, name, bytes) == 0 && at[1 + bytes] == '=')
                return true;
    }
    return false;
}

/* Values that are whole by definition, which nothing rounds. */
static void say_whole(void)
{
    SAME(laplace, "laplace sensitivity=1 epsilon=1 whole=yes neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .epsilon = "1", .whole = "yes");
    SAME(gaussian, "gaussian sensitivity=1 sigma=2 whole=yes neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .sigma = "2", .whole = "yes");
    SAME(truncated_laplace,
         "truncated-laplace sensitivity=1 scale=1 delta=0.001 whole=yes "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .scale = "1", .delta = "0.001",
         .whole = "yes");
    SAME(range, "range sensitivity=1 epsilon=1 delta=0.001 whole=yes neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "1", .epsilon = "1", .delta = "1e-3",
         .whole = "yes");
    SAME(threshold_weighted,
         "threshold-weighted epsilon=1 delta=0.001 grid=0.25 max-groups=3 whole=yes "
         "neighbours=add-remove",
         .neighbours = SCRIM_ADD_REMOVE, .epsilon = "1", .delta = "1e-3", .grid = "1/4",
         .max_groups = "3", .whole = "yes");
    SAME(stabilise,
         "stabilise sensitivity=4 epsilon=1 delta=0.001 max-groups=3 largest=2 whole=yes "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .sensitivity = "4", .epsilon = "1", .delta = "1e-3",
         .max_groups = "3", .largest = "2", .whole = "yes");
    SAME(threshold_laplace,
         "threshold-laplace epsilon=1 delta=0.001 max-total=5 whole=yes "
         "neighbours=replace",
         .neighbours = SCRIM_REPLACE, .epsilon = "1", .delta = "1e-3", .max_total = "5",
         .whole = "yes");
}

/* All of the catalogue, with all parameters of a release. */
TEST(option_structs_say_what_lines_say)
{
    told_count = 0;
    say_noise();
    say_whole();
    say_selection();
    say_sparse();
    say_threshold();
    say_histogram();
    for (size_t i = 0; sc_catalogue_at(i) != NULL; i++) {
        const sc_mechanism *m = sc_catalogue_at(i);
        for (size_t j = 0; j < m->parameter_count - m->audit_count; j++)
            if (!was_told(m->entry.name, m->parameters[j].name))
                CHECK_FAIL("%s: no struct was asked for %s", m->entry.name,
                           m->parameters[j].name);
    }
}

/* A caller whose struct ends before a member leaves it out. */
TEST(option_structs_may_be_older)
{
    CLAIM("options.grow");
    scrim_measurement *m = NULL;
    scrim_top_k_options options = {.size = offsetof(scrim_top_k_options, method),
                                   .neighbours = SCRIM_REPLACE,
                                   .epsilon = "1",
                                   .sensitivity = "1",
                                   .k = "2",
                                   .method = "exponential"};
    REQUIRE_OK(scrim_top_k_new(&options, &m, NULL));
    CHECK_STR(scrim_measurement_text(m),
              "top-k epsilon=1 sensitivity=1 k=2 neighbours=replace");
    scrim_measurement_free(m);
    m = NULL;
    options.size = sizeof options;
    options.k = "2 method=exponential";
    CHECK_STATUS(scrim_top_k_new(&options, &m, NULL), SCRIM_E_PARAM);
    CHECK(m == NULL);
}
