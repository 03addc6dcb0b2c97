/* scrim body exact FILE --public: the body of public points, without noise. */
#include "cli/release/body_page.h"
#include "cli/release/body_release.h"
#include "cli/release/subcommands.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/file_writer.h"
#include "cli/terminal/owner.h"
#include "cli/vault/vault_place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct exact_state {
    char *columns; /* NAME=LOW..HIGH,..., cut into texts */
    const char *names[SCRIM_BODY_DIMENSIONS], *low[SCRIM_BODY_DIMENSIONS],
        *high[SCRIM_BODY_DIMENSIONS];
    sc_body_view view; /* the columns, for the reader of points */
    sc_body_points points;
    sc_asked_directions directions;
    scrim_body *body;
} exact_state;

static const char example[] = "scrim body exact points.csv --public --columns "
                              "age=17..90,hours=1..99";

static scrim_status refuse_columns(const char *item, scrim_error *error)
{
    return sc_refuse(error,
                     "--columns %.60s: give each column with its range, as in "
                     "age=17..90,hours=1..99",
                     item);
}

static scrim_status read_column(exact_state *s, char *item, scrim_error *error)
{
    const size_t j = s->view.facts.dimension;
    char *low = strchr(item, '='), *high = low == NULL ? NULL : strstr(low, "..");
    if (high == NULL || j == SCRIM_BODY_DIMENSIONS)
        return refuse_columns(item, error);
    *low++ = '\0';
    *high = '\0';
    s->names[j] = s->view.columns[j].name = item;
    s->low[j] = low;
    s->high[j] = high + 2;
    s->view.facts.dimension++;
    return SCRIM_OK;
}

static scrim_status read_columns(exact_state *s, const char *text, scrim_error *error)
{
    if (text == NULL)
        return refuse_columns("is missing", error);
    s->columns = strdup(text);
    if (s->columns == NULL)
        return sc_out_of_memory(error, "columns");
    char *rest = s->columns;
    while (rest != NULL) {
        char *item = rest, *comma = strchr(rest, ',');
        rest = comma == NULL ? NULL : comma + 1;
        if (comma != NULL)
            *comma = '\0';
        SC_TRY(read_column(s, item, error));
    }
    return SCRIM_OK;
}

static scrim_status read_request(exact_state *s, const sc_options *options,
                                 scrim_error *error)
{
    const char *directions = options->value[SCRIM_OPTION_DIRECTIONS];
    if (options->word_count != 3)
        return sc_refuse(error, "name one file of public points, as in '%s'", example);
    if (!sc_options_has(options, SCRIM_OPTION_PUBLIC))
        return sc_complaint_fill(
            error, SCRIM_E_POLICY,
            "an exact body is not private; add --public if '%.120s' is a file that "
            "everybody may see, or use 'scrim body fit' for a dataset",
            options->words[2]);
    SC_TRY(sc_public_file_check(options, options->words[2], error));
    if (options->value[SCRIM_OPTION_OUT] != NULL)
        SC_TRY(sc_file_writer_check("--out", options->value[SCRIM_OPTION_OUT], error));
    SC_TRY(read_columns(s, options->value[SCRIM_OPTION_COLUMNS], error));
    if (directions != NULL)
        SC_TRY(sc_asked_directions_read(directions, &s->directions, error));
    return sc_body_points_of_file(&s->points, &s->view, options->words[2], error);
}

static scrim_status make(exact_state *s, const sc_options *options, scrim_error *error)
{
    SC_TRY(read_request(s, options, error));
    SC_TRY(scrim_body_of_public(
        SCRIM_OPTIONS(
            scrim_public_points, .dimension = s->view.facts.dimension, .names = s->names,
            .low = s->low, .high = s->high, .points = s->points.x,
            .count = s->points.count, .q = options->value[SCRIM_OPTION_Q],
            .directions = s->directions.kind[0] == '\0' ? NULL : s->directions.kind,
            .direction_count = s->directions.count, .seed = s->directions.seed),
        &s->body, error));
    return sc_body_text_show(s->body, options->value[SCRIM_OPTION_OUT], error);
}

static scrim_status run_exact(const sc_options *options, scrim_error *error)
{
    exact_state *s = calloc(1, sizeof *s);
    if (s == NULL)
        return sc_out_of_memory(error, "a body");
    const scrim_status status = make(s, options, error);
    if (status == SCRIM_OK && !sc_options_has(options, SCRIM_OPTION_QUIET))
        fprintf(stderr, "body        of %zu public points; exact and not private\n",
                s->points.count);
    scrim_body_free(s->body);
    sc_body_points_clear(&s->points);
    free(s->columns);
    free(s);
    return status;
}

static const char usage[] =
    "Writes the body of public points, without noise: in each direction the place of\n"
    "the smallest point that has a share q of them up to it. It is exact and not\n"
    "private: for simulated data, published tables and examples of papers. A file of\n"
    "a dataset is refused. The other commands take the body like any other.\n"
    "\n"
    "  --public       the file may be seen by everybody; required\n"
    "  --columns NAME=LOW..HIGH,...  the columns, at most 64, and their ranges, by\n"
    "                 which they are scaled; numbers outside are clamped\n"
    "  --q Q          the share of points on the inner side (default 0.9)\n"
    "  --directions N|KIND|KIND:N|KIND:N:SEED  how many, or frames, axes, pairs,\n"
    "                 equiangular or sequence (default: 16 equiangular for two\n"
    "                 columns, 4 frames for more)\n"
    "  --out FILE     write the body to this file (default: standard "
    "output)\n" SC_USAGE_VAULT "  --quiet        no notes on standard error\n"
    "\n"
    "example: scrim body exact points.csv --public --columns age=17..90,hours=1..99\n";

const sc_command sc_body_exact = {
    .name = "exact",
    .synopsis = "FILE --public --columns NAME=LOW..HIGH,... [OPTION...]",
    .summary = "the exact body of public points",
    .usage = usage,
    .kind = SC_COMMAND_MANAGE,
    .options = SC_OPTION_SET(SCRIM_OPTION_PUBLIC, SCRIM_OPTION_COLUMNS, SCRIM_OPTION_Q,
                             SCRIM_OPTION_DIRECTIONS, SCRIM_OPTION_OUT),
    .run = run_exact,
};
