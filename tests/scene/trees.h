/* Trees for the tests of microdata: that of the vectors, random ones, and dense algebra to compare with. */
#ifndef TREES_H
#define TREES_H

#include "mechanism/microdata/projection.h"

#include <jansson.h>

#define TREES_NODES 512
#define TREES_LEAVES 200

typedef struct tree_scene {
    uint32_t child[TREES_NODES + 1];
    uint32_t parent[TREES_NODES];
    sc_tree_shape shape;
    size_t nodes;
} tree_scene;

uint64_t trees_next(uint64_t *state);
/* 0: [1, 2], 1: [3, 4, 5], 2: [6, 7]. */
void trees_example(tree_scene *scene);
/* Inner nodes first; at most TREES_LEAVES leaves. */
void trees_random(uint64_t *state, tree_scene *scene);
/* The even tree of these fan-outs. */
void trees_even(const size_t *fanouts, size_t levels, tree_scene *scene);

/* A member of an object of the vectors whose members are called by nodes. */
const json_t *trees_member(const json_t *object, size_t node);

/* Least squares by the inverse of the information matrix: estimates and variances of all nodes. An infinite
 * variance is a node that was not measured. */
void trees_dense(const tree_scene *scene, const double *noisy, const double *variances,
                 double *estimates, double *errors);
/* After it: the covariance of two leaves, counted from 0. */
double trees_covariance(size_t a, size_t b);

/* The same for any measurements of at most TREES_LEAVES unknowns: after trees_information_invert trees_covariance is that of
 * two unknowns. */
void trees_information_clear(void);
void trees_information_add(const double *row, size_t unknowns, double variance);
void trees_information_invert(size_t unknowns);

#endif
