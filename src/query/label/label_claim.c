#include "query/label/label_claim.h"

#include "base/memory.h"
#include "ledger/allowance.h"
#include "ledger/ledger.h"
#include "model/guess.h"

/* Parts on their way into a bundle. */
typedef struct claiming {
    scrim_neighbours neighbours;
    const sc_claim_part *parts;
    size_t count;
    scrim_measurement **measurements;
    sc_ratio epsilon,
        delta; /* as claimed; take_off subtracts the parts with an epsilon */
    sc_bundle *bundle;
} claiming;

/* Turns any failure but lack of memory into a failed check: a claim does not follow from parts that cannot be read. */
static scrim_status as_check(scrim_status status, scrim_error *error)
{
    scrim_error cause;
    if (status == SCRIM_OK || status == SCRIM_E_MEMORY || status == SCRIM_E_CHECK ||
        error == NULL)
        return status == SCRIM_OK || status == SCRIM_E_MEMORY ? status : SCRIM_E_CHECK;
    cause = *error;
    return sc_fail_again(error, SCRIM_E_CHECK, &cause,
                         "the claim does not follow from its mechanisms: %s",
                         cause.message);
}

static scrim_status parse_parts(claiming *c, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    c->measurements = sc_allocate(c->count, sizeof *c->measurements);
    if (c->measurements == NULL)
        return sc_no_memory(error, "a claim");
    for (size_t i = 0; status == SCRIM_OK && i < c->count; i++)
        status = scrim_measurement_parse(c->parts[i].line, &c->measurements[i], error);
    return status;
}

/* A bundle of all parts, or of those that have an epsilon of their own. */
static scrim_status gather(const claiming *c, bool is_all, sc_bundle **out,
                           scrim_error *error)
{
    size_t place;
    sc_bundle *bundle = NULL;
    scrim_status status = sc_bundle_new(c->neighbours, &bundle, error);
    for (size_t i = 0; status == SCRIM_OK && i < c->count; i++)
        if (is_all || c->measurements[i]->cost.has_epsilon)
            status = sc_bundle_add(bundle, c->measurements[i], c->parts[i].copies, &place,
                                   error);
    if (status == SCRIM_OK)
        *out = bundle;
    else
        sc_bundle_free(bundle);
    return status;
}

static size_t count_with_epsilon(const claiming *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += c->measurements[i]->cost.has_epsilon;
    return count;
}

/* Subtracts the cost of all parts that have an epsilon. */
static scrim_status take_off(claiming *c, scrim_error *error)
{
    sc_bundle *bundle = NULL;
    if (count_with_epsilon(c) == 0)
        return SCRIM_OK;
    SC_OWN(sc_ratio, none);
    scrim_status status = gather(c, false, &bundle, error);
    if (status == SCRIM_OK)
        status = sc_bundle_fix(bundle, &none, error);
    if (status == SCRIM_OK) {
        const sc_exact_cost *total = sc_bundle_total(bundle);
        sc_ratio_sub(&c->epsilon, &c->epsilon, &total->epsilon);
        sc_ratio_sub(&c->delta, &c->delta, &total->delta);
    }
    sc_bundle_free(bundle);
    return status;
}

static scrim_status fix(claiming *c, scrim_error *error)
{
    const bool is_mixed = count_with_epsilon(c) < c->count;
    scrim_status status = is_mixed ? take_off(c, error) : SCRIM_OK;
    if (status == SCRIM_OK && is_mixed &&
        (sc_ratio_sign(&c->epsilon) <= 0 || sc_ratio_sign(&c->delta) <= 0))
        return sc_fail(error, SCRIM_E_CHECK,
                       "the claim does not follow from its mechanisms: they cost more");
    if (status == SCRIM_OK)
        status = gather(c, true, &c->bundle, error);
    if (status == SCRIM_OK)
        status = is_mixed ? sc_bundle_fix_at(c->bundle, &c->epsilon, &c->delta, error)
                          : sc_bundle_fix(c->bundle, &c->delta, error);
    return status;
}

/* Conclusions from a cost. */

static scrim_status set_group(const sc_exact_cost *cost, uint64_t units, scrim_cost *out,
                              scrim_error *error)
{
    const scrim_status status = sc_cost_group(cost, units, out, error);
    if (status != SCRIM_E_PARAM)
        return status;
    *out = (scrim_cost){.neighbours = cost->neighbours};
    return SCRIM_OK;
}

static scrim_status conclude(const sc_exact_cost *cost, sc_label_claim *out,
                             scrim_error *error)
{
    scrim_error ignored;
    SC_OWN(sc_ratio, guess);
    sc_cost_format(cost, &out->cost);
    scrim_status status = set_group(cost, 2, &out->of_two, &ignored);
    if (status == SCRIM_OK)
        status = set_group(cost, 4, &out->of_four, &ignored);
    if (status != SCRIM_OK)
        status = sc_fail_again(error, status, &ignored, "%s", ignored.message);
    sc_guess_upper(cost, &guess);
    sc_cost_put_upper(&guess, out->guess);
    return status;
}

/* The conclusion for one part that has a rho and nothing else. */
static scrim_status conclude_alone(const claiming *c, sc_label_claim *out,
                                   scrim_error *error)
{
    sc_exact_cost cost;
    if (c->count != 1 || c->parts[0].copies != 1 || !c->measurements[0]->cost.has_rho)
        return sc_fail(
            error, SCRIM_E_CHECK,
            "the claim does not follow from its mechanisms: it has no epsilon");
    sc_cost_init(&cost);
    scrim_status status =
        sc_ledger_convert(&c->measurements[0]->cost, c->neighbours, &cost, error);
    if (status == SCRIM_OK)
        status = conclude(&cost, out, error);
    sc_cost_clear(&cost);
    return status;
}

static scrim_status read_claimed(claiming *c, const char *epsilon, const char *delta,
                                 scrim_error *error)
{
    SC_TRY(sc_ratio_parse(sc_text_of(epsilon), &c->epsilon, error));
    return sc_ratio_parse(sc_text_of(delta), &c->delta, error);
}

/* The joint cost of the parts. */
static scrim_status join(const claiming *c, const char *delta, sc_label_claim *out,
                         scrim_error *error)
{
    if (delta[0] == '\0')
        return SCRIM_OK;
    SC_OWN(sc_ratio, declared);
    scrim_status status = sc_ratio_parse(sc_text_of(delta), &declared, error);
    if (status == SCRIM_OK &&
        (sc_ratio_sign(&declared) < 0 || sc_ratio_compare_int64(&declared, 1) >= 0))
        status =
            sc_fail(error, SCRIM_E_CHECK, "delta must be at least 0 and less than 1");
    if (status == SCRIM_OK)
        status = sc_bundle_join(c->bundle, &declared, error);
    const sc_exact_cost *joint = status == SCRIM_OK ? sc_bundle_joint(c->bundle) : NULL;
    if (status == SCRIM_OK && joint == NULL)
        status = sc_fail(error, SCRIM_E_CHECK,
                         "the claim does not follow from its mechanisms: they cost no "
                         "less together");
    if (status == SCRIM_OK)
        sc_cost_put_upper(&joint->epsilon, out->joint);
    return status;
}

/* Call end() afterwards, also on failure. */
static scrim_status begin(claiming *c, scrim_neighbours neighbours,
                          const sc_claim_part *parts, size_t count, scrim_error *error)
{
    *c = (claiming){.neighbours = neighbours, .parts = parts, .count = count};
    sc_ratio_init(&c->epsilon);
    sc_ratio_init(&c->delta);
    return parse_parts(c, error);
}

static void end(claiming *c)
{
    sc_bundle_free(c->bundle);
    for (size_t i = 0; c->measurements != NULL && i < c->count; i++)
        scrim_measurement_free(c->measurements[i]);
    sc_free(c->measurements);
    sc_ratio_clear(&c->delta);
    sc_ratio_clear(&c->epsilon);
}

scrim_status sc_claim_of(scrim_neighbours neighbours, const sc_claim_part *parts,
                         size_t count, const sc_claimed_cost *cost, sc_label_claim *out,
                         scrim_error *error)
{
    claiming c;
    sc_label_claim claim = {.joint = ""};
    scrim_error own = {.message = ""};
    error = error == NULL ? &own : error;
    scrim_status status = begin(&c, neighbours, parts, count, error);
    if (status == SCRIM_OK && cost->epsilon[0] == '\0') {
        status = conclude_alone(&c, &claim, error);
        goto done;
    }
    if (status == SCRIM_OK)
        status = read_claimed(&c, cost->epsilon, cost->delta, error);
    if (status == SCRIM_OK)
        status = fix(&c, error);
    if (status == SCRIM_OK)
        status = conclude(sc_bundle_total(c.bundle), &claim, error);
    if (status == SCRIM_OK)
        status = join(&c, cost->joint_delta, &claim, error);
done:
    if (status == SCRIM_OK)
        *out = claim;
    end(&c);
    return as_check(status, error);
}

/* Totals. */

/* Do the parts keep within the total? rho is 0 for a total of epsilon and delta. */
static bool keeps(const claiming *c, const sc_ratio *epsilon, const sc_ratio *delta,
                  const sc_ratio *rho)
{
    const sc_exact_cost *drawn = sc_bundle_total(c->bundle);
    if (sc_ratio_sign(rho) > 0)
        return drawn->has_rho && sc_ratio_compare(&drawn->rho, rho) <= 0;
    return sc_ratio_compare(&drawn->epsilon, epsilon) <= 0 &&
           sc_ratio_compare(&drawn->delta, delta) <= 0;
}

static scrim_status conclude_allowance(scrim_neighbours neighbours, const sc_ratio *rho,
                                       const sc_ratio *epsilon, const sc_ratio *delta,
                                       sc_label_claim *out, scrim_error *error)
{
    sc_allowance *allowance = NULL;
    scrim_status status =
        sc_allowance_new(neighbours, sc_ratio_sign(rho) > 0 ? rho : NULL, epsilon, delta,
                         &allowance, error);
    if (status == SCRIM_OK)
        status = conclude(sc_allowance_cost(allowance), out, error);
    sc_allowance_free(allowance);
    return status;
}

/* begin() has read the parts. A pure total has a rho that follows from its epsilon. */
static scrim_status conclude_total(claiming *c, const scrim_cost *total,
                                   sc_label_claim *out, scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon, delta, rho);
    SC_TRY(read_claimed(c, total->epsilon, total->delta, error));
    sc_ratio_set(&epsilon, &c->epsilon);
    sc_ratio_set(&delta, &c->delta);
    if (total->rho[0] != '\0' && sc_ratio_sign(&delta) > 0)
        SC_TRY(sc_ratio_parse(sc_text_of(total->rho), &rho, error));
    SC_TRY(fix(c, error));
    if (!keeps(c, &epsilon, &delta, &rho))
        return sc_fail(error, SCRIM_E_CHECK,
                       "the claim does not follow from its mechanisms: they cost more");
    return conclude_allowance(c->neighbours, &rho, &epsilon, &delta, out, error);
}

scrim_status sc_claim_of_total(scrim_neighbours neighbours, const sc_claim_part *parts,
                               size_t count, const scrim_cost *total, sc_label_claim *out,
                               scrim_error *error)
{
    claiming c;
    sc_label_claim claim = {.joint = ""};
    scrim_error own = {.message = ""};
    error = error == NULL ? &own : error;
    scrim_status status = begin(&c, neighbours, parts, count, error);
    if (status == SCRIM_OK)
        status = conclude_total(&c, total, &claim, error);
    if (status == SCRIM_OK)
        *out = claim;
    end(&c);
    return as_check(status, error);
}
