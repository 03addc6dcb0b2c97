/* The continual counter: the running count of a stream at every step, by the binary tree.
 *
 * Input       T = steps counts, one for each step of a stream, of l1 sensitivity D under the neighbours:
 *             one event counts D = 1
 * Output      T numbers: at step t the count of the steps 1 to t, with noise
 *
 *     node t  the sum of the steps t - low(t) + 1 to t, low(t) the largest power of 2 that divides t, and
 *             noise Z_t of its own
 *     count t the nodes t, t - low(t), ... added up: as many as t has ones in binary, at most L
 *
 * A step lies in at most L = floor(log2 T) + 1 nodes, and step 1 in as many. So one unit moves the nodes
 * by L D at most in the l1 norm, and by L D^2 in the square of the l2 norm. The counts are the nodes in
 * another form: each says what the other does.
 *
 * Neighbours  add-remove or replace, as D was declared for
 * Claim       counter.privacy   epsilon-DP with Z of scale L D / epsilon; with rho, or epsilon and delta,
 *                               L D^2 / (2 variance)-concentrated
 * Claim       counter.accuracy  the error at step t is a sum of as many Z as t has ones in binary, and its
 *                               radius is that of the exact tail; the radius of all steps at once is where
 *                               the tails of all steps add up to 1 - confidence
 * Time        depends on the noise, never on the input: noise is drawn before it is read
 * Reference   Chan, Shi, Song 2011; Dwork, Naor, Pitassi, Rothblum 2010; spec/synthetic.md 6
 */
#ifndef SC_MECHANISM_COUNTER_H
#define SC_MECHANISM_COUNTER_H

#include "model/mechanism.h"

extern const sc_mechanism sc_counter;

/* Nodes that the count at step t >= 1 is made of, and nodes that a step may lie in, of T steps. */
size_t sc_counter_nodes(uint64_t t);
size_t sc_counter_levels(uint64_t steps);
/* How many of the steps 1 to T have counts made of `nodes` nodes. */
uint64_t sc_counter_times(uint64_t steps, size_t nodes);
/* The largest power of 2 that divides t: how many steps the node t has. */
static inline uint64_t sc_counter_low(uint64_t t)
{
    return t & (~t + 1);
}

#endif
