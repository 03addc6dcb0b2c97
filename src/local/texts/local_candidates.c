#include "scrim/local_candidates.h"

#include "base/memory.h"
#include "local/collect/collection.h"
#include "local/device/bloom.h"
#include "local/texts/text_decoder.h"

#include <math.h>
#include <string.h>

static double part_of_2_32(uint32_t parts)
{
    return ldexp((double)parts, -32);
}

/* One-time forms send the permanent bits. */
static sc_signal_chances chances_of(const scrim_local_config *config)
{
    const double f = part_of_2_32(config->f);
    if (config->p == 0 && config->q == 0)
        return sc_signal_chances_of(f, 0, 1);
    return sc_signal_chances_of(f, part_of_2_32(config->p), part_of_2_32(config->q));
}

static void fill_design(const scrim_local_config *config, const uint8_t *texts,
                        sc_text_design *design)
{
    const sl_divisor bits = sl_divisor_of(config->bits);
    uint32_t places[16] = {0};
    for (uint32_t c = 0; c < design->cohorts; c++)
        for (size_t s = 0; s < design->columns; s++) {
            for (uint32_t i = 0; i < design->hashes; i++)
                places[i] =
                    sl_bloom_place(bits, c, i, texts + s * config->text, config->text);
            sc_text_design_set(design, c, s, places);
        }
}

static scrim_status decode_texts(const scrim_local_config *config,
                                 const scrim_local_counts *counts, const uint8_t *texts,
                                 size_t count, scrim_local_candidate *rows,
                                 scrim_local_explained *out, scrim_error *error)
{
    sc_text_design design;
    const sc_signal_chances chances = chances_of(config);
    scrim_status status = sc_text_design_init(&design, config->cohorts, config->bits,
                                              count, config->hashes, error);
    if (status != SCRIM_OK)
        return status;
    fill_design(config, texts, &design);
    status = sc_text_decode(&design, &chances, counts->reports, counts->ones, rows, out,
                            error);
    sc_text_design_clear(&design);
    return status;
}

/* One bit a value: the debiased counts themselves. */
static void decode_list(const scrim_local_config *config,
                        const scrim_local_counts *counts, scrim_local_candidate *rows,
                        scrim_local_explained *out)
{
    const sc_signal_chances chances = chances_of(config);
    double variances = 0;
    *out = (scrim_local_explained){.selected = config->bits, .misfit = 1};
    for (uint32_t c = 0; c < config->cohorts; c++)
        out->devices += (double)counts->reports[c];
    out->unexplained = out->devices;
    for (size_t j = 0; j < config->bits; j++) {
        double estimate = 0, variance = 0;
        for (uint32_t c = 0; c < config->cohorts; c++) {
            const double n = (double)counts->reports[c];
            const double one = sc_signal_estimate(
                &chances, (double)counts->ones[(size_t)c * config->bits + j], n);
            estimate += one;
            variance += sc_signal_variance(&chances, one, n);
        }
        rows[j] = (scrim_local_candidate){.estimate = estimate, .error = sqrt(variance)};
        rows[j].same = j;
        rows[j].is_selected = 1;
        sc_text_decoder_test(&rows[j], config->bits);
        out->kept += (size_t)rows[j].is_kept;
        out->unexplained -= rows[j].is_kept ? estimate : 0;
        variances += rows[j].is_kept ? variance : 0;
    }
    out->unexplained_error = sqrt(variances);
}

scrim_status scrim_local_candidates_decode(const scrim_local_config *config,
                                           const scrim_local_counts *counts,
                                           const uint8_t *texts, size_t count,
                                           scrim_local_candidate *rows,
                                           scrim_local_explained *out, scrim_error *error)
{
    if (config->protocol != SCRIM_LOCAL_RAPPOR)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "candidates need reports of rappor");
    if (config->hashes > 0)
        return decode_texts(config, counts, texts, count, rows, out, error);
    if (count != config->bits)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "values",
                           "a list of values has %u of them", config->bits);
    decode_list(config, counts, rows, out);
    return SCRIM_OK;
}

/* The counters of a cohort are its reports and then its bits. */
scrim_status scrim_collection_candidates(scrim_collection *collection,
                                         const uint8_t *texts, size_t count,
                                         scrim_local_candidate *rows,
                                         scrim_local_explained *out, scrim_error *error)
{
    const scrim_local_config *config = &collection->sums.config;
    const size_t bits = config->bits;
    uint64_t *reports = sc_allocate(config->cohorts, sizeof *reports);
    uint64_t *ones = sc_allocate((size_t)config->cohorts * bits, sizeof *ones);
    scrim_status status =
        reports == NULL || ones == NULL ? sc_no_memory(error, "candidates") : SCRIM_OK;
    if (status == SCRIM_OK) {
        const uint64_t *counter = sc_sums_counts(&collection->sums);
        for (size_t c = 0; c < config->cohorts; c++, counter += bits + 1) {
            reports[c] = counter[0];
            memcpy(ones + c * bits, counter + 1, bits * sizeof *ones);
        }
        status = scrim_local_candidates_decode(
            config, &(scrim_local_counts){reports, ones}, texts, count, rows, out, error);
    }
    sc_free(reports);
    sc_free(ones);
    return status;
}
