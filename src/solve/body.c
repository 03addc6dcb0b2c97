#include "solve/body.h"

#include "base/memory.h"
#include "base/number/ball_double.h"

#include <math.h>
#include <string.h>

static void clear_columns(sc_body *body)
{
    for (size_t j = 0; body->columns != NULL && j < body->dimension; j++) {
        sc_body_column *column = &body->columns[j];
        sc_free(column->name);
        sc_ratio_clear(&column->low);
        sc_ratio_clear(&column->high);
        sc_ratio_clear(&column->step);
        sc_ratio_clear(&column->scale);
    }
    sc_free(body->columns);
}

static void clear_rows(sc_body *body)
{
    for (size_t i = 0; body->rows != NULL && i < body->row_count; i++) {
        sc_ratio_clear(&body->rows[i].origin);
        sc_ratio_clear(&body->rows[i].step);
    }
    sc_free(body->rows);
}

void sc_body_free(sc_body *body)
{
    if (body == NULL)
        return;
    clear_columns(body);
    clear_rows(body);
    sc_free(body->directions);
    for (size_t i = 0; i < SC_BODY_TEXTS; i++)
        sc_free(body->texts[i]);
    sc_free(body->file_label);
    sc_ratio_clear(&body->q);
    sc_ratio_clear(&body->epsilon);
    sc_ratio_clear(&body->delta);
    sc_ratio_clear(&body->epsilon_each);
    sc_free(body);
}

static char *copy(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *out = sc_allocate(bytes, 1);
    if (out != NULL)
        memcpy(out, text, bytes);
    return out;
}

static bool make_columns(sc_body *body)
{
    body->columns = sc_allocate(body->dimension, sizeof *body->columns);
    if (body->columns == NULL)
        return false;
    bool good = true;
    for (size_t j = 0; j < body->dimension; j++) {
        sc_body_column *column = &body->columns[j];
        sc_ratio_init(&column->low);
        sc_ratio_init(&column->high);
        sc_ratio_init(&column->step);
        sc_ratio_init(&column->scale);
        sc_ratio_set_int64(&column->step, 1);
        sc_ratio_set_int64(&column->scale, 1);
        column->name = copy("");
        good = good && column->name != NULL;
    }
    return good;
}

static bool make_rows(sc_body *body)
{
    body->rows = sc_allocate(body->row_count, sizeof *body->rows);
    body->directions =
        sc_allocate(body->row_count * body->dimension, sizeof *body->directions);
    for (size_t i = 0; body->rows != NULL && i < body->row_count; i++) {
        sc_ratio_init(&body->rows[i].origin);
        sc_ratio_init(&body->rows[i].step);
        sc_ratio_set_int64(&body->rows[i].step, 1);
        body->rows[i].cells = 1;
    }
    return body->rows != NULL && body->directions != NULL;
}

scrim_status sc_body_new(size_t dimension, size_t row_count, sc_body **out,
                         scrim_error *error)
{
    if (dimension < 1 || dimension > SCRIM_BODY_DIMENSIONS || row_count < 1 ||
        row_count > SCRIM_BODY_DIRECTIONS)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "a body has 1 to %d columns and 1 to %d directions",
                           SCRIM_BODY_DIMENSIONS, SCRIM_BODY_DIRECTIONS);
    sc_body *body = sc_allocate(1, sizeof *body);
    if (body == NULL)
        return sc_no_memory(error, "a body");
    body->dimension = dimension;
    body->row_count = row_count;
    sc_ratio_init(&body->q);
    sc_ratio_init(&body->epsilon);
    sc_ratio_init(&body->delta);
    sc_ratio_init(&body->epsilon_each);
    bool good = make_columns(body);
    good = make_rows(body) && good;
    for (size_t i = 0; i < SC_BODY_TEXTS; i++) {
        body->texts[i] = copy("");
        good = good && body->texts[i] != NULL;
    }
    if (!good) {
        sc_body_free(body);
        return sc_no_memory(error, "a body");
    }
    *out = body;
    return SCRIM_OK;
}

/* Texts. */

static bool is_visible(sc_text text, bool has_lines)
{
    while (text.bytes > 0) {
        const size_t bytes =
            has_lines && text.start[0] == '\n' ? 1 : sc_text_character(text);
        if (bytes == 0)
            return false;
        text.start += bytes;
        text.bytes -= bytes;
    }
    return true;
}

static scrim_status replace(char **old, const char *text, size_t most, bool has_lines,
                            scrim_error *error)
{
    if (strlen(text) >= most)
        return sc_fail(error, SCRIM_E_LIMIT, "a text of a body is longer than %zu bytes",
                       most - 1);
    if (!is_visible(sc_text_of(text), has_lines))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "a text of a body is not visible UTF-8");
    char *fresh = copy(text);
    if (fresh == NULL)
        return sc_no_memory(error, "a text of a body");
    sc_free(*old);
    *old = fresh;
    return SCRIM_OK;
}

scrim_status sc_body_set_text(sc_body *body, sc_body_text which, const char *text,
                              scrim_error *error)
{
    const bool is_label = which == SC_BODY_LABEL;
    return replace(&body->texts[which], text,
                   is_label ? SC_BODY_LABEL_BYTES : SC_BODY_TEXT_BYTES, is_label, error);
}

scrim_status sc_body_set_file_label(sc_body *body, const char *label, scrim_error *error)
{
    return replace(&body->file_label, label, SC_BODY_FILE_BYTES, true, error);
}

scrim_status sc_body_set_name(sc_body *body, size_t column, const char *name,
                              scrim_error *error)
{
    return replace(&body->columns[column].name, name, SC_BODY_TEXT_BYTES, false, error);
}

/* Limits. */

static bool is_short(const sc_ratio *x)
{
    return sc_ratio_bits(x) <= SC_BODY_NUMBER_BITS;
}

static bool is_positive(const sc_ratio *x)
{
    return is_short(x) && sc_ratio_sign(x) > 0;
}

static scrim_status check_column(const sc_body_column *column, scrim_error *error)
{
    if (column->name[0] == '\0')
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "a column of the body has no name");
    if (!is_short(&column->low) || !is_short(&column->high) || !is_short(&column->step) ||
        !is_short(&column->scale))
        return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "body",
                           "a number of a column of the body is too small, too large or "
                           "too long: it needs more than %d bits as a fraction",
                           SC_BODY_NUMBER_BITS);
    if (sc_ratio_compare(&column->low, &column->high) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "the bounds of a column of the body are not an interval");
    if (sc_ratio_sign(&column->step) <= 0 || sc_ratio_sign(&column->scale) <= 0)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
            "the step and the scale of a column of the body must be above 0");
    return SCRIM_OK;
}

static scrim_status check_names(const sc_body *body, scrim_error *error)
{
    for (size_t i = 0; i < body->dimension; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(body->columns[i].name, body->columns[j].name) == 0)
                return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                                   "two columns of the body are called %s",
                                   body->columns[i].name);
    return SCRIM_OK;
}

/* | |a|^2 - 1 | <= 2^-19, in integers. */
static bool is_unit(const int32_t *direction, size_t dimension)
{
    const sc_int128 one = (sc_int128)SC_BODY_ONE * SC_BODY_ONE;
    sc_int128 sum = 0;
    for (size_t j = 0; j < dimension; j++)
        sum += (sc_int128)direction[j] * direction[j];
    return sum - one <= one >> 19 && one - sum <= one >> 19;
}

static scrim_status check_row(const sc_body *body, size_t i, scrim_error *error)
{
    const sc_body_row *row = &body->rows[i];
    if (!is_unit(body->directions + i * body->dimension, body->dimension))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "direction %zu does not have length 1", i + 1);
    if (!is_short(&row->origin) || !is_positive(&row->step) || row->cells < 1 ||
        row->cells > SC_BODY_CELLS || row->offset > row->cells)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "direction %zu is not on its grid", i + 1);
    return SCRIM_OK;
}

static scrim_status check_numbers(const sc_body *body, scrim_error *error)
{
    if (!is_positive(&body->q) || sc_ratio_compare_int64(&body->q, 1) >= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0 and below 1");
    if (!is_short(&body->epsilon) || sc_ratio_sign(&body->epsilon) < 0 ||
        !is_short(&body->delta) || sc_ratio_sign(&body->delta) < 0 ||
        sc_ratio_compare_int64(&body->delta, 1) >= 0 || !is_short(&body->epsilon_each) ||
        sc_ratio_sign(&body->epsilon_each) < 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "body",
                           "the cost of the body is not a cost");
    return SCRIM_OK;
}

scrim_status sc_body_check(const sc_body *body, scrim_error *error)
{
    scrim_status status = check_numbers(body, error);
    for (size_t j = 0; status == SCRIM_OK && j < body->dimension; j++)
        status = check_column(&body->columns[j], error);
    if (status == SCRIM_OK)
        status = check_names(body, error);
    for (size_t i = 0; status == SCRIM_OK && i < body->row_count; i++)
        status = check_row(body, i, error);
    return status;
}

void sc_body_bound(const sc_body *body, size_t row, sc_ratio *out)
{
    const sc_body_row *r = &body->rows[row];
    SC_OWN(sc_ratio, place);
    sc_ratio_set_int128(&place, (sc_int128)r->offset);
    sc_ratio_mul(&place, &place, &r->step);
    sc_ratio_add(out, &r->origin, &place);
}

scrim_status scrim_body_read(const char *text, size_t bytes, scrim_body **out,
                             scrim_error *error)
{
    SC_REQUIRE(error, "text out", text, out);
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

double sc_body_rank_error(double epsilon_each, double cells, size_t directions,
                          double beta)
{
    return 2 / epsilon_each * log((cells + 1) * (double)directions / beta);
}

scrim_status sc_admissible_find(double q, sc_admissible *out, scrim_error *error)
{
    if (!(q > 0.5 && q < 1))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0.5 and below 1");
    const double l = -log(2 * (1 - q)), middle = 1 / (2 * sqrt(3));
    *out = (sc_admissible){sqrt(2) * (q - 0.5), fmin(1 + l, sqrt(3) * l), (1 - q) / 2,
                           middle * (2 - middle) * (1 - q)};
    return SCRIM_OK;
}

/* Stable laws, by Zolotarev's integral, as Nolan has it: with V(u) = (cos u / sin(a u))^(a/(a-1)) cos((a-1) u) / cos u
 * and w = x^(a/(a-1)) V, the integral of exp(-w) over u from 0 to pi/2 is pi (1 - F(x)) for a > 1 and pi (F(x) - 1/2)
 * for a < 1; its derivative gives the density. The integrand is monotone, and the middle of each step is taken. */

#define STABLE_STEPS 4000
#define STABLE_LEAST 0.5
#define STABLE_NEAR 0.02 /* of 1, where the integrand is a step */
#define QUARTER 1.57079632679489661923
#define PI (2 * QUARTER)

static double stable_log_w(double index, double x, double u)
{
    const double power = index / (index - 1);
    return power * (log(x) + log(cos(u)) - log(sin(index * u))) +
           log(cos((index - 1) * u)) - log(cos(u));
}

/* F(x), and the density there, for x above 0. */
static double stable_below(double index, double x, double *density)
{
    if (fabs(index - 1) < STABLE_NEAR / 2) { /* Cauchy's */
        *density = 1 / (PI * (1 + x * x));
        return 0.5 + atan(x) / PI;
    }
    double sum = 0, slope = 0;
    for (int i = 0; i < STABLE_STEPS; i++) {
        const double w = stable_log_w(index, x, QUARTER * (i + 0.5) / STABLE_STEPS);
        sum += exp(-exp(w));
        slope += exp(w - exp(w));
    }
    sum *= QUARTER / STABLE_STEPS / PI;
    *density = slope * QUARTER / STABLE_STEPS * index / (fabs(index - 1) * PI * x);
    return index > 1 ? 1 - sum : 0.5 + sum;
}

static double stable_quantile(double index, double q)
{
    double low = 0, high = 1, density;
    while (stable_below(index, high, &density) < q && high < 1e15)
        high *= 2;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (stable_below(index, middle, &density) < q)
            low = middle;
        else
            high = middle;
    }
    return high;
}

scrim_status sc_admissible_stable(double index, double q, sc_admissible *out,
                                  scrim_error *error)
{
    double density;
    if (!(q > 0.5 && q < 1))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "q",
                           "q must be above 0.5 and below 1");
    if (!(index >= STABLE_LEAST && index <= 2) ||
        (fabs(index - 1) > 0 && fabs(index - 1) < STABLE_NEAR))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "stable",
                           "the index of a stable distribution must be 1, or at least "
                           "0.5, at most 2 and not within 0.02 of 1");
    const double radius = stable_quantile(index, q),
                 beyond = stable_quantile(index, (1 + q) / 2);
    (void)stable_below(index, beyond, &density);
    *out = (sc_admissible){radius, radius, beyond - radius, density};
    return SCRIM_OK;
}

/* Shares by which quantiles may be off: noise, and the sample (Dvoretzky, Kiefer, Wolfowitz). */
static double share(const sc_admissible_plan *plan, double n)
{
    const double directions = (double)plan->directions;
    const double ranks =
        2 / plan->epsilon_each * log(2 * (plan->cells + 1) * directions / plan->beta);
    return ranks / n + sqrt(log(4 * directions / plan->beta) / (2 * n));
}

double sc_admissible_units(const sc_admissible *law, const sc_admissible_plan *plan,
                           double error)
{
    double reach = law->reach;
    if (error > 0)
        reach = fmin(reach, fmin(error * law->inner / (4 * (law->outer + law->reach)),
                                 law->inner / 2));
    reach -= plan->cell;
    if (!(reach > 0))
        return (double)INFINITY;
    const double most = law->density * reach;
    double low = 0, high = 1;
    while (share(plan, high) > most && high < 1e300)
        high *= 2;
    while (high - low > 1) { /* share falls with n */
        const double middle = floor(low + (high - low) / 2);
        if (!(middle > low && middle < high))
            break;
        if (share(plan, middle) > most)
            low = middle;
        else
            high = middle;
    }
    return high;
}
