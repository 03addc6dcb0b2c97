#include "cli/answer/cost_limit.h"

#include "cli/answer/plan_brief.h"
#include "cli/answer/plan_view.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/interview.h"
#include "cli/terminal/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Epsilon above this is weak protection: a target that needs it is not charged without being seen. */
#define TARGET_EPSILON 1.0

/* A decimal or a fraction above 0. The nearest double decides whether somebody is asked; the charge is exact. */
static bool read_number(const char *text, double *out)
{
    char *end = NULL;
    const double above = strtod(text, &end);
    const char *below = *end == '/' ? end + 1 : "1";
    const bool is_whole = *end == '/' || *end == '\0';
    const double divisor = strtod(below, &end);
    *out = above / divisor;
    return text[strspn(text, "0123456789.eE+-/")] == '\0' && is_whole && end != below &&
           *end == '\0' && *out > 0 && *out <= 1e6;
}

bool sc_cost_limit_read(const char *text, double *out)
{
    static const char key[] = "epsilon=";
    return text != NULL && strncmp(text, key, sizeof key - 1) == 0 &&
           read_number(text + sizeof key - 1, out);
}

#define TARGET_BYTES 512

/* "an error of 5 takes epsilon 0.9, assuming 1000 rows per group (change it with --expect)": without the rows where
 * somebody has guessed them. */
static void put_target(const sc_options *options, const scrim_plan_facts *facts,
                       char out[TARGET_BYTES])
{
    const bool has_expect = sc_options_has(options, SCRIM_OPTION_EXPECT);
    snprintf(out, TARGET_BYTES, "an error of %.40s takes epsilon %.40s%s%.40s%s",
             options->value[SCRIM_OPTION_TARGET_ERROR], facts->epsilon,
             has_expect ? "" : ", assuming ", has_expect ? "" : facts->expect,
             has_expect ? "" : " rows per group (change it with --expect)");
}

static scrim_status ask_person(const sc_options *options, const char *target,
                               const scrim_plan_facts *facts,
                               const sc_query_request *request, scrim_error *error)
{
    char answer[SC_ANSWER_BYTES];
    sc_plan_price price;
    SC_TRY(sc_plan_brief(request, options, &price, error));
    sc_talk(
        "target      %s\n"
        "caution     epsilon %.40s is weak protection; 'scrim explain' with --epsilon "
        "shows the error at a smaller one\n",
        target, facts->epsilon);
    SC_TRY(sc_interview_ask(NULL, "charge it? y or n (n)", answer, error));
    if (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0)
        return SCRIM_OK;
    return sc_refuse(error, "not asked; nothing was charged");
}

/* Is there a cost that nobody but the analyst refuses? */
static scrim_status look(const sc_query_request *request, const scrim_plan_facts *facts,
                         bool *out, scrim_error *error)
{
    const bool is_free = facts->repeats != 0 && !facts->is_booked;
    scrim_dataset dataset;
    SC_TRY(sc_plan_dataset(request->vault, facts->dataset, &dataset, error));
    *out = !is_free && facts->after[0] != '\0' && !sc_plan_is_above_cap(&dataset, facts);
    return SCRIM_OK;
}

scrim_status sc_cost_limit_check(const sc_options *options,
                                 const sc_query_request *request, bool quiet,
                                 scrim_error *error)
{
    const char *cap = options->value[SCRIM_OPTION_CAP];
    const bool has_target = sc_options_has(options, SCRIM_OPTION_TARGET_ERROR);
    double most = TARGET_EPSILON, epsilon = 0;
    bool is_open = false;
    char target[TARGET_BYTES];
    scrim_plan_facts facts;
    if (cap != NULL && !sc_cost_limit_read(cap, &most))
        return sc_refuse(error, "--cap must be epsilon=R, as in --cap epsilon=2");
    if (cap == NULL && !has_target)
        return SCRIM_OK;
    SC_TRY(scrim_plan_describe(request->vault, request->plan, &facts, error));
    SC_TRY(look(request, &facts, &is_open, error));
    if (!is_open)
        return SCRIM_OK;
    if (has_target)
        put_target(options, &facts, target);
    if (read_number(facts.epsilon, &epsilon) && epsilon <= most) {
        if (has_target && !quiet)
            sc_talk("target      %s\n", target);
        return SCRIM_OK;
    }
    if (cap != NULL)
        return sc_refuse(error,
                         "the query would cost epsilon %.40s, above --cap %.80s; nothing "
                         "was charged",
                         facts.epsilon, cap);
    if (sc_interview_is_possible())
        return ask_person(options, target, &facts, request, error);
    return sc_refuse(
        error, "%s; allow it with --cap epsilon=%.40s, or accept a larger --target-error",
        target, facts.epsilon);
}
