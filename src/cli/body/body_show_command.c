/* scrim body show FILE */
#include "cli/body/body_commands.h"
#include "cli/body/body_page.h"
#include "cli/report/file_proof.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"
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

static void note(const sc_body_call *call)
{
    const scrim_body_facts *facts = &call->view.facts;
    const double beta = 0.05, ranks = scrim_body_rank_error(call->view.body, beta);
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
            call->view.shape.radius, call->found, facts->direction_count,
            call->found == 1 ? "is" : "are");
    if (call->volume.share > 0)
        sc_talk("volume %.4g of that of the bounds%s\n", call->volume.share,
                call->volume.standard_error > 0 ? ", estimated" : "");
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

static void put_rows(sc_body_call *call, const unsigned char *is_redundant)
{
    double normal[SCRIM_BODY_DIMENSIONS], offset;
    for (size_t i = 0; scrim_body_half_space_at(call->view.body, i, normal, &offset) != 0;
         i++) {
        sc_listing_put(call->page, "%zu", i + 1);
        put_half_space(&call->view, call->page, normal, offset);
        sc_listing_put(call->page, "%s", is_redundant[i] ? "true" : "false");
        call->found += is_redundant[i];
    }
}

static scrim_status fill(sc_body_call *call, scrim_error *error)
{
    const sc_body_view *view = &call->view;
    SC_FREED unsigned char *is_redundant = calloc(view->facts.direction_count, 1);
    if (is_redundant == NULL)
        return sc_out_of_memory(error, "a body");
    SC_TRY(scrim_solid_redundant(view->solid, is_redundant, error));
    if (view->facts.dimension <= VOLUME_COLUMNS)
        SC_TRY(scrim_solid_volume(view->solid, &call->volume, error));
    put_rows(call, is_redundant);
    return SCRIM_OK;
}

static scrim_status run_show(const sc_options *options, scrim_error *error)
{
    static const sc_body_page page = {
        .example = "scrim body show body.json",
        .first = {"direction", SC_KIND_NUMBER | SC_RIGHT},
        .last = {{"at_most", SC_KIND_BOUND | SC_RIGHT}, {"redundant", SC_KIND_WORD}},
        .fill = fill,
        .note = note};
    return sc_body_page_show(&page, options, error);
}

static const char usage[] =
    "The released half-spaces, one a row: the sum of the numbers times the columns is\n"
    "at most at_most. On standard error: the label of the release, what it\n"
    "estimates, how far off its quantiles can be, the largest ball inside, and the\n"
    "volume.\n"
    "\n" SC_USAGE_READ SC_USAGE_SEED "\n"
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
