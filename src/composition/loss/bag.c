#include "composition/loss/bag.h"

#include "base/memory.h"
#include "composition/loss/continuous_noise.h"
#include "composition/loss/stated.h"
#include "mechanism/catalogue.h"
#include "model/measurement.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Parts. */

static void part_init(sc_part *part)
{
    *part = (sc_part){.count = 1};
    sc_cost_init(&part->cost);
    sc_loss_pair_init(&part->pair);
    sc_loss_pair_init(&part->lower);
    sc_ratio_init(&part->rate);
}

static void part_clear(sc_part *part)
{
    sc_ratio_clear(&part->rate);
    sc_loss_pair_clear(&part->lower);
    sc_loss_pair_clear(&part->pair);
    sc_cost_clear(&part->cost);
    scrim_measurement_free(part->measurement);
    sc_free(part->text);
}

/* The pair that has the deltas of a curve; false when no pair is known for its kind. */
static bool pair_of(const sc_curve *curve, const sc_ratio *epsilon, sc_loss_pair *out)
{
    if (curve->functions == NULL)
        return false;
    switch (curve->functions->pair) {
    case SC_CURVE_PAIR_PURE:
        sc_loss_pair_set_pure(out, epsilon);
        return true;
    case SC_CURVE_PAIR_APPROXIMATE:
        sc_loss_pair_set_approximate(out, epsilon, &curve->delta);
        return true;
    case SC_CURVE_PAIR_LAPLACE:
        sc_loss_pair_set_laplace(out, &curve->shape, curve->count);
        return true;
    case SC_CURVE_PAIR_GAUSSIAN:
        sc_loss_pair_set_gaussian(out, &curve->shape, curve->count);
        return true;
    case SC_CURVE_PAIR_SHIFTED:
        sc_loss_pair_set_shifted(out, &curve->shape, curve->count, 1);
        return true;
    case SC_CURVE_PAIR_SHIFTED_TWICE:
        sc_loss_pair_set_shifted(out, &curve->shape, curve->count, 2);
        return true;
    case SC_CURVE_PAIR_CONTINUOUS_LAPLACE:
        sc_loss_pair_set_continuous_laplace(out, &curve->shape);
        return true;
    case SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN:
        sc_loss_pair_set_continuous_gaussian(out, &curve->shape);
        return true;
    case SC_CURVE_PAIR_NONE:
        break;
    }
    return false;
}

/* epsilon less 2^-60 of it: an epsilon that was rounded up is attained from there on. */
static void step_down(const sc_ratio *epsilon, sc_ratio *out)
{
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(out, &one, 60);
    sc_ratio_mul(out, out, epsilon);
    sc_ratio_sub(out, epsilon, out);
}

/* Is the pair attained where nobody else is in the data? One unit moves a sum by all that it can
 * whoever else is there, but a bar that noise of one side tells most about holds others. */
static bool is_attained_alone(const sc_part *part)
{
    switch (part->cost.curve.functions->pair) {
    case SC_CURVE_PAIR_LAPLACE:
    case SC_CURVE_PAIR_GAUSSIAN:
        /* Rounding may need the others' sum to make a whole step of a part of one. */
        return part->measurement == NULL ||
               sc_measurement_get(part->measurement, "grid") == NULL;
    case SC_CURVE_PAIR_CONTINUOUS_LAPLACE:
    case SC_CURVE_PAIR_CONTINUOUS_GAUSSIAN:
        return true;
    case SC_CURVE_PAIR_PURE:
    case SC_CURVE_PAIR_APPROXIMATE:
    case SC_CURVE_PAIR_SHIFTED:
    case SC_CURVE_PAIR_SHIFTED_TWICE:
    case SC_CURVE_PAIR_NONE:
        break;
    }
    return false;
}

/* Others are sampled too: what neighbours attain only among them, their samples need not. */
static bool is_attained(const sc_part *part)
{
    return part->cost.curve.is_attained && (!part->is_sampled || is_attained_alone(part));
}

static void set_pairs(sc_part *part)
{
    const sc_curve *curve = &part->cost.curve;
    part->has_pair = pair_of(curve, &curve->epsilon, &part->pair);
    if (part->has_pair && is_attained(part)) {
        SC_OWN(sc_ratio, below);
        step_down(&curve->epsilon, &below);
        part->has_lower = pair_of(curve, &below, &part->lower);
    }
}

/* Bags. */

void sc_bag_init(sc_bag *bag)
{
    *bag = (sc_bag){0};
}

void sc_bag_clear(sc_bag *bag)
{
    for (size_t i = 0; i < bag->count; i++)
        part_clear(&bag->parts[i]);
    sc_free(bag->parts);
    *bag = (sc_bag){0};
}

static bool is_same_curve(const sc_curve *a, const sc_curve *b)
{
    return a->functions == b->functions && a->count == b->count &&
           a->context == b->context && a->is_attained == b->is_attained &&
           sc_ratio_compare(&a->epsilon, &b->epsilon) == 0 &&
           sc_ratio_compare(&a->delta, &b->delta) == 0 &&
           sc_ratio_compare(&a->shape, &b->shape) == 0;
}

static bool is_same_cost(const sc_exact_cost *a, const sc_exact_cost *b)
{
    return a->has_epsilon == b->has_epsilon && a->has_rho == b->has_rho &&
           sc_ratio_compare(&a->epsilon, &b->epsilon) == 0 &&
           sc_ratio_compare(&a->delta, &b->delta) == 0 &&
           sc_ratio_compare(&a->rho, &b->rho) == 0 &&
           sc_ratio_compare(&a->xi, &b->xi) == 0 && a->has_aside == b->has_aside &&
           sc_ratio_compare(&a->aside, &b->aside) == 0 &&
           sc_ratio_compare(&a->aside_rho, &b->aside_rho) == 0 &&
           is_same_curve(&a->curve, &b->curve);
}

/* The same text is the same release; costs without one are compared themselves. */
static bool is_same_part(const sc_part *a, const sc_part *b)
{
    if (a->text == NULL || b->text == NULL)
        return a->text == b->text && is_same_cost(&a->cost, &b->cost);
    return strcmp(a->text, b->text) == 0;
}

static scrim_status check_neighbours(const sc_bag *bag, const sc_part *part,
                                     scrim_error *error)
{
    if (bag->count == 0 || bag->neighbours == part->cost.neighbours)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "neighbours",
        "its neighbours are %s, those of the parts before it %s; all parts need "
        "the same, which neighbours=... sets",
        scrim_neighbours_name(part->cost.neighbours),
        scrim_neighbours_name(bag->neighbours));
}

static scrim_status too_many(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_LIMIT, "more than 1099511627776 equal releases");
}

/* Takes what the part owns on success: then part is not to be cleared. */
static scrim_status put(sc_bag *bag, sc_part *part, scrim_error *error)
{
    scrim_status status = check_neighbours(bag, part, error);
    if (status != SCRIM_OK)
        return status;
    for (size_t i = 0; i < bag->count; i++) {
        sc_part *other = &bag->parts[i];
        if (!is_same_part(other, part))
            continue;
        if (other->count > SC_PART_COUNT - part->count)
            return too_many(error);
        other->count += part->count;
        part_clear(part);
        return SCRIM_OK;
    }
    if (bag->count == SC_BAG_PARTS)
        return sc_fail(error, SCRIM_E_LIMIT, "more than %d different parts",
                       SC_BAG_PARTS);
    if (!sc_make_room(&bag->parts, bag->count, &bag->capacity, sizeof *bag->parts))
        status = sc_no_memory(error, "the parts");
    if (status == SCRIM_OK) {
        bag->neighbours = part->cost.neighbours;
        bag->parts[bag->count++] = *part;
    }
    return status;
}

scrim_status sc_bag_add_cost(sc_bag *bag, const sc_exact_cost *cost, uint64_t count,
                             scrim_error *error)
{
    if (count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                           "a part of no release");
    if (count > SC_PART_COUNT)
        return too_many(error);
    sc_part part;
    part_init(&part);
    part.count = count;
    sc_cost_set(&part.cost, cost);
    set_pairs(&part);
    scrim_status status = put(bag, &part, error);
    if (status != SCRIM_OK)
        part_clear(&part);
    return status;
}

static scrim_status set_text(sc_part *part, const char *before, const char *own,
                             scrim_error *error)
{
    const size_t bytes = strlen(before) + strlen(own) + 1;
    sc_text_sink sink;
    part->text = sc_allocate(bytes, 1);
    if (part->text == NULL)
        return sc_no_memory(error, "a part");
    sc_text_sink_init(&sink, part->text, bytes);
    sc_text_put(&sink, sc_text_of(before));
    sc_text_put(&sink, sc_text_of(own));
    return SCRIM_OK;
}

/* Adds `count` releases of a part, which keeps its measurement. */
static scrim_status add_some(sc_bag *bag, const sc_part *from, uint64_t count,
                             scrim_error *error)
{
    sc_part part;
    part_init(&part);
    part.count = count;
    part.is_sampled = from->is_sampled;
    sc_ratio_set(&part.rate, &from->rate);
    sc_cost_set(&part.cost, &from->cost);
    set_pairs(&part);
    part.has_lower =
        part.has_lower && from->has_lower; /* which may need its measurement */
    scrim_status status =
        from->text == NULL ? SCRIM_OK : set_text(&part, "", from->text, error);
    if (status == SCRIM_OK)
        status = put(bag, &part, error);
    if (status != SCRIM_OK)
        part_clear(&part);
    return status;
}

scrim_status sc_bag_first(const sc_bag *bag, uint64_t releases, sc_bag *out,
                          scrim_error *error)
{
    sc_bag first;
    scrim_status status = SCRIM_OK;
    sc_bag_init(&first);
    for (size_t i = 0; status == SCRIM_OK && releases > 0 && i < bag->count; i++) {
        const sc_part *part = &bag->parts[i];
        const uint64_t count = part->count < releases ? part->count : releases;
        status = add_some(&first, part, count, error);
        releases -= count;
    }
    if (status == SCRIM_OK) {
        sc_bag_clear(out);
        *out = first;
    } else {
        sc_bag_clear(&first);
    }
    return status;
}

/* Groups. */

/* Which part it was. */
static scrim_status name_part(size_t number, const scrim_error *reason,
                              scrim_error *error)
{
    return sc_fail_again(error, reason->status, reason, "part %zu: %s", number,
                         reason->message);
}

/* A sample has each of the group by itself, for which nothing is proved here. */
static scrim_status set_group(const sc_part *from, uint64_t units, sc_part *part,
                              scrim_error *error)
{
    char before[sizeof "group units= " + 20];
    if (from->is_sampled)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "group",
                           "nothing is proved about groups in a sample");
    if (!sc_cost_of_group(&from->cost, units, &part->cost))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "group",
                           "it promises nothing to groups of %" PRIu64, units);
    set_pairs(part);
    /* Inputs of a mechanism may be bounded, so that a group moves them by less than all of its units alone. */
    part->has_lower = part->has_lower && from->has_lower && from->measurement == NULL;
    (void)snprintf(before, sizeof before, "group units=%" PRIu64 " ", units);
    return set_text(part, before, from->text == NULL ? "" : from->text, error);
}

scrim_status sc_bag_group(const sc_bag *bag, uint64_t units, sc_bag *out,
                          scrim_error *error)
{
    sc_bag group;
    scrim_status status = SCRIM_OK;
    if (units == 1)
        return sc_bag_first(bag, UINT64_MAX, out, error);
    sc_bag_init(&group);
    for (size_t i = 0; status == SCRIM_OK && i < bag->count; i++) {
        scrim_error reason = {.status = SCRIM_OK};
        sc_part part;
        part_init(&part);
        part.count = bag->parts[i].count;
        status = set_group(&bag->parts[i], units, &part, &reason);
        if (status == SCRIM_OK)
            status = put(&group, &part, &reason);
        if (status != SCRIM_OK) {
            part_clear(&part);
            status = name_part(i + 1, &reason, error);
        }
    }
    if (status == SCRIM_OK) {
        sc_bag_clear(out);
        *out = group;
    } else {
        sc_bag_clear(&group);
    }
    return status;
}

/* Reading. */

#define RATE "a rational above 0 and at most 1, from 8.7e-19 on"

static const sc_parameter_rule rate_parameter[] = {{.name = "rate",
                                                    .kind = SC_PARAMETER_RATIONAL,
                                                    .above = "0",
                                                    .at_most = "1",
                                                    .limit_low = "2^-60",
                                                    .domain = RATE}};

scrim_status sc_bag_take_sampling(sc_text *rest, bool *is_sampled, sc_ratio *rate_out,
                                  scrim_error *error)
{
    sc_text after = *rest, word, rate = {NULL, 0};
    if (!sc_text_word(&after, &word) || !sc_text_is(word, "poisson"))
        return SCRIM_OK;
    const sc_text behind = after;
    if (!sc_text_word(&after, &rate) || rate.bytes < 5 ||
        memcmp(rate.start, "rate=", 5) != 0)
        return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "rate",
                           "poisson is followed by rate=..., " RATE
                           ", and then by a mechanism");
    sc_parameters parameters;
    sc_parameters_init(&parameters, rate_parameter, 1);
    scrim_status status = sc_parameters_parse(
        &parameters,
        (sc_text){behind.start, (size_t)(rate.start + rate.bytes - behind.start)}, error);
    if (status == SCRIM_OK) {
        *is_sampled = sc_ratio_compare_int64(&parameters.value[0], 1) != 0;
        sc_ratio_set(rate_out, &parameters.value[0]);
        *rest = sc_text_trim(after);
    }
    sc_parameters_clear(&parameters);
    return status;
}

static scrim_status set_count(sc_text text, uint64_t *out, scrim_error *error)
{
    char quote[SC_TEXT_QUOTE_BYTES];
    SC_OWN(sc_ratio, value);
    SC_OWN(sc_integer, whole);
    scrim_status status = sc_ratio_parse(text, &value, NULL);
    sc_ratio_floor(&value, &whole);
    if (status == SCRIM_E_SYNTAX ||
        (status == SCRIM_OK &&
         (!sc_ratio_is_integer(&value) || sc_ratio_sign(&value) <= 0)))
        status = sc_fail_for(
            error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "count",
            "invalid count 'x%s'; write a whole number of releases, such as x100",
            sc_text_quote(text, quote));
    else if (status != SCRIM_OK || !sc_integer_get_uint64(&whole, out) ||
             *out > SC_PART_COUNT)
        status = sc_fail(error, SCRIM_E_LIMIT, "a count is at most 1099511627776, not %s",
                         sc_text_quote(text, quote));
    return status;
}

/* xN, which stands last; no other word begins with an x and a digit. */
static scrim_status take_count(sc_text *rest, sc_part *part, scrim_error *error)
{
    sc_text left = *rest, word;
    while (sc_text_word(&left, &word)) {
        if (word.bytes < 2 || word.start[0] != 'x' ||
            memchr(word.start, '=', word.bytes) != NULL)
            continue;
        if (!sc_ascii_is_digit(word.start[1]) && word.start[1] != '-')
            continue;
        if (sc_text_trim(left).bytes > 0)
            return sc_fail_for(error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "count",
                               "the count must be at the end: NAME key=value ... xN; "
                               "separate parts with ';'");
        *rest = sc_text_trim((sc_text){rest->start, (size_t)(word.start - rest->start)});
        return set_count((sc_text){word.start + 1, word.bytes - 1}, &part->count, error);
    }
    return SCRIM_OK;
}

#define NAMES 64

/* The nearest word that a part may begin with. */
static scrim_status fail_unknown(sc_text name, scrim_error *error)
{
    const char *names[NAMES];
    char quote[SC_TEXT_QUOTE_BYTES];
    size_t count = 0;
    names[count++] = "poisson";
    for (size_t i = 0; count < NAMES && sc_continuous_at(i) != NULL; i++)
        names[count++] = sc_continuous_at(i)->name;
    for (size_t i = 0; count < NAMES && sc_catalogue_at(i) != NULL; i++)
        names[count++] = sc_catalogue_at(i)->entry.name;
    const char *nearest = sc_text_nearest(name, names, count);
    const sc_mechanism *known = sc_catalogue_known_as(name);
    sc_text_quote(name, quote);
    if (known != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "part",
                           "mechanism '%s' is called '%s' here", quote,
                           known->entry.name);
    if (nearest != NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSPELT, "part",
                           "unknown mechanism '%s'; did you mean '%s'?", quote, nearest);
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "part",
                       "unknown mechanism '%s'", quote);
}

/* The mechanism of a part: its cost and its own text. */
static scrim_status read_mechanism(sc_text line, sc_part *part, char **text,
                                   scrim_error *error)
{
    sc_text name, rest;
    if (!sc_parameters_line(line, &name, &rest))
        return sc_fail_for(
            error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "part",
            "missing mechanism; write a part such as 'laplace scale=1 x100'");
    const sc_continuous *continuous = sc_continuous_find(name);
    if (continuous != NULL)
        return sc_continuous_parse(continuous, rest, &part->cost, text, error);
    const sc_stated *stated = sc_stated_find(name);
    if (stated != NULL)
        return sc_stated_parse(stated, line, &part->cost, text, error);
    const sc_mechanism *mechanism = NULL;
    for (size_t i = 0; (mechanism = sc_catalogue_at(i)) != NULL; i++)
        if (sc_text_is(name, mechanism->entry.name))
            break;
    if (mechanism == NULL)
        return fail_unknown(name, error);
    scrim_status status =
        sc_catalogue_parse(line, SC_PURPOSE_MODEL, &part->measurement, error);
    if (status != SCRIM_OK)
        return status;
    sc_cost_set(&part->cost, &part->measurement->cost);
    const char *own = scrim_measurement_text(part->measurement);
    *text = sc_allocate(strlen(own) + 1, 1);
    if (*text == NULL)
        return sc_no_memory(error, "a part");
    memcpy(*text, own, strlen(own) + 1);
    return SCRIM_OK;
}

/* The canonical text: "poisson rate=R " in front of the mechanism's own. */
static scrim_status name_sampled(sc_part *part, const char *own, scrim_error *error)
{
    char before[SC_RATIO_TEXT_BYTES + sizeof "poisson rate= "] = "";
    sc_text_sink sink;
    if (part->is_sampled) {
        char rate[SC_RATIO_TEXT_BYTES];
        sc_ratio_format(&part->rate, rate, sizeof rate);
        sc_text_sink_init(&sink, before, sizeof before);
        sc_text_put(&sink, sc_text_of("poisson rate="));
        sc_text_put(&sink, sc_text_of(rate));
        sc_text_put(&sink, sc_text_of(" "));
    }
    return set_text(part, before, own, error);
}

static scrim_status read_part(sc_text line, sc_part *part, scrim_error *error)
{
    char *own = NULL;
    scrim_status status =
        sc_bag_take_sampling(&line, &part->is_sampled, &part->rate, error);
    if (status == SCRIM_OK)
        status = take_count(&line, part, error);
    if (status == SCRIM_OK)
        status = read_mechanism(line, part, &own, error);
    if (status == SCRIM_OK && part->is_sampled &&
        part->cost.neighbours != SCRIM_ADD_REMOVE)
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "neighbours",
                             "poisson sampling has no proved gain for neighbours=%s; use "
                             "neighbours=add-remove, or leave 'poisson' out",
                             scrim_neighbours_name(part->cost.neighbours));
    if (status == SCRIM_OK)
        status = name_sampled(part, own, error);
    if (status == SCRIM_OK)
        set_pairs(part);
    sc_free(own);
    return status;
}

static scrim_status add_line(sc_bag *bag, sc_text line, size_t number, scrim_error *error)
{
    scrim_error reason = {.status = SCRIM_OK};
    sc_part part;
    part_init(&part);
    scrim_status status = read_part(line, &part, &reason);
    if (status == SCRIM_OK)
        status = put(bag, &part, &reason);
    if (status == SCRIM_OK)
        return SCRIM_OK;
    part_clear(&part);
    return name_part(number, &reason, error);
}

static scrim_status add_lines(sc_bag *bag, sc_text rest, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    bool is_last = false;
    for (size_t number = 1; status == SCRIM_OK && !is_last; number++) {
        sc_text line = rest;
        is_last = !sc_text_split(rest, ';', &line, &rest);
        line = sc_text_trim(line);
        if (line.bytes == 0)
            return sc_fail_for(
                error, SCRIM_E_SYNTAX, SCRIM_REASON_SYNTAX, "part",
                "part %zu is empty; parts are such as 'laplace scale=1 x100; "
                "gaussian sigma=4 x50'",
                number);
        status = add_line(bag, line, number, error);
    }
    return status;
}

/* A copy in which lines go on with a space; NULL without memory. */
static char *one_line(const char *text)
{
    const size_t bytes = strlen(text);
    char *line = sc_allocate(bytes + 1, 1);
    if (line != NULL)
        memcpy(line, text, bytes + 1);
    for (size_t i = 0; line != NULL && i < bytes; i++)
        if (line[i] == '\n' || line[i] == '\r')
            line[i] = ' ';
    return line;
}

scrim_status sc_bag_parse(const char *text, sc_bag *out, scrim_error *error)
{
    sc_bag bag;
    sc_bag_init(&bag);
    char *line = one_line(text);
    scrim_status status = line == NULL ? sc_no_memory(error, "parts")
                                       : add_lines(&bag, sc_text_of(line), error);
    sc_free(line);
    if (status == SCRIM_OK) {
        sc_bag_clear(out);
        *out = bag;
    } else {
        sc_bag_clear(&bag);
    }
    return status;
}
