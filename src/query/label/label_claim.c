#include "query/label/label_claim.h"

#include "base/memory.h"
#include "ledger/bundle.h"
#include "ledger/ledger.h"
#include "model/guess.h"

/* Parts on their way into a bundle. */
typedef struct claiming {
    scrim_neighbours neighbours;
    const sc_claim_part *parts;
    size_t count;
    scrim_measurement **measurements;
    sc_ratio epsilon, delta; /* claimed, and later what is left of them */
    sc_bundle *bundle;
} claiming;

/* Whatever is wrong with a part, the claim does not follow from it. */
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

/* Takes off what parts cost that have an epsilon. */
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

scrim_status sc_claim_of(scrim_neighbours neighbours, const sc_claim_part *parts,
                         size_t count, const char *epsilon, const char *delta,
                         const char *joint_delta, sc_label_claim *out, scrim_error *error)
{
    claiming c = {.neighbours = neighbours, .parts = parts, .count = count};
    sc_label_claim claim = {.joint = ""};
    scrim_error own = {.message = ""};
    error = error == NULL ? &own : error;
    sc_ratio_init(&c.epsilon);
    sc_ratio_init(&c.delta);
    scrim_status status = parse_parts(&c, error);
    if (status == SCRIM_OK && epsilon[0] == '\0') {
        status = conclude_alone(&c, &claim, error);
        goto done;
    }
    if (status == SCRIM_OK)
        status = read_claimed(&c, epsilon, delta, error);
    if (status == SCRIM_OK)
        status = fix(&c, error);
    if (status == SCRIM_OK)
        status = conclude(sc_bundle_total(c.bundle), &claim, error);
    if (status == SCRIM_OK)
        status = join(&c, joint_delta, &claim, error);
done:
    if (status == SCRIM_OK)
        *out = claim;
    sc_bundle_free(c.bundle);
    for (size_t i = 0; c.measurements != NULL && i < count; i++)
        scrim_measurement_free(c.measurements[i]);
    sc_free(c.measurements);
    sc_ratio_clear(&c.delta);
    sc_ratio_clear(&c.epsilon);
    return as_check(status, error);
}
