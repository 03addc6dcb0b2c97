/* A88: calibration and composition of extreme parameters end in time, with an answer or a refusal.
 * The quick tier gives each of them a tenth of the time, and the test asks that none overruns it by
 * more than its inner loops may; the long tier has the limits that ship. */
#include "base/work_limit.h"
#include "check.h"
#include "sanitized.h"
#include "scrim.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* A small generator: what it makes is the same for a seed on every machine. */
typedef struct dice {
    uint64_t state;
} dice;

static uint64_t roll(dice *d, uint64_t sides)
{
    d->state = d->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (d->state >> 33) % sides;
}

#define PICK(d, list) ((list)[roll((d), sizeof(list) / sizeof *(list))])

static const char *const epsilons[] = {"2^-60",     "1e-18", "1e-9", "1e-6", "0.001",
                                       "0.0285158", "0.1",   "1/3",  "1",    "2.2742",
                                       "10",        "100",   "999",  "1000", "1001",
                                       "1e6",       "2^20",  "1e30", "1e-60"};
static const char *const deltas[] = {"2^-160",
                                     "1e-300",
                                     "1e-48",
                                     "1e-37",
                                     "1e-30",
                                     "1e-12",
                                     "1e-6",
                                     "0.01",
                                     "0.5",
                                     "0.999999",
                                     "999999999/1000000000",
                                     "1/340282366920938463463374607431768211457"};
static const char *const sizes[] = {"2^-60", "1e-9",
                                    "0.1",   "1/3",
                                    "1",     "2",
                                    "3",     "64",
                                    "65",    "1000",
                                    "1e6",   "2^40",
                                    "2^60",  "469948910710359668/154389446109322922"};
static const char *const counts[] = {"1", "2", "3", "7", "64", "65", "1000", "1000000"};
static const uint64_t releases[] = {
    1, 1, 2, 3, 10, 100, 1000, 1000000, UINT64_C(704409334002), UINT64_C(1) << 40};

/* Letters stand for lists: s sizes, d deltas, c counts. */
static const char *const lines[] = {
    "laplace sensitivity=%s",
    "laplace sensitivity=%s grid=2^-40 size=%c",
    "gaussian sensitivity=%s",
    "gaussian sensitivity=%s size=%c",
    "truncated-laplace sensitivity=%s delta=%d",
    "robust-laplace rho=%s",
    "exponential sensitivity=%s",
    "exponential sensitivity=%s grid=2^-10",
    "permute-and-flip sensitivity=%s",
    "noisy-max sensitivity=%s",
    "base2-exponential sensitivity=%s",
    "top-k sensitivity=%s k=%c",
    "randomised-response values=%c",
    "quantile p=1/4,1/2,3/4 lower=0 upper=1e6 grid=0.01",
    "quantile p=1/2 lower=0 upper=%c",
    "above-threshold sensitivity=%s threshold=0",
    "sparse-vector sensitivity=%s threshold=0 count=%c",
    "range sensitivity=%s delta=%d",
    "range sensitivity=%s width=%c size=64",
    "partition-selection delta=%d max-groups=%c",
    "threshold-laplace delta=%d max-groups=%c",
    "threshold-gaussian delta=%d max-groups=%c",
    "threshold-truncated delta=%d max-groups=%c",
    "threshold-weighted delta=%d max-groups=%c",
    "stabilise sensitivity=%c delta=%d",
    "interval-counts cells=%c circle=yes",
    "item-sets delta=%d length=9 items=4 size=2 max-rows=%c",
    "frequent-sets delta=%d length=9 items=4 size=3 frequent=9 max-rows=%c",
    "stlap delta=%d group=%c",
    "bucket-histogram upper=120 beta=0.1 q=%c group=%c",
    "emptiness certain=%c",
    "continuous-gaussian",
    "continuous-laplace",
};

static void write_line(dice *d, const char *form, char *out, size_t capacity)
{
    size_t used = 0;
    for (; *form != '\0' && used + 1 < capacity; form++) {
        const char *word = NULL;
        if (form[0] == '%')
            word = form[1] == 's'   ? PICK(d, sizes)
                   : form[1] == 'd' ? PICK(d, deltas)
                                    : PICK(d, counts);
        if (word == NULL) {
            out[used++] = *form;
            continue;
        }
        used += (size_t)snprintf(out + used, capacity - used, "%s", word);
        form++;
    }
    out[used < capacity ? used : capacity - 1] = '\0';
}

static uint64_t cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_end(scrim_status status)
{
    return status == SCRIM_OK || (status >= SCRIM_E_PARAM && status < SCRIM_E_POLICY);
}

/* Checks the time, and tells what took it. */
static void check_time(uint64_t began, uint64_t most_ms, const char *what)
{
    const uint64_t took = cpu_ms() - began;
    if (!CHECK(took <= most_ms))
        printf("# %llu ms: %s\n", (unsigned long long)took, what);
}

static void calibrate_one(dice *d, uint64_t most_ms)
{
    char line[512], what[1024];
    scrim_calibration found;
    scrim_calibrate_options options = {.size = sizeof options};
    write_line(d, PICK(d, lines), line, sizeof line);
    if (roll(d, 4) > 0)
        options.epsilon = PICK(d, epsilons);
    else
        options.target_error = PICK(d, sizes);
    if (roll(d, 3) > 0)
        options.delta = PICK(d, deltas);
    options.count = PICK(d, releases);
    snprintf(what, sizeof what, "calibrate %s epsilon %s error %s delta %s count %llu",
             line, options.epsilon == NULL ? "-" : options.epsilon,
             options.target_error == NULL ? "-" : options.target_error,
             options.delta == NULL ? "-" : options.delta,
             (unsigned long long)options.count);
    const uint64_t began = cpu_ms();
    CHECK(is_end(scrim_calibrate(line, &options, &found, NULL)));
    check_time(began, most_ms, what);
}

static void compose_one(dice *d, uint64_t most_ms)
{
    char text[4096];
    size_t used = 0;
    scrim_composition *composition = NULL;
    scrim_bounds bounds;
    const uint64_t began = cpu_ms();
    for (uint64_t parts = 1 + roll(d, 4); parts > 0; parts--) {
        char line[512];
        do
            write_line(d, PICK(d, lines), line, sizeof line);
        while (strncmp(line, "continuous", 10) == 0);
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s%s %s=%s x%llu", used > 0 ? "; " : "",
            line, strncmp(line, "gaussian", 8) == 0 ? "sigma" : "epsilon",
            PICK(d, epsilons), (unsigned long long)PICK(d, releases));
    }
    scrim_status status = scrim_composition_parse(text, &composition, NULL);
    CHECK(is_end(status));
    if (status == SCRIM_OK) {
        status =
            scrim_composition_epsilon(composition, PICK(d, deltas), NULL, &bounds, NULL);
        CHECK(is_end(status));
        if (status == SCRIM_OK)
            scrim_bounds_clear(&bounds);
    }
    check_time(began, most_ms, text);
    scrim_composition_free(composition);
}

/* Those that took from 3 to 40 seconds. */
static void calibrate_known(uint64_t most_ms, uint64_t work)
{
    static const struct {
        const char *line, *epsilon, *delta, *error;
        uint64_t count;
    } slow[] = {
        {"sparse-vector sensitivity=2^-60 threshold=0 count=1000", "57175810377", NULL,
         NULL, 1},
        {"continuous-gaussian", "1e6", "0.23", NULL, 2},
        {"continuous-gaussian", "2^20", "1e-12", NULL, 100},
        {"continuous-gaussian", "1/3", "999999999/1000000000", NULL, 3},
        {"continuous-gaussian", "1/3", "999999999/1000000000", NULL, UINT64_C(1) << 40},
        {"partition-selection delta=1e-29 max-groups=7", "1e-6", "1e-30", NULL, 2},
        {"threshold-gaussian delta=0.01 max-groups=1000000", NULL, "1e-6", "2^80", 1},
        {"quantile p=1/4,1/2,3/4 lower=0 upper=1e6 grid=0.01", NULL, "1e-30", "2^80", 1},
        {"exponential sensitivity=2^-60 grid=2^-10", "10", "1e-12", NULL, 704409334002},
    };
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        scrim_calibration found;
        const scrim_calibrate_options options = {.size = sizeof options,
                                                 .epsilon = slow[i].epsilon,
                                                 .delta = slow[i].delta,
                                                 .target_error = slow[i].error,
                                                 .count = slow[i].count};
        const uint64_t began = cpu_ms();
        sc_work_limit limit;
        sc_work_limit_enter(&limit, work);
        CHECK(is_end(scrim_calibrate(slow[i].line, &options, &found, NULL)));
        sc_work_limit_leave(&limit);
        check_time(began, most_ms, slow[i].line);
    }
}

SLOW_TEST(A88_extreme_parameters_end_in_time)
{
    CLAIM("calibration.ends");
    dice d = {check_seed() + 1};
    const bool is_long = check_is_long();
    const uint64_t most_ms =
        is_long ? 2000 : UINT64_MAX; /* then the runner's limit ends it */
    const uint64_t work =
        is_long ? UINT64_MAX : UINT64_C(30000000); /* of each question */
    if (IS_SANITIZED)
        SKIP("an instrumented build has other limits");
    calibrate_known(most_ms, work);
    for (uint64_t i = check_count(15, 600); i > 0; i--) {
        sc_work_limit limit;
        sc_work_limit_enter(&limit, work);
        calibrate_one(&d, most_ms);
        sc_work_limit_leave(&limit);
        sc_work_limit_enter(&limit, work);
        compose_one(&d, most_ms);
        sc_work_limit_leave(&limit);
    }
}
