/* A mechanism with its parameters fixed. Immutable once made. */
#ifndef SC_MODEL_MEASUREMENT_H
#define SC_MODEL_MEASUREMENT_H

#include "model/mechanism.h"

struct scrim_measurement {
    const sc_mechanism *mechanism;
    sc_parameters parameters;
    char *text;
    bool is_for_data; /* SC_PURPOSE_DATA: everything that a release needs was given */
    bool is_for_law;  /* SC_PURPOSE_LAW: without what a draw needs */
    sc_domain domain;
    sc_exact_cost cost;
    void *state; /* the mechanism's own */
    /* A second step on the keys that this one keeps, under the same charge; owned; may be NULL. */
    scrim_measurement *then;
};

typedef enum sc_purpose {
    SC_PURPOSE_DATA, /* neighbours, sensitivity and threshold are required */
    SC_PURPOSE_LAW, /* they are, too; read from a record for its law, and never drawn: tables are not made */
    SC_PURPOSE_MODEL /* to be audited or described: they default to add-remove, 1 and 0; audit parameters allowed */
} sc_purpose;

/* From the text form, "NAME parameter=value ...". rest: what follows the name. */
SCRIM_MUST_USE scrim_status sc_measurement_new(const sc_mechanism *mechanism,
                                               sc_text rest, sc_purpose purpose,
                                               scrim_measurement **out,
                                               scrim_error *error);

/* Two steps under one charge, "NAME rest then ...": mechanism is the variant in sc_mechanism.followed,
 * rest what follows its name, then the second step, whose purpose the first one shares. Takes ownership of then,
 * also on failure. */
SCRIM_MUST_USE scrim_status sc_measurement_then(const sc_mechanism *mechanism,
                                                sc_text rest, scrim_measurement *then,
                                                scrim_measurement **out,
                                                scrim_error *error);

/* From a list of parameters, for SC_PURPOSE_DATA. */
SCRIM_MUST_USE scrim_status sc_measurement_from_list(const sc_mechanism *mechanism,
                                                     const scrim_parameter *list,
                                                     size_t count,
                                                     scrim_measurement **out,
                                                     scrim_error *error);

/* A parameter with its value as numbers or a word instead of text. */
typedef struct sc_argument {
    const char *name;
    const sc_ratio *values; /* NULL, and word NULL: the parameter is left out */
    size_t count;           /* of a list; 0: one value */
    const char *word;       /* in place of values */
} sc_argument;

/* From arguments, for SC_PURPOSE_DATA: saves writing numbers as text and parsing them again. */
SCRIM_MUST_USE scrim_status sc_measurement_of(const sc_mechanism *mechanism,
                                              const sc_argument *list, size_t count,
                                              scrim_measurement **out,
                                              scrim_error *error);

/* The rule of a parameter, NULL where the mechanism has no parameter of that name. */
const sc_parameter_rule *sc_measurement_rule(const sc_mechanism *mechanism,
                                             const char *name);
/* The value of a parameter, NULL when it was not given. */
const sc_ratio *sc_measurement_get(const scrim_measurement *measurement,
                                   const char *name);
/* Does its mechanism have a parameter of that name? */
bool sc_measurement_has(const scrim_measurement *measurement, const char *name);
/* SCRIM_E_PARAM unless exactly one of the names, ended by NULL, was given. */
SCRIM_MUST_USE scrim_status sc_measurement_one_of(const scrim_measurement *measurement,
                                                  const char *const *names,
                                                  scrim_error *error);
/* An integer parameter that fits int64_t; `missing` if it was not given. */
int64_t sc_measurement_integer(const scrim_measurement *measurement, const char *name,
                               int64_t missing);
/* The accuracy of a release on an input of this many values, at a confidence in (0, 1). */
SCRIM_MUST_USE scrim_status sc_measurement_certify(const scrim_measurement *measurement,
                                                   const sc_ratio *confidence,
                                                   size_t count, sc_certificate *out,
                                                   scrim_error *error);
/* The parameter neighbours; SCRIM_NEIGHBOURS_UNSET if it was not given. */
scrim_neighbours sc_measurement_neighbours(const scrim_measurement *measurement);

#endif
