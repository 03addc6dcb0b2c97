#include "mechanism/microdata/point_first.h"

#include "base/memory.h"
#include "mechanism/microdata/cell_counts.h"
#include "model/domain.h"
#include "model/outcomes.h"

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_EPSILON,
    SC_CELL_PARAMETER_RHO,
    SC_CELL_PARAMETERS,
    SC_PARAMETER_NEIGHBOURS,
};

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    const int64_t sides = sc_cell_is_replace(m) ? 2 : 1;
    sc_linear_move move;
    sc_ratio_init(&move.sum);
    sc_ratio_init(&move.square);
    sc_ratio_set_int64(&move.sum, sides * sc_cell_reach(m));
    sc_ratio_set_int128(&move.square,
                        (sc_int128)sides * sc_cell_reach(m) * sc_cell_reach(m));
    scrim_status status = sc_linear_check(m, &move, 1, SC_PROJECTION_CELLS, error);
    sc_ratio_clear(&move.square);
    sc_ratio_clear(&move.sum);
    if (status == SCRIM_OK)
        status = sc_cell_domain(m, error);
    return status == SCRIM_OK ? sc_cell_width_check(m, &sc_additive_of(m)->law.shape,
                                                    sc_linear_is_gaussian(m), error)
                              : status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const scrim_status status = sc_additive_certify(m, beta, count, out, error);
    out->excludes = "the sum of the table; values that are not whole numbers";
    return status;
}

#define CHUNK ((size_t)2048)

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    int64_t noise[CHUNK];
    scrim_status status = SCRIM_OK;
    out->count = 0;
    for (size_t at = 0; status == SCRIM_OK && at < input->count; at += CHUNK) {
        const size_t left = input->count - at, size = left < CHUNK ? left : CHUNK;
        status = sc_blocks_fill(bits, &sc_additive_of(m)->blocks, size, noise, error);
        for (size_t i = 0; status == SCRIM_OK && i < size; i++) {
            const int64_t sum =
                sc_projection_clamp((sc_int128)input->values[at + i] + noise[i]);
            out->values[at + i] = sum & ~(sum >> 63); /* max(sum, 0), without a branch */
            out->marks[at + i] = SC_MARK_VALUE;
        }
    }
    sc_wipe(noise, sizeof noise);
    if (status == SCRIM_OK)
        out->count = input->count;
    else
        sc_wipe(out->values, input->count * sizeof *out->values);
    return status;
}

/* The audit. */

static sc_cell_listing listing_of(const scrim_measurement *m)
{
    return (sc_cell_listing){.law = &sc_additive_of(m)->law,
                             .high = sc_cell_pair_high(m)};
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_cell_listing listing = listing_of(m);
    return sc_outcomes_of_each(&(sc_outcomes_each){.values = input->values,
                                                   .count = input->count,
                                                   .list = sc_cell_list,
                                                   .context = &listing},
                               bits + 64, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    const sc_cell_listing listing = listing_of(m);
    return sc_cell_pair_count(m, &listing, 0);
}

const sc_mechanism sc_point_first = {
    .entry = {.name = "point-first",
              .parameters = "epsilon=R|rho=R [max-rows=N weight=N]",
              .input = "counts",
              .claim = "epsilon-DP, pure; with rho: concentrated; a table of whole "
                       "numbers from 0 on whose cells are accurate",
              .does = "Releases a table of whole numbers from 0 on whose cells are "
                      "accurate. Its total is less accurate; no table has both (an "
                      "uncertainty principle).",
              .example = "epsilon=1 neighbours=add-remove",
              .example_input = "120\n0\n3\n",
              .reference = "Abowd, Ashmead, Cumings-Menon, Garfinkel, Kifer, Leclerc, "
                           "Sexton, Simpson, Task, Zhuravlev: An Uncertainty Principle "
                           "is a Price of Privacy-Preserving Microdata, 2021; errata "
                           "112, 113 and 123"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = sc_additive_discard,
    .cost = sc_linear_cost,
    .certify = certify,
    .answer_count = sc_cell_answers,
    .draw = draw,
    .width = sc_cell_answers,
    .law = law,
    .pair_count = pair_count,
    .pair = sc_cell_pair,
};
