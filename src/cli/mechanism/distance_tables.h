/* Tables of `scrim distance`: divergences of two laws, distances of two lists, and the files that name places. */
#ifndef SC_CLI_DISTANCE_TABLES_H
#define SC_CLI_DISTANCE_TABLES_H

#include "cli/display/listing.h"
#include "cli/terminal/options.h"
#include "cli/terminal/whole_file.h"

/* Plain files of places for `scrim distance`: a line is PLACE or PLACE,COUNT, where a place has as
 * many fields as there are dimensions; and of a metric, whose lines are FROM,TO,LENGTH. Fields are
 * separated by commas and are not quoted; spaces around them, empty lines and lines that begin
 * with # are skipped. */

typedef struct sc_place_file {
    sc_whole_file file; /* the texts lie in it */
    scrim_place *places;
    scrim_step *steps;
    size_t *lines; /* that each was read from, from 1 on */
    size_t count;
} sc_place_file;

/* SCRIM_E_LIMIT above the limits; SCRIM_E_INPUT with the number of the line that has too few fields or too many; errors of
 * sc_whole_file_read. Nothing is to be cleared after a failure. */
SCRIM_MUST_USE scrim_status sc_place_file_read(const char *path, unsigned dimensions,
                                               sc_place_file *out, scrim_error *error);
SCRIM_MUST_USE scrim_status sc_place_file_metric(const char *path, sc_place_file *out,
                                                 scrim_error *error);
void sc_place_file_clear(sc_place_file *file);

/* The table of `scrim distance divergence`: a row for each divergence and number, both directions. */

/* Lists of numbers, as in "2,3"; NULL: the default. */
typedef struct sc_divergence_request {
    const char *orders, *epsilons, *deltas, *groups;
} sc_divergence_request;

/* SCRIM_E_PARAM: a list has an empty part, or more than 32; errors of scrim_divergence_of. Nothing
 * is written after a failure. */
SCRIM_MUST_USE scrim_status sc_divergence_table(const scrim_laws *laws,
                                                const sc_divergence_request *request,
                                                sc_output *output, sc_format format,
                                                const sc_terminal *terminal,
                                                scrim_error *error);

/* scrim distance theta-sensitivity FILE: how far apart the distributions of a randomised query are on
 * neighbouring inputs, ignoring a mass of theta, for every theta or for one.
 *
 * The file is JSON: {"laws": {"a": [["0", "9/10"], ["50", "1/10"]], "b": [[1, 0.9], [90, 0.1]]},
 * "neighbours": [["a", "b"]]}. A law lists places and masses, exact numbers or strings of them;
 * without neighbours every two inputs are. */

/* theta NULL: all. SCRIM_E_INPUT with the number of the line that has another form. */
SCRIM_MUST_USE scrim_status sc_theta_table(const sc_options *options, const char *path,
                                           const char *theta, scrim_error *error);

#endif
