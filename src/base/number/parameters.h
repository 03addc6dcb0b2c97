/* The line of text that names a distribution or a mechanism with its parameters:
 *
 *     discrete-laplace scale=10
 *     NAME key=value ...
 *
 * The parameters of a name are a constant array of descriptors; those that a line gives are a
 * set of exact values. Domains are kept as text, so that a bound is as exact as the value
 * held against it, and so that a refusal can say what is legal:
 *
 *     static const sc_parameter_rule laplace[] = {
 *         {.name = "scale", .kind = SC_PARAMETER_RATIONAL, .above = "0",
 *          .limit_high = "2^60", .domain = "a rational above 0 and at most 2^60"},
 *     };
 */
#ifndef SC_BASE_PARAMETERS_H
#define SC_BASE_PARAMETERS_H

#include "base/number/ratio.h"
#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define SC_PARAMETERS_MAX 16

typedef enum sc_parameter_kind {
    SC_PARAMETER_RATIONAL,
    SC_PARAMETER_INTEGER,
    SC_PARAMETER_WORD,     /* one of words; its value is the place on that list */
    SC_PARAMETER_RATIONALS /* "1/4,1/2": from 1 to SC_PARAMETER_ITEMS of them */
} sc_parameter_kind;

#define SC_PARAMETER_ITEMS 64

/* One parameter. Bounds are texts that sc_ratio_parse reads, or NULL if the parameter has no such
 * bound. */
typedef struct sc_parameter_rule {
    const char *name;
    sc_parameter_kind kind;
    bool optional;
    const char *const *words; /* for SC_PARAMETER_WORD, ended by NULL */
    const char *above;        /* value > this   */
    const char *at_least;     /* value >= this  */
    const char *at_most;      /* value <= this  */
    const char *below;        /* value < this   */
    const char *limit_low;    /* a legal value below this is SCRIM_E_LIMIT */
    const char *limit_high;   /* a legal value above this is SCRIM_E_LIMIT */
    const char *domain;       /* for messages: "a rational above 0 and at most 2^60" */
    const char *instead;      /* the one that may be given in its place; has no default */
} sc_parameter_rule;

/* Rules that many lists have: a rational above 0 between two limits; a whole number from 1 up to a
 * limit, and a word, which need not be given. */
#define SC_RULE_POSITIVE(its_name, low, high, its_domain)                                \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_RATIONAL, .above = "0",                 \
        .limit_low = (low), .limit_high = (high), .domain = (its_domain)                 \
    }
#define SC_RULE_COUNT(its_name, high, its_domain)                                        \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_INTEGER, .optional = true,              \
        .at_least = "1", .limit_high = (high), .domain = (its_domain)                    \
    }
#define SC_RULE_WORD(its_name, its_words, its_domain)                                    \
    {                                                                                    \
        .name = (its_name), .kind = SC_PARAMETER_WORD, .optional = true,                 \
        .words = (its_words), .domain = (its_domain)                                     \
    }

/* The values of one line. list is borrowed and outlives it. */
typedef struct sc_parameters {
    const sc_parameter_rule *list;
    size_t count;
    sc_ratio value[SC_PARAMETERS_MAX];
    sc_ratio
        *items[SC_PARAMETERS_MAX]; /* of SC_PARAMETER_RATIONALS; value is the first */
    size_t item_count[SC_PARAMETERS_MAX];
    bool given[SC_PARAMETERS_MAX];
} sc_parameters;

/* Nothing given. count is at most SC_PARAMETERS_MAX; a longer list is never parsed. */
void sc_parameters_init(sc_parameters *parameters, const sc_parameter_rule *list,
                        size_t count);
void sc_parameters_clear(sc_parameters *parameters);

/* Splits "NAME rest" at the first spaces or tabs; false, with both outputs untouched,
 * when the line is blank. rest may be empty and carries no spaces at its ends. */
bool sc_parameters_line(sc_text line, sc_text *name, sc_text *rest);

/* Reads "key=value ..." in any order; values that were there before are forgotten.
 * SCRIM_E_SYNTAX for a word that is not key=value. SCRIM_E_PARAM for a key that is
 * unknown, given twice or missing, and for a value that is not a number, not an integer
 * where one is due, not one of the words, or outside its domain. SCRIM_E_LIMIT for a legal value beyond a
 * limit, or beyond SC_RATIO_BITS. On failure parameters are untouched. */
SCRIM_MUST_USE scrim_status sc_parameters_parse(sc_parameters *parameters, sc_text rest,
                                                scrim_error *error);

/* Reads one of them, key and value by themselves, and keeps those that were there before. Statuses
 * as above. */
SCRIM_MUST_USE scrim_status sc_parameters_give(sc_parameters *parameters, sc_text key,
                                               sc_text text, scrim_error *error);
/* The same of a number, or of several for SC_PARAMETER_RATIONALS, without a text between. values are
 * copied. SCRIM_E_INTERNAL for a parameter that is a word. */
SCRIM_MUST_USE scrim_status sc_parameters_give_values(sc_parameters *parameters,
                                                      const char *name,
                                                      const sc_ratio *values,
                                                      size_t count, scrim_error *error);
/* SCRIM_E_PARAM unless all that are not optional were given. */
SCRIM_MUST_USE scrim_status sc_parameters_require(const sc_parameters *parameters,
                                                  scrim_error *error);

/* The value of a parameter; NULL when it was not given, or is not on the list. */
const sc_ratio *sc_parameters_get(const sc_parameters *parameters, const char *name);

/* The place of a word on its list; missing when it was not given. */
size_t sc_parameters_word(const sc_parameters *parameters, const char *name,
                          size_t missing);
/* The values of an SC_PARAMETER_RATIONALS and, in count, how many; NULL when not given. */
const sc_ratio *sc_parameters_items(const sc_parameters *parameters, const char *name,
                                    size_t *count);
/* Gives a parameter that the line left out; what was given stays. text is in its domain. */
SCRIM_MUST_USE scrim_status sc_parameters_default(sc_parameters *parameters,
                                                  const char *name, const char *text,
                                                  scrim_error *error);

/* The canonical line: what was given, in the order of the list, each value in its
 * shortest exact text. Writes at most capacity bytes with the terminator and returns the
 * length it needs without it, as snprintf does. */
size_t sc_parameters_format(const sc_parameters *parameters, const char *name, char *text,
                            size_t capacity);

#endif
