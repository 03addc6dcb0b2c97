#include "base/memory.h"
#include "base/number/decimal.h"
#include "distance/law_divergence.h"
#include "model/option_struct.h"

#include <stdio.h>
#include <string.h>

#define DIGITS 15
#define DIGIT_BITS 60 /* more bits than these digits have */
#define BITS_MIN 128
#define BITS_MAX 65536
#define ORDER_MAX 1000000
#define GROUP_MAX 1000000
#define EPSILON_MAX 1000

/* Numbers that a kind needs. */
enum { ORDER = 1, EPSILON = 2, DELTA = 4, GROUP = 8 };

typedef struct kind {
    scrim_divergence_kind shown;
    unsigned needs;
    sc_divergence_function *of; /* NULL: approximate-max, which sorts */
    bool is_above_one;          /* the order must be */
    bool is_above_zero;         /* delta must be, and epsilon at least 0 */
} kind;

static const kind kinds[] = {
    {{"tv", "total variation", "", 1}, 0, sc_law_tv, false, false},
    {{"kl", "Kullback and Leibler", "", 0}, 0, sc_law_kl, false, false},
    {{"renyi", "Renyi divergence of an order", "order", 0},
     ORDER,
     sc_law_renyi,
     false,
     false},
    {{"max", "largest ln(p/q)", "", 0}, 0, sc_law_max, false, false},
    {{"hockey-stick", "smallest delta at an epsilon", "epsilon", 0},
     EPSILON,
     sc_law_hockey_stick,
     false,
     false},
    {{"approximate-max", "smallest epsilon at a delta", "delta", 0},
     DELTA,
     NULL,
     false,
     false},
    {{"kl-bound", "bound on kl, by max", "", 1}, 0, sc_law_kl_bound, false, false},
    {{"renyi-bound", "epsilon at a delta, by renyi", "order,delta", 1},
     ORDER | DELTA,
     sc_law_renyi_bound,
     true,
     true},
    {{"group-max", "epsilon of a group, by max", "group", 0},
     GROUP,
     sc_law_group_max,
     false,
     false},
    {{"group-delta", "delta of a group, by hockey-stick", "group,epsilon", 0},
     GROUP | EPSILON,
     sc_law_group_delta,
     false,
     true},
};

#define KINDS (sizeof kinds / sizeof *kinds)

const scrim_divergence_kind *scrim_divergence_kind_at(size_t index)
{
    return index < KINDS ? &kinds[index].shown : NULL;
}

static scrim_status find_kind(const char *name, const kind **out, scrim_error *error)
{
    const char *names[KINDS];
    char quote[SC_TEXT_QUOTE_BYTES];
    for (size_t i = 0; i < KINDS; i++) {
        names[i] = kinds[i].shown.name;
        if (name != NULL && strcmp(name, names[i]) == 0) {
            *out = &kinds[i];
            return SCRIM_OK;
        }
    }
    const sc_text text = sc_text_of(name == NULL ? "" : name);
    const char *nearest = sc_text_nearest(text, names, KINDS);
    sc_text_quote(text, quote);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "kind",
                           "unknown divergence '%s'; did you mean '%s'?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "kind",
                       "unknown divergence '%s'", quote);
}

/* Numbers. */

/* A number of the question, and its range. */
typedef struct number_rule {
    unsigned which; /* among those that a kind needs */
    const char *name;
    int64_t low, high;
} number_rule;

static const number_rule order_rule = {ORDER, "order", 0, ORDER_MAX},
                         epsilon_rule = {EPSILON, "epsilon", -EPSILON_MAX, EPSILON_MAX},
                         delta_rule = {DELTA, "delta", 0, 1},
                         group_rule = {GROUP, "group", 1, GROUP_MAX};

/* Reads a number, which must be given exactly if the kind needs it. */
static scrim_status read_number(const kind *of, const number_rule *rule, const char *text,
                                sc_ratio *out, scrim_error *error)
{
    const char *name = rule->name;
    const bool is_needed = (of->needs & rule->which) != 0;
    if (is_needed != (text != NULL))
        return sc_fail_for(error, SCRIM_E_PARAM,
                           is_needed ? SCRIM_REASON_MISSING : SCRIM_REASON_CONFLICT, name,
                           is_needed ? "%s needs %s" : "%s does not take %s",
                           of->shown.name, name);
    if (!is_needed)
        return SCRIM_OK;
    scrim_error inner;
    if (sc_ratio_parse(sc_text_of(text), out, &inner) != SCRIM_OK ||
        sc_ratio_compare_int64(out, rule->low) < 0 ||
        sc_ratio_compare_int64(out, rule->high) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, name,
                                 "must be a number from %lld to %lld",
                                 (long long)rule->low, (long long)rule->high);
    return SCRIM_OK;
}

/* The text between "ln(" and ")", or an empty one. */
static sc_text inside_log(const char *text)
{
    const size_t length = text == NULL ? 0 : strlen(text);
    if (length < 5 || strncmp(text, "ln(", 3) != 0 || text[length - 1] != ')')
        return sc_text_of("");
    return (sc_text){.start = text + 3, .bytes = length - 4};
}

static scrim_status read_epsilon(const kind *of, const char *text,
                                 sc_divergence_numbers *out, scrim_error *error)
{
    const sc_text log = inside_log(text);
    scrim_error inner;
    if (log.bytes == 0 || (of->needs & EPSILON) == 0) {
        const scrim_status status =
            read_number(of, &epsilon_rule, text, &out->epsilon, error);
        out->has_growth = sc_ratio_sign(&out->epsilon) == 0;
        sc_ratio_set_int64(&out->growth, 1);
        return status;
    }
    if (sc_ratio_parse(log, &out->growth, &inner) != SCRIM_OK ||
        sc_ratio_sign(&out->growth) <= 0 || sc_ratio_bits(&out->growth) > EPSILON_MAX)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
            "ln(...) must hold a number above 0 of at most 1000 bits, as in ln(3/2)");
    out->has_growth = true;
    return SCRIM_OK;
}

static scrim_status check_signs(const kind *of, const sc_divergence_numbers *numbers,
                                scrim_error *error)
{
    const bool is_below = numbers->has_growth
                              ? sc_ratio_compare_int64(&numbers->growth, 1) < 0
                              : sc_ratio_sign(&numbers->epsilon) < 0;
    if (of->is_above_one && sc_ratio_compare_int64(&numbers->order, 1) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "order",
                                 "must be above 1 for this bound");
    if (of->is_above_zero && (of->needs & DELTA) != 0 &&
        sc_ratio_sign(&numbers->delta) == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                                 "must be above 0 for this bound");
    if (of->is_above_zero && (of->needs & EPSILON) != 0 && is_below)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                                 "must be at least 0 for a group");
    return SCRIM_OK;
}

static scrim_status read_numbers(const kind *of, const scrim_divergence *question,
                                 sc_divergence_numbers *out, scrim_error *error)
{
    SC_OWN(sc_ratio, group);
    SC_OWN(sc_integer, whole);
    scrim_status status =
        read_number(of, &order_rule, question->order, &out->order, error);
    if (status == SCRIM_OK)
        status = read_epsilon(of, question->epsilon, out, error);
    if (status == SCRIM_OK)
        status = read_number(of, &delta_rule, question->delta, &out->delta, error);
    if (status == SCRIM_OK)
        status = read_number(of, &group_rule, question->group, &group, error);
    if (status == SCRIM_OK && !sc_ratio_is_integer(&group))
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "group",
                                   "must be a whole number");
    sc_ratio_floor(&group, &whole);
    if (status == SCRIM_OK && !sc_integer_get_uint64(&whole, &out->group))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a group has no size");
    return status == SCRIM_OK ? check_signs(of, out, error) : status;
}

/* Texts. */

static void put_number(sc_text_sink *sink, const sc_ratio *number)
{
    char text[SC_RATIO_TEXT_BYTES];
    if (sc_ratio_format(number, text, sizeof text) >= sizeof text)
        sink->length = SCRIM_DISTANCE_BYTES; /* too long */
    else
        sc_text_put(sink, sc_text_of(text));
}

/* "" where it is too long. */
static void put_exact(const sc_divergence_value *value, char out[SCRIM_DISTANCE_BYTES])
{
    char part[32];
    sc_text_sink sink;
    const bool is_log = value->form == SC_DIVERGENCE_LOG &&
                        sc_ratio_compare_int64(&value->number, 1) != 0;
    sc_text_sink_init(&sink, out, SCRIM_DISTANCE_BYTES);
    out[0] = '\0';
    if (value->form == SC_DIVERGENCE_BALL)
        return;
    if (value->form == SC_DIVERGENCE_LOG && !is_log) {
        sc_text_put(&sink, sc_text_of("0"));
        return;
    }
    if (is_log && value->factor != 1) {
        snprintf(part, sizeof part, "%llu ", (unsigned long long)value->factor);
        sc_text_put(&sink, sc_text_of(part));
    }
    if (is_log)
        sc_text_put(&sink, sc_text_of("ln("));
    put_number(&sink, &value->number);
    if (is_log)
        sc_text_put(&sink, sc_text_of(")"));
    if (is_log && value->divisor != 1) {
        snprintf(part, sizeof part, "/%llu", (unsigned long long)value->divisor);
        sc_text_put(&sink, sc_text_of(part));
    }
    if (sink.length >= SCRIM_DISTANCE_BYTES)
        out[0] = '\0';
}

static void put_decimal(const sc_ratio *bound, char out[SCRIM_DECIMAL_BYTES])
{
    SC_OWN(sc_ratio, zero, size);
    if (sc_ratio_sign(bound) >= 0) {
        sc_decimal_upper(bound, DIGITS, out);
        return;
    }
    sc_ratio_sub(&size, &zero, bound);
    out[0] = '-';
    char text[SC_DECIMAL_BYTES];
    sc_decimal_lower(&size, DIGITS, text);
    snprintf(out + 1, SCRIM_DECIMAL_BYTES - 1, "%.40s", text);
}

static void show_infinite(bool is_minus, scrim_distance *out)
{
    *out = (scrim_distance){.is_infinite = 1};
    const char *text = is_minus ? "-inf" : "inf";
    snprintf(out->exact, sizeof out->exact, "%s", text);
    snprintf(out->decimal, sizeof out->decimal, "%s", text);
}

/* False: its ball is too wide. */
static bool show(const sc_divergence_value *value, long bits, scrim_distance *out)
{
    SC_OWN(sc_ball, ball);
    SC_OWN(sc_ratio, bound);
    *out = (scrim_distance){.is_infinite = 0};
    if (value->form == SC_DIVERGENCE_FRACTION) {
        put_decimal(&value->number, out->decimal);
    } else {
        sc_divergence_value_ball(value, bits, &ball);
        if (!sc_ball_is_accurate(&ball, DIGIT_BITS) ||
            !sc_ball_round_up(&ball, SC_RATIO_BITS, &bound))
            return false;
        put_decimal(&bound, out->decimal);
    }
    put_exact(value, out->exact);
    return true;
}

/* Tries with this many bits; *is_done: the number was shown. */
static scrim_status attempt(const kind *of, const sc_law_side *side,
                            const sc_divergence_numbers *numbers, long bits,
                            scrim_distance *out, bool *is_done, scrim_error *error)
{
    SC_OWN(sc_divergence_value, value);
    if (of->of != NULL) {
        of->of(side, numbers, bits, &value);
    } else {
        sc_law_term *sorted = sc_law_sorted(side);
        if (sorted == NULL)
            return sc_no_memory(error, "the outcomes");
        sc_law_approximate_max(side, sorted, &numbers->delta, &value);
        sc_free(sorted);
    }
    *is_done = true;
    if (value.form == SC_DIVERGENCE_INFINITE ||
        value.form == SC_DIVERGENCE_MINUS_INFINITE)
        show_infinite(value.form == SC_DIVERGENCE_MINUS_INFINITE, out);
    else
        *is_done = show(&value, bits, out);
    return SCRIM_OK;
}

static scrim_status answer(const kind *of, const sc_law_side *side,
                           const sc_divergence_numbers *numbers, scrim_distance *out,
                           scrim_error *error)
{
    scrim_distance found;
    bool is_done = false;
    SC_BALL_SCOPE(scope);
    for (long bits = BITS_MIN; bits <= BITS_MAX && !is_done; bits *= 2) {
        const scrim_status status =
            attempt(of, side, numbers, bits, &found, &is_done, error);
        if (status != SCRIM_OK)
            return status;
    }
    if (!is_done)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the value needs more than %d bits to be told from 0", BITS_MAX);
    *out = found;
    return SCRIM_OK;
}

static void sc_divergence_numbers_init(sc_divergence_numbers *out)
{
    *out = (sc_divergence_numbers){.group = 1};
    sc_ratio_init(&out->order);
    sc_ratio_init(&out->epsilon);
    sc_ratio_init(&out->growth);
    sc_ratio_init(&out->delta);
}

static void sc_divergence_numbers_clear(sc_divergence_numbers *numbers)
{
    sc_ratio_clear(&numbers->delta);
    sc_ratio_clear(&numbers->growth);
    sc_ratio_clear(&numbers->epsilon);
    sc_ratio_clear(&numbers->order);
}

scrim_status scrim_divergence_of(const scrim_laws *laws, const scrim_divergence *question,
                                 scrim_distance *out, scrim_error *error)
{
    SC_REQUIRE(error, "laws out", laws, out);
    scrim_divergence own;
    const kind *of = kinds;
    scrim_status status =
        sc_option_struct_copy(question, sizeof own.size, &own, sizeof own, error);
    if (status == SCRIM_OK)
        status = find_kind(own.kind, &of, error);
    if (status != SCRIM_OK)
        return status;
    SC_OWN(sc_divergence_numbers, numbers);
    status = read_numbers(of, &own, &numbers, error);
    const sc_law_side side = {laws, own.is_back ? 1 : 0};
    return status == SCRIM_OK ? answer(of, &side, &numbers, out, error) : status;
}
