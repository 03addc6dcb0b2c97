/* A body as it is asked for (scrim/body.h): everything public of a release before its charge.
 *
 * A column has a declared range; along it a row lies at u = (x - low)/scale, with scale the width of the range unless another is
 * given, so that the unit of a column changes nothing. Coordinates are the integers from 0 to an extent, in units of 2^-24 of the
 * longest range: the map from a value to its coordinate is public, and of one value alone. A row in which a value is NULL lies at
 * the lower end of every direction.
 *
 * Claim  body-plan.question  the same columns, q, directions and budget are the same question, however they are written
 * Claim  body-plan.unit      what is drawn is private for as many rows as the question, or else the policy, keeps of a unit, under its
 *                            neighbours
 * Claim  body-ask.charged    no quantile is drawn whose total is not charged in the ledger before; a failure afterwards leaves
 *                            the charge, and one before it spends nothing
 * Claim  body-ask.once       the same question about the same version is charged once, and its body is the same
 *
 * Reference  spec/floating-body.md 3, 6
 */
#ifndef SC_BODY_PLAN_H
#define SC_BODY_PLAN_H

#include "ledger/allowance.h"
#include "mechanism/body/body_quantiles.h"
#include "mechanism/body/direction_keys.h"
#include "query/language/question.h"
#include "query/plan/asked_bounds.h"
#include "query/rows/pass.h"
#include "scrim/body_fit.h"
#include "solve/body.h"
#include "vault/policy.h"

struct scrim_body_fit {
    sc_planned_dataset dataset;
    const sc_schema *schema;
    sc_asked_bounds asked;          /* the bounds of this question */
    scrim_body_fit_options options; /* of workers, memory and progress */
    scrim_frame frame;              /* the rows, where the options name a frame */
    bool is_once;                   /* the same question is charged once */
    bool is_depth;                  /* a deep point, and no body */
    sc_ratio q, epsilon, delta;
    sc_body_budget budget;
    uint64_t max_rows; /* of a unit */
    size_t count;      /* of columns */
    const sc_column *columns[SC_DIRECTION_DIMENSIONS];
    sc_ratio scales[SC_DIRECTION_DIMENSIONS];
    int64_t extents[SC_DIRECTION_DIMENSIONS];
    sc_ratio unit; /* of a coordinate */
    sc_direction_kind kind;
    sc_directions directions;
    sc_direction_keys keys;
    uint64_t last;                  /* the largest key of any direction */
    scrim_measurement *measurement; /* of one direction, or of the point */
    const sc_query *query;          /* that reads the columns */
    sc_statistics statistics;
    char *question;
    char epsilon_each[SCRIM_NUMBER_BYTES], rank_error[SCRIM_NUMBER_BYTES];
    sc_arena arena;
};

/* The total that is charged. As sc_allowance_new. */
SCRIM_MUST_USE scrim_status sc_body_fit_allowance(const scrim_body_fit *fit,
                                                  sc_allowance **out, scrim_error *error);
/* The coordinate of a value of a column, in its steps; missing for NULL. */
int64_t sc_body_fit_coordinate(const scrim_body_fit *fit, size_t column, int64_t value);
/* The body that it will be, with offsets of 0. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_fit_body(const scrim_body_fit *fit, sc_body **out,
                                             scrim_error *error);

#endif
