#include "cli/mechanism/compose_writer.h"

#include "cli/answer/release_note.h"
#include "cli/display/listing.h"
#include "cli/display/notes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *quantity_of(const sc_compose_view *view)
{
    return view->for_epsilon ? "epsilon" : "delta";
}

static const char *given_of(const sc_compose_view *view)
{
    return view->for_epsilon ? "delta" : "epsilon";
}

/* "adaptive": the sum also holds for parameters that are chosen along the way. */
static const char *use_of(int is_adaptive)
{
    return is_adaptive ? "adaptive" : "declared";
}

/* How often a guess about one person is right at most, and the best (epsilon, delta). */
static double guess_of(const sc_compose_view *view, scrim_cost *cost)
{
    const char *upper = view->bounds->best.upper, *at = view->bounds->at;
    *cost = (scrim_cost){.neighbours = scrim_composition_neighbours(view->parts)};
    memcpy(view->for_epsilon ? cost->epsilon : cost->delta, upper, strlen(upper) + 1);
    memcpy(view->for_epsilon ? cost->delta : cost->epsilon, at, strlen(at) + 1);
    return fmin(sc_cost_guess_upper(cost), sc_distance_guess_upper(view->distance));
}

/* Programs. */

/* A number, and the same with all its digits as a string; null where nothing is proved. */
static void write_bound(sc_json *json, const char *name, const char *exact_name, int has,
                        double value, const char *exact)
{
    if (has) {
        sc_json_double(json, name, value);
        sc_json_text(json, exact_name, exact);
        return;
    }
    sc_json_word(json, name, "null");
    sc_json_word(json, exact_name, "null");
}

static void write_bounds(sc_json *json, const scrim_bound_pair *bounds)
{
    write_bound(json, "lower", "lower_exact", bounds->has_lower, bounds->lower_view,
                bounds->lower);
    write_bound(json, "upper", "upper_exact", bounds->has_upper, bounds->upper_view,
                bounds->upper);
}

static const scrim_bound_row *best_of(const scrim_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].is_best)
            return &bounds->rows[i];
    return NULL;
}

static void write_parts_json(sc_json *json, const scrim_composition *parts)
{
    scrim_composition_part part;
    scrim_error none;
    sc_json_array(json, "parts");
    for (size_t i = 0; scrim_composition_part_at(parts, i, &part, &none) == SCRIM_OK;
         i++) {
        sc_json_object(json, NULL);
        sc_json_text(json, "part", part.text);
        sc_json_count(json, "count", part.count);
        sc_json_text_if_any(json, "rate", part.rate);
        sc_json_end(json);
    }
    sc_json_end(json);
    sc_json_count(json, "releases", scrim_composition_releases(parts));
    sc_json_text(json, "neighbours",
                 scrim_neighbours_name(scrim_composition_neighbours(parts)));
}

static void write_meaning_json(sc_json *json, const sc_compose_view *view)
{
    scrim_cost cost;
    char number[16], text[SC_GUESS_BYTES], meaning[SC_GUESS_BYTES + 64];
    const double guess = guess_of(view, &cost);
    snprintf(number, sizeof number, "%.3f", guess);
    sc_json_text(json, "guess", number);
    snprintf(meaning, sizeof meaning,
             "a guess whether one person is in the data %s of the time",
             sc_guess_text(guess, text));
    sc_json_text(json, "meaning", meaning);
}

static void write_facts_json(sc_json *json, const sc_compose_view *view)
{
    const scrim_bound_row *best = best_of(view->bounds);
    write_parts_json(json, view->parts);
    sc_json_text(json, "quantity", quantity_of(view));
    sc_json_text(json, given_of(view), view->at);
    sc_json_object(json, "best");
    sc_json_text_or_null(json, "accountant", best == NULL ? "" : best->accountant.name);
    write_bounds(json, &view->bounds->best);
    sc_json_text(json, "use", use_of(view->bounds->is_adaptive));
    sc_json_end(json);
    if (view->bounds->best.has_upper)
        write_meaning_json(json, view);
}

static void write_row_json(sc_json *json, const scrim_bound_row *row)
{
    sc_json_object(json, NULL);
    sc_json_text(json, "accountant", row->accountant.name);
    write_bounds(json, &row->bounds);
    sc_json_truth(json, "best", row->is_best);
    sc_json_text(json, "use", use_of(row->accountant.is_adaptive));
    sc_json_text(json, "remark", row->remark);
    sc_json_end(json);
}

/* One object, or its rows as lines. */
static void write_json(sc_output *output, const sc_compose_view *view, bool is_lines)
{
    sc_json json;
    sc_json_init(&json, output);
    if (!is_lines) {
        sc_json_object(&json, NULL);
        write_facts_json(&json, view);
        sc_json_rows(&json, "rows");
    }
    for (size_t i = 0; i < view->bounds->count; i++)
        write_row_json(&json, &view->bounds->rows[i]);
    if (!is_lines) {
        sc_json_end(&json);
        sc_json_end(&json);
    }
}

static scrim_status write_csv(sc_output *output, const scrim_bounds *bounds,
                              scrim_error *error)
{
    static const sc_listing_column columns[] = {
        {.name = "accountant"}, {.name = "lower"}, {.name = "upper"},
        {.name = "best"},       {.name = "use"},   {.name = "remark"}};
    sc_listing listing = SC_LISTING(columns, output, SCRIM_FORMAT_CSV, NULL);
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        sc_listing_add(
            &listing, (const char *[]){row->accountant.name, row->bounds.lower,
                                       row->bounds.upper, row->is_best ? "yes" : "no",
                                       use_of(row->accountant.is_adaptive), row->remark});
    }
    return sc_listing_close(&listing, SCRIM_OK, error);
}

/* For people. */

static bool has_bound(const scrim_bound_row *row)
{
    return row->bounds.has_lower || row->bounds.has_upper;
}

/* Those who say nothing, by why: "no bound    advanced, optimal: some part ...". */
static void write_silent(sc_output *output, const scrim_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++) {
        const char *remark = bounds->rows[i].remark;
        bool is_first = !has_bound(&bounds->rows[i]);
        for (size_t j = 0; is_first && j < i; j++)
            is_first = has_bound(&bounds->rows[j]) ||
                       strcmp(bounds->rows[j].remark, remark) != 0;
        if (!is_first)
            continue;
        sc_output_format(output, "no bound    %s", bounds->rows[i].accountant.name);
        for (size_t j = i + 1; j < bounds->count; j++)
            if (!has_bound(&bounds->rows[j]) &&
                strcmp(bounds->rows[j].remark, remark) == 0)
                sc_output_format(output, ", %s", bounds->rows[j].accountant.name);
        sc_output_format(output, ": %s\n", remark);
    }
}

static scrim_status write_box(sc_output *output, const scrim_bounds *bounds,
                              const sc_terminal *terminal, scrim_error *error)
{
    static const sc_listing_column columns[] = {{.name = "accountant"},
                                                {.name = "at least"},
                                                {.name = "at most"},
                                                {.name = "parts"},
                                                {.name = "how"}};
    sc_listing box = SC_LISTING(columns, output, SCRIM_FORMAT_TABLE, terminal);
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        char marked[SCRIM_SHORT_BYTES + 2]; /* " *" behind the best */
        if (!has_bound(row))
            continue;
        snprintf(marked, sizeof marked, "%s%s", row->bounds.upper_short,
                 row->is_best ? " *" : "");
        sc_listing_add(
            &box, (const char *[]){row->accountant.name, row->bounds.lower_short, marked,
                                   use_of(row->accountant.is_adaptive),
                                   row->remark[0] != '\0' ? row->remark
                                                          : row->accountant.summary});
    }
    return sc_listing_close(&box, SCRIM_OK, error);
}

/* "laplace sensitivity=1 scale=1 neighbours=add-remove, 100 times", one a line. */
static void write_parts(sc_output *output, const sc_compose_view *view, size_t columns)
{
    scrim_composition_part part;
    scrim_error none;
    for (size_t i = 0;
         scrim_composition_part_at(view->parts, i, &part, &none) == SCRIM_OK; i++) {
        const size_t begin = sc_fold_begin(output);
        sc_output_text(output, i == 0 ? "parts       " : "            ");
        sc_output_text(output, part.text);
        if (part.count != 1)
            sc_output_format(output, ", %" PRIu64 " times", part.count);
        sc_output_text(output, "\n");
        sc_fold_end(output, begin, columns);
    }
    const uint64_t releases = scrim_composition_releases(view->parts);
    sc_output_format(output, "together    %" PRIu64 " release%s; %s at %s ", releases,
                     releases == 1 ? "" : "s", quantity_of(view), given_of(view));
    sc_output_text(output, view->at);
    sc_output_text(output, "\n");
}

/* Why the last of those who say nothing above does not. */
static const char *reason_of(const scrim_bounds *bounds)
{
    for (size_t i = bounds->count; i-- > 0;)
        if (!bounds->rows[i].bounds.has_upper && bounds->rows[i].remark[0] != '\0')
            return bounds->rows[i].remark;
    return "nothing is proved";
}

/* "0.05" is worth telling, and 0 is not. */
static void summarise_open(const sc_compose_view *view,
                           char text[SC_COMPOSE_SUMMARY_BYTES])
{
    const char *lower = view->bounds->best.lower_short;
    const bool is_more = strcmp(lower, "0") != 0;
    snprintf(text, SC_COMPOSE_SUMMARY_BYTES,
             "no finite %s is proved at %s %.60s: %.80s%s%s",
             view->for_epsilon ? "epsilon" : "delta", given_of(view), view->at,
             reason_of(view->bounds), is_more ? "; it is at least " : "",
             is_more ? lower : "");
}

void sc_compose_summary(const sc_compose_view *view, char text[SC_COMPOSE_SUMMARY_BYTES])
{
    const scrim_bound_pair *best = &view->bounds->best;
    const char *lower = best->lower_short, *upper = best->upper_short;
    if (!best->has_upper)
        summarise_open(view, text);
    else if (strcmp(lower, upper) == 0)
        snprintf(text, SC_COMPOSE_SUMMARY_BYTES, "%s is %s at %s %.60s",
                 quantity_of(view), upper, given_of(view), view->at);
    else if (strcmp(lower, "0") == 0)
        snprintf(text, SC_COMPOSE_SUMMARY_BYTES,
                 "%s is at most %s at %s %.60s; no lower bound above 0 is known",
                 quantity_of(view), upper, given_of(view), view->at);
    else
        snprintf(text, SC_COMPOSE_SUMMARY_BYTES, "%s lies between %s and %s at %s %.60s",
                 quantity_of(view), lower, upper, given_of(view), view->at);
}

/* The smallest upper bound of those that hold along the way. */
static const scrim_bound_row *best_adaptive(const scrim_bounds *bounds)
{
    const scrim_bound_row *best = NULL;
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        if (row->accountant.is_adaptive && row->bounds.has_upper &&
            (best == NULL || row->bounds.upper_view < best->bounds.upper_view))
            best = row;
    }
    return best;
}

/* The meaning of the numbers for a person. */
static void write_meaning(sc_output *output, const sc_compose_view *view)
{
    scrim_cost cost;
    const double guess = guess_of(view, &cost);
    sc_guess_meaning_write(output, &cost, guess, "person");
}

static void write_use(sc_output *output, const sc_compose_view *view)
{
    const scrim_bound_row *best = best_of(view->bounds),
                          *along = best_adaptive(view->bounds);
    if (best == NULL || scrim_composition_releases(view->parts) < 2)
        return;
    if (best->accountant.is_adaptive) {
        sc_output_format(
            output, "use         %s holds even if parameters depend on earlier answers\n",
            best->accountant.name);
        return;
    }
    sc_output_format(output, "use         %s needs parameters that are fixed in advance",
                     best->accountant.name);
    if (along != NULL && strcmp(along->bounds.upper_short, best->bounds.upper_short) == 0)
        sc_output_format(output, "; %s gives the same without", along->accountant.name);
    else if (along != NULL)
        sc_output_format(output, "; if parameters depend on earlier answers, use %s (%s)",
                         along->bounds.upper_short, along->accountant.name);
    sc_output_text(output, "\n");
}

void sc_compose_meaning_write(sc_output *output, const sc_compose_view *view,
                              size_t columns)
{
    char summary[SC_COMPOSE_SUMMARY_BYTES];
    const size_t begin = sc_fold_begin(output);
    sc_compose_summary(view, summary);
    sc_output_format(output, "result      %s%s\n",
                     view->bounds->best.has_upper ? "the true " : "", summary);
    if (view->bounds->best.has_upper)
        write_meaning(output, view);
    write_use(output, view);
    sc_fold_end(output, begin, columns);
}

scrim_status sc_compose_write(sc_output *output, const sc_compose_view *view,
                              sc_format format, const sc_terminal *terminal,
                              scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    size_t begin;
    switch (format) {
    case SCRIM_FORMAT_TABLE:
        write_parts(output, view, terminal->columns);
        status = write_box(output, view->bounds, terminal, error);
        begin = sc_fold_begin(output);
        write_silent(output, view->bounds);
        sc_fold_end(output, begin, terminal->columns);
        sc_compose_meaning_write(output, view, terminal->columns);
        break;
    case SCRIM_FORMAT_CSV:
        status = write_csv(output, view->bounds, error);
        break;
    case SCRIM_FORMAT_JSON:
    case SCRIM_FORMAT_JSONL:
        write_json(output, view, format == SCRIM_FORMAT_JSONL);
        break;
    }
    return status;
}
