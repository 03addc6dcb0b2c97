/* The cost of a release and its promises, in words for people and in JSON. */
#ifndef SC_CLI_RELEASE_NOTE_H
#define SC_CLI_RELEASE_NOTE_H

#include "cli/display/json_writer.h"

/* "interval", "pac", "range", "flexible" or "none". */
const char *sc_certificate_form_name(scrim_certificate_form form);

/* An object with the members that the cost has; numbers are strings, exact. */
void sc_cost_json(sc_json *json, const char *name, const scrim_cost *cost);
void sc_certificate_json(sc_json *json, const char *name,
                         const scrim_certificate *certificate);

/* "epsilon 0.1, delta 0"; rho only where there is no epsilon, since few know it. */
void sc_cost_write_short(sc_output *output, const scrim_cost *cost);
/* "epsilon 0.1, delta 0, rho 0.005". A number with many digits is shown rounded up; JSON has
 * all of them. */
void sc_cost_write(sc_output *output, const scrim_cost *cost);
/* "each value is within 29 of the truth with probability 0.95". input is what the mechanism
 * takes, as `scrim list mechanisms` names it. */
void sc_certificate_write(sc_output *output, const scrim_certificate *certificate,
                          const char *input);

/* How often whoever is shown one of two neighbours, each as likely, and must say which it was
 * can be right, rounded up to a thousandth: the smaller of (exp(epsilon) + delta) / (1 + exp(epsilon)) and of what the
 * rho proves (model/guess.h); 1 where there is neither. A view. */
double sc_cost_guess_upper(const scrim_cost *cost);
/* The same where the distance in total variation is known, which is the delta at epsilon 0: (1 + distance) / 2. */
double sc_distance_guess_upper(double distance);
#define SC_GUESS_BYTES 48
/* "is right at most 62.3 %", or "may be right more than 99.9 %" where it would round up to 1. Returns the text. */
const char *sc_guess_text(double guess, char text[SC_GUESS_BYTES]);
const char *sc_cost_guess_text(const scrim_cost *cost, char text[SC_GUESS_BYTES]);
/* The meaning of an epsilon, and a caution where it means little: "meaning     a guess ..."; nothing for a cost without an
 * epsilon. */
void sc_cost_meaning_write(sc_output *output, const scrim_cost *cost, const char *unit);
/* The same with a guess of one's own. */
void sc_guess_meaning_write(sc_output *output, const scrim_cost *cost, double guess,
                            const char *unit);

/* The lines below an answer. They do not depend on the input, but for its public size. What is
 * wider than columns is folded, but for the name of what was released. */
void sc_release_note_write(sc_output *output, const scrim_measurement *measurement,
                           const scrim_cost *cost, const scrim_certificate *certificate,
                           size_t columns);

#endif
