/* What was measured, and the forms in which it is told. */
#ifndef RESULTS_H
#define RESULTS_H

#include "bench.h"

#include <stdio.h>

#define RESULTS_MAX 256

typedef struct result {
    char name[BENCH_NAME_BYTES];
    bench_unit unit;
    double median, spread, target;
    double instructions, bits, bits_target, allocations; /* of one operation */
    double ratio, ratio_target;                          /* our speed over the rival's */
    char rival[BENCH_NAME_BYTES];
    bool is_published; /* the rival's speed was measured by bench/rivals.py */
} result;

typedef struct results {
    size_t count;
    result list[RESULTS_MAX];
} results;

/* "54.1 M/s" and its kin. */
void result_format(const result *r, double value, char *text, size_t capacity);
/* Is a target missed? (What is unknown compares false.) */
bool result_is_missed(const result *r);

void results_print_head(FILE *out);
void results_print_row(const result *r, FILE *out);
/* 0, or -1 with errno set. */
int results_write_json(const results *all, const char *path);
int results_write_markdown(const results *all, const char *path);

/* Instruction counts against those of an earlier run, in a file that results_write_baseline
 * has written. Prints what has grown by more than a tenth and returns how many have. */
int results_write_baseline(const results *all, const char *path);
size_t results_compare(const results *all, const char *path, FILE *out);

/* The fastest rival of a distribution in the file that bench/rivals.py writes: its draws a
 * second, or BENCH_UNKNOWN, and its name. */
double results_published(const char *path, const char *distribution, char *name,
                         size_t capacity);

#endif
