/* The quantiles of the normal law, for predictions alone: no interval and no cost depends on them. */
#ifndef SC_QUERY_NORMAL_QUANTILE_H
#define SC_QUERY_NORMAL_QUANTILE_H

/* z with a share of the standard normal law below it, to 1e-9; share is between 0 and 1. */
double sc_normal_quantile(double share);

#endif
