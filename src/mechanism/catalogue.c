#include "mechanism/catalogue.h"

#include "base/memory.h"
#include "mechanism/body/body_depth.h"
#include "mechanism/body/body_extension.h"
#include "mechanism/body/body_quantiles.h"
#include "mechanism/body/depth_median.h"
#include "mechanism/histogram/bucket_histogram.h"
#include "mechanism/histogram/emptiness.h"
#include "mechanism/histogram/private_size_stlap.h"
#include "mechanism/histogram/rounded_stlap.h"
#include "mechanism/histogram/stlap.h"
#include "mechanism/linear/counter.h"
#include "mechanism/linear/interval_counts.h"
#include "mechanism/linear/linear_queries.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/linear/online_queries.h"
#include "mechanism/linear/smalldb.h"
#include "mechanism/linear/weight_rounds.h"
#include "mechanism/local/local_mechanism.h"
#include "mechanism/microdata/hierarchy.h"
#include "mechanism/microdata/point_first.h"
#include "mechanism/microdata/sum_first.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/gaussian_share.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/noise/randomised_query.h"
#include "mechanism/noise/robust.h"
#include "mechanism/noise/robust_laplace.h"
#include "mechanism/noise/share_noise.h"
#include "mechanism/noise/truncated.h"
#include "mechanism/selection/base2_exponential.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/noisy_max.h"
#include "mechanism/selection/one_sided_noisy_max.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/quantile.h"
#include "mechanism/selection/randomised_response.h"
#include "mechanism/selection/top_k.h"
#include "mechanism/sparse/above_threshold.h"
#include "mechanism/sparse/generalised.h"
#include "mechanism/sparse/guess_and_check.h"
#include "mechanism/sparse/sparse_vector.h"
#include "mechanism/sparse/stagewise.h"
#include "mechanism/threshold/frequent_sets.h"
#include "mechanism/threshold/hard_range.h"
#include "mechanism/threshold/item_sets.h"
#include "mechanism/threshold/partition_selection.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_gaussian.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/threshold_truncated.h"
#include "mechanism/threshold/threshold_weighted.h"

#include <string.h>

static const sc_mechanism *const catalogue[] = {
    &sc_laplace,
    &sc_gaussian_noise,
    &sc_truncated_laplace,
    &sc_laplace_share,
    &sc_gaussian_share,
    &sc_robust_laplace,
    &sc_robust,
    &sc_randomised_query,
    &sc_counter,
    &sc_linear_queries,
    &sc_marginals,
    &sc_interval_counts,
    &sc_smalldb,
    &sc_mwem,
    &sc_online_weights,
    &sc_exponential,
    &sc_permute_and_flip,
    &sc_one_sided_noisy_max,
    &sc_noisy_max,
    &sc_base2_exponential,
    &sc_top_k,
    &sc_randomised_response,
    &sc_projective_geometry,
    &sc_subset_selection,
    &sc_symmetric_unary,
    &sc_optimised_unary,
    &sc_local_hashing,
    &sc_text_hashing,
    &sc_prefix_report,
    &sc_hadamard_response,
    &sc_bit_flip,
    &sc_repeated_unary,
    &sc_rappor,
    &sc_square_wave,
    &sc_one_bit_mean,
    &sc_rounded_bit_mean,
    &sc_laplace_mean,
    &sc_condensed_geometric,
    &sc_condensed_exponential,
    &sc_quantile,
    &sc_body_mechanism,
    &sc_depth_median,
    &sc_body_depth_mechanism,
    &sc_body_extension,
    &sc_above_threshold,
    &sc_sparse_vector,
    &sc_guess_and_check,
    &sc_generalised_sparse_vector,
    &sc_stagewise_sparse_vector,
    &sc_hard_range,
    &sc_partition_selection,
    &sc_threshold_laplace,
    &sc_threshold_gaussian,
    &sc_threshold_truncated,
    &sc_threshold_weighted,
    &sc_item_sets,
    &sc_frequent_sets,
    &sc_stabilise,
    &sc_stlap,
    &sc_bucket_histogram,
    &sc_private_size_stlap,
    &sc_rounded_stlap,
    &sc_emptiness,
    &sc_point_first,
    &sc_sum_first,
    &sc_hierarchy,
};

#define COUNT (sizeof catalogue / sizeof catalogue[0])

const sc_mechanism *sc_catalogue_at(size_t index)
{
    return index < COUNT ? catalogue[index] : NULL;
}

const scrim_mechanism_entry *scrim_mechanism_at(size_t index)
{
    return index < COUNT ? &catalogue[index]->entry : NULL;
}

const sc_mechanism *sc_catalogue_find(sc_text name, scrim_error *error)
{
    const char *names[COUNT];
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = catalogue[i]->entry.name;
        if (sc_text_is(name, names[i]))
            return catalogue[i];
    }
    const char *nearest = sc_text_nearest(name, names, COUNT);
    const sc_mechanism *known = error == NULL ? NULL : sc_catalogue_known_as(name);
    sc_text_quote(name, quote);
    if (known != NULL)
        (void)sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "mechanism",
                          "mechanism '%s' is called '%s' here", quote, known->entry.name);
    else if (nearest != NULL)
        (void)sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "mechanism",
                          "unknown mechanism '%s'; did you mean '%s'?", quote, nearest);
    else
        (void)sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "mechanism",
                          "unknown mechanism '%s'", quote);
    return NULL;
}

static scrim_status parse_line(sc_text line, sc_purpose purpose, scrim_measurement **out,
                               scrim_error *error)
{
    sc_text name, rest;
    if (!sc_parameters_line(line, &name, &rest))
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "line",
                           "name a mechanism by a line such as 'laplace sensitivity=1 "
                           "epsilon=1/10 neighbours=add-remove'");
    const sc_mechanism *mechanism = sc_catalogue_find(name, error);
    if (mechanism == NULL)
        return SCRIM_E_PARAM;
    return sc_measurement_new(mechanism, rest, purpose, out, error);
}

/* Two mechanisms: "stabilise ... then MECHANISM ...", "robust ... of MECHANISM ...". */

/* Splits at the first word "then" or "of". */
static bool split_then(sc_text line, sc_text *first, sc_text *link, sc_text *second)
{
    sc_text rest = line, word;
    while (sc_text_word(&rest, &word))
        if (sc_text_is(word, "then") || sc_text_is(word, "of")) {
            *first = (sc_text){line.start, (size_t)(word.start - line.start)};
            *link = word;
            *second = rest;
            return true;
        }
    return false;
}

static const char *link_of(const sc_mechanism *mechanism)
{
    return mechanism->link == NULL ? "then" : mechanism->link;
}

/* The word neighbours=...; empty where a mechanism has no such word. */
static sc_text neighbours_in(sc_text line)
{
    sc_text word, key, value;
    while (sc_text_word(&line, &word))
        if (sc_text_split(word, '=', &key, &value) && sc_text_is(key, "neighbours"))
            return word;
    return (sc_text){NULL, 0};
}

/* The second step holds for the neighbours of the first unless it names its own. */
static scrim_status parse_second(sc_text first, sc_text second, sc_purpose purpose,
                                 scrim_measurement **out, scrim_error *error)
{
    const sc_text given = neighbours_in(first);
    if (given.bytes == 0 || neighbours_in(second).bytes > 0 ||
        sc_text_trim(second).bytes == 0)
        return parse_line(second, purpose, out, error);
    const size_t bytes = second.bytes + given.bytes + 2;
    char *line = sc_allocate(bytes, 1);
    sc_text_sink sink;
    if (line == NULL)
        return sc_no_memory(error, "a measurement");
    sc_text_sink_init(&sink, line, bytes);
    sc_text_put(&sink, second);
    sc_text_put(&sink, sc_text_of(" "));
    sc_text_put(&sink, given);
    const scrim_status status = parse_line(sc_text_of(line), purpose, out, error);
    sc_free(line);
    return status;
}

static scrim_status parse_steps(sc_text first, sc_text link, sc_text second,
                                sc_purpose purpose, scrim_measurement **out,
                                scrim_error *error)
{
    sc_text name, rest;
    scrim_measurement *then = NULL;
    if (!sc_parameters_line(first, &name, &rest))
        return parse_line(first, purpose, out, error);
    const sc_mechanism *mechanism = sc_catalogue_find(name, error);
    if (mechanism == NULL)
        return SCRIM_E_PARAM;
    if (mechanism->followed == NULL || !sc_text_is(link, link_of(mechanism)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "then",
                           "no mechanism can follow %s; use 'stabilise ... then ...' or "
                           "'robust ... of ...'",
                           mechanism->entry.name);
    const bool wraps = mechanism->wraps;
    scrim_status status = parse_second(first, second, purpose, &then, error);
    if (status != SCRIM_OK)
        return status;
    mechanism = mechanism->followed(then);
    if (mechanism == NULL) {
        status =
            sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "then",
                        wraps ? "%s cannot be wrapped: its answer is not a fixed list of "
                                "numbers"
                              : "%s cannot follow: it does not take one value per "
                                "key",
                        then->mechanism->entry.name);
        scrim_measurement_free(then);
        return status;
    }
    return sc_measurement_then(mechanism, rest, then, out, error);
}

scrim_status sc_catalogue_parse(sc_text line, sc_purpose purpose, scrim_measurement **out,
                                scrim_error *error)
{
    sc_text first, link, second;
    return split_then(line, &first, &link, &second)
               ? parse_steps(first, link, second, purpose, out, error)
               : parse_line(line, purpose, out, error);
}

/* From a list: the other mechanism's line is the value of the link, and neighbours are its own. */

static void put_list(const char *name, const char *link, const scrim_parameter *list,
                     size_t count, const char *second, bool wraps, sc_text_sink *sink)
{
    sc_text_put(sink, sc_text_of(name));
    for (int inner = 0; inner < 2; inner++) {
        for (size_t i = 0; i < count; i++) {
            const bool is_inner = wraps && strcmp(list[i].name, "neighbours") == 0;
            if (list[i].value == NULL || strcmp(list[i].name, link) == 0 ||
                is_inner != (inner == 1))
                continue;
            sc_text_put(sink, sc_text_of(" "));
            sc_text_put(sink, sc_text_of(list[i].name));
            sc_text_put(sink, sc_text_of("="));
            sc_text_put(sink, sc_text_of(list[i].value));
        }
        if (inner == 0) {
            sc_text_put(sink, sc_text_of(" "));
            sc_text_put(sink, sc_text_of(link));
            sc_text_put(sink, sc_text_of(" "));
            sc_text_put(sink, sc_text_of(second));
        }
    }
}

static scrim_status join_list(const sc_mechanism *mechanism, const scrim_parameter *list,
                              size_t count, const char *second, scrim_measurement **out,
                              scrim_error *error)
{
    const char *name = mechanism->entry.name, *link = link_of(mechanism);
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_list(name, link, list, count, second, mechanism->wraps, &sink);
    const size_t bytes = sink.length + 1;
    char *line = sc_allocate(bytes, 1);
    if (line == NULL)
        return sc_no_memory(error, "a measurement");
    sc_text_sink_init(&sink, line, bytes);
    put_list(name, link, list, count, second, mechanism->wraps, &sink);
    const scrim_status status =
        sc_catalogue_parse(sc_text_of(line), SC_PURPOSE_DATA, out, error);
    sc_free(line);
    return status;
}

/* The value of the link, NULL where it is not given or a parameter has no name. */
static const char *second_in(const sc_mechanism *mechanism, const scrim_parameter *list,
                             size_t count)
{
    const char *found = NULL;
    for (size_t i = 0; i < count; i++) {
        if (list[i].name == NULL)
            return NULL;
        if (strcmp(list[i].name, link_of(mechanism)) == 0)
            found = list[i].value;
    }
    return mechanism->followed == NULL ? NULL : found;
}

scrim_status scrim_measurement_new(const char *name, const scrim_parameter *parameters,
                                   size_t count, scrim_measurement **out,
                                   scrim_error *error)
{
    if (name == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "mechanism",
                           "a mechanism has a name, such as 'laplace'");
    const sc_mechanism *mechanism = sc_catalogue_find(sc_text_of(name), error);
    if (mechanism == NULL)
        return SCRIM_E_PARAM;
    const char *second = second_in(mechanism, parameters, count);
    return second != NULL
               ? join_list(mechanism, parameters, count, second, out, error)
               : sc_measurement_from_list(mechanism, parameters, count, out, error);
}

scrim_status scrim_measurement_parse(const char *text, scrim_measurement **out,
                                     scrim_error *error)
{
    SC_REQUIRE(error, "text out", text, out);
    return sc_catalogue_parse(sc_text_of(text), SC_PURPOSE_DATA, out, error);
}

scrim_status scrim_measurement_parse_model(const char *text, scrim_measurement **out,
                                           scrim_error *error)
{
    SC_REQUIRE(error, "text out", text, out);
    return sc_catalogue_parse(sc_text_of(text), SC_PURPOSE_MODEL, out, error);
}
