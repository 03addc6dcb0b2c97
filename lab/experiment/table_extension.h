/* The exact algorithm of document 003 (Theorem 10, Propositions 6, 36 and 37) in several dimensions, by enumeration of all
 * tables of a tiny universe. For its readers: no protected data, doubles, and a time that grows with all tables.
 *
 * Points are those of a grid, 0 to side - 1 in each of `dimensions` coordinates; a table is a multiset of `rows` points.
 * f(X) is the Steiner point of the body that the axes cut out at q: the middle of the k-th smallest coordinate and the
 * k-th largest, k = ceil(q rows). A table is typical if around each of these ranks the coordinates lie dense,
 *
 *     x(r + m) - x(r) <= m spacing   and   x(r) - x(r - m) <= m spacing   for m = 1, ..., reach,
 *
 * so that f moves by at most m spacing, in the largest coordinate, if m rows are replaced. Among typical tables the density
 * of t is proportional to exp(-(epsilon/2) phi(t - f(X))), phi(u) = min(max |u_j| / spacing, reach); for all tables to
 *
 *     exp(-(epsilon/2) S_X(t)),   S_X(t) = max over typical X' of phi(t - f(X')) - d(X, X'),
 *
 * d the number of rows that differ. S moves by at most 1 with a row, whatever is typical, so that the extension costs
 * epsilon, where the document has twice the cost of the restricted algorithm. On typical tables nothing changes.
 *
 * Claim  table-extension.agrees   the score of a typical table is that of the restricted algorithm, at every t
 * Claim  table-extension.private  the largest loss of all neighbouring tables is at most epsilon
 *
 * Reference  spec/floating-body.md 5
 */
#ifndef LAB_EXPERIMENT_TABLE_EXTENSION_H
#define LAB_EXPERIMENT_TABLE_EXTENSION_H

#include "lab/lab.h"

typedef struct lab_extension {
    char text[512]; /* the question */
    size_t tables, typical, outputs;
    double epsilon;
    double typical_loss; /* the largest of neighbours that are both typical */
    double loss;         /* the largest of all neighbours */
    size_t changed;      /* typical tables whose scores the extension changed */
    double
        typical_error; /* largest mean distance of the answer from f, in the largest coordinate */
    double error; /* likewise of all tables */
} lab_extension;

/* line is "[dimensions=N] [side=N] [rows=N] [q=R] [spacing=N] [reach=N] [epsilon=R]". SCRIM_E_LIMIT: the universe is not
 * tiny; SCRIM_E_PARAM: a rank is outside of the rows, or no table is typical; others as lab_words_read. */
SCRIM_MUST_USE scrim_status lab_extension_of(const char *line, lab_extension *out,
                                             scrim_error *error);

#endif
