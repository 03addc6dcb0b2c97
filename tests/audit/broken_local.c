/* Local privacy that is less than it says: bits that are never cleared, constants that were misprinted, and
 * devices that are asked again. */
#include "audit/broken.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {BROKEN_PARAMETER("epsilon"),
                                               SC_PARAMETER_NEIGHBOURS};

/* Parts of a report that are independent, each with the same number of outcomes. The weight of
 * an outcome where the value has a 1 at this part, or has not; weights of all outcomes have the
 * sum total. */
typedef struct report_parts {
    size_t parts, outcomes;
    bool (*has)(int64_t value, size_t part);
    int64_t (*weight)(bool has, size_t outcome);
    int64_t (*total)(bool has);
} report_parts;

static scrim_status parts_law(const report_parts *r, int64_t value, long bits,
                              sc_outcomes *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    int64_t count = 1;
    SC_OWN(sc_ball, mass);
    for (size_t i = 0; i < r->parts; i++)
        count *= (int64_t)r->outcomes;
    for (int64_t key = 0; status == SCRIM_OK && key < count; key++) {
        int64_t rest = key;
        bool possible = true;
        sc_ball_set_int64(&mass, 1);
        for (size_t i = 0; i < r->parts; i++, rest /= (int64_t)r->outcomes) {
            const bool has = r->has(value, i);
            const int64_t weight = r->weight(has, (size_t)(rest % (int64_t)r->outcomes));
            possible = possible && weight > 0;
            sc_ball_mul_int64(&mass, &mass, weight, bits);
            sc_ball_div_int64(&mass, &mass, r->total(has), bits);
        }
        if (possible)
            status = sc_outcomes_add(out, &key, &mass, error);
    }
    return status;
}

#define LOCAL_MECHANISM(variable, title, ...)                                            \
    static scrim_status variable##_law(const scrim_measurement *m,                       \
                                       const sc_private_input *input, long bits,         \
                                       sc_outcomes *out, scrim_error *error)             \
    {                                                                                    \
        static const report_parts parts = {__VA_ARGS__};                                 \
        (void)m;                                                                         \
        return parts_law(&parts, input->values[0], bits, out, error);                    \
    }                                                                                    \
    static const sc_mechanism variable = {                                               \
        BROKEN_COMMON(title, parameters), .cost = broken_cost_pure,                      \
        .law = variable##_law, .pair_count = broken_one_pair,                            \
        .pair = broken_zero_and_one}

static bool is_own(int64_t value, size_t part)
{
    return (size_t)value == part;
}

static int64_t four(bool has)
{
    (void)has;
    return 4;
}

static int64_t sixteen(bool has)
{
    (void)has;
    return 16;
}

/* RAPPOR of one bit a value at f = 1/2, one-time: a clear bit is set with probability 1/4, a set one is
 * never cleared. */
static int64_t never_cleared(bool has, size_t outcome)
{
    return has ? 4 * (int64_t)outcome : outcome == 1 ? 1 : 3;
}

LOCAL_MECHANISM(uncleared, "rappor-never-clears", 2, 2, is_own, never_cleared, four);

BROKEN(rappor_never_clears, .wrong = "permanent noise that sets bits, and clears none",
       .mechanism = &uncleared, .line = "epsilon=2.19722457733621938 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "inf", .claimed = "2.19722457733621938",
       .source = "spec/local-and-accounting.md 2.1; pure-ldp 1.2.0")

/* The right permanent answer, f = 1/2: a bit is the signal's in 3 of 4; two hashes, no bit in common. */
static int64_t permanent(bool has, size_t outcome)
{
    return has == (outcome == 1) ? 3 : 1;
}

static bool has_two(int64_t value, size_t part)
{
    return (size_t)value == part / 2;
}

LOCAL_MECHANISM(filter, "rappor-as-printed", 4, 2, has_two, permanent, four);

BROKEN(rappor_printed_denominator, .wrong = "a denominator of 1/2 where f/2 is right",
       .mechanism = &filter, .line = "epsilon=1.62186043243265753 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "4.39444915467243877",
       .claimed = "1.62186043243265753",
       .source = "spec/local-and-accounting.md 2.2 E4, v:rappor_prr")

/* One report about yes or no, f = 1/2, p = 1/2, q = 3/4: 1 with probability 11/16 and 9/16. */
static int64_t yes_or_no(bool has, size_t outcome)
{
    return has ? (outcome == 1 ? 11 : 5) : outcome == 1 ? 9 : 7;
}

static bool is_yes(int64_t value, size_t part)
{
    (void)part;
    return value == 1;
}

LOCAL_MECHANISM(single_bit, "rappor-single-bit", 1, 2, is_yes, yes_or_no, sixteen);

BROKEN(rappor_half_of_one_hot, .wrong = "one bit charged as half of two",
       .mechanism = &single_bit,
       .line = "epsilon=0.268571466041682046 neighbours=replace", .kind = BROKEN_LOSS,
       .size = "0.336472236621212931", .claimed = "0.268571466041682046",
       .source = "spec/local-and-accounting.md 2.2, v:rappor_single_bit")

/* n over k. */
static int64_t choose(int64_t n, int64_t k)
{
    int64_t ways = 1;
    for (int64_t i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

static int64_t power(int64_t base, int64_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* How many ways lead to these numbers of ones in ten reports and in ten more about a set bit, f
 * = 1/2, p = 1/2, q = 3/4: of one permanent answer, or, where the value has changed, of two. In
 * parts of 4^21 or 4^22. */
static int64_t histories(bool changed, size_t outcome)
{
    const int64_t first = (int64_t)outcome / 11, second = (int64_t)outcome % 11;
    const int64_t ways = choose(10, first) * choose(10, second);
    const int64_t fair = power(2, 10);
    const int64_t set_first = 3 * power(3, first), set_second = 3 * power(3, second);
    if (changed)
        return ways * (set_first + fair) * (set_second + fair);
    return ways * (set_first * power(3, second) + fair * fair);
}

static int64_t all_histories(bool changed)
{
    return power(4, changed ? 22 : 21);
}

LOCAL_MECHANISM(change, "rappor-changing-value", 1, 121, is_yes, histories,
                all_histories);

BROKEN(rappor_changing_value, .wrong = "one permanent answer a value, charged a value",
       .mechanism = &change, .line = "epsilon=2.19722457733621938 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "3.61956045914742741",
       .claimed = "2.19722457733621938",
       .source = "spec/local-and-accounting.md 2.2, v:rappor_changing_value")

/* Two reports of L-OSUE at A = 7, B = 1, p2 = 3/4, of one permanent bit a value, charged as the first. */
static int64_t two_reports(bool has, size_t outcome)
{
    static const int64_t own[] = {10, 6, 6, 10}, other[] = {64, 24, 24, 16};
    return has ? own[outcome] : other[outcome];
}

static int64_t of_two_reports(bool has)
{
    return has ? 32 : 128;
}

LOCAL_MECHANISM(repeated, "repeated-unary-asked-twice", 2, 4, is_own, two_reports,
                of_two_reports);

BROKEN(repeated_unary_asked_twice, .wrong = "two reports for the price of the first",
       .mechanism = &repeated,
       .line = "epsilon=0.78845736036427016946 neighbours=replace", .kind = BROKEN_LOSS,
       .size = "1.38629436111989061883", .claimed = "0.78845736036427016946",
       .source = "spec/local-additions.md 2.6, v:l_osue")

/* Two rounds of the alpha-point at a/b = 3, without flips: 0 and 0, or 0 and the largest number. */
static int64_t two_rounds(bool crosses, size_t outcome)
{
    static const int64_t crossing[] = {3, 1, 9, 3}, constant[] = {12, 0, 0, 4};
    return crosses ? crossing[outcome] : constant[outcome];
}

LOCAL_MECHANISM(rounded, "rounded-bit-crossing", 1, 4, is_yes, two_rounds, sixteen);

BROKEN(rounded_bit_crossing, .wrong = "a crossing of the stored offset shows",
       .mechanism = &rounded, .line = "epsilon=1.09861228866810969140 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "inf", .claimed = "1.09861228866810969140",
       .source = "spec/local-and-accounting.md 4 E9, v:memo_transcript")
