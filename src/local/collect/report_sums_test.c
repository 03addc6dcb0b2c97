#include "local/collect/collection.h"
#include "local/collect/report_sums.h"
#include "local_device.h"
#include "local_fleet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 65536

typedef struct written {
    char text[TEXT_BYTES];
    size_t bytes;
} written;

static bool keep(void *context, const char *text, size_t bytes)
{
    written *to = context;
    if (to->bytes + bytes >= TEXT_BYTES)
        return false;
    memcpy(to->text + to->bytes, text, bytes);
    to->bytes += bytes;
    to->text[to->bytes] = '\0';
    return true;
}

static void write_sums(sc_sums *sums, written *to)
{
    to->bytes = 0;
    CHECK(sc_sums_write(sums, keep, to));
}

static const char *const every[] = {
    "randomised-response values=5 a=3 b=1",
    "randomised-response values=300 a=3 b=1",
    "projective-geometry values=13 a=5 b=2 field=3 digits=3",
    "subset-selection values=20 a=7 b=3 chosen=5",
    "symmetric-unary values=70 a=3 b=1",
    "optimised-unary values=70 a=3 b=1",
    "local-hashing values=25 a=9 b=2 field=5 digits=2",
    "hadamard values=14 a=5 b=2 blocks=2 order=8",
    "bit-flip values=9 a=3 b=1 chosen=3 epoch=1",
    "square-wave values=8 a=5 b=2 width=2",
    "one-bit-mean values=101 a=27 b=10",
    "laplace-mean values=11 a=3 b=1 width=40",
    "repeated-unary values=70 a=3 b=1 keep=3221225472 epoch=1",
};

/* A line of a hundred bytes may not ask for gigabytes: the memory of a server is bounded, and what needs more is
 * refused before it is taken. */
TEST(A102_counters_of_a_configuration_are_bounded)
{
    static const char *const beyond[] = {
        "randomised-response values=268435456 a=3 b=1",
        "randomised-response values=16777217 a=3 b=1",
        "projective-geometry values=40000000 a=7747986 b=1048576 field=7919 digits=3",
        "local-hashing values=25 a=9 b=2 field=5003 digits=1",
        "hadamard values=14 a=5 b=2 blocks=4 order=8388608",
        "square-wave values=16777215 a=5 b=2 width=16777215",
        ("rappor values=0 text=8 bits=65536 hashes=2 cohorts=32768 f=2147483648 "
         "p=2147483648 q=3221225472 epoch=0")};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        char text[SCRIM_LOCAL_CONFIG_BYTES];
        scrim_error error = {.message = ""};
        sc_sums sums;
        snprintf(text, sizeof text, "scrim-local/1 question=q protocol=%s\n", beyond[i]);
        if (!CHECK_STATUS(sc_sums_init(&sums, text, &error), SCRIM_E_LIMIT))
            continue;
        CHECK_STR(error.parameter, "config");
        if (strstr(error.message, "a server keeps at most 16777216") == NULL)
            CHECK_FAIL("%s: %s", beyond[i], error.message);
    }
}

TEST(sums_of_parts_add_up)
{
    CLAIM("sums.merge");
    CLAIM("sums-text.exact");
    static written whole, parts, part;
    for (size_t p = 0; p < COUNT(every); p++) {
        const uint64_t holders[5] = {40, 0, 7, 100, 3};
        uint64_t seed = check_seed() + p, other = seed;
        sc_sums all = fleet_sums(every[p]), merged = fleet_sums(every[p]);
        REQUIRE(all.layout != NULL && merged.layout != NULL);
        for (int i = 0; i < 3; i++) {
            sc_sums one = fleet_sums(every[p]);
            fleet_send_counts(&all, holders, COUNT(holders), &seed);
            fleet_send_counts(&one, holders, COUNT(holders), &other);
            write_sums(&one, &part);
            CHECK_STATUS(sc_sums_read(&merged, sc_text_of(part.text), NULL), SCRIM_OK);
            sc_sums_clear(&one);
        }
        CHECK_INT(all.reports, 450);
        CHECK_INT(all.dropped + all.flagged, 0);
        write_sums(&all, &whole);
        write_sums(&merged, &parts);
        CHECK_STR(parts.text, whole.text);
        sc_sums_clear(&merged);
        sc_sums_clear(&all);
    }
}

TEST(sums_drop_what_no_device_sends)
{
    CLAIM("sums.dropped");
    static const struct {
        const char *words;
        uint8_t report[3];
        size_t bytes;
        bool is_dropped;
    } cases[] = {
        {"randomised-response values=5 a=3 b=1", {4}, 1, false},
        {"randomised-response values=5 a=3 b=1", {5}, 1, true},
        {"randomised-response values=300 a=3 b=1", {43, 1}, 2, false},
        {"randomised-response values=300 a=3 b=1", {44, 1}, 2, true},
        {"projective-geometry values=13 a=5 b=2 field=3 digits=3", {12}, 1, false},
        {"projective-geometry values=5 a=5 b=2 field=3 digits=3", {12}, 1, false},
        {"projective-geometry values=5 a=5 b=2 field=3 digits=3", {13}, 1, true},
        {"local-hashing values=25 a=9 b=2 field=5 digits=2", {24, 4}, 2, false},
        {"local-hashing values=25 a=9 b=2 field=5 digits=2", {24, 5}, 2, true},
        {"local-hashing values=25 a=9 b=2 field=5 digits=2", {25, 4}, 2, true},
        {"hadamard values=14 a=5 b=2 blocks=2 order=8", {15}, 1, false},
        {"hadamard values=14 a=5 b=2 blocks=2 order=8", {16}, 1, true},
        {"optimised-unary values=20 a=3 b=1", {0, 0, 0x0f}, 3, false},
        {"optimised-unary values=20 a=3 b=1", {0, 0, 0x10}, 3, true},
        {"subset-selection values=20 a=7 b=3 chosen=5", {31, 0, 0x80}, 3, true},
        {"bit-flip values=9 a=3 b=1 chosen=2 epoch=1", {0, 8, 3}, 3, false},
        {"bit-flip values=9 a=3 b=1 chosen=2 epoch=1", {0, 9, 3}, 3, true},
        {"bit-flip values=9 a=3 b=1 chosen=2 epoch=1", {3, 3, 3}, 3, true},
        {"bit-flip values=9 a=3 b=1 chosen=2 epoch=1", {4, 3, 3}, 3, true},
        {"bit-flip values=9 a=3 b=1 chosen=2 epoch=1", {3, 4, 4}, 3, true},
        {"square-wave values=8 a=5 b=2 width=2", {11}, 1, false},
        {"square-wave values=8 a=5 b=2 width=2", {12}, 1, true},
        {"one-bit-mean values=101 a=27 b=10", {2}, 1, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_sums sums = fleet_sums(cases[i].words);
        REQUIRE(sums.layout != NULL);
        CHECK_INT(sums.report_bytes, cases[i].bytes);
        CHECK_STATUS(
            sc_sums_add(&sums, cases[i].report, 1, cases[i].bytes, cases[i].bytes, NULL),
            SCRIM_OK);
        CHECK_INT(sums.dropped, cases[i].is_dropped);
        CHECK_INT(sums.reports, !cases[i].is_dropped);
        uint64_t total = 0;
        const uint64_t *counts = sc_sums_counts(&sums);
        for (size_t c = 0; c < sums.cells; c++)
            total += counts[c];
        if (!CHECK(!cases[i].is_dropped || total == 0))
            CHECK_FAIL("%s", cases[i].words);
        sc_sums_clear(&sums);
    }
}

/* Every way through the histogram counts as one report after another does. */
static void check_histogram(const char *words, size_t stride, size_t count)
{
    enum { ROOM = 4096 };
    uint8_t reports[ROOM];
    uint64_t seed = check_seed();
    const scrim_local_source source = device_seeded(&seed);
    CHECK_INT(source.fill(source.context, reports, sizeof reports), 0);
    sc_sums many = fleet_sums(words), single = fleet_sums(words);
    REQUIRE(many.layout != NULL && single.layout != NULL && stride * count <= ROOM);
    const size_t bytes = many.report_bytes, used = (count - 1) * stride + bytes;
    uint8_t *exact = malloc(used); /* nothing behind it may be read */
    memcpy(exact, reports, used);
    CHECK_STATUS(sc_sums_add(&many, exact, count, stride, used, NULL), SCRIM_OK);
    for (size_t i = 0; i < count; i++)
        CHECK_STATUS(sc_sums_add(&single, exact + i * stride, 1, stride, bytes, NULL),
                     SCRIM_OK);
    CHECK_INT(many.reports, single.reports);
    CHECK_INT(many.dropped, single.dropped);
    CHECK_BYTES(sc_sums_counts(&many), sc_sums_counts(&single),
                many.cells * sizeof *many.counts);
    free(exact);
    sc_sums_clear(&single);
    sc_sums_clear(&many);
}

SLOW_TEST(sums_of_many_integers_are_those_of_each)
{
    for (size_t count = 1; count < 40; count += count < 10 ? 1 : 7) {
        check_histogram("randomised-response values=200 a=3 b=1", 1, count);
        check_histogram("randomised-response values=2 a=3 b=1", 17, count);
        check_histogram("randomised-response values=50000 a=3 b=1", 2, count);
        check_histogram("randomised-response values=50000 a=3 b=1", 18, count);
        check_histogram("randomised-response values=70000 a=3 b=1", 3, count);
        check_histogram("local-hashing values=1024 a=9 b=2 field=7 digits=4", 3, count);
        check_histogram("local-hashing values=1024 a=9 b=2 field=7 digits=4", 19, count);
    }
}

/* Weights that are flagged, of all possible ones. */
static void check_flags(const char *words, size_t least, size_t most)
{
    sc_sums sums = fleet_sums(words);
    uint8_t report[128];
    REQUIRE(sums.layout != NULL && sums.report_bytes <= sizeof report);
    for (size_t weight = 0; weight <= sums.config.values; weight++) {
        const uint64_t before = sums.flagged;
        memset(report, 0, sizeof report);
        for (size_t i = 0; i < weight; i++)
            report[i / 8] |= (uint8_t)(1u << i % 8);
        REQUIRE_OK(
            sc_sums_add(&sums, report, 1, sums.report_bytes, sums.report_bytes, NULL));
        if (!CHECK_INT(sums.flagged - before, weight < least || weight > most))
            CHECK_FAIL("%s, weight %zu", words, weight);
    }
    CHECK_INT(sums.dropped, 0);
    sc_sums_clear(&sums);
}

TEST(sums_flag_shapes_that_hardly_ever_occur_A72)
{
    CLAIM("sums.flagged");
    check_flags("subset-selection values=20 a=7 b=3 chosen=5", 5, 5);
    /* The tails of a fair bit and Bin(1023, 1/4), summed exactly. */
    check_flags("optimised-unary values=1024 a=3 b=1", 163, 358);
    check_flags("symmetric-unary values=10 a=3 b=1", 0, 10);
}

TEST(sums_text_is_refused_where_anything_is_wrong)
{
    CLAIM("sums-text.exact");
    static written good;
    static const struct {
        const char *from, *to;
    } changes[] = {
        {"sums/1", "sums/2"},
        {"config ", "config 0"},
        {"reports 3", "reports 03"},
        {"reports 3", "reports 4"},
        {"reports 3", "reports"},
        {"dropped 0", "dropped -1"},
        {"flagged 0", "flagged 9"},
        {"cells 5", "cells 6"},
        {"\n0 1\n", "\n0 2\n"},
        {"\n0 1\n", "\n0 0\n"},
        {"\n0 1\n2 2\n", "\n2 2\n0 1\n"},
        {"\n2 2\n", "\n2 1\n2 2\n"},
        {"\n2 2\n", "\n5 2\n"},
        {"\n2 2\n", "\n2  2\n"},
        {"\n2 2\n", "\n2 2 \n"},
        {"end\n", ""},
        {"end\n", "end"},
        {"end\n", "end\n\n"},
        {"\nend", "\r\nend"},
        {"2 2\n", "2 18446744073709551617\n"},
    };
    uint8_t reports[] = {0, 2, 2};
    sc_sums sums = fleet_sums("randomised-response values=5 a=3 b=1");
    REQUIRE_OK(sc_sums_add(&sums, reports, 3, 1, 3, NULL));
    write_sums(&sums, &good);
    for (size_t i = 0; i < COUNT(changes); i++) {
        char text[1024];
        const char *at = strstr(good.text, changes[i].from);
        REQUIRE(at != NULL);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good.text), good.text,
                 changes[i].to, at + strlen(changes[i].from));
        if (!CHECK_STATUS(sc_sums_read(&sums, sc_text_of(text), NULL), SCRIM_E_INPUT))
            CHECK_FAIL("%s for %s", changes[i].to, changes[i].from);
    }
    CHECK_INT(sums.reports, 3);
    sc_sums other = fleet_sums("randomised-response values=5 a=4 b=1");
    scrim_error error;
    CHECK_STATUS(sc_sums_read(&other, sc_text_of(good.text), &error), SCRIM_E_INPUT);
    CHECK_STR(error.message, "these sums are of another configuration");
    sc_sums_clear(&other);
    sc_sums_clear(&sums);
}

/* Cohorts that together have 2^64 reports too many: the sum of their reports would be right modulo 2^64. */
TEST(sums_text_of_cohorts_that_overflow_is_refused)
{
    static const char head[] = "scrim-local-sums/1\nconfig ";
    const uint64_t reports = (UINT64_C(1) << 52), cohorts = 4097;
    scrim_error error = {.status = SCRIM_OK};
    static written text;
    sc_sums sums = fleet_sums("rappor values=0 text=4 bits=1 hashes=1 cohorts=5000 "
                              "f=2147483648 p=1 q=2147483648 epoch=0");
    REQUIRE(sums.layout != NULL);
    write_sums(&sums, &text);
    const char *hash = strchr(text.text, ' ');
    REQUIRE(hash != NULL);
    char *large = malloc(1 << 20);
    REQUIRE(large != NULL);
    size_t at = (size_t)sprintf(large, "%s%.*s", head, (int)strcspn(hash + 1, "\n") + 1,
                                hash + 1);
    at += (size_t)sprintf(large + at, "reports %llu\ndropped 0\nflagged 0\ncells 10000\n",
                          (unsigned long long)reports);
    for (uint64_t c = 0; c < cohorts; c++)
        at += (size_t)sprintf(large + at, "%llu %llu\n", (unsigned long long)2 * c,
                              (unsigned long long)reports);
    at += (size_t)sprintf(large + at, "end\n");
    CHECK_STATUS(sc_sums_read(&sums, (sc_text){large, at}, &error), SCRIM_E_INPUT);
    CHECK_STR(error.message,
              "the counters do not fit the number of reports; collect the reports again");
    free(large);
    sc_sums_clear(&sums);
}

/* Flagged reports may be all of them; dropped ones count where there is a limit. */
TEST(sums_have_limits)
{
    static written all;
    const uint8_t crowd[] = {7, 7, 7};
    sc_sums sums = fleet_sums("subset-selection values=3 a=3 b=1 chosen=1");
    sc_sums again = fleet_sums("subset-selection values=3 a=3 b=1 chosen=1");
    REQUIRE(sums.layout != NULL && again.layout != NULL);
    REQUIRE_OK(sc_sums_add(&sums, crowd, 3, 1, 3, NULL));
    CHECK_INT(sums.flagged, 3);
    write_sums(&sums, &all);
    REQUIRE_OK(sc_sums_read(&again, sc_text_of(all.text), NULL));
    CHECK_INT(again.flagged, 3);
    sums.dropped = SC_SUMS_REPORTS_MAX - 7;
    REQUIRE_OK(sc_sums_add(&sums, crowd, 3, 1, 3, NULL));
    CHECK_STATUS(sc_sums_add(&sums, crowd, 1, 1, 1, NULL), SCRIM_E_LIMIT);
    CHECK_STATUS(sc_sums_merge(&sums, &again, NULL), SCRIM_E_LIMIT);
    sc_sums_clear(&again);
    sc_sums_clear(&sums);
}
