#include "charge_world.h"

#include "check.h"
#include "row_oracle.h"
#include "set_question.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define GROUPS 3
#define PICK(list) (list)[row_random(seed, sizeof(list) / sizeof *(list))]

static bool chance(uint64_t *seed, unsigned percent)
{
    return row_random(seed, 100) < percent;
}

__attribute__((format(printf, 3, 4))) static void put(char *text, size_t size,
                                                      const char *format, ...)
{
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Policies. */

static const char *const accounts[] = {"sum", "concentrated", "renyi=2", "renyi=8"};

const char *charge_world_account(uint64_t number)
{
    return accounts[number % COUNT(accounts)];
}

static void put_bounds(charge_world *w, uint64_t *seed)
{
    replay_world *b = &w->base;
    w->groups = 1 + row_random(seed, GROUPS);
    w->rows = 1 + row_random(seed, 3);
    w->total = w->groups * w->rows;
    if (chance(seed, 50)) {
        put(b->policy, REPLAY_POLICY, "max-groups=%d\nmax-rows=%d\n", (int)w->groups,
            (int)w->rows);
        return;
    }
    w->total = 1 + row_random(seed, 4);
    put(b->policy, REPLAY_POLICY, "max-total-rows=%d\n", (int)w->total);
    if (chance(seed, 50)) {
        put(b->policy, REPLAY_POLICY, "max-groups=%d\nmax-rows=%d\n", (int)w->groups,
            (int)w->rows);
    } else {
        w->groups = GROUPS;
        w->rows = w->total;
    }
}

const char charge_world_columns[] =
    "column=age=int[0,4]\ncolumn=pay=decimal[-1,2]/1/2\ncolumn=odd=int[-1,2]\n"
    "column=ok=bool\ncolumn=sex=text\nkeys=sex=D,F,M\ncolumn=city=text\n";

void charge_world_policy(charge_world *w, uint64_t *seed)
{
    replay_world *b = &w->base;
    b->padding = 0;
    b->policy[0] = '\0';
    b->has_units = chance(seed, 85);
    b->neighbours = chance(seed, 50) ? SCRIM_REPLACE : SCRIM_ADD_REMOVE;
    w->groups = w->rows = w->total = 1;
    put(b->policy, REPLAY_POLICY, "unit=%s\n%s", b->has_units ? "person" : "row",
        charge_world_columns);
    if (chance(seed, 50))
        put(b->policy, REPLAY_POLICY, "missing=age=1\nmissing=odd=0\nmissing=sex=D\n");
    if (b->has_units)
        put_bounds(w, seed);
    if (b->has_units && chance(seed, 25))
        put(b->policy, REPLAY_POLICY, "max-total=odd=%s\n",
            chance(seed, 50) ? "-2,3" : "4");
    put(b->policy, REPLAY_POLICY,
        "neighbours=%s\naccounting=%s\nbudget=epsilon=1000,delta=1/100\ncsv=%s\n",
        scrim_neighbours_name(b->neighbours), PICK(accounts), b->path);
}

/* Questions. */

/* Quantiles come last: planning them takes long, and the quick count leaves them out. */
#define QUICK 22
static const char *const aggregates[] = {"COUNT(*)",
                                         "COUNT(age)",
                                         "SUM(age)",
                                         "AVG(age)",
                                         "SUM(odd)",
                                         "AVG(odd)",
                                         "VAR(odd)",
                                         "STDDEV(age)",
                                         "SUM(pay)",
                                         "MAX(age)",
                                         "MIN(age)",
                                         "MODE(age)",
                                         "COUNT(*) WITH RANGE",
                                         "SUM(odd) WITH RANGE",
                                         "SUM(-1 * odd)",
                                         "COUNT(*) FILTER (WHERE ok)",
                                         "COUNT(*) FILTER (WHERE NOT ok)",
                                         "COUNT(age) FILTER (WHERE ok IS NULL)",
                                         "AVG(age) FILTER (WHERE ok)",
                                         "COUNT(DISTINCT age)",
                                         "COUNT(DISTINCT city)",
                                         "COUNT(DISTINCT odd) FILTER (WHERE ok)",
                                         "MEDIAN(age)",
                                         "MEDIAN(odd)",
                                         "QUANTILE(age, 0.2)",
                                         "QUANTILE(odd, 0.8)",
                                         "MEDIAN(pay)"};

static void put_question(charge_world *w, char *text, uint64_t *seed)
{
    static const char *const keys[] = {"", "sex", "sex", "sex", "city", "ok"};
    const char *key = PICK(keys);
    text[0] = '\0';
    put(text, REPLAY_QUERY, "SELECT %s%s", key, key[0] == '\0' ? "" : ", ");
    const uint64_t count = 1 + row_random(seed, 3);
    if (chance(seed, 8)) {
        put(text, REPLAY_QUERY, "HISTOGRAM(odd)%s%s", key[0] == '\0' ? "" : " GROUP BY ",
            key);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        const char *aggregate =
            w->base.has_units && chance(seed, 12)
                ? "COUNT(DISTINCT person)"
                : aggregates[row_random(seed,
                                        check_is_long() ? COUNT(aggregates) : QUICK)];
        put(text, REPLAY_QUERY, "%s%s AS a%d", i == 0 ? "" : ", ", aggregate, (int)i);
    }
    if (chance(seed, 15))
        put(text, REPLAY_QUERY, " WHERE age < 4");
    if (key[0] != '\0')
        put(text, REPLAY_QUERY, " GROUP BY %s", key);
}

static void put_options(charge_world *w, bool is_fixed, uint64_t *seed)
{
    static const char *const epsilons[] = {"1/2", "1", "2", "4"};
    static const char *const deltas[] = {"1e-6", "1e-3", "1e-9"};
    static const char *const noises[] = {NULL, "laplace", "gaussian"};
    static const char *const cuts[] = {NULL, "0", "1/3"};
    static const char *const bounds[] = {NULL, NULL, NULL, NULL, "auto", "auto=1/2"};
    replay_world *b = &w->base;
    snprintf(w->epsilon, sizeof w->epsilon, "%s", PICK(epsilons));
    snprintf(w->delta, sizeof w->delta, "%s", PICK(deltas));
    b->options = *SCRIM_OPTIONS(scrim_query_options, .epsilon = w->epsilon,
                                .mechanism = PICK(noises), .workers = 1);
    if (b->has_units)
        b->options.cut_share = PICK(cuts);
    if (b->has_units && !is_fixed)
        b->options.bounds = PICK(bounds);
    if (chance(seed, 80))
        b->options.delta = w->delta;
    if (b->has_units && !is_fixed && b->options.bounds == NULL && chance(seed, 25)) {
        w->total = 1 + row_random(seed, 5);
        w->groups = GROUPS;
        w->rows = w->total;
        snprintf(w->total_text, sizeof w->total_text, "%d", (int)w->total);
        b->options.max_total_rows = w->total_text;
    }
}

void charge_world_ask(charge_world *w, bool is_fixed, uint64_t *seed)
{
    replay_world *b = &w->base;
    put_options(w, is_fixed, seed);
    b->query_count = 1 + (chance(seed, 40) ? 1 : 0);
    if (b->options.bounds == NULL && b->query_count == 1 && chance(seed, 20)) {
        set_question(b->queries[0], REPLAY_QUERY, w->groups == 1 && b->has_units, seed);
        return;
    }
    for (size_t i = 0; i < b->query_count; i++)
        put_question(w, b->queries[i], seed);
}

/* Tables. */

/* A row of a person: its group, and which values it has. */
static void add_row(replay_table *table, unsigned owner, unsigned group, unsigned values)
{
    static const char *const sexes[] = {"D", "F", "M"}, *const cities[] = {"x", "y", "z"},
                             *const oks[] = {"true", "false", "true"},
                             *const ages[] = {"0", "4", "2", "", "1"},
                             *const pays[] = {"-1", "2", "1/2", "", "0"},
                             *const odds[] = {"-1", "2", "0", "", "1"};
    if (table->count == REPLAY_ROWS)
        return;
    replay_row *row = &table->rows[table->count++];
    const unsigned g = group % GROUPS, v = values % 5;
    *row = (replay_row){.owner = owner, .line = ""};
    put(row->line, REPLAY_LINE, "u%u,%s,%s,%s,,,%s,%s,%s,", owner, ages[v], pays[v],
        odds[v], oks[g], sexes[g], cities[g]);
}

/* Where the rows of one person are. */
typedef struct placing {
    unsigned first;  /* group */
    bool is_spread;  /* one row a group, then the next; else group by group */
    unsigned values; /* of all rows; 5: each row others */
    unsigned times;  /* more rows than the bounds leave */
} placing;

#define PERSON 77

static void add_person(const charge_world *w, replay_table *table, const placing *at)
{
    const uint64_t rows = w->base.has_units ? w->total * at->times : 1;
    for (uint64_t i = 0; i < rows; i++) {
        const uint64_t group =
            at->is_spread ? i % w->groups : i / (w->rows * at->times) % w->groups;
        add_row(table, PERSON, at->first + (unsigned)group,
                at->values < 5 ? at->values : (unsigned)i);
    }
}

static placing random_placing(uint64_t *seed)
{
    return (placing){.first = (unsigned)row_random(seed, GROUPS),
                     .is_spread = chance(seed, 40),
                     .values = (unsigned)row_random(seed, 6),
                     .times = 1 + chance(seed, 25)};
}

/* The farthest that a person can be from nobody, and from who stands instead of them; any others come behind these. */
static const placing farthest[][2] = {
    {{0, false, 0, 1}, {0, false, 1, 1}}, {{0, false, 1, 1}, {1, false, 1, 1}},
    {{0, true, 0, 1}, {0, true, 1, 1}},   {{0, true, 1, 1}, {2, true, 1, 1}},
    {{1, false, 2, 2}, {2, false, 2, 1}}, {{1, false, 3, 1}, {1, false, 1, 1}},
    {{0, false, 5, 1}, {1, false, 5, 2}},
};

/* Three people in each group, with one value between the ends or other values; and one more. */
void charge_world_fill(charge_world *w, uint64_t pair, uint64_t *seed)
{
    replay_table *here = &w->base.here, *there = &w->base.there;
    const bool is_far = pair < COUNT(farthest);
    const unsigned others = is_far ? 2 : (unsigned)row_random(seed, 5);
    placing own[2] = {random_placing(seed), random_placing(seed)};
    here->count = 0;
    for (unsigned owner = 0; owner < 9; owner++)
        add_row(here, owner, owner, others == 4 ? owner / 3 : others);
    *there = *here;
    if (is_far)
        memcpy(own, farthest[pair], sizeof own);
    add_person(w, here, &own[0]);
    if (w->base.neighbours == SCRIM_REPLACE)
        add_person(w, there, &own[1]);
}

void charge_world_describe(const charge_world *w, const char *what, double truth,
                           double charge)
{
    const replay_world *b = &w->base;
    CHECK_FAIL("%s: %.10g is lost, %.10g is charged\n%s\n%s\n%s\nepsilon=%s delta=%s "
               "noise=%s bounds=%s total=%s",
               what, truth, charge, b->queries[0],
               b->query_count > 1 ? b->queries[1] : "", b->policy, b->options.epsilon,
               b->options.delta == NULL ? "0" : b->options.delta,
               b->options.mechanism == NULL ? "" : b->options.mechanism,
               b->options.bounds == NULL ? "" : b->options.bounds,
               b->options.max_total_rows == NULL ? "" : b->options.max_total_rows);
    for (size_t i = 0; i < b->here.count; i++)
        if (b->here.rows[i].owner == PERSON)
            CHECK_FAIL("here %s", b->here.rows[i].line);
    for (size_t i = 0; i < b->there.count; i++)
        if (b->there.rows[i].owner == PERSON)
            CHECK_FAIL("there %s", b->there.rows[i].line);
}
