#include "local/texts/local_unknown.h"

#include "audit/bounds.h"
#include "base/memory.h"
#include "local/collect/support_counts.h"
#include "local/texts/text_support.h"
#include "model/option_struct.h"
#include "scrim/local_unknown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CANDIDATES_MAX ((size_t)1 << 24)
#define NOWHERE UINT32_MAX

typedef struct prefix_search {
    const scrim_local_config *config;
    const uint8_t *reports;
    size_t bytes;    /* of a report; the first is its group */
    uint32_t *order; /* report numbers, by group */
    size_t *begins;  /* of each group in order, and the end of the last */
    sc_prefix_candidate *kept;
    size_t kept_count;
    uint32_t *heads, *nexts; /* lists of the ends of each cell */
} prefix_search;

/* The cell is read where sc_text_report_read does; NOWHERE: no device sends this. */
static uint32_t group_of(const prefix_search *s, size_t report)
{
    const uint8_t *bytes = s->reports + report * s->bytes;
    const uint32_t wide = s->config->cells > 256;
    const uint32_t cell =
        bytes[s->bytes - 1 - wide] | (wide ? (uint32_t)bytes[s->bytes - 1] << 8 : 0);
    return bytes[0] < s->config->prefixes && cell < s->config->cells ? bytes[0] : NOWHERE;
}

static void sort_reports(prefix_search *s, size_t count, sc_prefix_search *out)
{
    const size_t groups = s->config->prefixes;
    for (size_t i = 0; i < count; i++) {
        const uint32_t group = group_of(s, i);
        if (group == NOWHERE)
            out->dropped++;
        else
            out->reports[group]++;
    }
    for (size_t g = 0; g < groups; g++)
        s->begins[g + 1] = s->begins[g] + out->reports[g];
    size_t at[SCRIM_LOCAL_PREFIXES];
    memcpy(at, s->begins, groups * sizeof *at);
    for (size_t i = 0; i < count; i++) {
        const uint32_t group = group_of(s, i);
        if (group != NOWHERE)
            s->order[at[group]++] = (uint32_t)i;
    }
}

static void read_report(const prefix_search *s, size_t at, sc_text_report *out)
{
    sc_text_report_read(s->config, s->reports + s->order[at] * s->bytes + 1, out);
}

/* signs[u] gains (-1)^<z, cell> for each mask z of the bits of a cell, at the u whose bit b is the
 * parity of z and the cell of bit b. Texts are numbers below 2^length. */
static void add_signs(const sc_text_report *report, uint32_t cell_bits, uint32_t length,
                      double *signs, uint32_t *masks)
{
    uint32_t rows[16];
    for (uint32_t z = 0; z < cell_bits; z++) {
        rows[z] = 0;
        for (uint32_t b = 0; b < length; b++)
            rows[z] |= (uint32_t)(report->bits[b] >> z & 1) << (length - 1 - b);
    }
    masks[0] = 0;
    signs[0]++;
    for (uint32_t z = 1; z < (uint32_t)1 << cell_bits; z++) {
        const uint32_t lowest = z & (0 - z);
        masks[z] = masks[z ^ lowest] ^ rows[__builtin_ctz(z)];
        signs[masks[z]] += __builtin_parity(z & report->cell) != 0 ? -1 : 1;
    }
}

static scrim_status count_first(prefix_search *s, uint64_t *counts, scrim_error *error)
{
    const uint32_t length = s->config->prefix[0];
    const uint32_t cell_bits = sl_cell_bits(s->config->cells);
    const size_t all = (size_t)1 << length;
    double *signs = sc_allocate(all, sizeof *signs);
    uint32_t *masks = sc_allocate(s->config->cells, sizeof *masks);
    const scrim_status status =
        signs == NULL || masks == NULL ? sc_no_memory(error, "prefixes") : SCRIM_OK;
    if (status == SCRIM_OK) {
        for (size_t i = s->begins[0]; i < s->begins[1]; i++) {
            sc_text_report report;
            read_report(s, i, &report);
            add_signs(&report, cell_bits, length, signs, masks);
        }
        sc_walsh_hadamard(signs, all);
        for (size_t v = 0; v < all; v++)
            counts[v] = (uint64_t)signs[v] >> cell_bits;
    }
    sc_free(signs);
    sc_free(masks);
    return status;
}

/* Lists of all ends of `bits` bits behind bit `from`, by their cell. */
static void list_ends(prefix_search *s, const sc_text_report *report, uint32_t from,
                      uint32_t bits, uint16_t *ends)
{
    ends[0] = 0;
    for (uint32_t j = 0; j < bits; j++)
        for (uint32_t v = 0; v < (uint32_t)1 << j; v++)
            ends[v | (uint32_t)1 << j] = ends[v] ^ report->bits[from + bits - 1 - j];
    for (uint32_t v = 0; v < (uint32_t)1 << bits; v++) {
        s->nexts[v] = s->heads[ends[v]];
        s->heads[ends[v]] = v;
    }
}

static void add_report(prefix_search *s, const sc_text_report *report, uint32_t from,
                       uint32_t bits, uint16_t *ends, uint64_t *counts)
{
    uint16_t tables[SC_TEXT_BITS / 4][16];
    const size_t quarters = (from + 3) / 4;
    for (size_t q = 0; q < quarters; q++)
        sc_text_report_table(report, 4 * q, tables[q]);
    list_ends(s, report, from, bits, ends);
    for (size_t k = 0; k < s->kept_count; k++) {
        const uint8_t *text = s->kept[k].text;
        uint32_t left = report->cell;
        for (size_t q = 0; q < quarters; q++)
            left ^= tables[q][q % 2 == 0 ? text[q / 2] >> 4 : text[q / 2] & 15];
        for (uint32_t v = s->heads[left]; v != NOWHERE; v = s->nexts[v])
            counts[(k << bits) + v]++;
    }
    for (uint32_t v = 0; v < (uint32_t)1 << bits; v++)
        s->heads[ends[v]] = NOWHERE;
}

static scrim_status count_later(prefix_search *s, size_t group, uint64_t *counts,
                                scrim_error *error)
{
    const uint32_t from = s->config->prefix[group - 1];
    const uint32_t bits = s->config->prefix[group] - from;
    const size_t cells = s->config->cells, all = (size_t)1 << bits;
    uint16_t *ends = sc_allocate(all, sizeof *ends);
    s->heads = sc_allocate(cells, sizeof *s->heads);
    s->nexts = sc_allocate(all, sizeof *s->nexts);
    const scrim_status status = ends == NULL || s->heads == NULL || s->nexts == NULL
                                    ? sc_no_memory(error, "prefixes")
                                    : SCRIM_OK;
    if (status == SCRIM_OK) {
        for (size_t i = 0; i < cells; i++)
            s->heads[i] = NOWHERE;
        for (size_t i = s->begins[group]; i < s->begins[group + 1]; i++) {
            sc_text_report report;
            read_report(s, i, &report);
            add_report(s, &report, from, bits, ends, counts);
        }
    }
    sc_free(ends);
    sc_free(s->heads);
    sc_free(s->nexts);
    return status;
}

/* Candidate number v of a group, of the prefix that it goes on from. */
static void spell(const prefix_search *s, size_t group, size_t v, uint64_t count,
                  sc_prefix_candidate *out)
{
    const uint32_t length = s->config->prefix[group];
    const uint32_t from = group == 0 ? 0 : s->config->prefix[group - 1];
    *out = (sc_prefix_candidate){.count = count};
    if (group > 0)
        memcpy(out->text, s->kept[v >> (length - from)].text, sizeof out->text);
    for (uint32_t b = from; b < length; b++)
        out->text[b / 8] |= (uint8_t)((v >> (length - 1 - b) & 1) << (7 - b % 8));
}

static int by_count_then_text(const void *a, const void *b)
{
    const sc_prefix_candidate *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return memcmp(x->text, y->text, sizeof x->text);
}

static int by_text(const void *a, const void *b)
{
    const sc_prefix_candidate *x = a, *y = b;
    return memcmp(x->text, y->text, sizeof x->text);
}

/* The smallest count among the keep largest, so that only those above it are spelled and sorted. */
static int by_size(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x > y ? -1 : x < y;
}

static scrim_status smallest_kept(const uint64_t *counts, size_t all, size_t keep,
                                  uint64_t *out, scrim_error *error)
{
    uint64_t *sorted = sc_allocate(all, sizeof *sorted);
    if (sorted == NULL)
        return sc_no_memory(error, "prefixes");
    memcpy(sorted, counts, all * sizeof *sorted);
    qsort(sorted, all, sizeof *sorted, by_size);
    *out = sorted[keep - 1];
    sc_free(sorted);
    return SCRIM_OK;
}

/* The keep candidates with the largest counts, of equals the smaller texts; in the order of texts. */
static scrim_status keep_best(prefix_search *s, size_t group, const uint64_t *counts,
                              size_t all, size_t keep, scrim_error *error)
{
    uint64_t least = 0;
    size_t count = 0, at = 0;
    if (keep > all)
        keep = all;
    const scrim_status status = smallest_kept(counts, all, keep, &least, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t v = 0; v < all; v++)
        count += counts[v] >= least;
    sc_prefix_candidate *best = sc_allocate(count, sizeof *best);
    if (best == NULL)
        return sc_no_memory(error, "prefixes");
    for (size_t v = 0; v < all; v++)
        if (counts[v] >= least)
            spell(s, group, v, counts[v], &best[at++]);
    qsort(best, count, sizeof *best, by_count_then_text);
    qsort(best, keep, sizeof *best, by_text);
    sc_free(s->kept);
    s->kept = best;
    s->kept_count = keep;
    return SCRIM_OK;
}

static scrim_status step(prefix_search *s, size_t group, size_t keep, scrim_error *error)
{
    const uint32_t from = group == 0 ? 0 : s->config->prefix[group - 1];
    const uint32_t bits = s->config->prefix[group] - from;
    const size_t before = group == 0 ? 1 : s->kept_count;
    if (bits > SC_PREFIX_STEP || before > CANDIDATES_MAX >> bits)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "prefixes may grow by at most %d bits, to 16777216 candidates",
                       SC_PREFIX_STEP);
    const size_t all = before << bits;
    uint64_t *counts = sc_allocate(all, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "prefixes");
    scrim_status status =
        group == 0 ? count_first(s, counts, error) : count_later(s, group, counts, error);
    const bool is_last = group + 1 == s->config->prefixes;
    if (status == SCRIM_OK)
        status = keep_best(s, group, counts, all, is_last ? all : keep, error);
    sc_free(counts);
    return status;
}

static scrim_status run_steps(prefix_search *s, size_t keep, sc_prefix_search *out,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t g = 0; g < s->config->prefixes && status == SCRIM_OK; g++)
        status = step(s, g, keep, error);
    if (status == SCRIM_OK) {
        out->candidates = s->kept;
        out->count = s->kept_count;
        s->kept = NULL;
    }
    sc_free(s->kept);
    return status;
}

scrim_status sc_prefix_search_run(const scrim_local_config *config,
                                  const uint8_t *reports, size_t count, size_t keep,
                                  sc_prefix_search *out, scrim_error *error)
{
    size_t begins[SCRIM_LOCAL_PREFIXES + 1] = {0};
    prefix_search s = {.config = config, .reports = reports, .begins = begins};
    *out = (sc_prefix_search){0};
    s.bytes = scrim_local_report_bytes(config);
    if (count >= NOWHERE)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "at most 4294967294 reports can be searched");
    s.order = sc_allocate(count, sizeof *s.order);
    if (s.order == NULL)
        return sc_no_memory(error, "prefixes");
    sort_reports(&s, count, out);
    const scrim_status status = run_steps(&s, keep, out, error);
    sc_free(s.order);
    return status;
}

#define KEEP 64
#define ALPHA 0.05
/* The chance at which a text is called detectable. */
#define POWER 0.9

struct scrim_local_unknown {
    scrim_local_text *rows;
    size_t count;
    scrim_local_unknown_facts facts;
};

/* P and Q, what was asked for, and the reports of each group. */
typedef struct unknown_search {
    const scrim_local_config *config;
    uint64_t sizes[SCRIM_LOCAL_PREFIXES];
    scrim_local_unknown_options asked;
    double truth, other;
} unknown_search;

static scrim_status read_options(const scrim_local_config *config, uint32_t protocol,
                                 const scrim_local_unknown_options *options,
                                 unknown_search *out, scrim_error *error)
{
    *out = (unknown_search){.config = config};
    if (config->protocol != protocol)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "config",
                           "texts need reports of %s",
                           scrim_local_protocol_name(protocol));
    const scrim_status status = sc_option_struct_copy(
        options, sizeof options->size, &out->asked, sizeof out->asked, error);
    if (status != SCRIM_OK)
        return status;
    out->asked.keep = out->asked.keep == 0 ? KEEP : out->asked.keep;
    out->asked.alpha = out->asked.alpha == 0 ? ALPHA : out->asked.alpha;
    if (!(out->asked.alpha > 0 && out->asked.alpha <= 1))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                                 "must be above 0 and at most 1");
    out->truth = sc_text_report_truth(config);
    out->other = 1 / (double)config->cells;
    return SCRIM_OK;
}

/* Devices of all groups, and the standard error: of the reports, and of which devices are in the group. */
static void fill_estimate(const unknown_search *s, const scrim_local_unknown_facts *facts,
                          scrim_local_text *row)
{
    const double n = (double)(facts->reports - facts->dropped);
    const double group = (double)facts->last_group, gap = s->truth - s->other;
    const double held = ((double)row->count - group * s->other) / gap;
    const double known = fmin(group, fmax(0, held)), f = known / group;
    const double variance = (known * s->truth * (1 - s->truth) +
                             (group - known) * s->other * (1 - s->other)) /
                            (gap * gap);
    row->estimate = held * n / group;
    row->error = sqrt(variance * (n / group) * (n / group) +
                      n * n * f * (1 - f) * (1 / group - 1 / n));
    row->p_value = sc_binomial_at_least(row->count, facts->last_group, s->other);
}

static int by_count(const void *a, const void *b)
{
    const scrim_local_text *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return memcmp(x->text, y->text, sizeof x->text);
}

static scrim_status threshold_by_rate(const unknown_search *s, scrim_local_unknown *found,
                                      scrim_error *error)
{
    uint64_t *counts = sc_allocate(found->count, sizeof *counts);
    if (counts == NULL)
        return sc_no_memory(error, "texts");
    for (size_t i = 0; i < found->count; i++)
        counts[i] = found->rows[i].count;
    found->facts.threshold = sc_support_threshold_rate(
        found->facts.last_group, s->other, counts, found->count, s->asked.alpha);
    sc_free(counts);
    return SCRIM_OK;
}

static double detectable(const unknown_search *s, uint64_t candidates)
{
    const sc_text_search search = {.config = s->config,
                                   .keep = s->asked.keep,
                                   .candidates = candidates,
                                   .alpha = s->asked.alpha};
    sc_text_forecast forecast;
    sc_text_forecast_of(&search, s->sizes, &forecast);
    return sc_text_forecast_detectable(&forecast, POWER);
}

/* Sorts the candidates, and leaves out those below the threshold. */
static scrim_status finish(const unknown_search *s, scrim_local_unknown *found,
                           scrim_error *error)
{
    scrim_local_unknown_facts *facts = &found->facts;
    scrim_status status = SCRIM_OK;
    facts->candidates = found->count;
    qsort(found->rows, found->count, sizeof *found->rows, by_count);
    facts->threshold = sc_support_threshold(
        facts->last_group, s->other, found->count > 0 ? found->count : 1, s->asked.alpha);
    facts->detectable = facts->last_group > 0 ? detectable(s, found->count) : 1;
    if (s->asked.is_rate)
        status = threshold_by_rate(s, found, error);
    size_t listed = 0;
    while (listed < found->count && found->rows[listed].count >= facts->threshold)
        fill_estimate(s, facts, &found->rows[listed++]);
    found->count = listed;
    return status;
}

static scrim_status make(size_t count, scrim_local_unknown **out, scrim_error *error)
{
    scrim_local_unknown *made = sc_allocate(1, sizeof *made);
    if (made != NULL)
        made->rows = sc_allocate(count, sizeof *made->rows);
    if (made == NULL || made->rows == NULL) {
        sc_free(made);
        return sc_no_memory(error, "texts");
    }
    made->count = count;
    *out = made;
    return SCRIM_OK;
}

static scrim_status finish_into(const unknown_search *s, scrim_local_unknown *made,
                                scrim_status status, scrim_local_unknown **out,
                                scrim_error *error)
{
    if (status == SCRIM_OK)
        status = finish(s, made, error);
    if (status == SCRIM_OK)
        *out = made;
    else
        scrim_local_unknown_free(made);
    return status;
}

scrim_status scrim_local_unknown_search(const scrim_local_config *config,
                                        const uint8_t *reports, size_t count,
                                        const scrim_local_unknown_options *options,
                                        scrim_local_unknown **out, scrim_error *error)
{
    SC_REQUIRE(error, "config out", config, out);
    unknown_search s;
    sc_prefix_search search;
    scrim_local_unknown *made = NULL;
    scrim_status status = read_options(config, SCRIM_LOCAL_PREFIX, options, &s, error);
    if (status == SCRIM_OK)
        status =
            sc_prefix_search_run(config, reports, count, s.asked.keep, &search, error);
    if (status != SCRIM_OK)
        return status;
    status = make(search.count, &made, error);
    for (size_t i = 0; i < search.count && status == SCRIM_OK; i++) {
        memcpy(made->rows[i].text, search.candidates[i].text, sizeof made->rows[i].text);
        made->rows[i].count = search.candidates[i].count;
    }
    if (status == SCRIM_OK)
        made->facts = (scrim_local_unknown_facts){
            .reports = count,
            .dropped = search.dropped,
            .last_group = search.reports[config->prefixes - 1]};
    memcpy(s.sizes, search.reports, sizeof s.sizes);
    sc_free(search.candidates);
    return finish_into(&s, made, status, out, error);
}

scrim_status scrim_local_unknown_count(const scrim_local_config *config,
                                       const uint8_t *reports, size_t count,
                                       const uint8_t *texts, size_t text_count,
                                       const scrim_local_unknown_options *options,
                                       scrim_local_unknown **out, scrim_error *error)
{
    SC_REQUIRE(error, "config out", config, out);
    unknown_search s;
    scrim_local_unknown *made = NULL;
    uint64_t *counts = NULL, dropped = 0;
    scrim_status status =
        read_options(config, SCRIM_LOCAL_TEXT_HASHING, options, &s, error);
    if (status == SCRIM_OK)
        status = make(text_count, &made, error);
    if (status != SCRIM_OK)
        return status;
    counts = sc_allocate(text_count, sizeof *counts);
    status = counts == NULL ? sc_no_memory(error, "texts")
                            : sc_text_support(config, reports, count, texts, text_count,
                                              counts, &dropped, error);
    for (size_t i = 0; i < text_count && status == SCRIM_OK; i++) {
        memcpy(made->rows[i].text, texts + i * config->text, config->text);
        made->rows[i].count = counts[i];
    }
    made->facts = (scrim_local_unknown_facts){
        .reports = count, .dropped = dropped, .last_group = count - dropped};
    s.sizes[0] = count - dropped;
    sc_free(counts);
    return finish_into(&s, made, status, out, error);
}

void scrim_local_unknown_free(scrim_local_unknown *found)
{
    if (found != NULL)
        sc_free(found->rows);
    sc_free(found);
}

const scrim_local_text *scrim_local_unknown_texts(const scrim_local_unknown *found,
                                                  size_t *count)
{
    *count = found->count;
    return found->rows;
}

void scrim_local_unknown_describe(const scrim_local_unknown *found,
                                  scrim_local_unknown_facts *out)
{
    *out = found->facts;
}
