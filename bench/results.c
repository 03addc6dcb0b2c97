#include "results.h"

#include <errno.h>
#include <jansson.h>
#include <openssl/crypto.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CELL 128
#define GROWTH_LIMIT 1.03

#ifdef __clang__
#define COMPILER "clang", __clang_major__
#else
#define COMPILER "gcc", __GNUC__
#endif

static const struct {
    const char *suffix, *json;
    bool is_more_better;
} units[] = {
    [BENCH_DRAWS] = {" M/s", "million_per_second", true},
    [BENCH_GIGABYTES] = {" GB/s", "gigabytes_per_second", true},
    [BENCH_NANOSECONDS] = {" ns", "nanoseconds", false},
    [BENCH_MILLISECONDS] = {" ms", "milliseconds", false},
    [BENCH_MEGABYTES] = {" MB", "megabytes", false},
};

/* Cells. */

/* Three digits, as far as they are behind the point. */
static void format_number(double value, const char *suffix, char *text, size_t capacity)
{
    double size = fabs(value);
    int digits = size == 0 ? 0 : size < 0.1 ? 4 : size < 10 ? 2 : size < 100 ? 1 : 0;
    if (isnan(value))
        (void)snprintf(text, capacity, "%s", "");
    else
        (void)snprintf(text, capacity, "%.*f%s", digits, value, suffix);
}

void result_format(const result *r, double value, char *text, size_t capacity)
{
    format_number(value, units[r->unit].suffix, text, capacity);
}

bool result_is_missed(const result *r)
{
    bool is_slow =
        units[r->unit].is_more_better ? r->median < r->target : r->median > r->target;
    return is_slow || r->ratio < r->ratio_target || r->bits > r->bits_target;
}

static double spread_percent(const result *r)
{
    return r->median == 0 ? 0 : 100 * r->spread / r->median;
}

/* "50.0 M/s, 100 bits: met": speeds and ratios at least, all else at most. */
static void format_target(const result *r, char *text, size_t capacity)
{
    char speed[CELL], ratio[CELL], bits[CELL];
    result_format(r, r->target, speed, sizeof speed);
    format_number(r->ratio_target, " x", ratio, sizeof ratio);
    format_number(r->bits_target, " bits", bits, sizeof bits);
    const char *comma = *speed != '\0' && *bits != '\0' ? ", " : "";
    (void)snprintf(text, capacity, "%s%s%s%s", speed, ratio, comma, bits);
    if (*text != '\0')
        strncat(text, result_is_missed(r) ? ": MISSED" : ": met",
                capacity - strlen(text) - 1);
}

static void format_rival(const result *r, char *text, size_t capacity)
{
    char value[CELL];
    if (isnan(r->ratio)) {
        *text = '\0';
        return;
    }
    format_number(r->ratio, "", value, sizeof value);
    (void)snprintf(text, capacity, "%s x %s", value, r->rival);
}

typedef struct row {
    char median[CELL], spread[CELL], instructions[CELL], bits[CELL], allocations[CELL];
    char target[3 * CELL + 16], rival[CELL + BENCH_NAME_BYTES + 8];
} row;

static row row_of(const result *r)
{
    row cells;
    result_format(r, r->median, cells.median, CELL);
    (void)snprintf(cells.spread, CELL, "%.1f %%", spread_percent(r));
    format_number(r->instructions, "", cells.instructions, CELL);
    format_number(r->bits, "", cells.bits, CELL);
    format_number(r->allocations, "", cells.allocations, CELL);
    format_target(r, cells.target, sizeof cells.target);
    format_rival(r, cells.rival, sizeof cells.rival);
    return cells;
}

/* For people. */

#define ROW "%-46s %10s %8s %9s %6s %6s  %-26s %s\n"

void results_print_head(FILE *out)
{
    fprintf(out, ROW, "", "median", "spread", "instr.", "bits", "allocs", "target",
            "beside");
}

void results_print_row(const result *r, FILE *out)
{
    row cells = row_of(r);
    fprintf(out, ROW, r->name, cells.median, cells.spread, cells.instructions, cells.bits,
            cells.allocations, cells.target, cells.rival);
}

/* The processor's name, where the kernel tells. */
static void processor_name(char *text, size_t capacity)
{
    char line[512];
    FILE *info = fopen("/proc/cpuinfo", "r");
    (void)snprintf(text, capacity, "%s", "processor of unknown name");
    while (info != NULL && fgets(line, sizeof line, info) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL)
            continue;
        line[strcspn(line, "\n")] = '\0';
        (void)snprintf(text, capacity, "%s", colon + 2);
        break;
    }
    if (info != NULL)
        (void)fclose(info);
}

static void machine_name(char *text, size_t capacity)
{
    struct utsname system;
    char processor[256];
    processor_name(processor, sizeof processor);
    if (uname(&system) != 0)
        *system.machine = '\0';
    (void)snprintf(text, capacity, "%s, %ld cores, %s; %s %d; libcrypto %s", processor,
                   sysconf(_SC_NPROCESSORS_ONLN), system.machine, COMPILER,
                   OpenSSL_version(OPENSSL_FULL_VERSION_STRING));
}

int results_write_markdown(const results *all, const char *path)
{
    char machine[512];
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return -1;
    machine_name(machine, sizeof machine);
    fprintf(
        out,
        "# What was measured\n\n"
        "Written by `make bench-results`; not edited by hand. %s.\n\n"
        "Medians of %d turns (of 50 starts and 5 printings of the program), one "
        "thread, processor time (of a start, wall-clock time); the spread is the median "
        "distance from the median. Instructions "
        "(callgrind's count), random bits and allocations are those of one operation, "
        "a draw or a call; an empty cell was not measured. Targets are lower bounds of "
        "speeds and ratios and upper bounds of all else. Rivals are measured in turns "
        "with ours, or, those with a version number, by `bench/rivals.py`.\n\n"
        "| what | median | spread | instructions | bits | allocations | target | beside "
        "|\n"
        "|---|---:|---:|---:|---:|---:|---|---|\n",
        machine, BENCH_TURNS);
    for (size_t i = 0; i < all->count; i++) {
        row cells = row_of(&all->list[i]);
        fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", all->list[i].name,
                cells.median, cells.spread, cells.instructions, cells.bits,
                cells.allocations, cells.target, cells.rival);
    }
    return fclose(out) == 0 ? 0 : -1;
}

/* For machines. */

static int write_document(json_t *document, const char *path)
{
    FILE *out = fopen(path, "w");
    int status = -1;
    if (out != NULL) {
        status = json_dumpf(document, out, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
        if (putc('\n', out) == EOF)
            status = -1;
        if (fclose(out) != 0)
            status = -1;
    }
    json_decref(document);
    return status;
}

static void set_number(json_t *object, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(object, key, json_real(value));
}

static json_t *result_json(const result *r)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", json_string(r->name));
    json_object_set_new(object, "unit", json_string(units[r->unit].json));
    set_number(object, "median", r->median);
    set_number(object, "spread", r->spread);
    set_number(object, "instructions", r->instructions);
    set_number(object, "bits", r->bits);
    set_number(object, "allocations", r->allocations);
    set_number(object, "target", r->target);
    set_number(object, "bits_target", r->bits_target);
    set_number(object, "ratio", r->ratio);
    set_number(object, "ratio_target", r->ratio_target);
    if (!isnan(r->ratio)) {
        json_object_set_new(object, "rival", json_string(r->rival));
        json_object_set_new(object, "rival_measured",
                            json_string(r->is_published ? "apart" : "in turns"));
    }
    if (!isnan(r->target) || !isnan(r->ratio_target) || !isnan(r->bits_target))
        json_object_set_new(object, "met", json_boolean(!result_is_missed(r)));
    return object;
}

int results_write_json(const results *all, const char *path)
{
    char machine[512];
    machine_name(machine, sizeof machine);
    json_t *document = json_object(), *list = json_array();
    json_object_set_new(document, "machine", json_string(machine));
    json_object_set_new(document, "turns", json_integer(BENCH_TURNS));
    for (size_t i = 0; i < all->count; i++)
        json_array_append_new(list, result_json(&all->list[i]));
    json_object_set_new(document, "results", list);
    return write_document(document, path);
}

/* The baseline. */

/* Counts are comparable for one kind of code only. */
static void code_kind(char *text, size_t capacity)
{
    struct utsname system;
    if (uname(&system) != 0)
        *system.machine = '\0';
    (void)snprintf(text, capacity, "callgrind, %s, %s %d", system.machine, COMPILER);
}

int results_write_baseline(const results *all, const char *path)
{
    char kind[CELL];
    code_kind(kind, sizeof kind);
    json_t *document = json_object(), *counts = json_object();
    json_object_set_new(document, "kind", json_string(kind));
    for (size_t i = 0; i < all->count; i++)
        set_number(counts, all->list[i].name, all->list[i].instructions);
    json_object_set_new(document, "instructions", counts);
    return write_document(document, path);
}

static size_t compare_counts(const results *all, const json_t *counts, FILE *out)
{
    size_t compared = 0, grown = 0;
    for (size_t i = 0; i < all->count; i++) {
        const result *r = &all->list[i];
        double before = json_number_value(json_object_get(counts, r->name));
        if (isnan(r->instructions) || before <= 0)
            continue;
        compared++;
        if (r->instructions <= before * GROWTH_LIMIT)
            continue;
        grown++;
        fprintf(out, "WARNING: %s takes %.1f instructions, %.0f %% more than %.1f\n",
                r->name, r->instructions, 100 * (r->instructions / before - 1), before);
    }
    fprintf(out, "instructions: %zu compared with the baseline, %zu grown by over 3 %%\n",
            compared, grown);
    return grown;
}

size_t results_compare(const results *all, const char *path, FILE *out)
{
    char kind[CELL];
    json_error_t problem;
    size_t grown = 0;
    json_t *document = json_load_file(path, 0, &problem);
    const char *theirs = json_string_value(json_object_get(document, "kind"));
    code_kind(kind, sizeof kind);
    if (theirs == NULL)
        fprintf(out, "instructions: no baseline in %s\n", path);
    else if (strcmp(theirs, kind) != 0)
        fprintf(out, "instructions: not compared: the baseline is of %s, this is %s\n",
                theirs, kind);
    else
        grown = compare_counts(all, json_object_get(document, "instructions"), out);
    json_decref(document);
    return grown;
}

double results_published(const char *path, const char *distribution, char *name,
                         size_t capacity)
{
    json_error_t problem;
    json_t *document = json_load_file(path, 0, &problem), *entry;
    double best = BENCH_UNKNOWN;
    size_t i;
    json_array_foreach(json_object_get(document, distribution), i, entry)
    {
        double speed = json_number_value(json_object_get(entry, "draws_per_second"));
        const char *rival = json_string_value(json_object_get(entry, "name"));
        const char *law = json_string_value(json_object_get(entry, "law"));
        if (rival == NULL || law == NULL || !(speed > 0) || speed <= best)
            continue;
        best = speed;
        (void)snprintf(name, capacity, "%s, %s", rival, law);
    }
    json_decref(document);
    return best;
}
