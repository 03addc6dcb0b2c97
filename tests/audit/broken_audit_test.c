/* Whatever is known to be broken is caught, with the size that is known. */
#include "audit/broken.h"
#include "check.h"
#include "scrim.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next part of a path, up to a slash; false at its end. */
static bool next_part(const char **path, char part[64])
{
    const size_t bytes = strcspn(*path, "/");
    snprintf(part, 64, "%.*s", (int)bytes, *path);
    *path += bytes + ((*path)[bytes] == '/');
    return part[0] != '\0';
}

/* A number as printed, or where it is: "v:mechanisms/deadline_delta/rows/0/delta_at_eps". */
static const char *printed_at(const char *text)
{
    char file[64], part[64];
    if (text == NULL || strncmp(text, "v:", 2) != 0)
        return text;
    const char *path = text + 2;
    const json_t *at = next_part(&path, file) && next_part(&path, part)
                           ? vectors_load(file, part)
                           : NULL;
    while (next_part(&path, part))
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(part))
                               : json_object_get(at, part);
    if (!CHECK(json_is_string(at)))
        CHECK_FAIL("there is no vector %s", text);
    return json_string_value(at);
}

/* Half a unit of the last digit that is printed. */
static double half_unit(const char *printed)
{
    const char *point = strchr(printed, '.'), *power = strchr(printed, 'e');
    const char *end = power == NULL ? printed + strlen(printed) : power;
    const double places = point == NULL ? 0 : (double)(end - point - 1);
    return 0.5 * pow(10, (power == NULL ? 0 : strtod(power + 1, NULL)) - places);
}

/* Between the bounds, as far as digits are printed; doubles carry 15 of them. */
static bool is_printed(double lower, double upper, const char *printed)
{
    if (strcmp(printed, "inf") == 0)
        return isinf(lower);
    const double value = strtod(printed, NULL);
    const double slack = fmax(half_unit(printed) * 1.000001, 1e-14 * fabs(value));
    return lower >= value - slack && lower <= value + slack && upper >= value - slack &&
           upper <= value + slack;
}

typedef struct finding {
    double lower, upper, claimed;
    scrim_audit_verdict verdict;
} finding;

static void find_order(const scrim_audit_report *r, const char *at, finding *out)
{
    for (size_t i = 0; i < scrim_audit_report_orders(r); i++) {
        scrim_audit_order order;
        CHECK_STATUS(scrim_audit_report_order(r, i, &order, NULL), SCRIM_OK);
        if (strcmp(order.order, at) == 0 ||
            (strcmp(at, "101/100") == 0 && strcmp(order.order, "1.01") == 0))
            *out = (finding){order.renyi_lower, order.renyi_upper, order.claimed_upper,
                             order.verdict};
    }
}

/* The one point of the curve, or the pair that is charged when it is violated instead. */
static void find_delta(const scrim_audit_report *r, finding *out)
{
    scrim_audit_point point, charged;
    CHECK_STATUS(scrim_audit_report_point(r, 0, &point, NULL), SCRIM_OK);
    if (point.verdict != SCRIM_AUDIT_VIOLATED &&
        scrim_audit_report_charged(r, &charged, NULL) == SCRIM_OK &&
        strcmp(charged.epsilon, point.epsilon) == 0)
        point = charged;
    *out = (finding){point.delta_lower, point.delta_upper, point.claimed_upper,
                     point.verdict};
}

static void find(const broken *variant, const scrim_audit_report *r, finding *out)
{
    scrim_audit_loss loss;
    *out = (finding){(double)NAN, (double)NAN, (double)NAN, SCRIM_AUDIT_UNSET};
    switch (variant->kind) {
    case BROKEN_LOSS:
        scrim_audit_report_loss(r, &loss);
        *out =
            (finding){loss.loss_lower, loss.loss_upper, loss.claimed_upper, loss.verdict};
        break;
    case BROKEN_DELTA:
        find_delta(r, out);
        break;
    case BROKEN_RENYI:
        find_order(r, variant->at, out);
        break;
    }
}

static void check_variant(const broken *variant)
{
    scrim_measurement *m = NULL;
    scrim_audit_report *r = NULL;
    scrim_error error;
    const char *epsilon = variant->kind == BROKEN_DELTA ? variant->at : "0";
    if (sc_measurement_new(variant->mechanism, sc_text_of(variant->line),
                           SC_PURPOSE_MODEL, &m, &error) != SCRIM_OK ||
        scrim_audit(
            m,
            SCRIM_OPTIONS(scrim_audit_options, .epsilons = &epsilon, .epsilon_count = 1),
            &r, &error) != SCRIM_OK) {
        CHECK_FAIL("%s: %s", variant->name, error.message);
        scrim_measurement_free(m);
        return;
    }
    finding found;
    const char *size = printed_at(variant->size), *claimed = printed_at(variant->claimed);
    find(variant, r, &found);
    if (!CHECK(scrim_audit_report_verdict(r) == SCRIM_AUDIT_VIOLATED &&
               found.verdict == SCRIM_AUDIT_VIOLATED))
        CHECK_FAIL("%s (%s) was not caught: %s", variant->name, variant->wrong,
                   scrim_audit_report_summary(r));
    CHECK_STATUS(scrim_audit_check(r, NULL), SCRIM_E_CHECK);
    if (!CHECK(size != NULL && is_printed(found.lower, found.upper, size)))
        CHECK_FAIL("%s: the violation is [%.17g, %.17g], not %s (%s)", variant->name,
                   found.lower, found.upper, size == NULL ? "there" : size,
                   variant->source);
    if (claimed != NULL && !CHECK(is_printed(found.claimed, found.claimed, claimed)))
        CHECK_FAIL("%s: claimed is %.17g, not %s (%s)", variant->name, found.claimed,
                   claimed, variant->source);
    scrim_audit_report_free(r);
    scrim_measurement_free(m);
}

SLOW_TEST(A28_audit_catches_every_broken_variant)
{
    CLAIM("audit.violation");
    size_t count = 0;
    for (const broken *variant = broken_first(); variant != NULL;
         variant = variant->next) {
        check_variant(variant);
        count++;
    }
    CHECK(count >= 12);
}
