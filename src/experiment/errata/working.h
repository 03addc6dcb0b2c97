/* The working of a counterexample: lines that say what is given, each number on the way, what the
 * document claims and what is true. A line has a formula, whose value is computed when it is added;
 * later formulas use it by its name.
 *
 *     sc_working_input(w, "q = 16", "width of the noise");
 *     sc_working_step(w, "eps = 1/sqrt(q)", "rate of the noise");
 *     sc_working_claimed(w, "4/sqrt(q)*exp(-sqrt(q)/2)", "delta");
 *     sc_working_true(w, "(exp(eps) - 1)/(2*(exp(eps*q/2) - 1))", "delta");
 *
 * A formula that cannot be computed, or a working that is too long, spoils the working: it has no
 * report. Nothing of it comes from a user.
 */
#ifndef SC_EXPERIMENT_WORKING_H
#define SC_EXPERIMENT_WORKING_H

#include "experiment/errata/exact_formula.h"
#include "scrim/errata.h"

#define SC_WORKING_LINES 40
#define SC_WORKING_BYTES 400

typedef enum sc_working_part {
    SC_WORKING_INPUT,
    SC_WORKING_STEP,
    SC_WORKING_CLAIMED,
    SC_WORKING_TRUE
} sc_working_part;

typedef struct sc_working_line {
    sc_working_part part;
    bool has_number;
    sc_quantity number; /* if has_number */
    char what[SC_WORKING_BYTES];
    char formula[SC_WORKING_BYTES];
    char value[SC_WORKING_BYTES];
} sc_working_line;

typedef struct sc_working {
    sc_formula_scope scope;
    sc_working_line lines[SC_WORKING_LINES];
    size_t count;
    bool is_spoilt;
    char fault[SC_WORKING_BYTES]; /* the formula that spoilt it */
} sc_working;

void sc_working_init(sc_working *w);
void sc_working_clear(sc_working *w);

/* "name = formula", or a formula without a name; what says what the number is. */
void sc_working_input(sc_working *w, const char *formula, const char *what);
void sc_working_step(sc_working *w, const char *formula, const char *what);
void sc_working_claimed(sc_working *w, const char *formula, const char *what);
void sc_working_true(sc_working *w, const char *formula, const char *what);
/* A number that was computed elsewhere, by name; how says by what. A name may be "". */
void sc_working_put(sc_working *w, sc_working_part part, const char *name,
                    const sc_quantity *number, const char *how, const char *what);
void sc_working_put_int64(sc_working *w, sc_working_part part, const char *name,
                          int64_t number, const char *how, const char *what);
/* A value in words, printf style. */
__attribute__((format(printf, 4, 5))) void sc_working_say(sc_working *w,
                                                          sc_working_part part,
                                                          const char *what,
                                                          const char *format, ...);
/* The value of a name; spoils the working and returns 0 if it is no exact integer. */
int64_t sc_working_integer(sc_working *w, const char *name);
const char *sc_working_part_name(sc_working_part part);

#endif
