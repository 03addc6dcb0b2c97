#include "cli/body/body_drawing.h"

#include "cli/body/body_picture.h"
#include "cli/terminal/complaint.h"

#include <stdlib.h>

typedef struct drawing {
    sc_body_view view;
    sc_body_picture picture;
    sc_output output;
} drawing;

static scrim_status no_memory(scrim_error *error)
{
    return sc_out_of_memory(error, "a drawing");
}

static scrim_status draw(drawing *d, const char *columns, char **out, size_t *bytes,
                         scrim_error *error)
{
    d->picture.views[d->picture.count++] = &d->view;
    scrim_status status = sc_body_picture_choose(&d->picture, columns, error);
    if (status == SCRIM_OK)
        status = sc_body_picture_init(&d->picture, error);
    if (status != SCRIM_OK)
        return status;
    sc_output_init_keep(&d->output);
    status = sc_body_picture_draw(&d->picture, &d->output, error);
    char *text = sc_output_take(&d->output, bytes);
    if (status == SCRIM_OK && text == NULL)
        return no_memory(error);
    if (status == SCRIM_OK)
        *out = text;
    else
        free(text);
    return status;
}

scrim_status sc_body_drawing_text(scrim_body *body, const char *columns, char **out,
                                  size_t *bytes, scrim_error *error)
{
    drawing *d = calloc(1, sizeof *d);
    if (d == NULL)
        return no_memory(error);
    scrim_status status = sc_body_view_of(&d->view, body, error);
    if (status == SCRIM_OK)
        status = draw(d, columns, out, bytes, error);
    scrim_solid_free(d->view.solid);
    free(d);
    return status;
}
