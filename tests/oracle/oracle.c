#include "oracle.h"

#include <stdlib.h>

#define DEPTH_MAX 512
#define BITS 192

typedef struct leaf {
    int64_t outcome;
    sc_ball mass;
} leaf;

struct oracle_tree {
    leaf *leaves;
    size_t count, room, runs;
    sc_ball forgotten, undecided;
};

/* The walk under way. The path is the branch taken at each primitive; weight is the product of
 * the probabilities up to where the sampler has come. */
static struct {
    uint64_t branch[DEPTH_MAX], branches[DEPTH_MAX];
    size_t known, at;
    sc_ball weight, limit;
    bool cut;
} walk;

/* The next branch of branches many; the caller multiplies the weight. */
static scrim_status next_branch(uint64_t branches, uint64_t *out)
{
    if (walk.at == walk.known) {
        if (walk.known == DEPTH_MAX) {
            walk.cut = true;
            return SCRIM_E_STATE;
        }
        walk.branch[walk.known] = 0;
        walk.branches[walk.known++] = branches;
    }
    *out = walk.branch[walk.at++];
    return SCRIM_OK;
}

static scrim_status multiply(const sc_ball *probability)
{
    sc_ball_mul(&walk.weight, &walk.weight, probability, BITS);
    if (sc_ball_is_less(&walk.weight, &walk.limit)) {
        walk.cut = true;
        return SCRIM_E_STATE;
    }
    return SCRIM_OK;
}

/* A coin whose probability of true is p. */
static scrim_status toss(const sc_ball *p, bool *out)
{
    sc_ball side;
    sc_ball_init(&side);
    uint64_t branch = 0;
    scrim_status status = next_branch(2, &branch);
    if (status == SCRIM_OK) {
        sc_ball_set(&side, p);
        if (branch == 1) {
            sc_ball_neg(&side, &side);
            sc_ball_add_int64(&side, &side, 1, BITS);
        }
        status = multiply(&side);
    }
    if (status == SCRIM_OK)
        *out = branch == 0;
    sc_ball_clear(&side);
    return status;
}

static void quotient(const sc_integer *n, const sc_integer *d, sc_ball *out)
{
    sc_ball below;
    sc_ball_init(&below);
    sc_ball_set_integer(out, n);
    sc_ball_set_integer(&below, d);
    sc_ball_div(out, out, &below, BITS);
    sc_ball_clear(&below);
}

scrim_status oracle_bernoulli_integer(sc_bits *bits, const sc_integer *n,
                                      const sc_integer *d, bool *out, scrim_error *error)
{
    (void)bits;
    (void)error;
    sc_ball p;
    sc_ball_init(&p);
    quotient(n, d, &p);
    scrim_status status = toss(&p, out);
    sc_ball_clear(&p);
    return status;
}

scrim_status oracle_bernoulli_exp01_integer(sc_bits *bits, const sc_integer *n,
                                            const sc_integer *d, bool *out,
                                            scrim_error *error)
{
    (void)bits;
    (void)error;
    sc_ball p;
    sc_ball_init(&p);
    quotient(n, d, &p);
    sc_ball_neg(&p, &p);
    sc_ball_exp(&p, &p, BITS);
    scrim_status status = toss(&p, out);
    sc_ball_clear(&p);
    return status;
}

typedef scrim_status integer_coin(sc_bits *, const sc_integer *, const sc_integer *,
                                  bool *, scrim_error *);

static scrim_status widened(integer_coin *coin, sc_uint128 n, sc_uint128 d, bool *out)
{
    sc_integer above, below;
    sc_integer_init(&above);
    sc_integer_init(&below);
    sc_integer_set_uint128(&above, n);
    sc_integer_set_uint128(&below, d);
    scrim_status status = coin(NULL, &above, &below, out, NULL);
    sc_integer_clear(&above);
    sc_integer_clear(&below);
    return status;
}

scrim_status oracle_bernoulli_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                 scrim_error *error)
{
    (void)bits;
    (void)error;
    return widened(oracle_bernoulli_integer, n, d, out);
}

scrim_status oracle_bernoulli_128(sc_bits *bits, sc_uint128 n, sc_uint128 d, bool *out,
                                  scrim_error *error)
{
    (void)bits;
    (void)error;
    return widened(oracle_bernoulli_integer, n, d, out);
}

scrim_status oracle_bernoulli_exp01_64(sc_bits *bits, uint64_t n, uint64_t d, bool *out,
                                       scrim_error *error)
{
    (void)bits;
    (void)error;
    return widened(oracle_bernoulli_exp01_integer, n, d, out);
}

scrim_status oracle_bernoulli_exp01_128(sc_bits *bits, sc_uint128 n, sc_uint128 d,
                                        bool *out, scrim_error *error)
{
    (void)bits;
    (void)error;
    return widened(oracle_bernoulli_exp01_integer, n, d, out);
}

scrim_status oracle_choose(const sc_ball *probability, uint64_t count, uint64_t *out)
{
    uint64_t branch = 0;
    scrim_status status = next_branch(count, &branch);
    if (status == SCRIM_OK)
        status = multiply(&probability[branch]);
    if (status == SCRIM_OK)
        *out = branch;
    return status;
}

scrim_status oracle_uniform_64(sc_bits *bits, uint64_t n, uint64_t *out,
                               scrim_error *error)
{
    (void)bits;
    (void)error;
    sc_ball mass, count;
    sc_ball_init(&mass);
    sc_ball_init(&count);
    sc_ball_set_int64(&mass, 1);
    sc_ball_set_int128(&count, n);
    sc_ball_div(&mass, &mass, &count, BITS);
    uint64_t branch = 0;
    scrim_status status = next_branch(n, &branch);
    if (status == SCRIM_OK)
        status = multiply(&mass);
    if (status == SCRIM_OK)
        *out = branch;
    sc_ball_clear(&mass);
    sc_ball_clear(&count);
    return status;
}

scrim_status oracle_uniform_integer(sc_bits *bits, const sc_integer *n, sc_integer *out,
                                    scrim_error *error)
{
    uint64_t count = 0, value = 0;
    if (!sc_integer_get_uint64(n, &count))
        return SCRIM_E_INTERNAL;
    scrim_status status = oracle_uniform_64(bits, count, &value, error);
    if (status == SCRIM_OK)
        sc_integer_set_uint128(out, value);
    return status;
}

scrim_status oracle_bits_take(sc_bits *bits, unsigned count, uint64_t *out,
                              scrim_error *error)
{
    return count == 1 ? oracle_uniform_64(bits, 2, out, error) : SCRIM_E_INTERNAL;
}

/* The walk. */

static void add_leaf(oracle_tree *tree, int64_t outcome)
{
    for (size_t i = 0; i < tree->count; i++)
        if (tree->leaves[i].outcome == outcome) {
            sc_ball_add(&tree->leaves[i].mass, &tree->leaves[i].mass, &walk.weight, BITS);
            return;
        }
    if (tree->count == tree->room) {
        tree->room = tree->room == 0 ? 64 : 2 * tree->room;
        tree->leaves = realloc(tree->leaves, tree->room * sizeof *tree->leaves);
        if (tree->leaves == NULL)
            abort();
    }
    leaf *added = &tree->leaves[tree->count++];
    added->outcome = outcome;
    sc_ball_init(&added->mass);
    sc_ball_set(&added->mass, &walk.weight);
}

static void run_once(oracle_tree *tree, oracle_run *run, void *context)
{
    bool decided = false;
    int64_t outcome = 0;
    walk.at = 0;
    walk.cut = false;
    sc_ball_set_int64(&walk.weight, 1);
    scrim_status status = run(context, &decided, &outcome, NULL);
    tree->runs++;
    if (status != SCRIM_OK && !walk.cut)
        abort(); /* a sampler failed although no primitive did */
    if (walk.cut)
        sc_ball_add(&tree->undecided, &tree->undecided, &walk.weight, BITS);
    else if (decided)
        add_leaf(tree, outcome);
    else
        sc_ball_add(&tree->forgotten, &tree->forgotten, &walk.weight, BITS);
}

oracle_tree *oracle_explore(oracle_run *run, void *context, int cutoff)
{
    oracle_tree *tree = calloc(1, sizeof *tree);
    if (tree == NULL)
        abort();
    sc_ball_init(&tree->forgotten);
    sc_ball_init(&tree->undecided);
    sc_ball_init(&walk.weight);
    sc_ball_init(&walk.limit);
    sc_ball_set_int64(&walk.limit, 1);
    sc_ball_mul_power2(&walk.limit, &walk.limit, -cutoff);
    walk.known = 0;
    for (bool more = true; more;) {
        run_once(tree, run, context);
        walk.known = walk.at;
        while (walk.known > 0 &&
               walk.branch[walk.known - 1] + 1 == walk.branches[walk.known - 1])
            walk.known--;
        more = walk.known > 0;
        if (more)
            walk.branch[walk.known - 1]++;
    }
    sc_ball_clear(&walk.weight);
    sc_ball_clear(&walk.limit);
    return tree;
}

void oracle_free(oracle_tree *tree)
{
    for (size_t i = 0; i < tree->count; i++)
        sc_ball_clear(&tree->leaves[i].mass);
    sc_ball_clear(&tree->forgotten);
    sc_ball_clear(&tree->undecided);
    free(tree->leaves);
    free(tree);
}

void oracle_mass(const oracle_tree *tree, int64_t outcome, sc_ball *out)
{
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < tree->count; i++)
        if (tree->leaves[i].outcome == outcome)
            sc_ball_set(out, &tree->leaves[i].mass);
}

void oracle_decided(const oracle_tree *tree, sc_ball *out)
{
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < tree->count; i++)
        sc_ball_add(out, out, &tree->leaves[i].mass, BITS);
}

void oracle_forgotten(const oracle_tree *tree, sc_ball *out)
{
    sc_ball_set(out, &tree->forgotten);
}

void oracle_undecided(const oracle_tree *tree, sc_ball *out)
{
    sc_ball_set(out, &tree->undecided);
}

size_t oracle_leaves(const oracle_tree *tree)
{
    return tree->runs;
}
