#include "cli/answer/suggestion_forecast.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/suggestion_view.h"
#include "cli/sheet/fold.h"
#include "cli/sheet/listing.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE_MOST UINT64_C(1000000000000)

/* The quantiles of a quantity, from the median outwards; those below it need as many people. */
static const char *const above[] = {"0.5", "0.9", "0.95", "0.99"}, *const below[] = {
                                                                       "0.5", "0.1",
                                                                       "0.05", "0.01"};
#define PLACES (sizeof above / sizeof *above)

typedef struct quantity_need {
    scrim_suggested_quantile q; /* the first one */
    uint64_t people[PLACES];
} quantity_need;

/* For the first quantile from which a bound follows. */
static uint64_t needed(const quantity_need *need)
{
    return need->people[sc_suggestion_median_bounds(&need->q) ? 0 : 1];
}

static void put_quantity(const quantity_need *need, char *text, size_t capacity)
{
    snprintf(text, capacity, "%s%s%s", need->q.quantity,
             need->q.column[0] == '\0' ? "" : " of ", need->q.column);
}

/* Of the quantity whose quantiles begin there; the place behind them. */
static size_t read_need(const scrim_suggestion *suggestion, size_t first,
                        quantity_need *out)
{
    scrim_suggested_quantile at;
    size_t i = first;
    *out = (quantity_need){.people = {0}};
    (void)scrim_suggestion_quantile_at(suggestion, first, &out->q);
    for (; scrim_suggestion_quantile_at(suggestion, i, &at) &&
           strcmp(at.quantity, out->q.quantity) == 0 &&
           strcmp(at.column, out->q.column) == 0;
         i++)
        for (size_t k = 0; k < PLACES; k++)
            if (strcmp(at.p, above[k]) == 0 || strcmp(at.p, below[k]) == 0)
                out->people[k] = at.people;
    return i;
}

static scrim_status write_table(const sc_answer_style *style, sc_output *output,
                                const scrim_suggestion *suggestion, uint64_t expected,
                                scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "quantity"},         {"people", SC_KIND_NUMBER},
        {"for 0.9", SC_KIND_NUMBER},  {"for 0.95", SC_KIND_NUMBER},
        {"for 0.99", SC_KIND_NUMBER}, {.name = "enough"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, &style->terminal);
    scrim_suggested_quantile q;
    quantity_need need;
    box.column_count -= expected == 0;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q);) {
        char quantity[SCRIM_COLUMN_BYTES + 32], people[PLACES][24];
        i = read_need(suggestion, i, &need);
        put_quantity(&need, quantity, sizeof quantity);
        snprintf(people[0], sizeof people[0], "%" PRIu64, needed(&need));
        for (size_t k = 1; k < PLACES; k++)
            snprintf(people[k], sizeof people[k], "%" PRIu64, need.people[k]);
        const char *const cells[] = {quantity,  people[0],
                                     people[1], people[2],
                                     people[3], needed(&need) <= expected ? "yes" : "no"};
        sc_listing_add(&box, cells);
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

/* What so many people are not enough for, and an epsilon that is. */
static void write_lack(sc_output *output, const scrim_suggestion *suggestion,
                       const char *epsilon, uint64_t expected)
{
    char lacking[400] = "", quantity[SCRIM_COLUMN_BYTES + 32];
    uint64_t most = 0;
    scrim_suggested_quantile q;
    quantity_need need;
    for (size_t i = 0; scrim_suggestion_quantile_at(suggestion, i, &q);) {
        const size_t used = strlen(lacking);
        i = read_need(suggestion, i, &need);
        if (needed(&need) <= expected)
            continue;
        put_quantity(&need, quantity, sizeof quantity);
        snprintf(lacking + used, sizeof lacking - used, "%s%s", used == 0 ? "" : ", ",
                 quantity);
        most = needed(&need) > most ? needed(&need) : most;
    }
    if (most == 0)
        sc_output_format(output,
                         "forecast    %" PRIu64 " people are enough for every bound\n",
                         expected);
    else
        sc_output_format(output,
                         "forecast    %" PRIu64
                         " people are too few for bounds by %s; --epsilon "
                         "%.15g is enough for all\n",
                         expected, lacking,
                         sc_suggestion_round_up(sc_number_view(epsilon) * (double)most /
                                                (double)expected));
}

static void write_words(const sc_answer_style *style, sc_output *output,
                        const scrim_suggestion *suggestion, const char *epsilon,
                        uint64_t expected)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output,
                   "people      a quantity gives a bound if about that many people are "
                   "in the data; with more of them further quantiles are used, up to "
                   "0.99 (of the smallest totals 0.01)\n");
    if (expected == 0)
        sc_output_text(output, "forecast    unknown: give the number of people that you "
                               "expect with --expect N\n");
    else
        write_lack(output, suggestion, epsilon, expected);
    sc_output_text(output, "next        a larger epsilon needs fewer people; --verbose "
                           "shows the whole plan; without --dry-run it is charged\n");
    sc_fold_end(output, begin, style->terminal.columns);
}

static scrim_status read_expected(const char *expect, uint64_t *out, scrim_error *error)
{
    *out = 0;
    if (expect == NULL)
        return SCRIM_OK;
    if (expect[0] != '\0' && expect[strspn(expect, "0123456789")] == '\0' &&
        strlen(expect) < 16)
        *out = strtoull(expect, NULL, 10);
    if (*out > 0 && *out <= PEOPLE_MOST)
        return SCRIM_OK;
    return sc_complaint_fill(error, SCRIM_E_PARAM,
                             "--expect '%.60s' is not valid here; give the number of "
                             "people, such as --expect 2500",
                             expect);
}

scrim_status sc_suggestion_forecast(const sc_answer_style *style, sc_output *output,
                                    scrim_vault *vault,
                                    const scrim_suggestion *suggestion,
                                    const char *expect, scrim_error *error)
{
    sc_plan_view view = {.plan = scrim_suggestion_plan(suggestion),
                         .output = output,
                         .terminal = &style->terminal,
                         .error = error};
    uint64_t expected = 0;
    scrim_status status = read_expected(expect, &expected, error);
    if (status == SCRIM_OK)
        status = scrim_plan_describe(vault, view.plan, &view.facts, error);
    if (status == SCRIM_OK)
        status = sc_plan_dataset(vault, view.facts.dataset, &view.dataset, error);
    if (status != SCRIM_OK)
        return status;
    sc_plan_head_write(&view);
    status = write_table(style, output, suggestion, expected, error);
    if (status == SCRIM_OK)
        write_words(style, output, suggestion, view.facts.epsilon, expected);
    return status;
}
