#include "cli/answer/suggestion_forecast.h"

#include "cli/answer/plan_view.h"
#include "cli/answer/suggestion_view.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"
#include "cli/display/number_view.h"
#include "cli/terminal/complaint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PEOPLE_MOST UINT64_C(1000000000000)

/* A ladder before it is drawn. */
typedef struct ladder_need {
    scrim_suggested_rung first;
    size_t rungs;
    uint64_t people; /* so that the share above a rung is known to 2 % */
} ladder_need;

static void put_quantity(const ladder_need *need, char *text, size_t capacity)
{
    snprintf(text, capacity, "%s%s%s", need->first.quantity,
             need->first.column[0] == '\0' ? "" : " of ", need->first.column);
}

/* Reads the ladder that begins at a rung; false behind the last. The first rung has the widest interval. */
static bool read_need(const scrim_suggestion *suggestion, size_t *at, ladder_need *out)
{
    scrim_suggested_rung rung;
    if (!scrim_suggestion_rung_at(suggestion, *at, &out->first))
        return false;
    out->people = 50 * out->first.error;
    for (out->rungs = 1;
         scrim_suggestion_rung_at(suggestion, (*at)++, &rung) && !rung.is_last;
         out->rungs++)
        ;
    return true;
}

static scrim_status write_table(const sc_answer_style *style, sc_output *output,
                                const scrim_suggestion *suggestion, uint64_t expected,
                                scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "quantity"},
                                                {"rungs", SC_KIND_NUMBER},
                                                {"error", SC_KIND_NUMBER},
                                                {"people", SC_KIND_NUMBER},
                                                {.name = "enough"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, &style->terminal);
    ladder_need need;
    box.column_count -= expected == 0;
    for (size_t at = 0; read_need(suggestion, &at, &need);) {
        char quantity[SCRIM_COLUMN_BYTES + 32], numbers[3][24];
        put_quantity(&need, quantity, sizeof quantity);
        snprintf(numbers[0], sizeof numbers[0], "%zu", need.rungs);
        snprintf(numbers[1], sizeof numbers[1], "%" PRIu64, need.first.error);
        snprintf(numbers[2], sizeof numbers[2], "%" PRIu64, need.people);
        const char *const cells[] = {quantity, numbers[0], numbers[1], numbers[2],
                                     need.people <= expected ? "yes" : "no"};
        sc_listing_add(&box, cells);
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

/* Questions for which the expected people are not enough, and an epsilon with which they are. */
static void write_lack(sc_output *output, const scrim_suggestion *suggestion,
                       const char *epsilon, uint64_t expected)
{
    char lacking[400] = "", quantity[SCRIM_COLUMN_BYTES + 32];
    uint64_t most = 0;
    ladder_need need;
    for (size_t at = 0; read_need(suggestion, &at, &need);) {
        const size_t used = strlen(lacking);
        if (need.people <= expected)
            continue;
        put_quantity(&need, quantity, sizeof quantity);
        snprintf(lacking + used, sizeof lacking - used, "%s%s", used == 0 ? "" : ", ",
                 quantity);
        most = need.people > most ? need.people : most;
    }
    if (most == 0)
        sc_output_format(output,
                         "forecast    %" PRIu64 " people are enough for every bound\n",
                         expected);
    else
        sc_output_format(output,
                         "forecast    bounds by %s will be rough with %" PRIu64
                         " people; --epsilon %.15g is enough for all\n",
                         lacking, expected,
                         sc_suggestion_round_up(sc_number_view(epsilon) * (double)most /
                                                (double)expected));
}

static void write_words(const sc_answer_style *style, sc_output *output,
                        const scrim_suggestion *suggestion, const char *epsilon,
                        uint64_t expected)
{
    const size_t begin = sc_fold_begin(output);
    sc_output_text(
        output,
        "error       the number of people above a rung is known to within this "
        "many people; if there are as many people as the column people says, that "
        "is 2 % of them; with fewer every bound is still suggested, but "
        "rough\n");
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
    return sc_refuse(error,
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
    SC_TRY(read_expected(expect, &expected, error));
    SC_TRY(scrim_plan_describe(vault, view.plan, &view.facts, error));
    SC_TRY(sc_plan_dataset(vault, view.facts.dataset, &view.dataset, error));
    sc_plan_head_write(&view);
    SC_TRY(write_table(style, output, suggestion, expected, error));
    write_words(style, output, suggestion, view.facts.epsilon, expected);
    return SCRIM_OK;
}
