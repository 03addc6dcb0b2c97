/* Checks that tests of noisy thresholds have in common (mechanism/threshold/noisy_threshold.h). */
#ifndef THRESHOLD_CHECKS_H
#define THRESHOLD_CHECKS_H

#include "model/measurement.h"

/* The mass of one group's answer in its law: SC_THRESHOLD_UNSEEN, or a value that is shown. */
double threshold_mass(const sc_outcomes *law, int64_t shown);

/* Checks that a measurement is concentrated beside the event that a new group is shown: together
 * they are never below its curve, and at an epsilon that is far off they are the event itself. */
void threshold_check_aside(const scrim_measurement *measurement);

/* Draws of groups of 0, 1, 2, .. units (or steps of weight), up to some that are shown as a rule,
 * held against the law; what is shown is T or more, and a group of nobody is never shown. */
void threshold_check_draws(const char *line);

#endif
