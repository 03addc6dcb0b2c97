/* One round of MST and one of AIM on all neighbours of all databases of up to two rows over three binary columns:
 * the exact law of the selection times that of the measurement, against alpha times the charge. */
#include "check.h"
#include "exact.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/noise/additive.h"
#include "mechanism/selection/exponential.h"
#include "mechanism_lines.h"
#include "synth/rounds/rounds.h"
#include "vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RECORDS = 8, MOST = 6, CELLS = 4 };

typedef struct round_case {
    const sc_clique *cliques; /* candidates */
    const int64_t *weights;
    size_t count;
} round_case;

static const sc_synth_columns columns = {.count = 3, .sizes = {2, 2, 2}};
static const sc_clique pairs[] = {3, 5, 6}, all[] = {1, 2, 4, 3, 5, 6};
static const int64_t ones[] = {1, 1, 1}, worth[] = {1, 1, 1, 2, 2, 2};
static const round_case mst = {pairs, ones, 3}, aim = {all, worth, 6};

/* A database: how often each record occurs. */
typedef struct database {
    int64_t times[RECORDS];
} database;

static void count(const database *d, sc_clique clique, int64_t out[CELLS])
{
    const size_t first = sc_clique_first(clique);
    memset(out, 0, CELLS * sizeof *out);
    for (size_t r = 0; r < RECORDS; r++) {
        size_t cell = r >> first & 1;
        for (size_t c = first + 1; c < 3; c++)
            if ((clique >> c & 1) != 0)
                cell = 2 * cell + (r >> c & 1);
        out[cell] += d->times[r];
    }
}

/* The model of this round: any public integers. */
static void score_all(const round_case *c, const database *d, int64_t model,
                      int64_t scores[MOST])
{
    for (size_t i = 0; i < c->count; i++) {
        int64_t x[CELLS], m[CELLS];
        const size_t cells = (size_t)sc_clique_cells(&columns, c->cliques[i]);
        count(d, c->cliques[i], x);
        for (size_t k = 0; k < cells; k++)
            m[k] = (model >> (k + i)) & 1;
        scores[i] = c->weights[i] * (sc_rounds_distance(x, m, cells) - 1);
    }
}

typedef struct auditor {
    const round_case *round;
    scrim_measurement *selection, *pair, *single;
    double alpha;
    double worst; /* Renyi divergence over alpha */
} auditor;

/* sum over z of p(z)^alpha p(z - 1)^(1 - alpha): what a cell that moves by one contributes. */
static double moved(const scrim_measurement *m, double alpha)
{
    const sc_law *law = &sc_additive_of(m)->law;
    double sum = 0;
    SC_OWN(sc_ball, p, q);
    for (int64_t z = -90; z <= 90; z++) {
        sc_law_pmf(law, z, 128, &p);
        sc_law_pmf(law, z - 1, 128, &q);
        sum += exp(alpha * log(sc_ball_upper(&p)) + (1 - alpha) * log(sc_ball_upper(&q)));
    }
    return sum;
}

static void probabilities(const auditor *a, const database *d, int64_t model,
                          double out[MOST])
{
    int64_t scores[MOST];
    sc_outcomes law;
    sc_outcomes_init(&law, 1);
    score_all(a->round, d, model, scores);
    CHECK_STATUS(a->selection->mechanism->law(
                     a->selection,
                     &(sc_private_input){.values = scores, .count = a->round->count}, 128,
                     &law, NULL),
                 SCRIM_OK);
    for (size_t i = 0; i < law.count; i++)
        out[law.keys[i]] = sc_ball_upper(&law.mass[i]);
    sc_outcomes_clear(&law);
}

static void look(auditor *a, const database *x, const database *y, int64_t model,
                 const double step[2])
{
    double p[MOST], q[MOST], sum = 0;
    probabilities(a, x, model, p);
    probabilities(a, y, model, q);
    for (size_t i = 0; i < a->round->count; i++) {
        int64_t at[CELLS], to[CELLS];
        double factor = 1;
        count(x, a->round->cliques[i], at);
        count(y, a->round->cliques[i], to);
        for (size_t k = 0; k < CELLS; k++)
            for (int64_t by = llabs(at[k] - to[k]); by > 0; by--)
                factor *= step[sc_clique_count(a->round->cliques[i]) - 1];
        sum += pow(p[i], a->alpha) * pow(q[i], 1 - a->alpha) * factor;
    }
    const double found = log(sum) / (a->alpha - 1) / a->alpha;
    a->worst = found > a->worst ? found : a->worst;
}

/* Both ways over a pair of neighbours, for some models. */
static void look_both(auditor *a, const database *x, const database *y,
                      const double step[2])
{
    for (int64_t model = 0; model < 128; model += check_is_long() ? 8 : 43) {
        look(a, x, y, model, step);
        look(a, y, x, model, step);
    }
}

static void look_everywhere(auditor *a, bool is_replace)
{
    const double step[] = {moved(a->single, a->alpha), moved(a->pair, a->alpha)};
    for (size_t one = 0; one <= RECORDS; one++)
        for (size_t two = one; two <= RECORDS; two++) {
            database x = {{0}}; /* 8: no row */
            if (one < RECORDS)
                x.times[one]++;
            if (two < RECORDS)
                x.times[two]++;
            for (size_t r = 0; r < RECORDS; r++) {
                database y = x;
                y.times[r]++;
                if (is_replace && (one == RECORDS || r == one))
                    continue;
                if (is_replace)
                    y.times[one]--;
                look_both(a, &x, &y, step);
            }
        }
}

static scrim_measurement *made(const char *line)
{
    scrim_measurement *m = NULL;
    CHECK_STATUS(scrim_measurement_parse(line, &m, NULL), SCRIM_OK);
    return m;
}

/* At h and variance of the vector: D is the sensitivity of the scores, and of AIM those have a weight of 2. */
static void audit(const round_case *c, const json_t *row)
{
    static const double alphas[] = {2, 4, 16};
    const bool is_replace = strcmp(vectors_text(row, "relation"), "replace") == 0;
    const int64_t most = c->weights[c->count - 1], d = (is_replace ? 2 : 1) * most;
    const double h = strtod(vectors_text(row, "h"), NULL) / (double)most;
    const double variance = strtod(vectors_text(row, "sigma2"), NULL);
    char line[200];
    auditor a = {.round = c};
    snprintf(line, sizeof line, "exponential sensitivity=%lld epsilon=%g neighbours=%s",
             (long long)d, 2 * h * (double)d, vectors_text(row, "relation"));
    a.selection = made(line);
    const double rho = (is_replace ? 2 : 1) / (2 * variance);
    snprintf(line, sizeof line, "marginals tables=4 rho=%g neighbours=%s", rho,
             vectors_text(row, "relation"));
    a.pair = made(line);
    snprintf(line, sizeof line, "marginals tables=2 rho=%g neighbours=%s", rho,
             vectors_text(row, "relation"));
    a.single = made(line);
    REQUIRE(a.selection != NULL && a.pair != NULL && a.single != NULL);
    SC_OWN(sc_ratio, charge);
    sc_ratio_add(&charge, &a.selection->cost.rho, &a.pair->cost.rho);
    CHECK_RATIO(&charge, vectors_text(row, "claimed_rho"));
    const double claimed = strtod(vectors_text(row, "claimed_rho"), NULL);
    for (size_t i = 0; i < COUNT(alphas); i++) {
        a.alpha = alphas[i];
        look_everywhere(&a, is_replace);
    }
    CHECK(a.worst <= claimed * (1 + 1e-12));
    CHECK(a.worst >= 0.6 * claimed); /* so the charge is not idle */
    scrim_measurement_free(a.single);
    scrim_measurement_free(a.pair);
    scrim_measurement_free(a.selection);
}

SLOW_TEST(rounds_of_synthesisers_keep_their_charge)
{
    CLAIM("rounds.cost");
    size_t at = 0;
    json_t *row = NULL;
    json_t *list = vectors_load("synthetic", "round_audit");
    REQUIRE(list != NULL);
    json_array_foreach(list, at, row)
    {
        audit(&mst, row);
        audit(&aim, row);
    }
    CHECK_INT(at, 4);
}

/* One selection: on all scores of three candidates of a grid and every pattern of moves, the divergence over alpha is
 * at most D^2 h^2/2, and close to it. */
static double renyi(const double *p, const double *q, double alpha)
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        sum += pow(p[i], alpha) * pow(q[i], 1 - alpha);
    return log(sum) / (alpha - 1) / alpha;
}

static void weigh(const int64_t scores[3], double h, double out[3])
{
    double sum = 0;
    for (size_t i = 0; i < 3; i++)
        sum += out[i] = exp(h * (double)scores[i]);
    for (size_t i = 0; i < 3; i++)
        out[i] /= sum;
}

static double worst_selection(double h, int64_t d, bool is_monotone)
{
    static const double alphas[] = {1.01, 2, 4, 16};
    double worst = 0;
    for (int64_t code = 0; code < (int64_t)7 * 7 * 27; code++) {
        const int64_t base[] = {0, code % 7 - 3, code / 7 % 7 - 3};
        int64_t to[3], rest = code / 49;
        double p[3], q[3];
        for (size_t i = 0; i < 3; i++, rest /= 3)
            to[i] = base[i] + (is_monotone ? (rest % 3 > 0) * d : (rest % 3 - 1) * d);
        weigh(base, h, p);
        weigh(to, h, q);
        for (size_t k = 0; k < COUNT(alphas); k++)
            worst = fmax(worst, renyi(p, q, alphas[k]));
    }
    return worst;
}

TEST(selections_of_synthesisers_keep_their_charge)
{
    CLAIM("rounds.cost");
    static const char *const names[] = {"selection_cost", "monotone_selection_cost"};
    for (size_t name = 0; name < 2; name++) {
        size_t at = 0;
        json_t *row = NULL;
        json_t *list = vectors_load("synthetic", names[name]);
        REQUIRE(list != NULL);
        json_array_foreach(list, at, row)
        {
            const uint64_t d = vectors_number(row, "D");
            const double h = strtod(vectors_text(row, "h"), NULL);
            const double claimed = strtod(vectors_text(row, "claimed_rho"), NULL);
            char line[200];
            snprintf(line, sizeof line,
                     "exponential sensitivity=%llu epsilon=%g neighbours=%s%s",
                     (unsigned long long)d, (name == 0 ? 2 : 1) * (double)d * h,
                     name == 0 ? vectors_text(row, "relation") : "add-remove",
                     name == 0 ? "" : " monotone=yes");
            scrim_measurement *m = made(line);
            REQUIRE(m != NULL);
            CHECK_RATIO(&m->cost.rho, vectors_text(row, "claimed_rho"));
            const double worst = worst_selection(h, (int64_t)d, name == 1);
            CHECK(worst <= claimed && worst > 0.8 * claimed);
            if (name == 0) {
                sc_ratio found;
                sc_ratio_init(&found);
                sc_round_select_cost(d, (uint64_t)(h * 4294967296.0), &found);
                SC_OWN(sc_ball, ball);
                sc_ball_set_ratio(&ball, &found, 128);
                CHECK_NEAR(sc_ball_upper(&ball), claimed, 1e-7);
                sc_ratio_clear(&found);
            }
            scrim_measurement_free(m);
        }
        CHECK(at >= 3);
    }
}
