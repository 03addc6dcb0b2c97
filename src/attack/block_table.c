#include "attack/block_table.h"

#include <string.h>

/* Eight numbers from 0 to 127 in a word, a byte for each statistic. */
typedef uint64_t bytes8;
#define EVERY_BYTE UINT64_C(0x0101010101010101)
#define TOP_BITS (EVERY_BYTE << 7)

typedef struct search {
    sc_block_statistic statistics[SC_BLOCK_STATISTICS]; /* those that bound ages first */
    size_t count;                                       /* of these */
    uint64_t limit, steps;          /* blocks at most, and people yet to be placed */
    bytes8 placed;                  /* people so far, of each statistic */
    bytes8 members[SC_BLOCK_TYPES]; /* 1 where a person of the type is counted */
    bytes8 count_low, count_high;
    int sum[SC_BLOCK_STATISTICS];
    int middle[SC_BLOCK_STATISTICS]; /* the lower one, when it is placed */
    sc_block_person people[SC_BLOCK_PEOPLE];
    sc_block_found *out;
} search;

unsigned sc_block_types(unsigned mask, unsigned type)
{
    unsigned types = 0;
    for (unsigned t = 0; t < SC_BLOCK_TYPES; t++)
        if ((t & mask) == (type & mask))
            types |= 1U << t;
    return types;
}

static int placed_of(const search *at, size_t statistic)
{
    return (int)(at->placed >> 8 * statistic & 0xff);
}

/* Is no byte of a above that of b? */
static bool none_above(bytes8 a, bytes8 b)
{
    return (((b | TOP_BITS) - a) & TOP_BITS) == TOP_BITS;
}

/* Do the counts allow that the next one is of this type? */
static bool counts_allow(const search *at, int depth, unsigned type)
{
    const bytes8 then = at->placed + at->members[type];
    const uint64_t left = (uint64_t)(SC_BLOCK_PEOPLE - depth - 1);
    return none_above(then, at->count_high) &&
           none_above(at->count_low, then + left * EVERY_BYTE);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

typedef struct age_range {
    int low, high;
} age_range;

/* The place of the lower and of the upper middle, counted from 0. */
static int lower_middle(const sc_block_statistic *s)
{
    return (s->count_low - 1) / 2;
}

static int upper_middle(const sc_block_statistic *s)
{
    return s->count_low / 2;
}

/* No age that follows in the group is below the next one, whoever that is. */
static void bound_for_others(const search *at, size_t i, age_range *range)
{
    const sc_block_statistic *s = &at->statistics[i];
    const int missing = s->count_low - placed_of(at, i);
    if (missing > 0)
        range->high = least(range->high, (s->sum_high - at->sum[i]) / missing);
    if (s->doubled_median < 0)
        return;
    if (placed_of(at, i) <= lower_middle(s))
        range->high = least(range->high, s->doubled_median / 2);
    else if (placed_of(at, i) == upper_middle(s))
        range->high = least(range->high, s->doubled_median - at->middle[i]);
}

/* The next one is in the group. */
static void bound_for_member(const search *at, size_t i, int left, age_range *range)
{
    const sc_block_statistic *s = &at->statistics[i];
    const int room = least(left, s->count_high - placed_of(at, i));
    const int needed = most(1, s->count_low - placed_of(at, i));
    range->high = least(range->high, (s->sum_high - at->sum[i]) / needed);
    range->low = most(range->low, s->sum_low - at->sum[i] - (room - 1) * SC_BLOCK_OLDEST);
    if (s->doubled_median < 0)
        return;
    const bool is_upper = placed_of(at, i) == upper_middle(s);
    if (is_upper && placed_of(at, i) == lower_middle(s))
        range->low = most(range->low, (s->doubled_median + 1) / 2);
    else if (is_upper)
        range->low = most(range->low, s->doubled_median - at->middle[i]);
}

static age_range range_of(const search *at, int depth, unsigned type)
{
    const int left = SC_BLOCK_PEOPLE - depth;
    age_range range = {(type & SC_BLOCK_MARRIED) != 0 ? SC_BLOCK_MARRIED_FROM : 0,
                       SC_BLOCK_OLDEST};
    if (depth > 0) {
        const sc_block_person *last = &at->people[depth - 1];
        range.low = most(range.low, last->age + (type < last->type ? 1 : 0));
    }
    for (size_t i = 0; i < at->count && range.low <= range.high; i++) {
        const bool is_member = (at->statistics[i].types >> type & 1) != 0;
        bound_for_others(at, i, &range);
        if (is_member)
            bound_for_member(at, i, left, &range);
        else if (at->sum[i] + (left - 1) * SC_BLOCK_OLDEST < at->statistics[i].sum_low)
            range.high = -1; /* too few would be left for its sum */
    }
    return range;
}

static void place(search *at, int depth, sc_block_person person)
{
    at->people[depth] = person;
    for (size_t i = 0; i < at->count; i++)
        if ((at->statistics[i].types >> person.type & 1) != 0) {
            if (placed_of(at, i) == lower_middle(&at->statistics[i]))
                at->middle[i] = person.age;
            at->sum[i] += person.age;
        }
    at->placed += at->members[person.type];
}

static void take_back(search *at, sc_block_person person)
{
    at->placed -= at->members[person.type];
    for (size_t i = 0; i < at->count; i++)
        if ((at->statistics[i].types >> person.type & 1) != 0)
            at->sum[i] -= person.age;
}

static bool all_sums_fit(const search *at)
{
    for (size_t i = 0; i < at->count; i++) {
        const sc_block_statistic *s = &at->statistics[i];
        if (at->sum[i] < s->sum_low || at->sum[i] > s->sum_high)
            return false;
    }
    return true;
}

static void keep(search *at)
{
    if (!all_sums_fit(at))
        return;
    if (at->out->count == 0)
        memcpy(at->out->first, at->people, sizeof at->people);
    at->out->count++;
}

static void go_on(search *at, int depth)
{
    if (depth == SC_BLOCK_PEOPLE) {
        keep(at);
        return;
    }
    for (unsigned type = 0; type < SC_BLOCK_TYPES; type++) {
        if (!counts_allow(at, depth, type))
            continue;
        const age_range range = range_of(at, depth, type);
        for (int age = range.low;
             age <= range.high && at->out->count < at->limit && at->steps > 0; age++) {
            at->steps--;
            const sc_block_person person = {age, type};
            place(at, depth, person);
            go_on(at, depth + 1);
            take_back(at, person);
        }
    }
}

static bool bounds_ages(const sc_block_statistic *s)
{
    return s->doubled_median >= 0 || s->sum_low > 0 ||
           s->sum_high < SC_BLOCK_PEOPLE * SC_BLOCK_OLDEST;
}

static void take_statistic(search *at, size_t place, const sc_block_statistic *s)
{
    at->statistics[place] = *s;
    at->count_low |= (uint64_t)s->count_low << 8 * place;
    at->count_high |= (uint64_t)s->count_high << 8 * place;
    for (unsigned type = 0; type < SC_BLOCK_TYPES; type++)
        at->members[type] |= (uint64_t)(s->types >> type & 1) << 8 * place;
}

void sc_block_search(const sc_block_statistic *statistics, size_t count, uint64_t limit,
                     sc_block_found *out)
{
    search at = {.limit = limit, .steps = SC_BLOCK_STEPS, .out = out};
    size_t last = count;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < count; i++)
        take_statistic(&at, bounds_ages(&statistics[i]) ? at.count++ : --last,
                       &statistics[i]);
    go_on(&at, 0);
    out->is_complete = out->count < limit && at.steps > 0;
}
