/* The options structs of scrim/selection.h: which member is which parameter. */
#include "mechanism/selection/base2_exponential.h"
#include "mechanism/selection/exponential.h"
#include "mechanism/selection/noisy_max.h"
#include "mechanism/selection/one_sided_noisy_max.h"
#include "mechanism/selection/permute_and_flip.h"
#include "mechanism/selection/quantile.h"
#include "mechanism/selection/randomised_response.h"
#include "mechanism/selection/top_k.h"
#include "model/measurement.h"
#include "scrim/selection.h"

/* What every struct of scores has. */
#define SCORES_MEMBERS(type)                                                             \
    SC_OPTION_MEMBER(type, epsilon, "epsilon"),                                          \
        SC_OPTION_MEMBER(type, sensitivity, "sensitivity"),                              \
        SC_OPTION_MEMBER(type, monotone, "monotone"),                                    \
        SC_OPTION_MEMBER(type, grid, "grid"), SC_OPTION_MEMBER(type, lower, "lower"),    \
        SC_OPTION_MEMBER(type, upper, "upper")

scrim_status scrim_exponential_new(const scrim_exponential_options *options,
                                   scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_exponential_options),
    };
    return sc_measurement_from_struct(&sc_exponential, options, sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}

scrim_status scrim_permute_and_flip_new(const scrim_permute_and_flip_options *options,
                                        scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_permute_and_flip_options),
    };
    return sc_measurement_from_struct(&sc_permute_and_flip, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}

scrim_status
scrim_one_sided_noisy_max_new(const scrim_one_sided_noisy_max_options *options,
                              scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_one_sided_noisy_max_options),
    };
    return sc_measurement_from_struct(&sc_one_sided_noisy_max, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}

scrim_status scrim_noisy_max_new(const scrim_noisy_max_options *options,
                                 scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_noisy_max_options),
        SC_OPTION_MEMBER(scrim_noisy_max_options, noise, "noise"),
    };
    return sc_measurement_from_struct(&sc_noisy_max, options, sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}

scrim_status scrim_base2_exponential_new(const scrim_base2_exponential_options *options,
                                         scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_base2_exponential_options),
    };
    return sc_measurement_from_struct(&sc_base2_exponential, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}

scrim_status scrim_top_k_new(const scrim_top_k_options *options, scrim_measurement **out,
                             scrim_error *error)
{
    static const sc_option_member members[] = {
        SCORES_MEMBERS(scrim_top_k_options),
        SC_OPTION_MEMBER(scrim_top_k_options, k, "k"),
        SC_OPTION_MEMBER(scrim_top_k_options, method, "method"),
    };
    return sc_measurement_from_struct(&sc_top_k, options, sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}

scrim_status scrim_quantile_new(const scrim_quantile_options *options,
                                scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_quantile_options, p, "p"),
        SC_OPTION_MEMBER(scrim_quantile_options, epsilon, "epsilon"),
        SC_OPTION_MEMBER(scrim_quantile_options, lower, "lower"),
        SC_OPTION_MEMBER(scrim_quantile_options, upper, "upper"),
        SC_OPTION_MEMBER(scrim_quantile_options, grid, "grid"),
        SC_OPTION_MEMBER(scrim_quantile_options, max_rows, "max-rows"),
        SC_OPTION_MEMBER(scrim_quantile_options, form, "form"),
    };
    return sc_measurement_from_struct(&sc_quantile, options, sizeof *options, members,
                                      sizeof members / sizeof *members, out, error);
}

scrim_status
scrim_randomised_response_new(const scrim_randomised_response_options *options,
                              scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_randomised_response_options, epsilon, "epsilon"),
        SC_OPTION_MEMBER(scrim_randomised_response_options, keep, "keep"),
        SC_OPTION_MEMBER(scrim_randomised_response_options, values, "values"),
    };
    return sc_measurement_from_struct(&sc_randomised_response, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}
