#include "cli/account/body_routes_writer.h"

#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "scrim/worked.h"

#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#define RUNS_LIMIT 1000
#define RUNS_USUAL 20

static const sc_listing_column columns[] = {
    {"units", SC_KIND_NUMBER},           {"plain", SC_KIND_NUMBER},
    {"route_b", SC_KIND_NUMBER},         {"route_c", SC_KIND_NUMBER},
    {"route_c_answers", SC_KIND_NUMBER}, {"sigma", SC_KIND_NUMBER}};

static void write_row(sc_listing *listing, const scrim_body_routes_row *row)
{
    sc_listing_put(listing, "%" PRIu64, row->units);
    sc_listing_put(listing, "%.3g", row->plain);
    sc_listing_put(listing, "%.3g", row->quantiles);
    if (isnan(row->noise))
        sc_listing_put(listing, "%s", "");
    else
        sc_listing_put(listing, "%.3g", row->noise);
    sc_listing_put(listing, "%.3g", row->answered);
    sc_listing_put(listing, "%.3g", row->sigma);
}

static scrim_status write_all(const scrim_body_routes *found, sc_terminal *terminal,
                              sc_format format, scrim_error *error)
{
    sc_output output;
    sc_output_init_screen(&output, STDOUT_FILENO, format);
    sc_listing listing = SC_LISTING(columns, &output, format, terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; i < SCRIM_BODY_ROUTES_ROWS; i++)
        write_row(&listing, &found->row[i]);
    const scrim_status status = sc_listing_close(&listing, SCRIM_OK, error);
    return status == SCRIM_OK ? sc_output_finish(&output, error) : status;
}

scrim_status sc_body_routes_show(const sc_options *options, scrim_error *error)
{
    scrim_body_routes found;
    sc_terminal terminal;
    sc_format format;
    uint64_t runs = 0;
    if (options->word_count > 2)
        return sc_complaint_fill(error, SCRIM_E_PARAM,
                                 "experiments generate their data; leave '%s' out",
                                 options->words[2]);
    scrim_status status = sc_options_number(options, SCRIM_OPTION_RUNS, RUNS_LIMIT,
                                            RUNS_USUAL, &runs, error);
    if (status == SCRIM_OK)
        status = sc_options_screen(options, &terminal, &format, error);
    if (status == SCRIM_OK)
        status = scrim_body_routes_of(runs, &found, error);
    return status == SCRIM_OK ? write_all(&found, &terminal, format, error) : status;
}
