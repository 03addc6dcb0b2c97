#include "bench.h"

#include "allocations.h"
#include "instructions.h"
#include "random/bits_system.h"
#include "results.h"
#include "statistics.h"
#include "system_calls.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TURN_SECONDS 0.02
#define FILTERS_MAX 16

static struct {
    const char *filters[FILTERS_MAX];
    size_t filter_count;
    char *json, *markdown, *baseline, *new_baseline, *published, *program, *library;
    bool is_counting, is_uncounted, is_untimed, is_gate, is_large;
} options;

static results all;
static bench_entry *first, **last = &first;

void bench_register(bench_entry *entry)
{
    *last = entry;
    last = &entry->next;
}

char *bench_program(void)
{
    return options.program;
}

char *bench_library(void)
{
    return options.library;
}

bool bench_is_large(void)
{
    return options.is_large;
}

void bench_die(const char *message)
{
    fprintf(stderr, "bench: %s\n", message);
    exit(1);
}

/* Random bits, counted. */

/* Shares the supply of the source behind it, and sees no more than its refills: the words
 * that were made and are not left have been taken. */
typedef struct counted_bits {
    sc_bits bits; /* first: the handle is a pointer to it */
    sc_bits *source;
    uint64_t made;
} counted_bits;

static scrim_status counted_refill(sc_bits *bits, scrim_error *error)
{
    counted_bits *self = (counted_bits *)bits;
    scrim_status status = self->source->refill(self->source, error);
    if (status == SCRIM_OK)
        self->made += self->source->supply->left;
    return status;
}

static counted_bits system_bits;

sc_bits *bench_bits(void)
{
    return &system_bits.bits;
}

static uint64_t bits_taken(void)
{
    const sc_bits_supply *supply = system_bits.bits.supply;
    return 64 * (system_bits.made - supply->left) - supply->held;
}

/* Where instructions are counted the kernel's answer is always the same. */
static ssize_t fixed_entropy(void *buffer, size_t bytes, unsigned flags)
{
    (void)flags;
    memset(buffer, 0x5c, bytes);
    return (ssize_t)bytes;
}

static void open_bits(void)
{
    scrim_error error;
    if (options.is_counting)
        system_call.getrandom = fixed_entropy;
    bench_must(sc_bits_system_open(&system_bits.source, &error), &error);
    system_bits.bits.supply = system_bits.source->supply;
    system_bits.bits.refill = counted_refill;
}

/* Measuring. */

static double processor_seconds(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        bench_die("there is no clock of processor time");
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds_of(const bench_case *c, uint64_t operations)
{
    double start = processor_seconds();
    c->body(c->context, operations);
    return processor_seconds() - start;
}

/* How many operations fill a turn. Finding out is the warm-up. */
static uint64_t operations_of_turn(const bench_case *c)
{
    uint64_t operations = 1;
    for (;;) {
        double seconds = seconds_of(c, operations);
        if (seconds >= TURN_SECONDS)
            return operations;
        if (seconds < TURN_SECONDS / 16)
            operations *= 8;
        else
            operations =
                1 + (uint64_t)((double)operations * 1.1 * TURN_SECONDS / seconds);
    }
}

/* The unit, from the seconds that one operation takes. */
static double in_unit(const bench_case *c, double seconds)
{
    switch (c->unit) {
    case BENCH_DRAWS:
        return 1e-6 / seconds;
    case BENCH_GIGABYTES:
        return (double)c->bytes * 1e-9 / seconds;
    case BENCH_NANOSECONDS:
        return seconds * 1e9;
    case BENCH_MILLISECONDS:
        return seconds * 1e3;
    case BENCH_MEGABYTES:
        break;
    }
    return BENCH_UNKNOWN;
}

/* A case in the middle of being measured. */
typedef struct measurement {
    const bench_case *c;
    uint64_t operations, bits, allocations;
    double samples[BENCH_TURNS];
} measurement;

static void take_turn(measurement *m, size_t turn)
{
    uint64_t bits = bits_taken(), allocations = allocations_made();
    double seconds = seconds_of(m->c, m->operations);
    m->allocations += allocations_made() - allocations;
    m->bits += bits_taken() - bits;
    m->samples[turn] = in_unit(m->c, seconds / (double)m->operations);
}

static result *new_result(const char *name, bench_unit unit, double target)
{
    if (all.count == RESULTS_MAX)
        bench_die("too many results");
    result *r = &all.list[all.count++];
    *r = (result){.unit = unit,
                  .target = target > 0 ? target : BENCH_UNKNOWN,
                  .instructions = BENCH_UNKNOWN,
                  .bits = BENCH_UNKNOWN,
                  .bits_target = BENCH_UNKNOWN,
                  .allocations = BENCH_UNKNOWN,
                  .ratio = BENCH_UNKNOWN,
                  .ratio_target = BENCH_UNKNOWN};
    (void)snprintf(r->name, sizeof r->name, "%s", name);
    return r;
}

void bench_record(const char *name, bench_unit unit, double *samples, size_t count,
                  double target)
{
    result *r = new_result(name, unit, target);
    r->median = statistics_median(samples, count);
    r->spread = statistics_spread(samples, count, r->median);
    results_print_row(r, stdout);
}

void bench_record_beside(const char *name, bench_unit unit, double *samples, size_t count,
                         const char *rival, const double *rival_samples,
                         double ratio_target)
{
    double ratios[BENCH_SAMPLES_MAX];
    if (count > BENCH_SAMPLES_MAX)
        bench_die("too many samples");
    for (size_t i = 0; i < count; i++)
        ratios[i] = unit <= BENCH_GIGABYTES ? samples[i] / rival_samples[i]
                                            : rival_samples[i] / samples[i];
    result *r = new_result(name, unit, 0);
    r->median = statistics_median(samples, count);
    r->spread = statistics_spread(samples, count, r->median);
    r->ratio = statistics_median(ratios, count);
    r->ratio_target = ratio_target > 0 ? ratio_target : BENCH_UNKNOWN;
    (void)snprintf(r->rival, sizeof r->rival, "%s", rival);
    results_print_row(r, stdout);
}

static result *conclude(measurement *m)
{
    result *r = new_result(m->c->name, m->c->unit, m->c->target);
    double operations = (double)(m->operations * BENCH_TURNS);
    r->median = statistics_median(m->samples, BENCH_TURNS);
    r->spread = statistics_spread(m->samples, BENCH_TURNS, r->median);
    r->instructions = instructions_of(m->c->name);
    r->bits = m->bits == 0 ? BENCH_UNKNOWN : (double)m->bits / operations;
    r->bits_target = m->c->bits_target > 0 ? m->c->bits_target : BENCH_UNKNOWN;
    if (allocations_are_counted())
        r->allocations = (double)m->allocations / operations;
    return r;
}

static void set_published(const bench_case *c, result *r)
{
    if (options.published == NULL || c->unit != BENCH_DRAWS)
        return;
    double theirs =
        results_published(options.published, c->name, r->rival, sizeof r->rival);
    if (isnan(theirs))
        return;
    r->ratio = r->median * 1e6 / theirs;
    r->is_published = true;
}

static void measure_alone(const bench_case *c)
{
    measurement ours = {.c = c, .operations = operations_of_turn(c)};
    for (size_t i = 0; i < BENCH_TURNS; i++)
        take_turn(&ours, i);
    result *r = conclude(&ours);
    set_published(c, r);
    results_print_row(r, stdout);
}

/* Turn about, so that what disturbs one disturbs the other; the ratio is the median of the
 * ratios of neighbouring turns. Less is better or more is, as the unit has it. */
static void measure_against(const bench_case *c, const bench_case *rival)
{
    measurement ours = {.c = c, .operations = operations_of_turn(c)};
    measurement theirs = {.c = rival, .operations = operations_of_turn(rival)};
    double ratios[BENCH_TURNS];
    for (size_t i = 0; i < BENCH_TURNS; i++) {
        take_turn(&ours, i);
        take_turn(&theirs, i);
        ratios[i] = c->unit <= BENCH_GIGABYTES ? ours.samples[i] / theirs.samples[i]
                                               : theirs.samples[i] / ours.samples[i];
    }
    result *r = conclude(&ours);
    r->ratio = statistics_median(ratios, BENCH_TURNS);
    r->ratio_target = c->ratio_target > 0 ? c->ratio_target : BENCH_UNKNOWN;
    (void)snprintf(r->rival, sizeof r->rival, "%s", rival->name);
    results_print_row(r, stdout);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, rival->name) == 0)
            return; /* it has been a rival before */
    results_print_row(conclude(&theirs), stdout);
}

static void record_count(const bench_case *c)
{
    const double instructions = instructions_of(c->name);
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(all.list[i].name, c->name) == 0)
            return;
    if (!isnan(instructions))
        new_result(c->name, c->unit, 0)->instructions = instructions;
}

static bool passes_filters(const char *name)
{
    bool passes = options.filter_count == 0;
    for (size_t i = 0; i < options.filter_count; i++)
        passes = passes || strstr(name, options.filters[i]) != NULL;
    return passes;
}

bool bench_is_wanted(const char *name)
{
    return !options.is_counting && !options.is_untimed && passes_filters(name);
}

void bench_measure(const bench_case *c)
{
    if (!passes_filters(c->name))
        return;
    if (options.is_counting) {
        if (c->counted > 0)
            instructions_run(c);
    } else if (options.is_untimed) {
        record_count(c);
        if (c->rival != NULL)
            record_count(c->rival);
    } else if (c->rival != NULL) {
        measure_against(c, c->rival);
    } else {
        measure_alone(c);
    }
}

/* The program. */

_Noreturn static void usage(void)
{
    fputs(
        "usage: bench [--filter TEXT]... [--json FILE] [--markdown FILE]\n"
        "             [--no-count | --no-time]\n"
        "             [--baseline FILE [--gate]] [--new-baseline FILE] [--published "
        "FILE]\n"
        "             [--program FILE] [--library FILE] [--large]\n"
        "--no-time counts instructions only. --baseline compares them; with --gate one\n"
        "that has grown by more than 3 % is a failure. --large also measures what takes "
        "minutes and\n"
        "gigabytes.\n",
        stderr);
    exit(2);
}

static void read_options(int argc, char **argv)
{
    enum {
        FILTER = 1,
        JSON,
        MARKDOWN,
        BASELINE,
        NEW_BASELINE,
        PUBLISHED,
        PROGRAM,
        LIBRARY
    };
    enum { COUNTING = LIBRARY + 1, NO_COUNT, NO_TIME, GATE, LARGE };
    static const struct option list[] = {
        {"filter", required_argument, NULL, FILTER},
        {"json", required_argument, NULL, JSON},
        {"markdown", required_argument, NULL, MARKDOWN},
        {"baseline", required_argument, NULL, BASELINE},
        {"new-baseline", required_argument, NULL, NEW_BASELINE},
        {"published", required_argument, NULL, PUBLISHED},
        {"program", required_argument, NULL, PROGRAM},
        {"library", required_argument, NULL, LIBRARY},
        {"counting", no_argument, NULL, COUNTING},
        {"no-count", no_argument, NULL, NO_COUNT},
        {"no-time", no_argument, NULL, NO_TIME},
        {"gate", no_argument, NULL, GATE},
        {"large", no_argument, NULL, LARGE},
        {NULL, 0, NULL, 0},
    };
    char **values[] = {
        [JSON] = &options.json,           [MARKDOWN] = &options.markdown,
        [BASELINE] = &options.baseline,   [NEW_BASELINE] = &options.new_baseline,
        [PUBLISHED] = &options.published, [PROGRAM] = &options.program,
        [LIBRARY] = &options.library,
    };
    for (int c; (c = getopt_long(argc, argv, "", list, NULL)) != -1;) {
        if (c == FILTER && options.filter_count < FILTERS_MAX)
            options.filters[options.filter_count++] = optarg;
        else if (c >= JSON && c <= LIBRARY)
            *values[c] = optarg;
        else if (c == COUNTING)
            options.is_counting = true;
        else if (c == NO_COUNT)
            options.is_uncounted = true;
        else if (c == NO_TIME)
            options.is_untimed = true;
        else if (c == GATE)
            options.is_gate = true;
        else if (c == LARGE)
            options.is_large = true;
        else
            usage();
    }
    if (optind < argc)
        usage();
}

static void write_file(int (*write)(const results *, const char *), const char *path)
{
    if (path != NULL && write(&all, path) != 0) {
        fprintf(stderr, "bench: %s: %s\n", path, strerror(errno));
        exit(1);
    }
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    open_bits();
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    if (!options.is_counting) {
        if (!options.is_uncounted)
            instructions_count(argv + 1);
        if (!options.is_untimed)
            results_print_head(stdout);
    }
    for (const bench_entry *entry = first; entry != NULL; entry = entry->next)
        entry->run();
    sc_bits_system_close(system_bits.source);
    if (options.is_counting)
        return 0;
    if (all.count == 0)
        bench_die("nothing has this name");
    write_file(results_write_json, options.json);
    write_file(results_write_markdown, options.markdown);
    size_t grown = 0;
    if (options.baseline != NULL)
        grown = results_compare(&all, options.baseline, stdout);
    write_file(results_write_baseline, options.new_baseline);
    return options.is_gate && grown > 0;
}
