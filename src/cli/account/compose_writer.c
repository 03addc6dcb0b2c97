#include "cli/account/compose_writer.h"

#include "cli/answer/release_note.h"
#include "cli/terminal/box.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/fold.h"
#include "cli/terminal/number_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

/* CSV. */

static void write_csv(sc_output *output, const scrim_bounds *bounds)
{
    sc_output_text(output, "accountant,lower,upper,best,use,remark\n");
    for (size_t i = 0; i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        sc_output_format(output, "%s,%s,%s,%s,%s,", row->accountant.name,
                         row->bounds.lower, row->bounds.upper,
                         row->is_best ? "yes" : "no",
                         use_of(row->accountant.is_adaptive));
        sc_output_csv_text(output, row->remark);
        sc_output_text(output, "\n");
    }
}

/* JSON. */

/* A number, and the same with all its digits as a string; null where nothing is proved. */
static void write_json_bound(sc_output *output, const char *name, int has, double value,
                             const char *exact)
{
    char text[SC_BOUND_BYTES];
    sc_bound_format_exact(value, text);
    if (has && isfinite(value))
        sc_output_format(output, ", \"%s\": %s, \"%s_exact\": \"%s\"", name, text, name,
                         exact);
    else if (has)
        sc_output_format(output, ", \"%s\": \"inf\", \"%s_exact\": \"%s\"", name, name,
                         exact);
    else
        sc_output_format(output, ", \"%s\": null, \"%s_exact\": null", name, name);
}

static void write_json_bounds(sc_output *output, const scrim_bound_pair *bounds)
{
    write_json_bound(output, "lower", bounds->has_lower, bounds->lower_view,
                     bounds->lower);
    write_json_bound(output, "upper", bounds->has_upper, bounds->upper_view,
                     bounds->upper);
}

static void write_json_row(sc_output *output, const scrim_bound_row *row)
{
    sc_output_format(output, "{\"accountant\": \"%s\"", row->accountant.name);
    write_json_bounds(output, &row->bounds);
    sc_output_format(output, ", \"best\": %s, \"use\": \"%s\", \"remark\": ",
                     row->is_best ? "true" : "false",
                     use_of(row->accountant.is_adaptive));
    sc_output_json_text(output, row->remark);
    sc_output_text(output, "}");
}

static void write_json_rows(sc_output *output, const scrim_bounds *bounds,
                            const char *between, const char *after)
{
    for (size_t i = 0; i < bounds->count; i++) {
        write_json_row(output, &bounds->rows[i]);
        sc_output_text(output, i + 1 < bounds->count ? between : after);
    }
}

static const scrim_bound_row *best_of(const scrim_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->rows[i].is_best)
            return &bounds->rows[i];
    return NULL;
}

static void write_count(sc_output *output, uint64_t count)
{
    char text[SC_INT64_CHARS + 1];
    *sc_int64_write(text, (int64_t)count) = '\0';
    sc_output_json_number(output, text);
}

static void write_json_parts(sc_output *output, const scrim_composition *parts)
{
    scrim_composition_part part;
    scrim_error none;
    sc_output_text(output, "\"parts\": [");
    for (size_t i = 0; scrim_composition_part_at(parts, i, &part, &none) == SCRIM_OK;
         i++) {
        sc_output_text(output, i == 0 ? "{\"part\": " : ", {\"part\": ");
        sc_output_json_text(output, part.text);
        sc_output_text(output, ", \"count\": ");
        write_count(output, part.count);
        if (part.rate[0] != '\0')
            sc_output_format(output, ", \"rate\": \"%s\"", part.rate);
        sc_output_text(output, "}");
    }
    sc_output_text(output, "], \"releases\": ");
    write_count(output, scrim_composition_releases(parts));
    sc_output_format(output, ", \"neighbours\": \"%s\"",
                     scrim_neighbours_name(scrim_composition_neighbours(parts)));
}

static void write_json(sc_output *output, const sc_compose_view *view)
{
    const scrim_bound_row *best = best_of(view->bounds);
    sc_output_text(output, "{");
    write_json_parts(output, view->parts);
    sc_output_format(output, ", \"quantity\": \"%s\", \"%s\": ", quantity_of(view),
                     given_of(view));
    sc_output_json_text(output, view->at);
    sc_output_text(output, ", \"best\": {\"accountant\": ");
    if (best == NULL)
        sc_output_text(output, "null");
    else
        sc_output_json_text(output, best->accountant.name);
    write_json_bounds(output, &view->bounds->best);
    sc_output_format(output, ", \"use\": \"%s\"}, \"rows\": [\n",
                     use_of(view->bounds->is_adaptive));
    write_json_rows(output, view->bounds, ",\n", "\n");
    sc_output_text(output, "]}\n");
}

/* For people. */

enum { COLUMNS = 5 };

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

/* A short number, and " *" behind the best. */
#define MARKED_BYTES (SCRIM_SHORT_BYTES + 2)

static scrim_status write_box(sc_output *output, const scrim_bounds *bounds,
                              const sc_terminal *terminal, scrim_error *error)
{
    static const char *const columns[COLUMNS] = {"accountant", "at least", "at most",
                                                 "parts", "how"};
    char(*marked)[MARKED_BYTES] = calloc(bounds->count + 1, sizeof *marked);
    const char **cells = calloc((bounds->count + 1) * COLUMNS, sizeof *cells);
    const bool has_memory = marked != NULL && cells != NULL;
    size_t shown = 0;
    for (size_t i = 0; has_memory && i < bounds->count; i++) {
        const scrim_bound_row *row = &bounds->rows[i];
        const char **cell = cells + shown * COLUMNS;
        if (!has_bound(row))
            continue;
        snprintf(marked[shown], MARKED_BYTES, "%s%s", row->bounds.upper_short,
                 row->is_best ? " *" : "");
        cell[0] = row->accountant.name;
        cell[1] = row->bounds.lower_short;
        cell[2] = marked[shown];
        cell[3] = use_of(row->accountant.is_adaptive);
        cell[4] = row->remark[0] != '\0' ? row->remark : row->accountant.summary;
        shown++;
    }
    if (has_memory)
        sc_box_write(output, &(sc_box){columns, COLUMNS, cells, shown},
                     SCRIM_FORMAT_TABLE, terminal);
    free(cells);
    free(marked);
    return has_memory
               ? SCRIM_OK
               : sc_complaint_fill(error, SCRIM_E_MEMORY, "no memory for the table");
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

/* What the numbers promise to a person. */
static void write_meaning(sc_output *output, const sc_compose_view *view)
{
    scrim_cost cost = {.neighbours = scrim_composition_neighbours(view->parts)};
    const char *upper = view->bounds->best.upper, *at = view->bounds->at;
    memcpy(view->for_epsilon ? cost.epsilon : cost.delta, upper, strlen(upper) + 1);
    memcpy(view->for_epsilon ? cost.delta : cost.epsilon, at, strlen(at) + 1);
    sc_cost_meaning_write(output, &cost);
}

static void write_use(sc_output *output, const sc_compose_view *view)
{
    const scrim_bound_row *best = best_of(view->bounds),
                          *along = best_adaptive(view->bounds);
    if (best == NULL)
        return;
    if (best->accountant.is_adaptive) {
        sc_output_format(output,
                         "use         %s holds also where the next parameters are chosen "
                         "after seeing answers\n",
                         best->accountant.name);
        return;
    }
    sc_output_format(output,
                     "use         %s holds for parts that are declared in advance",
                     best->accountant.name);
    if (along != NULL)
        sc_output_format(output,
                         "; where the next parameters are chosen after seeing answers, "
                         "count %s (%s)",
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
        write_csv(output, view->bounds);
        break;
    case SCRIM_FORMAT_JSON:
        write_json(output, view);
        break;
    case SCRIM_FORMAT_JSONL:
        write_json_rows(output, view->bounds, "\n", "\n");
        break;
    }
    return status;
}
