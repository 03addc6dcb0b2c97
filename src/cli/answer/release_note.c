#include "cli/answer/release_note.h"

#include "cli/display/notes.h"
#include "cli/display/number_view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *sc_certificate_form_name(scrim_certificate_form form)
{
    switch (form) {
    case SCRIM_CERTIFICATE_INTERVAL:
        return "interval";
    case SCRIM_CERTIFICATE_PAC:
        return "pac";
    case SCRIM_CERTIFICATE_RANGE:
        return "range";
    case SCRIM_CERTIFICATE_FLEXIBLE:
        return "flexible";
    case SCRIM_CERTIFICATE_FREQUENCY:
        return "frequency";
    case SCRIM_CERTIFICATE_DROP:
        return "drop";
    case SCRIM_CERTIFICATE_MEAN:
        return "mean";
    case SCRIM_CERTIFICATE_NONE:
        break;
    }
    return "none";
}

void sc_cost_json(sc_json *json, const char *name, const scrim_cost *cost)
{
    sc_json_object(json, name);
    sc_json_text(json, "neighbours", scrim_neighbours_name(cost->neighbours));
    sc_json_text_if_any(json, "epsilon", cost->epsilon);
    sc_json_text_if_any(json, "delta", cost->delta);
    sc_json_text_if_any(json, "rho", cost->rho);
    sc_json_end(json);
}

void sc_certificate_json(sc_json *json, const char *name,
                         const scrim_certificate *certificate)
{
    sc_json_object(json, name);
    sc_json_text(json, "form", sc_certificate_form_name(certificate->form));
    sc_json_text_if_any(json, "confidence", certificate->confidence);
    sc_json_text_if_any(json, "radius", certificate->radius);
    sc_json_text_if_any(json, "value_radius", certificate->value_radius);
    sc_json_text_if_any(json, "radius_all", certificate->radius_all);
    sc_json_text_if_any(json, "alpha", certificate->alpha);
    sc_json_text_if_any(json, "beta", certificate->beta);
    sc_json_text_if_any(json, "gamma", certificate->gamma);
    sc_json_text_if_any(json, "excludes", certificate->excludes);
    sc_json_end(json);
}

static void write_part(sc_output *output, const char *name, const char *value,
                       const char **between)
{
    char shown[SC_BOUND_BYTES];
    if (value[0] == '\0')
        return;
    sc_number_format_upper(value, shown);
    sc_output_format(output, "%s%s %s", *between, name, shown);
    *between = ", ";
}

void sc_cost_write(sc_output *output, const scrim_cost *cost)
{
    const char *between = "";
    write_part(output, "epsilon", cost->epsilon, &between);
    write_part(output, "delta", cost->delta, &between);
    write_part(output, "rho", cost->rho, &between);
}

void sc_cost_write_short(sc_output *output, const scrim_cost *cost)
{
    scrim_cost shown = *cost;
    if (shown.epsilon[0] != '\0')
        shown.rho[0] = '\0';
    sc_cost_write(output, &shown);
}

/* The certificate of each value that is shown beside what it is about. */
static void write_value(sc_output *output, const scrim_certificate *certificate)
{
    char value[SC_BOUND_BYTES];
    if (certificate->value_radius[0] == '\0')
        return;
    sc_number_format_upper(certificate->value_radius, value);
    sc_output_format(output, "; each value is within %s of the truth", value);
}

/* The certificate of all values at once, with the same probability. */
static void write_all(sc_output *output, const scrim_certificate *certificate)
{
    char all[SC_BOUND_BYTES];
    if (certificate->radius_all[0] == '\0')
        return;
    sc_number_format_upper(certificate->radius_all, all);
    sc_output_format(output,
                     "; all values at once are within %s with the same probability", all);
}

/* The meaning of a bound on a loss depends on what is chosen. */
static void write_loss(sc_output *output, const char *input, const char *radius,
                       const scrim_certificate *certificate)
{
    const char *confidence = certificate->confidence;
    const bool is_queries = strcmp(input, "queries") == 0,
               is_counts = strcmp(input, "counts") == 0,
               is_sets = strcmp(input, "transactions") == 0;
    if (is_queries)
        sc_output_format(output,
                         "answers are right except for queries within %s of the "
                         "threshold, with probability %s",
                         radius, confidence);
    else if (is_counts)
        sc_output_format(output,
                         "a group of %s units or more is kept with probability %s",
                         radius, confidence);
    else if (is_sets)
        sc_output_format(output,
                         "a set of %s transactions or more is kept with probability %s",
                         radius, confidence);
    else if (strcmp(input, "rows") == 0)
        sc_output_format(output,
                         "no rank is off by more than %s rows with probability %s",
                         radius, confidence);
    else
        sc_output_format(output,
                         "the chosen candidate is at most %s worse than the best "
                         "remaining one, with probability %s",
                         radius, confidence);
    if (is_queries || is_counts || is_sets)
        write_value(output, certificate);
}

/* The certificate of a histogram and its bars, of counts, of anything. */
static void write_flexible(sc_output *output, const scrim_certificate *certificate,
                           const char *input, const char *radius)
{
    if (strcmp(input, "rows") == 0) {
        sc_output_format(output,
                         "at most %s elements are left out, and every other element is "
                         "within %s of its shown place, always",
                         certificate->alpha, certificate->beta);
        if (certificate->radius[0] != '\0')
            sc_output_format(output,
                             "; no count is above that of its bucket, and none more than "
                             "q = %s below it",
                             radius);
    } else if (strcmp(input, "points") == 0) {
        sc_output_format(output,
                         "with probability 1 - %s the counts of all intervals or "
                         "half-spaces are within %s of the truth for points that move "
                         "by at most %s",
                         certificate->gamma, certificate->beta, certificate->alpha);
    } else if (strcmp(input, "counts") == 0 && strcmp(certificate->beta, "0") == 0 &&
               strcmp(certificate->gamma, "0") == 0) {
        sc_output_format(output,
                         "no count is above the truth, and together they miss at most "
                         "the share %s of everything counted",
                         certificate->alpha);
    } else {
        sc_output_format(output,
                         "within %s of the truth of an input distorted by %s, except "
                         "with probability %s",
                         certificate->beta, certificate->alpha, certificate->gamma);
    }
}

/* Dropped, and with noise. */
static void write_drop(sc_output *output, const scrim_certificate *certificate,
                       const char *radius)
{
    char above[SC_BOUND_BYTES];
    sc_number_format_upper(certificate->value_radius, above);
    sc_output_format(output,
                     "no value is more than %s above the truth or more than %s below "
                     "it, with probability %s for each value",
                     above, radius, certificate->confidence);
}

void sc_certificate_write(sc_output *output, const scrim_certificate *certificate,
                          const char *input)
{
    char radius[SC_BOUND_BYTES];
    sc_number_format_upper(certificate->radius, radius);
    switch (certificate->form) {
    case SCRIM_CERTIFICATE_INTERVAL:
        sc_output_format(output,
                         "each value is within %s of the truth with probability %s",
                         radius, certificate->confidence);
        write_all(output, certificate);
        break;
    case SCRIM_CERTIFICATE_PAC:
        write_loss(output, input, radius, certificate);
        break;
    case SCRIM_CERTIFICATE_RANGE:
        sc_output_format(output, "each value is within %s of the truth, always", radius);
        break;
    case SCRIM_CERTIFICATE_DROP:
        if (certificate->value_radius[0] != '\0')
            write_drop(output, certificate, radius);
        else
            sc_output_format(
                output, "no value is above the truth, and none more than %s below it",
                radius);
        break;
    case SCRIM_CERTIFICATE_FLEXIBLE:
        write_flexible(output, certificate, input, radius);
        break;
    case SCRIM_CERTIFICATE_FREQUENCY:
        sc_output_format(output,
                         "every frequency estimated from them, clamped to 0 to 1, is "
                         "within %s of the truth with probability %s",
                         radius, certificate->confidence);
        break;
    case SCRIM_CERTIFICATE_MEAN:
        sc_output_format(output,
                         "the mean estimated from all of them is within %s of the true "
                         "mean with probability %s",
                         radius, certificate->confidence);
        break;
    case SCRIM_CERTIFICATE_NONE:
        sc_output_text(output, "no guarantee");
        break;
    }
}

/* The meaning of a relation. */
static const char *relation_text(scrim_neighbours neighbours)
{
    switch (neighbours) {
    case SCRIM_ADD_REMOVE:
        return "one unit is added or removed";
    case SCRIM_REPLACE:
        return "one unit's data is replaced";
    case SCRIM_LOCAL:
        return "any two values that one device may hold";
    case SCRIM_NEIGHBOURS_UNSET:
        break;
    }
    return "no relation";
}

/* Rounds up to a thousandth; an excess of a billionth of that is taken for an error of doubles. */
static double round_guess_up(double guess)
{
    guess = ceil(guess * 1000 - 1e-9) / 1000;
    return guess < 1 ? guess : 1;
}

double sc_cost_guess_upper(const scrim_cost *cost)
{
    double guess = 1;
    if (cost->epsilon[0] != '\0') {
        const double odds = exp(sc_number_view(cost->epsilon));
        const double delta = sc_number_view(cost->delta);
        if (isfinite(odds))
            guess = (odds + delta) / (1 + odds);
    }
    if (cost->rho[0] != '\0') {
        const double rho = sc_number_view(cost->rho);
        guess = fmin(guess, (1 + sqrt(fmin(rho / 2, -expm1(-rho)))) / 2);
    }
    return round_guess_up(guess);
}

double sc_distance_guess_upper(double distance)
{
    return round_guess_up((1 + distance) / 2);
}

const char *sc_guess_text(double guess, char text[SC_GUESS_BYTES])
{
    if (guess < 1)
        snprintf(text, SC_GUESS_BYTES, "is right at most %.1f %%", 100 * guess);
    else
        snprintf(text, SC_GUESS_BYTES, "may be right more than 99.9 %%");
    return text;
}

const char *sc_cost_guess_text(const scrim_cost *cost, char text[SC_GUESS_BYTES])
{
    return sc_guess_text(sc_cost_guess_upper(cost), text);
}

void sc_cost_meaning_write(sc_output *output, const scrim_cost *cost, const char *unit)
{
    sc_guess_meaning_write(output, cost, sc_cost_guess_upper(cost), unit);
}

void sc_guess_meaning_write(sc_output *output, const scrim_cost *cost, double guess,
                            const char *unit)
{
    char text[SC_GUESS_BYTES];
    if (guess >= 1 && cost->epsilon[0] == '\0')
        return;
    sc_output_format(output,
                     "meaning     a guess whether one %s is in the data %s "
                     "of the time\n",
                     unit, sc_guess_text(guess, text));
    sc_caution_cost(output, cost);
}

/* A text that is no number is never an error, since an error would tell of the data; so it is said
 * of every input, whatever it holds. Rows have no labels. */
static void write_excludes(sc_output *output, const scrim_certificate *certificate,
                           const char *input)
{
    const char *excludes = certificate->excludes;
    const bool is_sets = strcmp(input, "transactions") == 0,
               is_points = strcmp(input, "points") == 0,
               is_rows = is_sets || is_points || strcmp(input, "rows") == 0;
    if (excludes != NULL && excludes[0] != '\0') {
        sc_output_text(output, excludes);
        sc_output_text(output, "; ");
    }
    sc_output_format(output, "values that are not numbers, which %s (see %s--header)",
                     is_sets ||
                             (is_rows && certificate->form == SCRIM_CERTIFICATE_FLEXIBLE)
                         ? "are left out"
                         : "count as 0",
                     is_rows ? "" : "--labels, ");
}

/* "robustness  ...", where the measurement states any. */
static void write_robustness(sc_output *output, const scrim_measurement *measurement)
{
    scrim_robustness found;
    char outputs[SC_BOUND_BYTES];
    if (scrim_measurement_robustness(measurement, &found, NULL) != SCRIM_OK)
        return;
    sc_number_format_upper(found.output_epsilon, outputs);
    sc_output_format(
        output,
        "\nrobustness  two inputs of the noise whose distributions are within "
        "%s, ignoring a mass of %s, give answers that differ by at most "
        "epsilon %s, delta %s; answers within %s of each other (theta 0) "
        "differ by at most epsilon %s",
        found.rho, found.theta, found.epsilon, found.theta, found.rho, outputs);
}

/* From the cost, and from the curve of the measurement where that proves less. */
static double guess_of(const scrim_measurement *measurement, const scrim_cost *cost)
{
    double distance = 1;
    const double guess = sc_cost_guess_upper(cost);
    return scrim_measurement_delta_at(measurement, "0", &distance, NULL) == SCRIM_OK
               ? fmin(guess, sc_distance_guess_upper(distance))
               : guess;
}

void sc_release_note_write(sc_output *output, const scrim_measurement *measurement,
                           const scrim_cost *cost, const scrim_certificate *certificate,
                           size_t columns)
{
    sc_fold_line(output, "released", scrim_measurement_text(measurement), columns);
    const size_t begin = sc_fold_begin(output);
    sc_output_text(output, "cost        ");
    sc_cost_write(output, cost);
    sc_output_format(output, "\nneighbours  %s: %s\n",
                     scrim_neighbours_name(cost->neighbours),
                     relation_text(cost->neighbours));
    sc_guess_meaning_write(output, cost, guess_of(measurement, cost), "person");
    sc_output_text(output, "accuracy    ");
    sc_certificate_write(output, certificate,
                         scrim_measurement_mechanism(measurement)->input);
    write_robustness(output, measurement);
    sc_output_text(output, "\nnot covered ");
    write_excludes(output, certificate, scrim_measurement_mechanism(measurement)->input);
    sc_output_text(output, "\n");
    sc_fold_end(output, begin, columns);
}
