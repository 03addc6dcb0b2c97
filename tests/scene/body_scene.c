#include "body_scene.h"

#include "check.h"

#include <math.h>
#include <stdio.h>

static bool name_columns(sc_body *body)
{
    bool good = true;
    for (size_t j = 0; good && j < body->dimension; j++) {
        char name[32] = {(char)("xyz"[j % 3]), '\0'};
        if (body->dimension > 3)
            snprintf(name, sizeof name, "x%zu", j + 1);
        good = CHECK_STATUS(sc_body_set_name(body, j, name, NULL), SCRIM_OK);
    }
    return good &&
           CHECK_STATUS(sc_body_set_text(body, SC_BODY_NEIGHBOURS, "add-remove", NULL),
                        SCRIM_OK);
}

static void set_costs(sc_body *body)
{
    sc_ratio_set_quotient(&body->q, 9, 10);
    sc_ratio_set_int64(&body->epsilon, 1);
    sc_ratio_set_quotient(&body->epsilon_each, 1, (int64_t)body->row_count);
    body->max_rows = 1;
}

sc_body *scene_square(void)
{
    static const int64_t lows[2] = {0, -5}, highs[2] = {10, 5};
    sc_body *body = NULL;
    if (!CHECK_STATUS(sc_body_new(2, 4, &body, NULL), SCRIM_OK))
        return NULL;
    for (size_t j = 0; j < 2; j++) {
        sc_ratio_set_int64(&body->columns[j].low, lows[j]);
        sc_ratio_set_int64(&body->columns[j].high, highs[j]);
        sc_ratio_set_int64(&body->columns[j].scale, 10);
    }
    for (size_t i = 0; i < 4; i++) {
        body->directions[2 * i + i / 2] = i % 2 == 0 ? SC_BODY_ONE : -SC_BODY_ONE;
        sc_ratio_set_int64(&body->rows[i].origin, i % 2 == 0 ? 0 : -1);
        sc_ratio_set_quotient(&body->rows[i].step, 1, 64);
        body->rows[i].cells = 64;
        body->rows[i].offset = 48;
    }
    set_costs(body);
    if (!name_columns(body) || !CHECK_STATUS(sc_body_check(body, NULL), SCRIM_OK)) {
        sc_body_free(body);
        return NULL;
    }
    return body;
}

/* <a, u> <= b + <a, shift>, from origin in steps of 2^-36 of the span. */
static void set_row(sc_body *body, size_t i, const double *a, double b, double limit)
{
    const double step = ldexp(4 * limit * (double)body->dimension, -36);
    double shift = 0;
    for (size_t j = 0; j < body->dimension; j++) {
        const double entry = rint(ldexp(a[j], 30));
        body->directions[i * body->dimension + j] = (int32_t)entry;
        shift += ldexp(entry, -30) * limit;
    }
    const int64_t low = (int64_t)floor(-(limit + 1) * (double)body->dimension - fabs(b));
    sc_ratio_set_int64(&body->rows[i].origin, low);
    body->rows[i].cells = SC_BODY_CELLS;
    body->rows[i].offset = (uint64_t)llrint((b + shift - (double)low) / step);
    sc_ratio_set_quotient(&body->rows[i].step,
                          (int64_t)llrint(4 * limit * (double)body->dimension),
                          INT64_C(1) << 36);
}

sc_body *scene_body(size_t dimension, size_t row_count, const double *a, const double *b,
                    double limit)
{
    sc_body *body = NULL;
    if (!CHECK_STATUS(sc_body_new(dimension, row_count, &body, NULL), SCRIM_OK))
        return NULL;
    for (size_t j = 0; j < dimension; j++) {
        sc_ratio_set_int64(&body->columns[j].low, -(int64_t)limit);
        sc_ratio_set_int64(&body->columns[j].high, (int64_t)limit);
    }
    for (size_t i = 0; i < row_count; i++)
        set_row(body, i, a + i * dimension, b[i], limit);
    set_costs(body);
    if (!name_columns(body) || !CHECK_STATUS(sc_body_check(body, NULL), SCRIM_OK)) {
        sc_body_free(body);
        return NULL;
    }
    return body;
}
