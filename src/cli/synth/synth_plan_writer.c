#include "cli/synth/synth_plan_writer.h"

#include "cli/answer/release_note.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const sc_listing_column columns[] = {{.name = "column", SC_KIND_KEY},
                                            {"categories", SC_KIND_NUMBER},
                                            {.name = "cut", SC_KIND_TEXT | SC_OPTIONAL},
                                            {.name = "null", SC_KIND_TEXT}};

/* How private keys are selected, and how large a group must be. */
static void write_selection(sc_output *output, const scrim_synth_facts *facts)
{
    if (facts->selection[0] == '\0')
        return;
    sc_output_format(output, "selection   %s, for each column with private keys\n",
                     facts->selection);
    sc_output_format(output,
                     "%-12sa value needs %" PRIu64
                     " people for a 50 %% chance to be a category, and %" PRIu64
                     " for 95 %%; others are NULL\n",
                     "", facts->kept_half, facts->kept_most);
}

/* How accurate the answers to queries will be. */
static void write_queries(sc_output *output, const scrim_synth_facts *facts)
{
    sc_output_format(output,
                     "error       each measured answer is within %s of the truth with "
                     "probability 0.95\n",
                     facts->count_error);
    if (facts->query_count == 1)
        sc_output_format(output, "%-12sthe query is measured\n", "");
    else if (facts->measured_count == facts->query_count)
        sc_output_format(output, "%-12sall %zu queries are measured\n", "",
                         facts->query_count);
    else
        sc_output_format(output,
                         "%-12s%zu of %zu queries are measured, selected privately\n", "",
                         facts->measured_count, facts->query_count);
}

static void write_words(sc_output *output, const scrim_synth_facts *facts)
{
    sc_output_text(output, "cost        ");
    sc_cost_write_short(output, &facts->cost);
    sc_output_text(output, facts->is_known != 0 ? "; charged earlier, nothing now\n"
                                                : "; nothing was charged (--dry-run)\n");
    sc_cost_meaning_write(output, &facts->cost);
    write_selection(output, facts);
    if (facts->max_rows > 1)
        sc_output_format(output,
                         "kept        at most %" PRIu64 " rows per person: max-groups "
                         "different ones, each at most max-rows times\n",
                         facts->max_rows);
    if (facts->measured_count > 0)
        write_queries(output, facts);
    else if (facts->count_error[0] != '\0')
        sc_output_format(output,
                         "error       each count of one column is within %s of the truth "
                         "with probability 0.95\n",
                         facts->count_error);
    if (facts->pair_error[0] != '\0')
        sc_output_format(output,
                         "%-12seach count of %s columns together %swithin %s; the "
                         "%s are selected privately\n",
                         facts->count_error[0] != '\0' ? "" : "error",
                         facts->ways == 2 ? "two" : "so many",
                         facts->count_error[0] != '\0' ? "" : "is ", facts->pair_error,
                         facts->ways == 2 ? "pairs" : "tables");
}

static void write_json_facts(sc_json *json, const scrim_synth_facts *facts)
{
    sc_json_text(json, "dataset", facts->dataset);
    sc_json_text(json, "method", facts->method);
    sc_cost_json(json, "cost", &facts->cost);
    sc_json_truth(json, "known", facts->is_known != 0);
    sc_json_count(json, "max_rows", facts->max_rows);
    if (facts->selection[0] != '\0') {
        sc_json_text(json, "selection", facts->selection);
        sc_json_count(json, "kept_half", facts->kept_half);
        sc_json_count(json, "kept_most", facts->kept_most);
    }
    if (facts->query_count > 0)
        sc_json_count(json, "queries", facts->query_count);
    if (facts->measured_count > 0)
        sc_json_count(json, "measured_queries", facts->measured_count);
    if (facts->count_error[0] != '\0')
        sc_json_number(json, "count_error", facts->count_error);
    if (facts->pair_error[0] != '\0')
        sc_json_number(json, "pair_error", facts->pair_error);
}

static void add_columns(sc_listing *listing, const scrim_synth *synth)
{
    scrim_synth_column column;
    char categories[24];
    for (size_t i = 0; scrim_synth_column_at(synth, i, &column); i++) {
        snprintf(categories, sizeof categories, "%" PRIu64, column.categories);
        const char *const cells[] = {column.name, categories,
                                     column.has_private_keys != 0 ? "private keys"
                                                                  : column.cut,
                                     column.is_nullable != 0 ? "yes" : "no"};
        sc_listing_add(listing, cells);
    }
}

scrim_status sc_synth_plan_show(const sc_answer_style *style, scrim_vault *vault,
                                const scrim_synth *synth, scrim_error *error)
{
    scrim_synth_facts facts;
    SC_FREED sc_output *output = malloc(sizeof *output);
    if (output == NULL)
        return sc_out_of_memory(error, "a plan");
    SC_TRY(scrim_synth_describe(vault, synth, &facts, error));
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing = SC_LISTING(columns, output, style->format, &style->terminal);
    sc_json *json =
        style->format == SCRIM_FORMAT_TABLE ? NULL : sc_listing_open(&listing);
    if (json != NULL)
        write_json_facts(json, &facts);
    add_columns(&listing, synth);
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    if (style->format == SCRIM_FORMAT_TABLE)
        write_words(output, &facts);
    SC_TRY(sc_output_finish(output, error));
    if (style->format == SCRIM_FORMAT_CSV && !style->quiet) {
        sc_output_init_screen(output, STDERR_FILENO, SCRIM_FORMAT_TABLE);
        write_words(output, &facts);
        SC_TRY(sc_output_finish(output, error));
    }
    return SCRIM_OK;
}
