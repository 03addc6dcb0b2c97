#include "trees.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

uint64_t trees_next(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void finish(tree_scene *t, size_t inner)
{
    t->shape = (sc_tree_shape){.child = t->child, .inner = inner};
    t->nodes = t->child[inner];
    for (size_t v = 0; v < inner; v++)
        for (size_t c = t->child[v]; c < t->child[v + 1]; c++)
            t->parent[c] = (uint32_t)v;
}

void trees_example(tree_scene *t)
{
    static const uint32_t child[] = {1, 3, 6, 8};
    memcpy(t->child, child, sizeof child);
    finish(t, 3);
}

void trees_random(uint64_t *state, tree_scene *t)
{
    const size_t inner = trees_next(state) % 30 + 1;
    size_t nodes = 1;
    for (size_t v = 0; v < inner; v++) {
        t->child[v] = (uint32_t)nodes;
        nodes += trees_next(state) % 6 + 1;
    }
    t->child[inner] = (uint32_t)nodes;
    finish(t, inner);
}

void trees_even(const size_t *fanouts, size_t levels, tree_scene *t)
{
    size_t width = 1, nodes = 1, v = 0;
    for (size_t i = 0; i + 1 < levels; i++) {
        for (size_t k = 0; k < width; k++) {
            t->child[v++] = (uint32_t)nodes;
            nodes += fanouts[i];
        }
        width *= fanouts[i];
    }
    t->child[v] = (uint32_t)nodes;
    finish(t, v);
}

const json_t *trees_member(const json_t *object, size_t node)
{
    char name[24];
    snprintf(name, sizeof name, "%zu", node);
    return json_object_get(object, name);
}

/* Dense algebra. */

static double matrix[TREES_LEAVES][TREES_LEAVES];
static double inverse[TREES_LEAVES][TREES_LEAVES];

double trees_covariance(size_t a, size_t b)
{
    return inverse[a][b];
}

static bool is_below(const tree_scene *t, size_t node, size_t above)
{
    while (node > above)
        node = t->parent[node];
    return node == above;
}

/* Gauss and Jordan, with the largest pivot of each column. */
static void invert(size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            inverse[i][k] = i == k;
    for (size_t i = 0; i < count; i++) {
        size_t pivot = i;
        for (size_t k = i; k < count; k++)
            if (fabs(matrix[k][i]) > fabs(matrix[pivot][i]))
                pivot = k;
        for (size_t k = 0; k < count; k++) {
            const double a = matrix[i][k], b = inverse[i][k];
            matrix[i][k] = matrix[pivot][k];
            matrix[pivot][k] = a;
            inverse[i][k] = inverse[pivot][k];
            inverse[pivot][k] = b;
        }
        const double first = matrix[i][i];
        for (size_t k = 0; k < count; k++) {
            matrix[i][k] /= first;
            inverse[i][k] /= first;
        }
        for (size_t row = 0; row < count; row++) {
            const double factor = matrix[row][i];
            for (size_t k = 0; row != i && factor != 0 && k < count; k++) {
                matrix[row][k] -= factor * matrix[i][k];
                inverse[row][k] -= factor * inverse[i][k];
            }
        }
    }
}

void trees_information_clear(void)
{
    memset(matrix, 0, sizeof matrix);
}

void trees_information_add(const double *row, size_t unknowns, double variance)
{
    for (size_t a = 0; a < unknowns; a++)
        for (size_t b = 0; b < unknowns; b++)
            matrix[a][b] += row[a] * row[b] / variance;
}

void trees_information_invert(size_t unknowns)
{
    invert(unknowns);
}

void trees_dense(const tree_scene *t, const double *noisy, const double *variances,
                 double *estimates, double *errors)
{
    const size_t inner = t->shape.inner, leaves = t->nodes - inner;
    double right[TREES_LEAVES] = {0};
    memset(matrix, 0, sizeof matrix);
    for (size_t v = 0; v < t->nodes; v++)
        for (size_t a = 0; !isinf(variances[v]) && a < leaves; a++) {
            if (!is_below(t, inner + a, v))
                continue;
            right[a] += noisy[v] / variances[v];
            for (size_t b = 0; b < leaves; b++)
                if (is_below(t, inner + b, v))
                    matrix[a][b] += 1 / variances[v];
        }
    invert(leaves);
    for (size_t v = 0; v < t->nodes; v++) {
        estimates[v] = errors[v] = 0;
        for (size_t a = 0; a < leaves; a++)
            for (size_t b = 0; is_below(t, inner + a, v) && b < leaves; b++) {
                estimates[v] += inverse[a][b] * right[b];
                errors[v] += is_below(t, inner + b, v) ? inverse[a][b] : 0;
            }
    }
}
