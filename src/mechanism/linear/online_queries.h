/* Private multiplicative weights on line: queries are answered one after the other by a model, and those that it does
 * not know are measured and teach it.
 *
 * Input       counts x of public bins, each cut to max-count; a unit has at most max-rows rows, r
 * Output      for each query its answer, and where it is from: 0, the model; 1, measured; 2, the model, not checked
 * Queries     as those of linear-queries, in their order
 * How         |q(x) - a|, a = floor(q(A) + 1/2) in steps, goes to one sparse vector run of form (A), not monotone, with
 *             the threshold T and c updates.
 *             below: the answer is a. above: it is q(x) + Laplace noise of its own, brought into 0 to N, and the log
 *             weights of the bins move by q(u) T/(2 N) towards it. After c of them nothing is looked at
 * Run         without queries of its own, they are asked one by one: "below" and the answer of the model, or "above"
 *             and the value that was measured. It halts with the c-th of them
 * Neighbours  add-remove or replace: N is a parameter, not the number of rows of the data
 * Claim       online-weights.privacy  pure epsilon-DP, for any number of queries
 * Claim       online-weights.exact    the law of what is above, and of its values, is exactly that; the answers of the
 *                                     model follow from them
 * Claim       online-weights.checked  an answer is checked exactly as long as fewer than c were measured
 * Claim       online-weights.learns   a query that was measured is answered by the model later
 * Claim       online-weights.run      asked one by one, the answers are those of the same queries in one piece
 * Reference   Hardt, Rothblum 2010; spec/synthetic.md 4, spec/mechanisms.md 9.2
 *
 * The key of the law has one number a query: the value that was measured, or -1.
 */
#ifndef SC_MECHANISM_ONLINE_QUERIES_H
#define SC_MECHANISM_ONLINE_QUERIES_H

#include "mechanism/linear/weight_queries.h"

#define SC_ONLINE_UPDATES_MAX 64

/* Where an answer is from. */
enum { SC_ONLINE_MODEL, SC_ONLINE_MEASURED, SC_ONLINE_UNCHECKED };

extern const sc_mechanism sc_online_weights;

#endif
