/* scrim body center DATASET: a body of its own, with a q of its own, and its centre; or a deep point. */
#include "cli/answer/charge_note.h"
#include "cli/body/body_commands.h"
#include "cli/body/body_file_view.h"
#include "cli/body/body_request.h"
#include "cli/sheet/listing.h"
#include "cli/terminal/complaint.h"
#include "cli/terminal/owner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const sc_listing_column columns[] = {{.name = "column", SC_KIND_KEY},
                                            {"value", SC_KIND_NUMBER}};

static scrim_status list_center(const sc_answer_style *style, const scrim_body *body,
                                const double *x, sc_output *output, scrim_error *error)
{
    scrim_body_column column;
    sc_output_init_screen(output, STDOUT_FILENO, style->format);
    sc_listing listing = SC_LISTING(columns, output, style->format, &style->terminal);
    (void)sc_listing_open(&listing);
    for (size_t i = 0; scrim_body_column_at(body, i, &column); i++) {
        char value[SC_BODY_COORDINATE_BYTES];
        const char *const cells[] = {
            column.name, sc_body_coordinate_format(x[i], column.step, 15, value)};
        sc_listing_add(&listing, cells);
    }
    SC_TRY(sc_listing_close(&listing, SCRIM_OK, error));
    return sc_output_finish(output, error);
}

static scrim_status show_center(const sc_answer_style *style, const scrim_body *body,
                                const char *method, scrim_error *error)
{
    double x[SCRIM_BODY_DIMENSIONS];
    SC_OWNED(scrim_solid_free_at) scrim_solid *solid = NULL;
    scrim_center center;
    SC_FREED sc_output *output = malloc(sizeof *output);
    SC_TRY(output == NULL ? sc_out_of_memory(error, "a body")
                          : scrim_solid_new(body, &solid, error));
    SC_TRY(scrim_solid_center(solid, method, x, &center, error));
    return list_center(style, body, x, output, error);
}

static scrim_status release_center(sc_body_request *r, const char *method,
                                   scrim_error *error)
{
    scrim_body_released facts;
    scrim_status status = sc_body_request_run(r, error);
    if (status != SCRIM_OK)
        return status;
    scrim_body_release_describe(r->release, &facts);
    status =
        facts.is_point != 0
            ? sc_body_release_show(&r->style, r->release, NULL, error)
            : show_center(&r->style, scrim_body_release_body(r->release), method, error);
    if (status == SCRIM_OK)
        status = sc_body_release_note(&r->style, r->vault, r->release, error);
    if (status != SCRIM_OK)
        sc_charge_advise(error, facts.release, r->style.vault);
    return status;
}

scrim_status sc_body_center_dataset(const sc_options *options, scrim_error *error)
{
    const char *asked = options->value[SCRIM_OPTION_METHOD],
               *method = asked == NULL ? "frame" : asked;
    const bool is_depth = strcmp(method, "depth") == 0;
    if (!is_depth && strcmp(method, "frame") != 0 && strcmp(method, "steiner") != 0 &&
        strcmp(method, "chebyshev") != 0)
        return sc_refuse(error, "--method %.40s: use frame, steiner, chebyshev or depth",
                         method);
    sc_body_request *request = calloc(1, sizeof *request);
    if (request == NULL)
        return sc_complaint_fill(error, SCRIM_E_MEMORY, "out of memory");
    scrim_status status = sc_body_request_open(request, options, "center", "3/5",
                                               is_depth ? "depth" : NULL, error);
    if (status == SCRIM_OK)
        status = sc_options_has(options, SCRIM_OPTION_DRY_RUN)
                     ? sc_body_request_explain(request, error)
                     : release_center(request, method, error);
    sc_body_request_close(request);
    free(request);
    return status;
}
