#include "base/number/ball_double.h"
#include "solve/body.h"

scrim_status scrim_body_read(const char *text, size_t bytes, scrim_body **out,
                             scrim_error *error)
{
    return sc_body_read((sc_text){text, bytes}, out, error);
}

size_t scrim_body_format(const scrim_body *body, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    sc_body_write(body, &sink);
    return sink.length;
}

void scrim_body_free(scrim_body *body)
{
    sc_body_free(body);
}

void scrim_body_describe(const scrim_body *body, scrim_body_facts *out)
{
    *out = (scrim_body_facts){
        .dimension = body->dimension,
        .direction_count = body->row_count,
        .q = sc_ball_near(&body->q),
        .epsilon = sc_ball_near(&body->epsilon),
        .delta = sc_ball_near(&body->delta),
        .epsilon_each = sc_ball_near(&body->epsilon_each),
        .dataset = body->texts[SC_BODY_DATASET],
        .neighbours = body->texts[SC_BODY_NEIGHBOURS],
        .composition = body->texts[SC_BODY_COMPOSITION],
        .directions = body->texts[SC_BODY_KIND],
        .label = body->texts[SC_BODY_LABEL],
        .version = body->version,
        .release = body->release,
        .max_rows = body->max_rows,
        .units = body->units,
    };
}

int scrim_body_column_at(const scrim_body *body, size_t index, scrim_body_column *out)
{
    if (index >= body->dimension)
        return 0;
    const sc_body_column *column = &body->columns[index];
    *out = (scrim_body_column){column->name, sc_ball_near(&column->low),
                               sc_ball_near(&column->high), sc_ball_near(&column->step),
                               sc_ball_near(&column->scale)};
    return 1;
}

/* The sum of a_j (x_j - low_j) / scale_j <= b, exactly until the last step. */
int scrim_body_half_space_at(const scrim_body *body, size_t index, double *normal,
                             double *offset)
{
    if (index >= body->row_count)
        return 0;
    SC_OWN(sc_ratio, bound, entry, shift);
    sc_body_bound(body, index, &bound);
    for (size_t j = 0; j < body->dimension; j++) {
        const sc_body_column *column = &body->columns[j];
        sc_ratio_set_quotient(&entry, body->directions[index * body->dimension + j],
                              SC_BODY_ONE);
        sc_ratio_div(&entry, &entry, &column->scale);
        normal[j] = sc_ball_near(&entry);
        sc_ratio_mul(&shift, &entry, &column->low);
        sc_ratio_add(&bound, &bound, &shift);
    }
    *offset = sc_ball_near(&bound);
    return 1;
}
