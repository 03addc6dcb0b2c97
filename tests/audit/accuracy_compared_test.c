/* No mechanism of the catalogue states an accuracy that no test compares: accuracy_simulated_test.c draws numbers and ranks;
 * the tests of the list below hold what others state to an exact distribution, or to many runs. The list is read
 * where all tests are linked, in a file without slow ones. */
#include "audit/accuracy_simulated.h"
#include "audit/catalogue_lines.h"
#include "check.h"
#include "runner.h"
#include "scrim/measurement.h"

#include <string.h>

typedef struct elsewhere {
    const char *mechanism, *test;
    const char *why; /* it is wider than 1.5 times the quantile; NULL: it is not */
} elsewhere;

static const char always[] = "holds always, as the largest error does",
                  several[] =
                      "several failures, each bounded on its worst input, are added",
                  reports[] = "a bound of sums of reports, Chernoff's or Hoeffding's";

#define WIDTH "accuracy_of_comparisons_is_not_much_wider_than_it_must_be"
#define LOCAL "support_radius_holds_and_is_not_much_wider_than_the_exact_one"
#define MEAN "local_mechanisms_certify_a_mean_as_printed"

static const elsewhere others[] = {
    {"randomised-query", "randomised_query_is_accurate_about_what_was_drawn", NULL},
    {"interval-counts", "interval_counts_are_within_their_bound", several},
    {"smalldb", "smalldb_has_the_accuracy_of_the_specification", several},
    {"mwem", "mwem_states_how_well_it_selects", several},
    {"exponential", "exponential_accuracy_is_attained", NULL},
    {"permute-and-flip", "permute_and_flip_accuracy_is_attained", NULL},
    {"one-sided-noisy-max", "permute_and_flip_accuracy_is_attained", NULL},
    {"noisy-max", WIDTH, NULL},
    {"base2-exponential", "base2_exponential_accuracy_is_attained", NULL},
    {"top-k", "top_k_accuracy_holds", several},
    {"quantile", "quantile_rank_errors_stay_within_the_radius", several},
    {"body", "body_ranks_are_near", several},
    {"depth-median", "depth_medians_are_deep", several},
    {"body-depth", "depths_are_near_the_truth", NULL},
    {"body-extension", "extension_draws_follow_their_law", several},
    {"above-threshold", WIDTH, NULL},
    {"sparse-vector", WIDTH, NULL},
    {"guess-and-check", WIDTH, NULL},
    {"generalised-sparse-vector", WIDTH, NULL},
    {"stagewise-sparse-vector", WIDTH, NULL},
    {"partition-selection", "partition_selection_certifies_the_smallest_group", NULL},
    {"threshold-laplace", "threshold_laplace_certifies_groups_and_values", NULL},
    {"threshold-gaussian", "threshold_gaussian_certifies_groups_and_values", NULL},
    {"threshold-truncated", "threshold_truncated_certifies_groups_and_values", NULL},
    {"threshold-weighted", "threshold_weighted_certifies_weights_and_values", NULL},
    {"item-sets", "item_sets_cost_what_their_threshold_costs", NULL},
    {"frequent-sets", "frequent_sets_are_found_level_by_level", several},
    {"stabilise", "stabilise_certifies_utilities", NULL},
    {"randomised-response",
     "randomised_response_radius_holds_and_is_not_much_wider_than_the_exact_one",
     reports},
    {"projective-geometry", LOCAL, reports},
    {"subset-selection", LOCAL, reports},
    {"symmetric-unary", LOCAL, reports},
    {"optimised-unary", LOCAL, reports},
    {"local-hashing", LOCAL, reports},
    {"text-hashing", LOCAL, reports},
    {"repeated-unary", LOCAL, reports},
    {"rappor", LOCAL, reports},
    {"hadamard", "local_mechanisms_certify_all_frequencies", reports},
    {"bit-flip", "local_mechanisms_certify_all_frequencies", reports},
    {"square-wave", MEAN, reports},
    {"one-bit-mean", MEAN, reports},
    {"rounded-bit-mean", MEAN, reports},
    {"laplace-mean", MEAN, reports},
    {"condensed-geometric", MEAN, reports},
    {"emptiness", "emptiness_certifies_the_smallest_set", NULL},
    {"stlap", "stlap_only_ever_drops", always},
    {"bucket-histogram", "bucket_histogram_never_invents_anyone", always},
    {"private-size-stlap", "private_size_stlap_only_ever_drops", always},
    {"rounded-stlap", "rounded_stlap_only_ever_drops", always},
};

static bool is_test(const char *name)
{
    for (const check_test *t = check_first(); t != NULL; t = t->next)
        if (strcmp(t->name, name) == 0)
            return true;
    return false;
}

/* Has the line any statement of accuracy, of one value or many? */
static bool has_statement(const char *line)
{
    scrim_measurement *m = NULL;
    scrim_certificate c = {.form = SCRIM_CERTIFICATE_NONE};
    if (CHECK_STATUS(scrim_measurement_parse_model(line, &m, NULL), SCRIM_OK) &&
        scrim_measurement_certify(m, "0.95", 1, &c, NULL) != SCRIM_OK)
        c.form = SCRIM_CERTIFICATE_NONE;
    scrim_measurement_free(m);
    return c.form != SCRIM_CERTIFICATE_NONE;
}

TEST(accuracy_of_every_mechanism_is_compared)
{
    size_t compared = 0;
    for (size_t i = 0; i < COUNT(others); i++)
        if (!CHECK(is_test(others[i].test)))
            CHECK_FAIL("no test %s", others[i].test);
    for (size_t f = 0; f < line_family_count; f++) {
        const char *name = line_families[f].name;
        char line[LINE_BYTES];
        bool is_listed = accuracy_is_simulated(name);
        for (size_t i = 0; i < COUNT(others) && !is_listed; i++)
            is_listed = strcmp(others[i].mechanism, name) == 0;
        line_at(&line_families[f], 0, line);
        compared += is_listed;
        if (!CHECK(is_listed || !has_statement(line)))
            CHECK_FAIL("%s states an accuracy, and no test compares it", line);
    }
    CHECK(10 * compared >= 9 * line_family_count);
}
