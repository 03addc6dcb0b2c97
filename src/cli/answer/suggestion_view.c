#include "cli/answer/suggestion_view.h"

#include "cli/answer/charge_note.h"
#include "cli/answer/result_show.h"
#include "cli/answer/result_writer.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sc_listing_column bound_columns[] = {{"bound", SC_KIND_TEXT},
                                                  {"column", SC_KIND_KEY},
                                                  {"low", SC_KIND_DECIMAL | SC_NULLABLE},
                                                  {"high", SC_KIND_DECIMAL}};
static const sc_listing_column quantile_columns[] = {
    {"quantity", SC_KIND_TEXT},    {"column", SC_KIND_KEY},
    {"quantile", SC_KIND_DECIMAL}, {"value", SC_KIND_DECIMAL | SC_VALUE | SC_TOGETHER},
    {"value_low", SC_BOUND},       {"value_high", SC_BOUND},
    {"people", SC_KIND_NUMBER},    {"used", SC_KIND_TEXT}};

#define UNBOUNDED_BYTES 240
#define BOUND_COLUMNS (sizeof bound_columns / sizeof *bound_columns)

static scrim_status write_bounds(sc_listing *listing, const scrim_suggestion *suggestion,
                                 scrim_error *error)
{
    scrim_suggested_bound bound;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        const char *const cells[] = {bound.bound, bound.column, bound.low, bound.high};
        sc_listing_add(listing, cells);
    }
    return sc_listing_close(listing, SCRIM_OK, error);
}

static void write_json_bounds(sc_json *json, const scrim_suggestion *suggestion)
{
    scrim_suggested_bound bound;
    sc_json_rows(json, "bounds");
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        const char *const cells[] = {bound.bound, bound.column, bound.low, bound.high};
        sc_listing_json_row(json, NULL, bound_columns, BOUND_COLUMNS, cells);
    }
    sc_json_end(json);
}

/* used_only: without those that too few people stand behind, which say little. */
static scrim_status write_quantiles(sc_listing *listing,
                                    const scrim_suggestion *suggestion, bool used_only,
                                    scrim_error *error)
{
    scrim_suggested_quantile q;
    char people[24];
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q); i++) {
        if (used_only && !q.is_used)
            continue;
        snprintf(people, sizeof people, "%" PRIu64, q.people);
        const char *const cells[] = {
            q.quantity, q.column, q.p,    q.value,
            q.low,      q.high,   people, q.is_used ? "yes" : "no"};
        sc_listing_add(listing, cells);
    }
    return sc_listing_close(listing, SCRIM_OK, error);
}

static size_t used_count(const scrim_suggestion *suggestion)
{
    scrim_suggested_quantile q;
    size_t used = 0;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q); i++)
        used += q.is_used != 0;
    return used;
}

static scrim_status write_json(sc_output *output, scrim_vault *vault,
                               const scrim_suggestion *suggestion, scrim_error *error)
{
    const scrim_result *result = scrim_suggestion_result(suggestion);
    sc_listing quantiles = SC_LISTING(quantile_columns, output, SCRIM_FORMAT_JSON, NULL);
    scrim_vault_release charge = {0};
    scrim_result_facts facts;
    sc_json json;
    scrim_result_describe(result, &facts);
    scrim_status status = scrim_vault_replay(vault, facts.release, &charge, error);
    if (status != SCRIM_OK)
        return status;
    sc_json_init(&json, output);
    sc_result_head_json(&json, result, NULL);
    sc_json_count(&json, "people", scrim_suggestion_people(suggestion));
    write_json_bounds(&json, suggestion);
    quantiles.json = &json;
    status = write_quantiles(&quantiles, suggestion, false, error);
    sc_result_tail_json(&json, result, &charge, facts.is_repeated);
    scrim_vault_release_clear(&charge);
    return status;
}

/* Without a bound. */

/* The people that bounds of rows need: the easiest quantile of groups and of rows each. 0: none are asked
 * for. */
static uint64_t people_needed(const scrim_suggestion *suggestion)
{
    scrim_suggested_quantile q;
    uint64_t groups = UINT64_MAX, rows = UINT64_MAX;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q); i++) {
        if (strcmp(q.quantity, "groups") == 0 && q.people < groups)
            groups = q.people;
        if (strcmp(q.quantity, "rows") == 0 && q.people < rows)
            rows = q.people;
    }
    if (rows == UINT64_MAX)
        return 0;
    return groups != UINT64_MAX && groups > rows ? groups : rows;
}

double sc_suggestion_round_up(double value)
{
    static const double steps[] = {1, 2, 5};
    for (int exponent = -12; exponent < 15; exponent++)
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            const double step = exponent < 0 ? steps[i] / pow(10, -exponent)
                                             : steps[i] * pow(10, exponent);
            if (step >= value)
                return step;
        }
    return value;
}

/* What to do where no bound follows; "" where there is one. The people that are needed fall as
 * epsilon grows. Their number has noise: the advice also holds if they are half as many. */
static void put_unbounded(const scrim_suggestion *suggestion, const char *epsilon,
                          char out[UNBOUNDED_BYTES])
{
    scrim_suggested_bound bound;
    const uint64_t needed = people_needed(suggestion),
                   people = scrim_suggestion_people(suggestion);
    out[0] = '\0';
    if (scrim_suggestion_bound_at(suggestion, 0, &bound))
        return;
    if (needed <= people)
        snprintf(out, UNBOUNDED_BYTES,
                 "no bound is suggested: the declared ranges serve");
    else if (people == 0)
        snprintf(out, UNBOUNDED_BYTES,
                 "no bound: too few people, about %" PRIu64
                 " are needed at epsilon %.40s; "
                 "use a larger epsilon",
                 needed, epsilon);
    else
        snprintf(out, UNBOUNDED_BYTES,
                 "no bound: about %" PRIu64 " people, and %" PRIu64
                 " are needed at epsilon %.40s; --epsilon %.15g should be enough",
                 people, needed, epsilon,
                 sc_suggestion_round_up(2 * sc_number_view(epsilon) * (double)needed /
                                        (double)people));
}

static scrim_status write_tables(sc_output *output, const sc_answer_style *style,
                                 const scrim_suggestion *suggestion,
                                 const char *unbounded, scrim_error *error)
{
    const bool is_table = style->format == SCRIM_FORMAT_TABLE,
               is_empty = unbounded[0] != '\0' && is_table,
               is_short = is_table && !style->is_verbose;
    sc_listing bounds =
                   SC_LISTING(bound_columns, output, style->format, &style->terminal),
               quantiles =
                   SC_LISTING(quantile_columns, output, style->format, &style->terminal);
    bounds.is_marked = quantiles.is_marked = true;
    if (is_empty) {
        sc_heading_write(output, unbounded, strlen(unbounded), &style->terminal);
        sc_output_text(output, "\n");
    } else {
        (void)sc_listing_open(&bounds);
        const scrim_status status = write_bounds(&bounds, suggestion, error);
        if (status != SCRIM_OK)
            return status;
    }
    if (style->format == SCRIM_FORMAT_CSV)
        sc_output_text(output, "\n");
    if (is_short && used_count(suggestion) == 0)
        return SCRIM_OK;
    if (is_short) /* all of them are used, and have enough people */
        quantiles.column_count -= 2;
    (void)sc_listing_open(&quantiles);
    return write_quantiles(&quantiles, suggestion, is_short, error);
}

/* Words. */

/* As a shell reads it: between single quotes unless it is letters, digits and a few signs. */
static void put_shell(sc_output *talk, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-.=,/";
    if (text[strspn(text, plain)] == '\0') {
        sc_output_text(talk, text);
        return;
    }
    sc_output_text(talk, "'");
    for (; *text != '\0'; text++)
        if (*text == '\'')
            sc_output_text(talk, "'\\''");
        else
            sc_output_bytes(talk, text, 1);
    sc_output_text(talk, "'");
}

/* " --max-total amount=500": one number where the range begins at 0, since it is cut there. */
static void put_total(sc_output *talk, const scrim_suggested_bound *bound)
{
    char text[2 * SCRIM_COLUMN_BYTES + 200];
    const bool is_one = strcmp(bound->low, "0") == 0;
    snprintf(text, sizeof text, is_one ? "%s=%s%s" : "%s=%s,%s", bound->column,
             is_one ? "0," : bound->low, bound->high);
    sc_output_text(talk, " --max-total ");
    put_shell(talk, text);
}

static void write_command(sc_output *talk, const scrim_suggestion *suggestion,
                          const char *dataset, const char *where)
{
    scrim_suggested_bound bound;
    size_t count = 0;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++) {
        if (strcmp(bound.bound, "clamp") == 0)
            continue;
        if (count++ == 0) {
            sc_output_text(talk, "owner       scrim dataset set ");
            put_shell(talk, dataset);
        }
        if (strcmp(bound.bound, "max-total") == 0)
            put_total(talk, &bound);
        else
            sc_output_format(talk, " --%s %s", bound.bound, bound.high);
    }
    if (count > 0)
        sc_output_format(talk, " --bounds-from suggest%s\n", where);
}

static void write_clamps(sc_output *talk, const scrim_suggestion *suggestion)
{
    scrim_suggested_bound bound;
    for (size_t i = 0; scrim_suggestion_bound_at(suggestion, i, &bound); i++)
        if (strcmp(bound.bound, "clamp") == 0)
            sc_output_format(talk, "analyst     CLAMP(%s, %s, %s)\n", bound.column,
                             bound.low, bound.high);
}

/* "rows", "largest total of amount". */
static void put_quantity(sc_output *talk, const scrim_suggested_quantile *q)
{
    sc_output_format(talk, "caution     %s%s%s: ", q->quantity,
                     q->column[0] == '\0' ? "" : " of ", q->column);
}

bool sc_suggestion_median_bounds(const scrim_suggested_quantile *q)
{
    return strcmp(q->quantity, "groups") == 0 || strcmp(q->quantity, "rows") == 0;
}

/* Of the quantiles of one quantity, which begin at `first`. Returns the place behind them. */
static size_t write_caution(sc_output *talk, const scrim_suggestion *suggestion,
                            size_t first)
{
    scrim_suggested_quantile q, at, last = {.p = ""};
    size_t i = first, used = 0;
    uint64_t least = UINT64_MAX; /* for a quantile from which a bound follows */
    (void)scrim_suggestion_quantile_at(suggestion, first, &q);
    for (; scrim_suggestion_quantile_at(suggestion, i, &at) &&
           strcmp(at.quantity, q.quantity) == 0 && strcmp(at.column, q.column) == 0;
         i++) {
        if (at.people < least &&
            (sc_suggestion_median_bounds(&q) || strcmp(at.p, "0.5") != 0))
            least = at.people;
        used += at.is_used != 0;
        last = at.is_used ? at : last;
        if (at.is_cut) {
            put_quantity(talk, &q);
            sc_output_format(talk,
                             "the quantile %s is %s %s, where the range had to be cut\n",
                             at.p, at.value[0] == '-' ? "at most" : "at least", at.value);
        }
    }
    if (used == 0) {
        put_quantity(talk, &q);
        sc_output_format(talk,
                         "too few people, about %" PRIu64
                         " are needed; no bound follows from it\n",
                         least);
    } else if (strcmp(last.p, "0.5") == 0 && !sc_suggestion_median_bounds(&q)) {
        put_quantity(talk, &q);
        sc_output_format(talk,
                         "only the median has enough people, and it alone gives no "
                         "bound; about %" PRIu64 " are needed\n",
                         least);
    } else if (used < i - first) {
        put_quantity(talk, &q);
        sc_output_format(
            talk,
            "too few people for quantiles beyond %s; beyond its value %s the "
            "bound rests on a guess of the tail\n",
            last.p, last.value);
    }
    return i;
}

static void write_cautions(sc_output *talk, const scrim_suggestion *suggestion)
{
    scrim_suggested_quantile q;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q);)
        i = write_caution(talk, suggestion, i);
}

/* How bounds are chosen. */
static void write_basis(sc_output *talk, const char *epsilon)
{
    sc_output_format(
        talk,
        "basis       released quantiles over people, not rows; each bound is the one of "
        "1, 2, 3, 5, 10, 20, 30, 50, ... with the smallest predicted error of one count "
        "or sum at epsilon %.100s; it may lie between the used quantiles or beyond the "
        "last "
        "one, by a guess of the tail; max-groups is at most the number of public keys, "
        "with NULL if a key may be NULL\n",
        epsilon);
    sc_output_text(talk,
                   "range       quantiles were chosen from public ranges, never from the "
                   "largest value in the data\n");
}

static void write_words(sc_output *talk, const sc_answer_style *style,
                        const scrim_suggestion *suggestion, const char *epsilon,
                        const char *unbounded, unsigned columns)
{
    const bool is_short = style->format == SCRIM_FORMAT_TABLE && !style->is_verbose;
    scrim_result_facts facts;
    char where[SC_VAULT_WORDS_BYTES];
    scrim_result_describe(scrim_suggestion_result(suggestion), &facts);
    sc_vault_words(style->vault, where);
    write_command(talk, suggestion, facts.dataset, where);
    write_clamps(talk, suggestion);
    const size_t begin = sc_fold_begin(talk);
    if (unbounded[0] != '\0' && style->format != SCRIM_FORMAT_TABLE)
        sc_output_format(talk, "caution     %s\n", unbounded);
    if (!is_short)
        write_basis(talk, epsilon);
    sc_output_text(talk, "applied     nothing is applied by itself\n");
    sc_output_format(talk,
                     "people      there are about %" PRIu64 ", by the released "
                     "counts; ",
                     scrim_suggestion_people(suggestion));
    sc_output_text(talk, is_short ? "only quantiles with enough people are shown and "
                                    "used; --verbose shows all, and how bounds are "
                                    "chosen\n"
                                  : "a quantile needs about as many as its line says; "
                                    "bounds follow from those that have enough (used)\n");
    write_cautions(talk, suggestion);
    sc_fold_end(talk, begin, columns);
}

static scrim_status write_talk(sc_output *output, const sc_answer_style *style,
                               scrim_vault *vault, const scrim_suggestion *suggestion,
                               const char *epsilon, const char *unbounded,
                               scrim_error *error)
{
    sc_terminal beside;
    sc_terminal_look(STDERR_FILENO, &beside);
    sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
    write_words(output, style, suggestion, epsilon, unbounded, beside.columns);
    const scrim_status status = sc_output_finish(output, error);
    return status == SCRIM_OK
               ? sc_result_talk(style, vault, scrim_suggestion_result(suggestion), error)
               : status;
}

scrim_status sc_suggestion_show(const sc_answer_style *style, scrim_vault *vault,
                                const scrim_suggestion *suggestion,
                                const char *question_epsilon, scrim_error *error)
{
    scrim_plan_facts plan;
    char unbounded[UNBOUNDED_BYTES];
    scrim_status status =
        scrim_plan_describe(vault, scrim_suggestion_plan(suggestion), &plan, error);
    if (status != SCRIM_OK)
        return status;
    put_unbounded(suggestion, plan.epsilon, unbounded);
    sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY,
                                 "out of memory to show the answer");
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    status = style->format == SCRIM_FORMAT_JSON
                 ? write_json(output, vault, suggestion, error)
                 : write_tables(output, style, suggestion, unbounded, error);
    if (status == SCRIM_OK)
        status = sc_output_finish(output, error);
    if (status == SCRIM_OK && !style->quiet)
        status = write_talk(output, style, vault, suggestion,
                            question_epsilon == NULL ? plan.epsilon : question_epsilon,
                            unbounded, error);
    free(output);
    return status;
}
