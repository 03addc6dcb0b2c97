#include "query/plan/plan_line.h"

#include "query/plan/brought.h"
#include "query/plan/measured.h"
#include "query/plan/plan_cut.h"
#include "query/plan/plan_shown.h"
#include "vault/same_question.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The charged text is kept for ever, so its length is bounded. */
#define QUESTION_BYTES ((size_t)1 << 20)

/* From a plan to its line. */

/* Can a value that is asked about be missing, or be the empty text? The same words had another meaning
 * before there was NULL, and an answer from then is not that of this question. */
static bool knows_null(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++) {
        const sc_query *query = plan->statements[i].query;
        for (size_t j = 0; j < query->read_count; j++) {
            const sc_column *column = &plan->schema->columns[query->reads[j]];
            if (!column->has_missing || column->type == SC_COLUMN_TEXT)
                return true;
        }
    }
    return false;
}

/* Are public keys taken from a declared range? The charged text says so, because the same words
 * once asked for private keys. */
static bool uses_ranges(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].uses_ranges)
            return true;
    return false;
}

/* Are counts of present and missing values drawn as cells? A line without the word
 * "counts=cells" is that of a plan which counts rows one by one, as all plans did before cells
 * existed. */
static bool has_cells(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].cells > 0)
            return true;
    return false;
}

/* Are counts of rows that have nothing in common drawn together? A line without "counts=disjoint" is that of a plan which
 * draws each by itself, as all plans did. */
static bool has_disjoint(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].disjoint != 0)
            return true;
    return false;
}

/* Do buckets have noise though a delta is given? A line without "bars=noisy" is that of a plan whose histograms only
 * lose rows if it has a delta and names no mechanism, as before there was a choice. */
static bool has_noisy_bars(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].has_noisy_bars)
            return true;
    return false;
}

/* Are totals of units clamped? A line without "sums=clamped" is that of a plan which sums
 * bounded rows. */
static bool clamps(const scrim_plan *plan)
{
    for (size_t i = 0; i < plan->statement_count; i++)
        if (plan->statements[i].clamps)
            return true;
    return false;
}

static void put_question(const scrim_plan *plan, const char *same, sc_text_sink *text)
{
    const char *noise = sc_plan_noise_name(plan->options.noise);
    char release[32];
    sc_text_put(text, sc_text_of("query"));
    if (plan->has_series) {
        snprintf(release, sizeof release, " release=%" PRIu64, plan->series.release);
        sc_text_put(text, sc_text_of(" series="));
        sc_text_put(text, plan->series.name);
        sc_text_put(text, sc_text_of(release));
    }
    if (plan->series.running > 0) {
        snprintf(release, sizeof release, " running=%" PRIu64, plan->series.running);
        sc_text_put(text, sc_text_of(release));
    }
    if (plan->options.version[0] != '\0') {
        sc_text_put(text, sc_text_of(" version="));
        sc_text_put(text, sc_text_of(plan->options.version));
    }
    sc_ratio_put(text, " epsilon=", &plan->options.epsilon);
    sc_ratio_put(text, " delta=", &plan->options.delta);
    if (sc_ratio_sign(&plan->options.rho) > 0)
        sc_ratio_put(text, " rho=", &plan->options.rho);
    if (noise != NULL) {
        sc_text_put(text, sc_text_of(" mechanism="));
        sc_text_put(text, sc_text_of(noise));
    }
    if (plan->options.share_count > 0) {
        sc_text_put(text, sc_text_of(" shares="));
        sc_plan_options_put_shares(&plan->options, text);
    }
    if (plan->options.has_expect || plan->options.guesses.count > 0) {
        sc_text_put(text, sc_text_of(" expect="));
        sc_plan_options_put_expect(&plan->options, text);
    }
    sc_asked_bounds_put(&plan->asked, text);
    sc_brought_put(plan, text);
    if (plan->ladder != NULL)
        sc_ratio_put(text, " bounds=auto=", &plan->options.auto_share);
    if (sc_plan_cut_is_any(plan))
        sc_ratio_put(text, " cut=", &plan->options.cut_share);
    if (knows_null(plan))
        sc_text_put(text, sc_text_of(" null=sql"));
    if (uses_ranges(plan))
        sc_text_put(text, sc_text_of(" keys=range"));
    if (has_cells(plan))
        sc_text_put(text, sc_text_of(" counts=cells"));
    if (has_disjoint(plan))
        sc_text_put(text, sc_text_of(" counts=disjoint"));
    if (has_noisy_bars(plan))
        sc_text_put(text, sc_text_of(" bars=noisy"));
    if (clamps(plan))
        sc_text_put(text, sc_text_of(" sums=clamped"));
    if (plan->has_sets) {
        sc_text_put(text, sc_text_of(" rows-of=sets"));
    } else if (plan->unreleased != NULL) {
        sc_text_put(text, sc_text_of(" rows-of=all"));
    } else if (plan->source > 0) {
        snprintf(release, sizeof release, " rows-of=%zu", plan->source);
        sc_text_put(text, sc_text_of(release));
    }
    sc_text_put(text, sc_text_of(same));
    for (size_t i = 0; i < sc_plan_text_count(plan); i++) {
        sc_text_put(text, sc_text_of(i == 0 ? " : " : " ; "));
        sc_text_put(text, sc_plan_text(plan, i));
    }
    if (plan->unreleased != NULL && !plan->has_sets) {
        sc_text_put(text, sc_text_of(" ; all "));
        sc_text_put(text, plan->unreleased->query->canonical);
    }
}

static scrim_status write_question(scrim_plan *plan, const char *same, char **out,
                                   scrim_error *error)
{
    sc_text_sink text;
    sc_text_sink_init(&text, NULL, 0);
    put_question(plan, same, &text);
    if (text.length > QUESTION_BYTES)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "the queries of a batch have at most 1048576 bytes together; ask in "
            "several batches");
    const size_t bytes = text.length + 1;
    *out = sc_arena_allocate(&plan->arena, bytes, 1);
    if (*out == NULL)
        return sc_no_memory(error, "a plan");
    sc_text_sink_init(&text, *out, bytes);
    put_question(plan, same, &text);
    return SCRIM_OK;
}

scrim_status sc_plan_line_set(scrim_plan *plan, scrim_error *error)
{
    sc_text measured;
    char same[SC_SAME_BYTES];
    SC_TRY(sc_measured_plan(plan, &measured, error));
    SC_TRY(sc_same_write(measured, same, error));
    SC_TRY(write_question(plan, "", &plan->question, error));
    return write_question(plan, same, &plan->line, error);
}

/* From a line to the request of a plan. */

/* One word of the options of a line, as put_question writes them. The values point into the line. */
static void read_option(char *word, scrim_query_options *out)
{
    const struct {
        const char *key;
        const char **value;
    } options[] = {{"epsilon", &out->epsilon},
                   {"delta", &out->delta},
                   {"rho", &out->rho},
                   {"mechanism", &out->mechanism},
                   {"shares", &out->shares},
                   {"expect", &out->expect},
                   {"version", &out->version},
                   {"max-groups", &out->max_groups},
                   {"max-rows", &out->max_rows},
                   {"max-total-rows", &out->max_total_rows},
                   {"max-total", &out->max_total},
                   {"cut", &out->cut_share}};
    char *value = strchr(word, '=');
    if (value == NULL)
        return;
    *value++ = '\0';
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strcmp(word, options[i].key) == 0)
            *options[i].value = value;
}

/* The end of a query of a line: the next " ; " that is not within quotes. */
static char *end_of_query(char *at)
{
    char quote = '\0';
    for (; *at != '\0' && (quote != '\0' || strncmp(at, " ; ", 3) != 0); at++) {
        if (quote == '\0' && (*at == '\'' || *at == '"'))
            quote = *at;
        else if (*at == quote)
            quote = '\0';
    }
    return at;
}

size_t sc_plan_line_cut(char *line, scrim_query_options *options, const char **queries)
{
    char *at = strstr(line, " : "), *word = line, *next;
    size_t count = 0;
    if (at == NULL)
        return 0;
    *at = '\0';
    at += 3;
    for (; word != NULL; word = next) {
        next = strchr(word, ' ');
        if (next != NULL)
            *next++ = '\0';
        read_option(word, options);
    }
    while (count < SC_PLAN_STATEMENTS) {
        char *end = end_of_query(at);
        queries[count++] = at;
        if (*end == '\0')
            return count;
        *end = '\0';
        at = end + 3;
    }
    return 0;
}
