/* The options structs of scrim/sparse.h: which member is which parameter. */
#include "mechanism/sparse/above_threshold.h"
#include "mechanism/sparse/generalised.h"
#include "mechanism/sparse/sparse_vector.h"
#include "mechanism/sparse/stagewise.h"
#include "model/measurement.h"
#include "scrim/sparse.h"

scrim_status scrim_above_threshold_new(const scrim_above_threshold_options *options,
                                       scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_above_threshold_options, epsilon, "epsilon"),
        SC_OPTION_MEMBER(scrim_above_threshold_options, sensitivity, "sensitivity"),
        SC_OPTION_MEMBER(scrim_above_threshold_options, threshold, "threshold"),
        SC_OPTION_MEMBER(scrim_above_threshold_options, monotone, "monotone"),
    };
    return sc_measurement_from_struct(&sc_above_threshold, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}

scrim_status scrim_sparse_vector_new(const scrim_sparse_vector_options *options,
                                     scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_sparse_vector_options, epsilon, "epsilon"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, sensitivity, "sensitivity"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, threshold, "threshold"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, count, "count"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, form, "form"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, numeric, "numeric"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, delta, "delta"),
        SC_OPTION_MEMBER(scrim_sparse_vector_options, monotone, "monotone"),
    };
    return sc_measurement_from_struct(&sc_sparse_vector, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}

scrim_status scrim_generalised_sparse_vector_new(
    const scrim_generalised_sparse_vector_options *options, scrim_measurement **out,
    scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, sensitivity,
                         "sensitivity"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, threshold, "threshold"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, threshold_scale,
                         "threshold-scale"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, threshold_variance,
                         "threshold-variance"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, query_scale,
                         "query-scale"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, query_variance,
                         "query-variance"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, count, "count"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, length, "length"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, resample, "resample"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, nonnegative,
                         "nonnegative"),
        SC_OPTION_MEMBER(scrim_generalised_sparse_vector_options, delta, "delta"),
    };
    return sc_measurement_from_struct(&sc_generalised_sparse_vector, options,
                                      sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}

scrim_status
scrim_stagewise_sparse_vector_new(const scrim_stagewise_sparse_vector_options *options,
                                  scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, sensitivity,
                         "sensitivity"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, threshold, "threshold"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, threshold_scale,
                         "threshold-scale"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, threshold_variance,
                         "threshold-variance"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, query_scale,
                         "query-scale"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, query_variance,
                         "query-variance"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, count, "count"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, stage, "stage"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, stage_length,
                         "stage-length"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, resample, "resample"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, nonnegative,
                         "nonnegative"),
        SC_OPTION_MEMBER(scrim_stagewise_sparse_vector_options, delta, "delta"),
    };
    return sc_measurement_from_struct(&sc_stagewise_sparse_vector, options,
                                      sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}
