/* The bench harness. A bench registers itself and measures one case or more:
 *
 *     BENCH(ratio)
 *     {
 *         bench_measure(&(bench_case){.name = "ratio parse 1/3", .unit = BENCH_NANOSECONDS,
 *                                     .body = parse, .context = "1/3", .counted = 1000});
 *     }
 *
 * A body does so many operations, one after the other. It is run until it is warm and the
 * harness knows how many operations fill a turn; then for BENCH_TURNS turns, of which the
 * median and the median distance from it are shown. Time is the processor time of this one
 * thread, so a busy machine costs precision and not truth. Beside it stand, a single
 * operation: instructions (counted by callgrind, in a second process with a fixed key, so
 * that they repeat), random bits taken from bench_bits, and allocations of the process, those
 * of GMP and libcrypto included.
 *
 * Nothing here passes or fails by the clock: a target that is missed is printed.
 */
#ifndef BENCH_H
#define BENCH_H

#include "random/bits.h"
#include "scrim/status.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BENCH_TURNS 15
/* The most samples that are held against a rival's. */
#define BENCH_SAMPLES_MAX 64
#define BENCH_NAME_BYTES 96
/* A figure that is not to be had, or a target that is not set. */
#define BENCH_UNKNOWN ((double)NAN)

typedef struct bench_entry bench_entry;
struct bench_entry {
    const char *name;
    void (*run)(void);
    bench_entry *next;
};
void bench_register(bench_entry *entry);

#define BENCH(bench_name)                                                                \
    static void run_##bench_name(void);                                                  \
    static bench_entry entry_##bench_name = {#bench_name, run_##bench_name, NULL};       \
    __attribute__((constructor)) static void register_##bench_name(void)                 \
    {                                                                                    \
        bench_register(&entry_##bench_name);                                             \
    }                                                                                    \
    static void run_##bench_name(void)

/* What a result is told in. Of the first two more is better, of the others less. */
typedef enum bench_unit {
    BENCH_DRAWS,     /* millions a second */
    BENCH_GIGABYTES, /* a second; bench_case.bytes says how many one operation handles */
    BENCH_NANOSECONDS,
    BENCH_MILLISECONDS,
    BENCH_MEGABYTES
} bench_unit;

typedef struct bench_case bench_case;
struct bench_case {
    const char *name; /* one line, unlike any other case's; copied */
    bench_unit unit;
    void (*body)(void *context, uint64_t operations);
    void *context;
    uint64_t bytes;
    uint64_t counted;        /* operations to count instructions of; 0: none */
    double target;           /* in the unit; 0: none */
    const bench_case *rival; /* measured in turns with this one */
    double ratio_target;     /* how many times the rival's speed; 0: none */
    double bits_target;      /* at most so many random bits an operation; 0: none */
};

/* Measures a case and its rival, if it is wanted. */
void bench_measure(const bench_case *c);
/* Records what a bench has measured by itself; samples are in the unit, and get sorted. */
void bench_record(const char *name, bench_unit unit, double *samples, size_t count,
                  double target);
/* The same beside a rival that was measured in turns with it: ratio_target is how many times the
 * rival's speed, 0 for none. What the rival took is recorded by itself. */
void bench_record_beside(const char *name, bench_unit unit, double *samples, size_t count,
                         const char *rival, const double *rival_samples,
                         double ratio_target);
/* False when a filter leaves it out, or when this process only counts instructions: then
 * what bench_record would be told need not be measured. */
bool bench_is_wanted(const char *name);

/* The system's source, with what is taken from it counted. */
sc_bits *bench_bits(void);
/* Ends the program with the message. */
_Noreturn void bench_die(const char *message);

static inline void bench_must(scrim_status status, const scrim_error *error)
{
    if (__builtin_expect(status != SCRIM_OK, 0))
        bench_die(error->message);
}

/* Was it asked for what takes minutes and gigabytes? */
bool bench_is_large(void);

/* The program and the shared library to measure; NULL when none was named. */
char *bench_program(void);
char *bench_library(void);

/* Makes the compiler believe that what this points to is read and written. */
static inline void bench_keep(const void *memory)
{
    __asm__ volatile("" : : "g"(memory) : "memory");
}

#endif
