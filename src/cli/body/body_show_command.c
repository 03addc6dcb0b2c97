/* scrim body show FILE */
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/program.h"
#include "cli/terminal/talk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A volume in more columns takes seconds; 'compare' finds it. */
#define VOLUME_COLUMNS 12
#define LABEL_BYTES 4000

/* The label of a release tells all of it; other labels may be any text. */
static void note_label(const scrim_body_facts *facts)
{
    const size_t bytes = strlen(facts->label),
                 end = bytes > 0 && facts->label[bytes - 1] == '\n' ? bytes - 1 : bytes;
    if (bytes > 0)
        sc_talk("%.*s\n", end < LABEL_BYTES ? (int)end : LABEL_BYTES, facts->label);
    if (facts->release != 0)
        return;
    sc_talk("estimates the region that these %zu directions cut out; it contains the "
            "floating body of all directions\n",
            facts->direction_count);
    if (facts->epsilon > 0)
        sc_talk("cost: epsilon %g, delta %g; each direction epsilon %g (%s, %s)\n",
                facts->epsilon, facts->delta, facts->epsilon_each,
                facts->composition[0] == '\0' ? "not stated" : facts->composition,
                facts->neighbours);
}

static void note_facts(const sc_body_view *view, const scrim_volume *volume,
                       size_t redundant, double beta)
{
    const scrim_body_facts *facts = &view->facts;
    const double ranks = scrim_body_rank_error(view->body, beta);
    note_label(facts);
    if (isfinite(ranks))
        sc_talk(
            "each quantile is within %.0f ranks of the true one, all at once, with "
            "probability %g%s\n",
            ceil(ranks), 1 - beta,
            facts->units > 0 && ranks > 0.1 * (1 - facts->q) * (double)facts->units
                ? "; that is more than a tenth of the units outside: expect a poor body"
                : "");
    sc_talk("largest ball inside: radius %.6g; %zu of %zu half-spaces %s redundant\n",
            view->shape.radius, redundant, facts->direction_count,
            redundant == 1 ? "is" : "are");
    if (volume->share > 0)
        sc_talk("volume %.4g of that of the bounds%s\n", volume->share,
                volume->standard_error > 0 ? ", estimated" : "");
}

/* Four digits in a box, where numbers have exponents and a row has many of them. */
static void put_half_space(const sc_body_view *view, sc_listing *page,
                           const double *normal, double offset)
{
    if (page->format != SCRIM_FORMAT_TABLE) {
        sc_body_put_numbers(page, normal, view->facts.dimension);
        sc_body_put_number(page, offset);
        return;
    }
    for (size_t j = 0; j < view->facts.dimension; j++)
        sc_listing_put(page, "%.4g", fabs(normal[j]) > 0 ? normal[j] : 0);
    sc_listing_put(page, "%.4g", fabs(offset) > 0 ? offset : 0);
}

static scrim_status list_rows(const sc_body_view *view, const unsigned char *is_redundant,
                              const sc_options *options, scrim_error *error)
{
    sc_listing_column columns[SC_BODY_CELLS_MOST] = {
        {"direction", SC_KIND_NUMBER | SC_RIGHT}};
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    sc_listing *page = NULL;
    size_t count = sc_body_view_columns(view, columns, 1);
    columns[count++] = (sc_listing_column){"at_most", SC_KIND_BOUND | SC_RIGHT};
    columns[count++] = (sc_listing_column){"redundant", SC_KIND_WORD};
    const scrim_status status = sc_page_new(options, columns, count, &page, error);
    for (size_t i = 0; status == SCRIM_OK &&
                       scrim_body_half_space_at(view->body, i, normal, &offset) != 0;
         i++) {
        sc_listing_put(page, "%zu", i + 1);
        put_half_space(view, page, normal, offset);
        sc_listing_put(page, "%s", is_redundant[i] ? "true" : "false");
    }
    return sc_page_end(page, status, error);
}

static scrim_status show(const sc_body_view *view, const sc_options *options,
                         scrim_error *error)
{
    scrim_volume volume = {0};
    size_t redundant = 0;
    unsigned char *is_redundant = calloc(view->facts.direction_count, 1);
    if (is_redundant == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory for a body");
    scrim_status status = scrim_solid_redundant(view->solid, is_redundant, error);
    if (status == SCRIM_OK && view->facts.dimension <= VOLUME_COLUMNS)
        status = scrim_solid_volume(view->solid, &volume, error);
    if (status == SCRIM_OK)
        status = list_rows(view, is_redundant, options, error);
    for (size_t i = 0; i < view->facts.direction_count; i++)
        redundant += is_redundant[i];
    free(is_redundant);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET)) {
        sc_body_view_note(view, options);
        note_facts(view, &volume, redundant, 0.05);
    }
    return status;
}

static scrim_status run_show(const sc_options *options, scrim_error *error)
{
    sc_body_view view;
    scrim_status status =
        sc_body_view_only(&view, options, "scrim body show body.json", error);
    if (status == SCRIM_OK)
        status = show(&view, options, error);
    sc_body_view_close(&view);
    return status;
}

static const char usage[] =
    "The released half-spaces, one a row: the sum of the numbers times the columns is\n"
    "at most at_most. On standard error: the label of the release, what it\n"
    "estimates, how far off its quantiles can be, the largest ball inside, and the\n"
    "volume.\n"
    "\n"
    "  --format table|csv|json|jsonl  a table on a terminal, CSV otherwise\n"
    "  --json         short for --format json\n" SC_USAGE_PROOF
    "  --quiet        no notes on standard error\n" SC_USAGE_SEED "\n"
    "example: scrim body show body.json\n";

const sc_command sc_body_show = {
    .name = "show",
    .synopsis = "FILE",
    .summary = "the half-spaces, and what is known about them",
    .usage = usage,
    .kind = SC_COMMAND_READ,
    .options = SC_OPTION_SET(SCRIM_OPTION_SEED),
    .run = run_show,
};
