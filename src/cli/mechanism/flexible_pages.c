/* Pages of flexible accuracy. */
#include "cli/display/listing.h"
#include "cli/mechanism/experiments.h"
#include "cli/terminal/command.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Statements: composition, evaluate and sensitivity. */

/* The parameters of a statement of flexible accuracy; the last two say how a stage continues the statement before it. */
enum { ALPHA, DROPPED, BETA, GAMMA, ETA, DISTORTION, METRIC, CASE, GROWTH, FROM, KEYS };

static void init_keys(sc_keyed list[KEYS + 1])
{
    static const char *const names[KEYS] = {
        [ALPHA] = "alpha",   [DROPPED] = "dropped", [BETA] = "beta",
        [GAMMA] = "gamma",   [ETA] = "eta",         [DISTORTION] = "distortion",
        [METRIC] = "metric", [CASE] = "case",       [GROWTH] = "growth",
        [FROM] = "from"};
    for (size_t i = 0; i < KEYS; i++)
        list[i] = (sc_keyed){.key = names[i]};
    list[KEYS] = (sc_keyed){.key = NULL};
}

static scrim_status refuse_keys(const sc_keyed *list, int first, int last,
                                const char *stage, scrim_error *error)
{
    for (int i = first; i <= last; i++)
        if (list[i].value != NULL)
            return sc_refuse(error, "%s takes no %s; leave it out", stage, list[i].key);
    return SCRIM_OK;
}

static scrim_status copy(char out[SCRIM_NUMBER_BYTES], const sc_keyed *from,
                         const char *otherwise, scrim_error *error)
{
    const char *text = from->value == NULL ? otherwise : from->value;
    if (strlen(text) >= SCRIM_NUMBER_BYTES)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "%s has more than %d characters; use fewer digits",
                                 from->key, SCRIM_NUMBER_BYTES - 1);
    snprintf(out, SCRIM_NUMBER_BYTES, "%s", text);
    return SCRIM_OK;
}

/* A number that is not given is 0; a beta "unbounded" is the empty text. */
static scrim_status set_numbers(const sc_keyed *k, scrim_flexible *out,
                                scrim_error *error)
{
    const bool is_unbounded =
        k[BETA].value != NULL && strcmp(k[BETA].value, "unbounded") == 0;
    SC_TRY(copy(out->alpha, out->is_count ? &k[DROPPED] : &k[ALPHA], "0", error));
    if (!is_unbounded)
        SC_TRY(copy(out->beta, &k[BETA], "0", error));
    SC_TRY(copy(out->gamma, &k[GAMMA], "0", error));
    return copy(out->eta, &k[ETA], "", error);
}

/* Reads a statement. Where parameters are missing, the kinds of distances are those of `like`, and numbers are 0. */
static scrim_status make_statement(const sc_keyed *k, const scrim_flexible *like,
                                   scrim_flexible *out, scrim_error *error)
{
    const char *form = k[CASE].value;
    memset(out, 0, sizeof *out);
    out->distortion =
        k[DISTORTION].value == NULL ? like->distortion : k[DISTORTION].value;
    out->metric = k[METRIC].value == NULL ? like->metric : k[METRIC].value;
    out->is_average = form == NULL ? like->is_average : strcmp(form, "average") == 0;
    out->is_count =
        k[DROPPED].value != NULL || (k[ALPHA].value == NULL && like->is_count);
    if (form != NULL && strcmp(form, "average") != 0 && strcmp(form, "worst") != 0)
        return sc_refuse(error, "case must be worst or average, not '%s'", form);
    if (k[ALPHA].value != NULL && k[DROPPED].value != NULL)
        return sc_refuse(error, "alpha is a fraction and dropped a number of elements; "
                                "give one of them");
    return set_numbers(k, out, error);
}

static void add_row(const char *stage, const scrim_flexible *f, sc_listing *page)
{
    sc_listing_add(page,
                   (const char *[]){stage, f->is_count ? NULL : f->alpha,
                                    f->is_count ? f->alpha : NULL,
                                    f->beta[0] == '\0' ? "unbounded" : f->beta, f->gamma,
                                    f->distortion, f->eta[0] == '\0' ? NULL : f->eta,
                                    f->metric, f->is_average ? "average" : "worst"});
}

/* The stage "distort": counts the move by beta as distortion. metric is that of the stages that follow. */
static scrim_status run_distort(const sc_keyed *k, scrim_flexible *now,
                                scrim_error *error)
{
    SC_TRY(refuse_keys(k, ALPHA, GAMMA, "distort", error));
    SC_TRY(refuse_keys(k, DISTORTION, DISTORTION, "distort", error));
    SC_TRY(refuse_keys(k, CASE, FROM, "distort", error));
    if (k[ETA].value == NULL)
        return sc_refuse(error, "distort needs eta, the price of moving by 1");
    return scrim_flexible_distort(now, k[ETA].value,
                                  k[METRIC].value == NULL ? now->metric : k[METRIC].value,
                                  now, error);
}

/* Applies a stage to the statement so far. growth is "same" unless given; from is the metric for which the growth was proved, by
 * default that of the statement so far. */
static scrim_status run_stage(const char *stage, const sc_keyed *k, scrim_flexible *now,
                              scrim_error *error)
{
    const char *growth = k[GROWTH].value == NULL ? "same" : k[GROWTH].value;
    const char *from = k[FROM].value == NULL ? now->metric : k[FROM].value;
    scrim_flexible second;
    scrim_status status;
    if (strcmp(stage, "apply") == 0) {
        status = refuse_keys(k, ALPHA, DISTORTION, "apply", error);
        if (status == SCRIM_OK)
            status = refuse_keys(k, CASE, CASE, "apply", error);
        return status == SCRIM_OK
                   ? scrim_flexible_apply(now, from, growth,
                                          k[METRIC].value == NULL ? now->metric
                                                                  : k[METRIC].value,
                                          now, error)
                   : status;
    }
    if (strcmp(stage, "distort") == 0)
        return run_distort(k, now, error);
    if (strcmp(stage, "then") != 0)
        return sc_refuse(error, "unknown stage '%s'; use apply, distort or then", stage);
    status = make_statement(k, now, &second, error);
    return status == SCRIM_OK
               ? scrim_flexible_then(now, &second, from, growth, now, error)
               : status;
}

static scrim_status add_stages(const sc_options *options, sc_listing *page,
                               scrim_error *error)
{
    static const scrim_flexible usual = {.distortion = "drop", .metric = "absolute"};
    sc_keyed k[KEYS + 1];
    scrim_flexible now;
    size_t next = 2;
    init_keys(k);
    SC_TRY(sc_keyed_read(options, next, k, &next, error));
    SC_TRY(refuse_keys(k, GROWTH, FROM, "the first statement", error));
    SC_TRY(make_statement(k, &usual, &now, error));
    /* To check the first statement, apply a stage that changes nothing. */
    SC_TRY(scrim_flexible_apply(&now, now.metric, "same", now.metric, &now, error));
    add_row("first", &now, page);
    while (next < options->word_count) {
        const char *stage = options->words[next];
        init_keys(k);
        SC_TRY(sc_keyed_read(options, next + 1, k, &next, error));
        SC_TRY(run_stage(stage, k, &now, error));
        add_row(stage, &now, page);
    }
    return SCRIM_OK;
}

scrim_status sc_flexible_stages(const sc_options *options, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "stage"}, {.name = "alpha"},  {.name = "dropped"},
        {.name = "beta"},  {.name = "gamma"},  {.name = "distortion"},
        {.name = "eta"},   {.name = "metric"}, {.name = "case"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    if (options->word_count < 3)
        return sc_refuse(error, "give a statement, as in 'scrim experiment composition "
                                "alpha=0.05 beta=0.1 gamma=0 apply growth=2'");
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    SC_TRY(add_stages(options, page, error));
    return sc_page_write(page, error);
}

/* The best accuracy of a mechanism on one input. */

#define NUMBERS_MAX 4096
#define NUMBERS_BYTES 65536

/* Numbers between commas, as texts. */
typedef struct number_list {
    char text[NUMBERS_BYTES];
    const char *at[NUMBERS_MAX];
    size_t count;
} number_list;

static scrim_status split_numbers(const sc_keyed *from, number_list *out,
                                  scrim_error *error)
{
    char *rest = out->text, *one;
    const char *given = from->value == NULL ? "" : from->value;
    const bool fits = strlen(given) < sizeof out->text;
    bool is_whole = fits && given[0] != '\0';
    out->count = 0;
    snprintf(out->text, sizeof out->text, "%s", fits ? given : "");
    while (is_whole && (one = strsep(&rest, ",")) != NULL) {
        is_whole = one[0] != '\0' && out->count < NUMBERS_MAX;
        if (is_whole)
            out->at[out->count++] = one;
    }
    return is_whole ? SCRIM_OK
                    : sc_refuse(error, "give %s as 1 to %d numbers, as in %s=8,9,10",
                                from->key, NUMBERS_MAX, from->key);
}

#define LINE_BYTES 4096

static scrim_status read_mechanism(const sc_options *options, size_t first,
                                   scrim_measurement **out, scrim_error *error)
{
    char line[LINE_BYTES];
    size_t used = 0;
    line[0] = '\0';
    for (size_t i = first; i < options->word_count && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%s",
                                 i == first ? "" : " ", options->words[i]);
    if (used >= sizeof line)
        return sc_complaint_fill(error, SCRIM_E_LIMIT,
                                 "the mechanism's line is too long");
    return scrim_measurement_parse_model(line, out, error);
}

enum { INPUT, REACHABLE, GAMMAS, FORM, EVALUATED };

typedef struct best {
    number_list input, reachable;
    char beta[SCRIM_NUMBER_BYTES];
} best;

static scrim_status show_best(const sc_options *options, const scrim_measurement *m,
                              const best *b, const char *gamma, scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "mechanism"}, {.name = "gamma"}, {.name = "beta"}};
    SC_OWNED(sc_page_free) sc_listing *page = NULL;
    SC_TRY(sc_page_new(options, columns, sizeof columns / sizeof *columns, &page, error));
    sc_listing_add(page, (const char *[]){scrim_measurement_text(m), gamma, b->beta});
    return sc_page_write(page, error);
}

scrim_status sc_flexible_best(const sc_options *options, scrim_error *error)
{
    sc_keyed k[EVALUATED + 1] = {{.key = "input"},
                                 {.key = "reachable"},
                                 {.key = "gamma"},
                                 {.key = "case"},
                                 {.key = NULL}};
    SC_OWNED(scrim_measurement_free_at) scrim_measurement *m = NULL;
    SC_FREED best *b = calloc(1, sizeof *b);
    size_t next = 2;
    if (b == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    SC_TRY(sc_keyed_read(options, next, k, &next, error));
    const char *gamma = k[GAMMAS].value == NULL ? "0" : k[GAMMAS].value;
    SC_TRY(split_numbers(&k[INPUT], &b->input, error));
    SC_TRY(split_numbers(k[REACHABLE].value == NULL ? &k[INPUT] : &k[REACHABLE],
                         &b->reachable, error));
    SC_TRY(read_mechanism(options, next, &m, error));
    const char *form = k[FORM].value == NULL ? "worst" : k[FORM].value;
    if (strcmp(form, "worst") != 0 && strcmp(form, "average") != 0)
        return sc_refuse(error, "unknown case '%s'; use worst or average", form);
    const scrim_flexible_question question = {
        b->input.at,        b->input.count, b->reachable.at,
        b->reachable.count, gamma,          strcmp(form, "average") == 0};
    SC_TRY(scrim_flexible_evaluate_numbers(m, &question, b->beta, error));
    return show_best(options, m, b, gamma, error);
}

/* Sensitivities of a function that a file lists as a table. */

enum { ALPHAS, LOST, OMEGA, PRICE, SENSED };

scrim_status sc_flexible_sensitivity(const sc_options *options, scrim_error *error)
{
    sc_keyed k[SENSED + 1] = {{.key = "alpha"},
                              {.key = "gamma"},
                              {.key = "omega"},
                              {.key = "eta"},
                              {.key = NULL}};
    size_t next = 3;
    if (options->word_count < 3 || strchr(options->words[2], '=') != NULL)
        return sc_refuse(error, "name a file with a function, as in 'scrim experiment "
                                "sensitivity table.json'");
    SC_TRY(sc_keyed_read(options, next, k, &next, error));
    if (next < options->word_count)
        return sc_refuse(error, "one function at a time; leave '%s' out",
                         options->words[next]);
    const sc_function_numbers numbers = {
        .alpha = k[ALPHAS].value == NULL ? "0" : k[ALPHAS].value,
        .gamma = k[LOST].value == NULL ? "0" : k[LOST].value,
        .omega = k[OMEGA].value == NULL ? "0" : k[OMEGA].value,
        .eta = k[PRICE].value};
    return sc_function_table(options, options->words[2], &numbers, error);
}
