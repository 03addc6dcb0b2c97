/* A released body: public directions, the quantile that was released along each, and the file that keeps them.
 *
 *     K = { u : sum_j a_ij u_j / 2^30 <= b_i for all i },    u_j = (x_j - low_j) / scale_j,
 *     b_i = origin_i + offset_i step_i
 *
 * Everything here is public or released, so nothing that is computed from it costs anything. Numbers are exact:
 * integers and rationals, in memory and in the file.
 *
 * Claim  body.file  a body that is written and read again is the same body; every other text is refused, and costs no
 *                   more than its length
 */
#ifndef SC_SOLVE_BODY_H
#define SC_SOLVE_BODY_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "scrim/body.h"

#include <stddef.h>

#define SC_BODY_ONE ((int32_t)1 << 30) /* directions are multiples of its inverse */
#define SC_BODY_CELLS ((uint64_t)1 << 40)
#define SC_BODY_LABEL_BYTES 8192
#define SC_BODY_TEXT_BYTES 256
/* Bits of each number of a file, above and below the line. */
#define SC_BODY_NUMBER_BITS 512
/* No file is longer: 4096 directions of 64 numbers. */
#define SC_BODY_FILE_BYTES ((size_t)1 << 24)

typedef struct sc_body_column {
    char *name;
    sc_ratio low, high; /* public bounds, low < high */
    sc_ratio step;      /* of its values, above 0 */
    sc_ratio scale;     /* above 0: one unit of distance */
} sc_body_column;

/* One direction's public grid and its place there. */
typedef struct sc_body_row {
    sc_ratio origin, step; /* in scaled columns; step above 0 */
    uint64_t cells;        /* 1 to SC_BODY_CELLS */
    uint64_t offset;       /* released: 0 to cells */
} sc_body_row;

typedef enum sc_body_text {
    SC_BODY_DATASET,    /* "": none */
    SC_BODY_NEIGHBOURS, /* "add-remove" or "replace" */
    SC_BODY_COMPOSITION, /* how costs of directions were composed: "pure", "concentrated" */
    SC_BODY_KIND,        /* of directions: "axes", "frames", "given", ... */
    SC_BODY_LABEL,       /* of the release; lines end with \n */
    SC_BODY_TEXTS
} sc_body_text;

typedef struct scrim_body sc_body;
struct scrim_body {
    size_t dimension; /* 1 to SCRIM_BODY_DIMENSIONS */
    size_t row_count; /* 1 to SCRIM_BODY_DIRECTIONS */
    sc_body_column *columns;
    int32_t
        *directions; /* row after row, over SC_BODY_ONE; each of length 1 within 2^-20 */
    sc_body_row *rows;
    sc_ratio q;                     /* above 0 and below 1 */
    sc_ratio epsilon, delta;        /* of the release */
    sc_ratio epsilon_each;          /* of one direction; 0: simulated, not private */
    uint64_t version, release;      /* 0: none */
    uint64_t max_rows, units, seed; /* of a unit; declared or expected; of directions */
    char *texts[SC_BODY_TEXTS];     /* never NULL */
    char *
        file_label; /* of the file, signed (scrim/report.h); NULL: the file has no label */
};

/* Numbers 0, scale and steps 1, names and texts "". SCRIM_E_PARAM: sizes outside of their limits; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_new(size_t dimension, size_t row_count, sc_body **out,
                                        scrim_error *error);
void sc_body_free(sc_body *body); /* NULL is allowed */

/* Copies a text. SCRIM_E_LIMIT: too long; SCRIM_E_PARAM: not visible UTF-8 (a label has lines); SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_set_text(sc_body *body, sc_body_text which,
                                             const char *text, scrim_error *error);
/* Copies the label of the file, visible lines that nothing here checks. SCRIM_E_PARAM, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_set_file_label(sc_body *body, const char *label,
                                                   scrim_error *error);
SCRIM_MUST_USE scrim_status sc_body_set_name(sc_body *body, size_t column,
                                             const char *name, scrim_error *error);

/* Is each number within its limits? SCRIM_E_PARAM, SCRIM_E_LIMIT. It looks at no offset but for its range, so that a plan
 * can be checked before anything is charged. */
SCRIM_MUST_USE scrim_status sc_body_check(const sc_body *body, scrim_error *error);

/* b_i, exactly. */
void sc_body_bound(const sc_body *body, size_t row, sc_ratio *out);

/* The file: JSON of the format "scrim-body-1". */
void sc_body_write(const sc_body *body, sc_text_sink *sink);
/* The bytes that the label of the file is made for: all before that member. */
void sc_body_write_shown(const sc_body *body, sc_text_sink *sink);
/* SCRIM_E_SYNTAX with the number of the line, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_body_read(sc_text text, sc_body **out, scrim_error *error);

/* The error of a body as far as public numbers alone bound it beforehand.
 *
 *     rank error   e = (2/eps_i) ln((G+1) M / beta): all M quantiles are within e ranks of the true ones, with probability
 *                  1 - beta
 *     admissible   for a symmetric log-concave isotropic law: radii of balls inside and outside of the body, r and L such that
 *                  the density along each direction is at least L within r of the quantile, and the least n for which the body
 *                  is within a given distance of the truth. Accuracy only: no guarantee of privacy depends on it.
 *
 * Claim  admissible.table  the numbers of the specification's tables
 *
 * Reference  spec/papers-additions.md 4.4, Proposition 33 of the source as corrected there
 */

/* beta above 0 and below 1. cells is G. */
double sc_body_rank_error(double epsilon_each, double cells, size_t directions,
                          double beta);

typedef struct sc_admissible {
    double inner, outer; /* radii, in deviations of the law */
    double reach;        /* r */
    double density;      /* L */
} sc_admissible;
/* q above 1/2 and below 1, else SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_admissible_find(double q, sc_admissible *out,
                                               scrim_error *error);

/* The same for a spherical stable law of this index, 0.5 to 2, whose characteristic function is exp(-|t|^index) in each
 * direction: 1 is Cauchy's, 2 normal with variance 2. The body is a ball, whose radius is the quantile; the density
 * falls outwards, so that within r of the quantile it is at least that at (1 + q)/2, where r ends. Lengths are in units of
 * that law, which has no deviation below 2. Computed to some six digits. SCRIM_E_PARAM.
 *
 * Claim  admissible.stable  radius and density are those of the law
 */
SCRIM_MUST_USE scrim_status sc_admissible_stable(double index, double q,
                                                 sc_admissible *out, scrim_error *error);

typedef struct sc_admissible_plan {
    double epsilon_each, cells, beta;
    size_t directions;
    double cell; /* the size of a grid's cell, in deviations */
} sc_admissible_plan;
/* The least n for which all quantiles are within r; with error above 0, for which the body is within this distance of the one
 * that the directions cut out of the truth. INFINITY: none. */
double sc_admissible_units(const sc_admissible *law, const sc_admissible_plan *plan,
                           double error);

#endif
