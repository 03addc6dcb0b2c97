/* How mechanisms are described to people: the meaning of each parameter, and the names by which papers and other
 * libraries know a mechanism. */
#include "mechanism/catalogue.h"

#include <string.h>

/* A parameter means the same in most mechanisms. The first line that matches counts, so exceptions stand before the general one. */
static const struct {
    const char *name, *mechanism; /* NULL: every other mechanism */
    const char *meaning;
} meanings[] = {
    {"alpha", "bucket-histogram",
     "instead of q or delta: the share of all elements that may be lost; with elements"},
    {"alpha", "condensed-geometric",
     "instead of epsilon: the loss for values whose distance is 1"},
    {"alpha", "condensed-exponential",
     "instead of epsilon: the loss for values whose distance is 1"},
    {"alpha", NULL,
     "instead of rows: an error that some answer keeps, as a share of all rows"},
    {"bar-delta", NULL, "the delta of the counts"},
    {"bar-epsilon", NULL, "the epsilon of the counts"},
    {"beta", NULL,
     "the largest distance of a row from the centre of its bucket, in the unit of the "
     "input"},
    {"bins", NULL, "the number of bins, one line of the input each"},
    {"bits", NULL,
     "the bits of a report; default: 128 for texts, else one for each value"},
    {"blocks", NULL, "the number of blocks; default: the best for epsilon"},
    {"bound", NULL, "the largest noise, in steps of the grid, instead of delta"},
    {"candidates", NULL, "for the audit: how many candidates there are"},
    {"cells", "interval-counts", "the number of equal cells of the range or the circle"},
    {"cells", "body", "the most cells of a direction; default: 1048576"},
    {"cells", NULL, "the cells of the hash; default: the best for epsilon"},
    {"centre", NULL, "the numbers of the public point"},
    {"certain", NULL, "a set of this many elements is always reported"},
    {"chosen", "bit-flip",
     "how many values a device reports on; default: the best for epsilon"},
    {"chosen", NULL, "how many values a report holds; default: the best for epsilon"},
    {"circle", NULL, "rows are angles in degrees; default: numbers of a range"},
    {"clip", NULL, "scores below minus this number count as that; default: reach"},
    {"coefficients", NULL,
     "the queries: a weight from 0 to 1 for each bin, query after query"},
    {"cohorts", NULL,
     "the number of cohorts, each with hash functions of its own; default: 1"},
    {"columns", NULL, "for workload=marginals: the number of values of each column"},
    {"count", "body", "how many directions; default: what the kind of directions has"},
    {"count", "depth-median",
     "how many directions; default: what the kind of directions has"},
    {"count", "body-depth",
     "how many directions; default: what the kind of directions has"},
    {"count", "guess-and-check", "how many wrong guesses are answered before it stops"},
    {"count", "generalised-sparse-vector",
     "how many answers above the threshold it gives before it stops; default: 1"},
    {"count", NULL, "how many answers above the threshold it gives before it stops"},
    {"delta", "truncated-laplace", "the delta of one release, instead of bound"},
    {"delta", "range", "the delta of one release, instead of width"},
    {"delta", "stlap", "the delta of one release, instead of q"},
    {"delta", "bucket-histogram", "the delta of one release, instead of q"},
    {"delta", "gaussian", "the delta of one release, together with epsilon"},
    {"delta", "gaussian-share", "the delta of one release, together with epsilon"},
    {"delta", NULL, "the delta of one release"},
    {"dimensions", NULL, "how many numbers a row has; default: 1"},
    {"directions", NULL, "how directions are chosen; default: frames"},
    {"distances", NULL,
     "how far the values of each pair are apart; default: their difference"},
    {"elements", NULL, "the number of all elements, which is public; with alpha"},
    {"epsilon", "robust-laplace",
     "the cost of one release; noise has the scale rho / epsilon"},
    {"epsilon", "robust",
     "how hard answers within rho are to tell apart; the cost is that of the other "
     "mechanism"},
    {"epsilon", "threshold-laplace", "the epsilon of one release"},
    {"epsilon", NULL, "the cost of one release"},
    {"expected", NULL, "the expected number of rows; it steers accuracy, not privacy"},
    {"fan-outs", NULL, "how many children a node of each level has, from the root down"},
    {"field", NULL, "the prime field of the hash; default: the best for epsilon"},
    {"first", NULL, "the epsilon of the first report; default: half of epsilon"},
    {"flip", NULL,
     "the probability that the kept bit is flipped in a report; default: 0"},
    {"form", "quantile",
     "how epsilon is divided among several quantiles; default: whichever errs less"},
    {"form", NULL, "one threshold (a) or a new one after each answer (b); default: a"},
    {"frequent", NULL, "the noisy count from which a set is frequent"},
    {"grid", "threshold-weighted", "the step to which weights are rounded down"},
    {"grid", NULL, "the step to which values are rounded; default: 1"},
    {"group", "stlap", "how many elements one unit may have; default: 1"},
    {"group", NULL, "how many rows one unit may have; default: 1"},
    {"guesses", NULL, "public guesses, one for each query"},
    {"hashes", NULL,
     "the hash functions of a Bloom filter; default: 2 for texts, else none"},
    {"honest", NULL, "how many parties surely add their share; default: all"},
    {"items", NULL, "how many items of a transaction are used"},
    {"k", NULL, "how many candidates are chosen"},
    {"keep", NULL, "instead of epsilon: the probability that the true value is reported"},
    {"labelled", NULL, "each row ends with a label, above 0 or not"},
    {"largest", NULL,
     "the largest utility of a key that exists because of one unit; default: the "
     "sensitivity"},
    {"length", "generalised-sparse-vector",
     "the most queries that are answered; default: no limit"},
    {"length", NULL, "how many cells a line of the input has"},
    {"level-rows", NULL,
     "how many rows lie between two levels of depth; default: found from expected"},
    {"levels", NULL,
     "how many levels of depth are told apart; default: found from expected"},
    {"lower", NULL, "values below it are raised to it, in the unit of the input"},
    {"masses", NULL, "the probability of each place"},
    {"max-count", NULL, "the most rows of one bin that count; default: 2147483648"},
    {"max-groups", "stabilise", "how many keys may exist because of one unit alone"},
    {"max-groups", NULL, "at most how many groups one unit may be in; default: 1"},
    {"max-rows", "threshold-laplace",
     "at most how many rows one unit may have in a group; default: 1"},
    {"max-rows", "item-sets",
     "at most how many transactions one unit may have; default: 1"},
    {"max-rows", "frequent-sets",
     "at most how many transactions one unit may have; default: 1"},
    {"max-rows", NULL, "at most how many rows one unit may have; default: 1"},
    {"max-total", NULL,
     "instead of max-groups and max-rows: at most how many rows one unit may have in all "
     "groups"},
    {"method", NULL, "how each candidate is chosen; default: permute-and-flip"},
    {"mode", NULL,
     "sparse skips empty bars: faster, but the time shows how many there are"},
    {"monotone", NULL, "all scores or queries rise, or all fall, when one unit is added"},
    {"neighbours", NULL, "which inputs are neighbours"},
    {"noise", "item-sets", "the kind of noise; default: laplace"},
    {"noise", NULL, "the kind of noise on each score; default: laplace"},
    {"nonnegative", NULL, "queries below 0 count as 0"},
    {"norm", NULL, "the norm in which beta is measured; default: 2"},
    {"numeric", NULL, "also shows the value of each query above, with noise of its own"},
    {"outside", NULL, "how rows outside lower and upper are treated; default: clamp"},
    {"p", "rappor",
     "the probability that a 0 is reported as 1; default: no second round"},
    {"p", NULL, "which quantiles: 1/2 is the median; several in rising order"},
    {"pairs", NULL, "which inputs are neighbours, two by two; default: all pairs"},
    {"places", NULL,
     "the numbers that each distribution may give, one distribution after another"},
    {"points", NULL, "the candidates on each axis; default: 1024"},
    {"q", "rappor",
     "the probability that a 1 is reported as 1; default: no second round"},
    {"q", "stlap", "the most elements that a bar may lose"},
    {"q", "rounded-stlap", "the most elements that a bar may lose"},
    {"q", "bucket-histogram", "the most elements that a bucket may lose"},
    {"q", NULL, "the share of rows on the inner side: 1/2 is the median"},
    {"queries", NULL, "for the audit: how many queries there are"},
    {"query-scale", NULL, "the scale of Laplace noise on each query"},
    {"query-variance", NULL, "instead: the variance of Gaussian noise on each query"},
    {"reach", NULL, "over how many ranks a typical table is dense"},
    {"records", NULL, "for the audit: how many rows its tables have"},
    {"reports", NULL, "how many reports a device may send; default: 1"},
    {"resample", NULL, "draws a new threshold after each answer above"},
    {"rho", "robust",
     "how far apart the distributions of close answers are, in the unit of the input"},
    {"rho", "robust-laplace",
     "how far apart the distributions of neighbours are, in the unit of the input"},
    {"rho", NULL, "instead of epsilon: the cost as concentrated privacy (zCDP)"},
    {"rounds", NULL, "how many queries are measured"},
    {"rows", NULL, "the rows of the answer, instead of alpha"},
    {"sampler", NULL, "table draws in constant time; default: exact"},
    {"scale", NULL,
     "instead of epsilon: the scale of the noise, in the unit of the input"},
    {"seed", NULL, "the public seed of random directions; default: 0"},
    {"sensitivity", "gaussian",
     "how much one unit changes all values together, in the l2 norm"},
    {"sensitivity", "gaussian-share",
     "how much one unit changes all values together, in the l2 norm"},
    {"sensitivity", "stabilise", "how much one unit changes all utilities together"},
    {"sensitivity", "counter",
     "how much one unit changes the stream, all steps together"},
    {"sensitivity", "exponential", "how much one unit changes each score"},
    {"sensitivity", "permute-and-flip", "how much one unit changes each score"},
    {"sensitivity", "one-sided-noisy-max", "how much one unit changes each score"},
    {"sensitivity", "noisy-max", "how much one unit changes each score"},
    {"sensitivity", "base2-exponential", "how much one unit changes each score"},
    {"sensitivity", "top-k", "how much one unit changes each score"},
    {"sensitivity", "above-threshold", "how much one unit changes each query"},
    {"sensitivity", "sparse-vector", "how much one unit changes each query"},
    {"sensitivity", "guess-and-check", "how much one unit changes each query"},
    {"sensitivity", "generalised-sparse-vector", "how much one unit changes each query"},
    {"sensitivity", "stagewise-sparse-vector", "how much one unit changes each query"},
    {"sensitivity", NULL,
     "how much one unit changes all values together, in the l1 norm and the unit of the "
     "input"},
    {"shares", "hierarchy", "the share of the cost of each level; default: equal shares"},
    {"shares", NULL, "how many shares make up the whole noise"},
    {"sigma", NULL,
     "instead of the cost: the standard deviation of the noise, in the unit of the "
     "input"},
    {"size", "item-sets", "the most items of a set that is counted"},
    {"size", "frequent-sets", "the most items of a set that is counted"},
    {"size", NULL, "how many values the input has, where there is a grid; default: 1"},
    {"size-delta", NULL, "the delta of the number of all elements"},
    {"size-epsilon", NULL, "the epsilon of the number of all elements"},
    {"sizes", NULL, "how many places each distribution has"},
    {"spacing", NULL,
     "the largest gap between ranks of a typical table, in the unit of the input"},
    {"stage", NULL, "how many answers above the threshold a stage gives"},
    {"stage-length", NULL, "the most queries of a stage; default: no limit"},
    {"steps", NULL, "how many steps the stream has"},
    {"tables", NULL, "how many cells each table has"},
    {"tau", NULL, "the share of all elements that a bar may lose"},
    {"text", NULL, "the longest text, in bytes"},
    {"theta", "randomised-query",
     "the probability that may be ignored, which becomes delta; default: 0"},
    {"theta", NULL, "the mass of distributions that may be ignored; default: 0"},
    {"threshold", "threshold-laplace",
     "instead of delta: the least noisy count that is shown"},
    {"threshold", "stabilise", "instead of delta: the least noisy utility of a kept key"},
    {"threshold", "online-weights", "the error in rows beyond which a query is measured"},
    {"threshold", "guess-and-check", "the error from which a guess is wrong"},
    {"threshold", NULL, "queries are compared with it"},
    {"threshold-scale", NULL, "the scale of Laplace noise on the threshold"},
    {"threshold-variance", NULL,
     "instead: the variance of Gaussian noise on the threshold"},
    {"total", NULL, "the number of rows, which must be public"},
    {"updates", NULL, "the most answers that are measured"},
    {"upper", NULL, "values above it are lowered to it, in the unit of the input"},
    {"values", "randomised-response",
     "how many values there are, counted from 0; default: 2"},
    {"values", NULL, "how many values there are, counted from 0"},
    {"variance", NULL,
     "instead of sigma: the variance of the noise, in the square of the unit"},
    {"vectors", NULL, "the numbers of given directions, one after another"},
    {"ways", NULL, "how many columns each marginal has; default: 2"},
    {"weight", NULL, "the largest weight of a row; default: 1"},
    {"whole", NULL,
     "each value is a whole multiple of the grid by definition, so nothing is rounded"},
    {"width", "range",
     "how far the range reaches to either side, in steps of the grid, instead of delta"},
    {"width", NULL,
     "how far a report may be from the number; default: the best for epsilon"},
    {"workload", NULL, "instead of coefficients: a known family of queries"},
};

static const char *meaning_of(const char *name, const char *mechanism)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strcmp(meanings[i].name, name) == 0 &&
            (meanings[i].mechanism == NULL ||
             strcmp(meanings[i].mechanism, mechanism) == 0))
            return meanings[i].meaning;
    return "";
}

/* Names of papers and of other libraries, in small letters with hyphens. */
static const struct {
    const char *known, *name;
} other_names[] = {
    {"analytic-gaussian", "gaussian"},
    {"binary-mechanism", "counter"},
    {"binary-tree", "counter"},
    {"continual-counting", "counter"},
    {"dbitflip", "bit-flip"},
    {"direct-encoding", "randomised-response"},
    {"discrete-gaussian", "gaussian"},
    {"discrete-laplace", "laplace"},
    {"em", "exponential"},
    {"generalized-randomized-response", "randomised-response"},
    {"geometric", "laplace"},
    {"grr", "randomised-response"},
    {"hadamard-response", "hadamard"},
    {"harmony", "one-bit-mean"},
    {"k-rr", "randomised-response"},
    {"krr", "randomised-response"},
    {"l-osue", "repeated-unary"},
    {"median", "quantile"},
    {"numeric-sparse", "sparse-vector"},
    {"olh", "local-hashing"},
    {"oue", "optimised-unary"},
    {"pem", "prefix"},
    {"percentile", "quantile"},
    {"permute-flip", "permute-and-flip"},
    {"randomized-response", "randomised-response"},
    {"report-noisy-arg-max", "noisy-max"},
    {"report-noisy-max", "noisy-max"},
    {"report-one-sided-noisy-arg-max", "one-sided-noisy-max"},
    {"rnm", "noisy-max"},
    {"rr", "randomised-response"},
    {"smoothed-histogram", "stlap"},
    {"sparse", "sparse-vector"},
    {"sue", "symmetric-unary"},
    {"svt", "sparse-vector"},
    {"sw", "square-wave"},
    {"tdgeo", "truncated-laplace"},
    {"topk", "top-k"},
    {"tree-aggregation", "counter"},
    {"truncated-geometric", "truncated-laplace"},
    {"tukey-median", "depth-median"},
    {"two-sided-geometric", "laplace"},
    {"unary-encoding", "optimised-unary"},
    {"warner", "randomised-response"},
};

const sc_mechanism *sc_catalogue_known_as(sc_text name)
{
    static const char ending[] = "-mechanism";
    const size_t bytes = sizeof ending - 1;
    if (name.bytes > bytes &&
        memcmp(name.start + name.bytes - bytes, ending, bytes) == 0) {
        const sc_text stem = {name.start, name.bytes - bytes};
        const sc_mechanism *found = sc_catalogue_find(stem, NULL);
        if (found != NULL)
            return found;
    }
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (sc_text_is(name, other_names[i].known))
            return sc_catalogue_find(sc_text_of(other_names[i].name), NULL);
    return NULL;
}

const scrim_mechanism_entry *scrim_mechanism_find(const char *name)
{
    if (name == NULL)
        return NULL;
    const sc_mechanism *found = sc_catalogue_find(sc_text_of(name), NULL);
    if (found == NULL)
        found = sc_catalogue_known_as(sc_text_of(name));
    return found == NULL ? NULL : &found->entry;
}

/* These names are optional in the table because a model has defaults for them; data has no defaults (usual in measurement.c), so users
 * must give them. */
static bool is_required(const sc_parameter_rule *rule)
{
    const bool is_usual = strcmp(rule->name, "neighbours") == 0 ||
                          strcmp(rule->name, "sensitivity") == 0 ||
                          strcmp(rule->name, "threshold") == 0;
    return !rule->optional || (is_usual && rule->instead == NULL);
}

int scrim_mechanism_parameter_at(const char *mechanism, size_t index,
                                 scrim_parameter_entry *out)
{
    const sc_mechanism *m = mechanism == NULL || out == NULL
                                ? NULL
                                : sc_catalogue_find(sc_text_of(mechanism), NULL);
    if (m == NULL || index >= m->parameter_count)
        return 0;
    const sc_parameter_rule *rule = &m->parameters[index];
    *out = (scrim_parameter_entry){.name = rule->name,
                                   .meaning = meaning_of(rule->name, m->entry.name),
                                   .domain = rule->domain,
                                   .is_required = is_required(rule),
                                   .is_for_audit =
                                       index >= m->parameter_count - m->audit_count};
    return 1;
}
