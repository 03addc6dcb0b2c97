/* Forecast of a search for texts: how likely a text is listed that a share of all devices holds.
 *
 * A report supports a text of share f with probability f P + (1 - f) Q, so its count in a group of n reports is
 * binomial. In each group but the last the text must be among the prefixes that go on; half of their places are
 * taken to be held by other texts as frequent. In the last it must reach the threshold. Groups are independent,
 * and in a plan their sizes are random: each is replaced by three sizes of the same first five moments.
 *
 * Claim  text-forecast.chance  a text of the detectable share is listed with the chance that was asked for, or more,
 *                              where at most half of the prefixes kept are other texts as frequent
 */
#ifndef SC_LOCAL_TEXT_FORECAST_H
#define SC_LOCAL_TEXT_FORECAST_H

#include "scrim_local.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SC_FORECAST_POINTS 3

/* The probability that a report supports the text that its device holds; of any other it is 1/cells. */
double sc_text_report_truth(const scrim_local_config *config);

/* The least c with candidates x P(Bin(n, q) >= c) <= alpha; n + 1 if no c is enough. Tails are doubles; a
 * millionth is added, which is far more than they err. */
uint64_t sc_support_threshold(uint64_t n, double q, uint64_t candidates, double alpha);

typedef struct sc_text_search {
    const scrim_local_config *config; /* of prefix or text-hashing */
    uint64_t keep;                    /* prefixes of each length that go on */
    uint64_t candidates;              /* of text-hashing: listed texts */
    double alpha;
} sc_text_search;

/* Groups of one size and as many candidates. */
typedef struct sc_forecast_step {
    double times; /* how many groups */
    double weight[SC_FORECAST_POINTS];
    uint64_t size[SC_FORECAST_POINTS],
        least[SC_FORECAST_POINTS]; /* least count that passes */
} sc_forecast_step;

typedef struct sc_text_forecast {
    double truth, other;
    size_t count;
    sc_forecast_step steps[SCRIM_LOCAL_PREFIXES];
} sc_text_forecast;

/* sizes: reports of each group, as they were collected. */
void sc_text_forecast_of(const sc_text_search *search, const uint64_t *sizes,
                         sc_text_forecast *out);
/* Before reports are collected: each of `users` devices draws its group. */
void sc_text_forecast_plan(const sc_text_search *search, uint64_t users,
                           sc_text_forecast *out);

double sc_text_forecast_chance(const sc_text_forecast *forecast, double share);
/* The least share that is listed with that chance; 1 if none is. */
double sc_text_forecast_detectable(const sc_text_forecast *forecast, double chance);

/* Steps of a search that a plan chooses: those of the smallest detectable share among the searches that a
 * processor decodes in about half a minute; where all take longer, the fastest. Sets prefixes. */
void sc_text_steps_choose(scrim_local_config *config, uint64_t users, uint64_t keep,
                          double alpha);

#endif
