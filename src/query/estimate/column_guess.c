#include "query/estimate/column_guess.h"

#include "base/number/ratio.h"

#include <string.h>

void sc_column_guesses_init(sc_column_guesses *guesses)
{
    guesses->count = 0;
    guesses->text = NULL;
}

void sc_column_guesses_clear(sc_column_guesses *guesses)
{
    for (size_t i = 0; i < guesses->count; i++) {
        sc_ratio_clear(&guesses->columns[i].deviation);
        sc_ratio_clear(&guesses->columns[i].mean);
    }
    sc_free(guesses->text);
    sc_column_guesses_init(guesses);
}

/* Reading. */

/* Names that can stand in a question without being taken for something else. */
static bool is_plain(sc_text name)
{
    for (size_t i = 0; i < name.bytes; i++) {
        const unsigned char c = (unsigned char)name.start[i];
        if (c <= ' ' || c == '\'' || c == '"' || c == 0x7f)
            return false;
    }
    return name.bytes > 0;
}

static scrim_status read_number(sc_text name, sc_text text, sc_ratio *out,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], column[SC_TEXT_QUOTE_BYTES];
    const scrim_status status = sc_ratio_parse(text, out, NULL);
    if (status == SCRIM_E_MEMORY)
        return sc_fail(error, status, "out of memory for a guess");
    if (status == SCRIM_E_LIMIT ||
        (status == SCRIM_OK && sc_ratio_bits(out) > SC_GUESS_BITS))
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "expect",
                                 "a number of '%s' has more than %d bits in its "
                                 "numerator or denominator; write a shorter one",
                                 sc_text_quote(name, column), SC_GUESS_BITS);
    if (status != SCRIM_OK)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "expect",
            "'%s' is not an exact number; a guess of a column is its "
            "mean and deviation, as in 1000,age=38.6:13.6",
            sc_text_quote(text, quote));
    return SCRIM_OK;
}

/* "age=38.6:13.6" */
static scrim_status read_guess(sc_text text, sc_column_guess *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_text numbers, mean, deviation;
    if (!sc_text_split(text, '=', &out->name, &numbers) ||
        !is_plain(out->name = sc_text_trim(out->name)))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "expect",
                                 "'%s' is neither a number of rows nor a column with its "
                                 "mean and deviation, as in 1000,age=38.6:13.6",
                                 sc_text_quote(text, quote));
    out->has_deviation = sc_text_split(numbers, ':', &mean, &deviation);
    scrim_status status = read_number(
        out->name, sc_text_trim(out->has_deviation ? mean : numbers), &out->mean, error);
    if (status == SCRIM_OK && out->has_deviation)
        status = read_number(out->name, sc_text_trim(deviation), &out->deviation, error);
    if (status == SCRIM_OK && out->has_deviation && sc_ratio_sign(&out->deviation) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "expect",
                                 "the deviation of '%s' must be above 0",
                                 sc_text_quote(out->name, quote));
    return status;
}

static const sc_column_guess *find(const sc_column_guesses *guesses, sc_text name)
{
    for (size_t i = 0; i < guesses->count; i++)
        if (sc_text_equal(guesses->columns[i].name, name))
            return &guesses->columns[i];
    return NULL;
}

static scrim_status add(sc_column_guesses *guesses, sc_text text, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    if (guesses->count == SC_GUESS_COLUMNS)
        return sc_fail_parameter(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "expect",
                                 "it takes guesses for at most %d columns",
                                 SC_GUESS_COLUMNS);
    sc_column_guess *guess = &guesses->columns[guesses->count];
    guess->name = text;
    guess->has_deviation = false;
    sc_ratio_init(&guess->mean);
    sc_ratio_init(&guess->deviation);
    const scrim_status status = read_guess(text, guess, error);
    const bool is_twice = status == SCRIM_OK && find(guesses, guess->name) != NULL;
    guesses->count++;
    return is_twice ? sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED,
                                        "expect", "'%s' is guessed twice",
                                        sc_text_quote(guess->name, quote))
                    : status;
}

scrim_status sc_column_guesses_parse(sc_text text, sc_column_guesses *out,
                                     scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    if (text.bytes == 0)
        return SCRIM_OK;
    out->text = sc_allocate(text.bytes, 1);
    if (out->text == NULL)
        return sc_no_memory(error, "a guess");
    memcpy(out->text, text.start, text.bytes);
    sc_text rest = {out->text, text.bytes}, item;
    for (bool is_last = false; status == SCRIM_OK && !is_last;) {
        is_last = !sc_text_split(rest, ',', &item, &rest);
        status = add(out, is_last ? rest : item, error);
    }
    return status;
}

void sc_column_guesses_put(const sc_column_guesses *guesses, sc_text_sink *sink)
{
    for (size_t i = 0; i < guesses->count; i++) {
        const sc_column_guess *guess = &guesses->columns[i];
        sc_text_put(sink, sc_text_of(i > 0 ? "," : ""));
        sc_text_put(sink, guess->name);
        sc_ratio_put(sink, "=", &guess->mean);
        if (guess->has_deviation)
            sc_ratio_put(sink, ":", &guess->deviation);
    }
}

/* Bounds of possible means and variances. */

/* (high - mean)(mean - low), an upper bound of the variance. */
static void most_variance(const sc_ratio *low, const sc_ratio *high, const sc_ratio *mean,
                          sc_ratio *out)
{
    SC_OWN(sc_ratio, below);
    sc_ratio_sub(&below, mean, low);
    sc_ratio_sub(out, high, mean);
    sc_ratio_mul(out, out, &below);
}

static scrim_status check_range(const sc_column_guess *guess, const sc_column *column,
                                scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    sc_ratio low, high, most;
    sc_extent extent;
    scrim_status status = SCRIM_OK;
    sc_ratio_init(&low);
    sc_ratio_init(&high);
    sc_ratio_init(&most);
    sc_text_quote(guess->name, quote);
    if (!sc_extent_of_grid(&column->grid, &extent)) {
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                   "expect", "'%s' has no range", quote);
        goto done;
    }
    sc_extent_value(extent.step, extent.low, &low);
    sc_extent_value(extent.step, extent.high, &high);
    most_variance(&low, &high, &guess->mean, &most);
    if (sc_ratio_compare(&guess->mean, &low) < 0 ||
        sc_ratio_compare(&guess->mean, &high) > 0) {
        status = sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "expect",
                                   "the mean of '%s' must be within its declared range",
                                   quote);
    } else if (guess->has_deviation) {
        sc_ratio_mul(&low, &guess->deviation, &guess->deviation);
        if (sc_ratio_compare(&low, &most) > 0)
            status =
                sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "expect",
                                  "within the range of '%s' no rows of that mean have "
                                  "that deviation",
                                  quote);
    }
done:
    sc_ratio_clear(&most);
    sc_ratio_clear(&high);
    sc_ratio_clear(&low);
    return status;
}

scrim_status sc_column_guesses_check(const sc_column_guesses *guesses,
                                     const sc_schema *schema, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES], near[SC_TEXT_QUOTE_BYTES];
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < guesses->count; i++) {
        const sc_text name = guesses->columns[i].name;
        const sc_column *column = sc_schema_column(schema, name);
        const sc_text nearest = sc_schema_nearest(schema, name);
        sc_text_quote(name, quote);
        if (column == NULL && nearest.bytes > 0)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT,
                                     "expect", "unknown column '%s'; did you mean '%s'?",
                                     quote, sc_text_quote(nearest, near));
        if (column == NULL)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "expect",
                                     "unknown column '%s'", quote);
        if (column->type != SC_COLUMN_INT && column->type != SC_COLUMN_DECIMAL)
            return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED,
                                     "expect", "'%s' is not a column of numbers", quote);
        status = check_range(&guesses->columns[i], column, error);
    }
    return status;
}

const sc_column_guess *sc_column_guess_of(const sc_column_guesses *guesses,
                                          const sc_schema *schema, const sc_typed *value)
{
    if (value == NULL || value->operation != SC_OP_COLUMN)
        return NULL;
    return find(guesses, schema->columns[value->column].name);
}

/* Moments. */

void sc_column_guess_moments(const sc_column_guess *guess,
                             const sc_query_aggregate *aggregate, sc_ratio *mean,
                             sc_ratio *variance)
{
    const sc_extent *extent = &aggregate->value->extent;
    SC_OWN(sc_ratio, low, high, step);
    sc_extent_value(extent->step, 1, &step);
    sc_ratio_set_quotient(mean, aggregate->radius, 2);
    sc_ratio_set_quotient(variance, aggregate->radius, 4);
    if (guess != NULL) {
        sc_ratio_div(mean, &guess->mean, &step);
        sc_ratio_set_int64(&low, aggregate->centre);
        sc_ratio_sub(mean, mean, &low);
    }
    if (guess != NULL && guess->has_deviation)
        sc_ratio_div(variance, &guess->deviation, &step);
    sc_ratio_mul(variance, variance, variance);
    sc_ratio_set_int128(&low, (sc_int128)extent->low - aggregate->centre);
    sc_ratio_set_int128(&high, (sc_int128)extent->high - aggregate->centre);
    if (sc_ratio_compare(mean, &high) > 0)
        sc_ratio_set(mean, &high);
    most_variance(&low, &high, mean, &step);
    if (sc_ratio_compare(variance, &step) > 0)
        sc_ratio_set(variance, &step);
}
