#include "check.h"
#include "faults.h"
#include "vault/state/book.h"

#include <stdio.h>
#include <string.h>

enum { NAMES = 1000 };

typedef struct list {
    char names[NAMES + 1][8];
} list;

static const char *name_of(const void *context, size_t number)
{
    return ((const list *)context)->names[number];
}

TEST(name_index_finds_what_was_put_last)
{
    CLAIM("name_index.last");
    static list all;
    sc_name_index index = {.places = NULL};
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("n1")), 0);
    /* every third has the name of the one before it */
    for (size_t i = 1; i <= NAMES; i++) {
        snprintf(all.names[i], sizeof all.names[i], "n%d", (int)(i - (i % 3 == 0)));
        REQUIRE(sc_name_index_reserve(&index, name_of, &all));
        sc_name_index_put(&index, name_of, &all, i);
    }
    for (size_t i = 1; i <= NAMES; i++) {
        const size_t last = i % 3 == 2 && i < NAMES ? i + 1 : i;
        CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of(all.names[i])),
                  last);
    }
    CHECK_INT(index.count, NAMES - NAMES / 3);
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("n3")), 0);
    CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("")), 0);
    sc_name_index_clear(&index);
}

TEST(name_index_survives_without_memory)
{
    static list all;
    snprintf(all.names[1], sizeof all.names[1], "a");
    FAULT_LOOP(fault)
    {
        sc_name_index index = {.places = NULL};
        const bool has_room = sc_name_index_reserve(&index, name_of, &all);
        CHECK(has_room || fault_hit());
        if (has_room)
            sc_name_index_put(&index, name_of, &all, 1);
        CHECK_INT(sc_name_index_find(&index, name_of, &all, sc_text_of("a")), has_room);
        sc_name_index_clear(&index);
    }
}

#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

typedef struct desk {
    sc_book book;
    sc_event event;
    uint64_t entries;
    scrim_error error;
} desk;

static scrim_status say(desk *d, const char *text)
{
    scrim_status status = sc_event_parse(sc_text_of(text), &d->event, &d->error);
    if (status == SCRIM_OK)
        status = sc_book_apply(&d->book, d->entries + 1, &d->event, &d->error);
    if (status == SCRIM_OK)
        d->entries++;
    return status;
}

static void open_desk(desk *d)
{
    *d = (desk){0};
    sc_book_init(&d->book);
    sc_event_init(&d->event);
    CHECK_STATUS(say(d, "init 1 " HASH), SCRIM_OK);
    CHECK_STATUS(say(d, "analyst 1000 alice"), SCRIM_OK);
    CHECK_STATUS(say(d, "analyst 1001 bob"), SCRIM_OK);
}

static void close_desk(desk *d)
{
    sc_event_clear(&d->event);
    sc_book_clear(&d->book);
}

/* People with a budget, and one dataset about them. */
static void declare(desk *d, const char *accounting_and_budget)
{
    char line[200];
    snprintf(line, sizeof line, "population people add-remove %s", accounting_and_budget);
    CHECK_STATUS(say(d, line), SCRIM_OK);
    CHECK_STATUS(say(d, "dataset adult 1\nunit=row"), SCRIM_OK);
}

static void check_left(const desk *d, uint64_t analyst, const char *amount,
                       const char *delta)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_ratio a, b;
    sc_ratio_init(&a);
    sc_ratio_init(&b);
    sc_book_left(&d->book, 1, analyst, &a, &b);
    sc_book_format_lower(&a, text);
    CHECK_STR(text, amount);
    sc_book_format_lower(&b, text);
    CHECK_STR(text, delta);
    sc_ratio_clear(&b);
    sc_ratio_clear(&a);
}

/* THREATS A46: no budget of floating point. */
SLOW_TEST(A46_floating_budget)
{
    CLAIM("book.exact");
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0 1");
    for (int i = 0; i < 10; i++)
        CHECK_STATUS(say(&d, "charge 1 1 1 0.1 0"), SCRIM_OK);
    check_left(&d, 0, "0", "0");
    CHECK_STATUS(say(&d, "charge 1 1 1 0.1 0"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message, "0.1 requested, 0 left") != NULL);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.00000000000000000001 0"), SCRIM_E_BUDGET);
    check_left(&d, 0, "0", "0");
    close_desk(&d);

    open_desk(&d);
    declare(&d, "sum 1 0 1");
    for (int i = 0; i < 3; i++)
        CHECK_STATUS(say(&d, "charge 1 1 1 1/3 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 1/3 0"), SCRIM_E_BUDGET);
    check_left(&d, 0, "0", "0");
    close_desk(&d);

    /* Many of 10^-12, one after the other, leave exactly what they should. */
    const uint64_t count = check_count_whole(100000, 10000000);
    open_desk(&d);
    declare(&d, "sum 1 0 1");
    REQUIRE_OK(say(&d, "charge 1 1 1 0.000000000001 0"));
    for (uint64_t i = 1; i < count; i++)
        if (sc_book_apply(&d.book, i, &d.event, NULL) != SCRIM_OK) {
            CHECK_FAIL("charge %llu was refused", (unsigned long long)i);
            break;
        }
    check_left(&d, 0, check_is_long() ? "0.99999" : "0.9999999", "0");
    close_desk(&d);
}

/* x = `count` of 10^-12. */
static void set_tiny(sc_ratio *x, uint64_t count)
{
    sc_integer above, below;
    sc_integer_init(&above);
    sc_integer_init(&below);
    sc_integer_set_uint128(&above, count);
    sc_integer_set_uint128(&below, UINT64_C(1000000000000));
    sc_ratio_set_fraction(x, &above, &below);
    sc_integer_clear(&below);
    sc_integer_clear(&above);
}

/* THREATS A46: a book that holds k charges of 10^-12 takes one more and then holds k + 1, for any
 * k below 10^12, and none at 10^12. So 10^9 of them, one after the other, are exact as well. */
TEST(A46_tiny_charges_do_not_vanish)
{
    CLAIM("book.exact");
    const uint64_t most = UINT64_C(1000000000000);
    uint64_t dice = check_seed();
    sc_ratio sum, nothing;
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0 1");
    REQUIRE_OK(say(&d, "charge 1 1 1 0.000000000001 0"));
    sc_ratio_init(&sum);
    sc_ratio_init(&nothing);
    for (uint64_t i = check_count(2000, 1000000); i > 0; i--) {
        dice = dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        const uint64_t before = i == 1   ? most
                                : i == 2 ? most - 1
                                : i == 3 ? UINT64_C(999999999)
                                         : (dice >> 20) % most;
        set_tiny(&sum, before);
        for (uint64_t analyst = 0; analyst < 2; analyst++)
            CHECK_STATUS(
                sc_book_load(&d.book, 1, analyst, &sum, &nothing, before, &d.error),
                SCRIM_OK);
        CHECK_STATUS(sc_book_apply(&d.book, 9, &d.event, &d.error),
                     before < most ? SCRIM_OK : SCRIM_E_BUDGET);
        set_tiny(&sum, before < most ? before + 1 : most);
        for (uint64_t analyst = 0; analyst < 2; analyst++)
            CHECK(sc_ratio_compare(&sc_book_tally(&d.book, 1, analyst)->amount, &sum) ==
                  0);
    }
    sc_ratio_clear(&nothing);
    sc_ratio_clear(&sum);
    close_desk(&d);
}

TEST(book_refusals_change_nothing)
{
    CLAIM("book.refusal");
    static const struct {
        const char *line;
        scrim_status status;
    } refused[] = {
        {"init 1 " HASH, SCRIM_E_STATE},
        {"init 2 " HASH, SCRIM_E_STATE},
        {"analyst 1000 carol", SCRIM_E_PARAM},
        {"analyst 1002 bob", SCRIM_E_PARAM},
        {"population people add-remove sum 1 0 1", SCRIM_E_PARAM},
        {"population a/b add-remove sum 1 0 1", SCRIM_E_PARAM},
        {"population other add-remove sum 1 0 2", SCRIM_E_PARAM},
        {"population other add-remove concentrated 1 0.000001 1", SCRIM_E_PARAM},
        {"population other add-remove renyi=8 1 0.000001 1", SCRIM_E_PARAM},
        {"dataset adult 1", SCRIM_E_PARAM},
        {"dataset other 2", SCRIM_E_PARAM},
        {"dataset a/b 1", SCRIM_E_PARAM},
        {"policy 2 2", SCRIM_E_PARAM},
        {"policy 1 3", SCRIM_E_STATE},
        {"update 1 1", SCRIM_E_STATE},
        {"remove 2", SCRIM_E_PARAM},
        {"share 2 1 1 -", SCRIM_E_PARAM},
        {"share 1 3 1 -", SCRIM_E_PARAM},
        {"cap 2 1 - -", SCRIM_E_PARAM},
        {"close 2 1", SCRIM_E_PARAM},
        {"close 1 1", SCRIM_E_STATE},
        {"close 1 2", SCRIM_E_STATE},
        {"terms 2 1", SCRIM_E_PARAM},
        {"terms 1 2", SCRIM_E_STATE},
        {"terms 1 1\nquantum=1", SCRIM_E_PARAM},
        {"terms 1 1\nquantum= 1\n", SCRIM_E_PARAM},
        {"terms 1 1\nquantum=1\ncap=epsilon=1\n", SCRIM_E_PARAM},
        {"terms 1 1\nquantum=1\nquantum=1\n", SCRIM_E_PARAM},
        {"terms 1 1\n# cap\n", SCRIM_E_PARAM},
        {"terms 1 1\nunit=row\n", SCRIM_E_PARAM},
        {"charge 2 1 1 0.1 0", SCRIM_E_PARAM},
        {"charge 1 2 1 0.1 0", SCRIM_E_POLICY},
        {"charge 1 1 3 0.1 0", SCRIM_E_PARAM},
        {"charge 1 1 1 1.1 0", SCRIM_E_BUDGET},
        {"charge 1 1 1 0.1 0.002", SCRIM_E_BUDGET},
    };
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0.001 1");
    CHECK_STATUS(say(&d, "charge 1 1 1 0.25 0.0005"), SCRIM_OK);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        CHECK_STATUS(say(&d, refused[i].line), refused[i].status);
        CHECK(d.error.message[0] != '\0');
        check_left(&d, 0, "0.75", "0.0005");
        CHECK(d.book.population_count == 1 && d.book.dataset_count == 1 &&
              d.book.analyst_count == 2 && d.book.populations[0].tally_count == 2);
        CHECK_INT(sc_book_dataset(&d.book, 1)->version, 1);
    }
    CHECK_INT(sc_book_tally(&d.book, 1, 0)->charges, 1);
    close_desk(&d);
    /* a version that is closed, once, until the next update */
    open_desk(&d);
    declare(&d, "sum 1 0.001 1");
    static const struct {
        const char *line;
        scrim_status status;
    } closed[] = {
        {"update 1 2\nunit=row\ncontents=x\n", SCRIM_OK},
        {"charge 1 2 1 0.1 0", SCRIM_OK},
        {"close 1 2", SCRIM_OK},
        {"close 1 2", SCRIM_E_STATE},
        {"charge 1 2 1 0.1 0", SCRIM_E_INPUT},
        {"policy 1 3\nunit=row\ncontents=x\n", SCRIM_OK},
        {"charge 1 3 1 0.1 0", SCRIM_E_INPUT},
        {"update 1 4\nunit=row\ncontents=x\n", SCRIM_OK},
        {"charge 1 4 1 0.1 0", SCRIM_OK},
    };
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++)
        CHECK_STATUS(say(&d, closed[i].line), closed[i].status);
    check_left(&d, 0, "0.8", "0.001");
    close_desk(&d);
    desk fresh = {0};
    sc_event_init(&fresh.event);
    CHECK_STATUS(say(&fresh, "analyst 1000 alice"), SCRIM_E_STATE);
    close_desk(&fresh);
}

/* THREATS A38: tables about the same people. */
TEST(A38_datasets_share_their_population)
{
    CLAIM("book.shared");
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0 1");
    CHECK_STATUS(say(&d, "dataset copy 1"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.6 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 2 1 1 0.6 0"), SCRIM_E_BUDGET);
    CHECK_STATUS(say(&d, "charge 2 1 2 0.3 0"), SCRIM_OK);
    check_left(&d, 0, "0.1", "0");
    /* Removed and added again: the same people, the same budget. */
    CHECK_STATUS(say(&d, "remove 1"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.1 0"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "dataset adult 1"), SCRIM_OK);
    CHECK_INT(sc_book_find_dataset(&d.book, sc_text_of("adult")), 3);
    CHECK_STATUS(say(&d, "charge 3 1 1 0.2 0"), SCRIM_E_BUDGET);
    CHECK_STATUS(say(&d, "charge 3 1 1 0.1 0"), SCRIM_OK);
    check_left(&d, 0, "0", "0");
    close_desk(&d);
}

TEST(book_versions_follow_each_other)
{
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0 1");
    CHECK_STATUS(say(&d, "policy 1 2\nunit=person"), SCRIM_OK);
    CHECK_INT(sc_book_dataset(&d.book, 1)->policy, d.entries);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.1 0"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "charge 1 2 1 0.1 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "update 1 3\nunit=person"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 3 1 0.1 0"), SCRIM_OK);
    check_left(&d, 0, "0.8", "0");
    close_desk(&d);
}

/* THREATS A49: one analyst cannot burn what belongs to all, nor flood the ledger. */
TEST(A49_shares_and_caps)
{
    CLAIM("book.exact");
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0.001 1");
    CHECK_STATUS(say(&d, "share 1 0 0.3 -"), SCRIM_OK);
    CHECK_STATUS(say(&d, "share 1 2 0.5 0.0001"), SCRIM_OK);
    check_left(&d, 1, "0.3", "0.001");
    check_left(&d, 2, "0.5", "0.0001");
    CHECK_STATUS(say(&d, "charge 1 1 1 0.3 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.001 0"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message, "share") != NULL);
    CHECK_STATUS(say(&d, "charge 1 1 2 0.5 0.0002"), SCRIM_E_BUDGET);
    CHECK_STATUS(say(&d, "charge 1 1 2 0.5 0.0001"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 2 0.000001 0"), SCRIM_E_BUDGET);
    check_left(&d, 0, "0.2", "0.0009");
    /* A share that is smaller than what was spent admits nothing, not even without a delta. */
    CHECK_STATUS(say(&d, "share 1 2 0.6 0.00005"), SCRIM_OK);
    check_left(&d, 2, "0.1", "0");
    CHECK_STATUS(say(&d, "charge 1 1 2 0.01 0"), SCRIM_E_BUDGET);
    /* A larger share goes on from what was spent; none leaves the whole. */
    CHECK_STATUS(say(&d, "share 1 2 0.6 -"), SCRIM_OK);
    check_left(&d, 2, "0.1", "0.0009");
    CHECK_STATUS(say(&d, "share 1 2 - -"), SCRIM_OK);
    check_left(&d, 2, "0", "0.0009"); /* everybody's share of 0.3 holds again */
    CHECK_STATUS(say(&d, "share 1 0 - -"), SCRIM_OK);
    check_left(&d, 2, "0.2", "0.0009");
    CHECK_STATUS(say(&d, "cap 1 0.05 0 0.01"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.06 0"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.05 0.0001"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.009 0"), SCRIM_E_POLICY);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.05 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "cap 1 - - -"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.15 0"), SCRIM_OK);
    check_left(&d, 0, "0", "0.0009");
    close_desk(&d);
}

static void check_remainder(const desk *d, uint64_t analyst, const char *share,
                            const char *share_delta, const char *whole)
{
    scrim_remainder left;
    sc_book_set_remainder(&d->book, 1, analyst, &left);
    CHECK_STR(left.share, share);
    CHECK_STR(left.share_delta, share_delta);
    CHECK_STR(left.whole, whole);
}

static void check_shares(const desk *d, bool has_amount, const char *amount,
                         const char *delta, bool is_above)
{
    sc_share_sum sum;
    char text[SCRIM_NUMBER_BYTES];
    sc_book_sum_shares(&d->book, 1, &sum);
    CHECK(sum.has_amount == has_amount && sum.is_above == is_above);
    sc_book_format_upper(&sum.amount, text);
    CHECK_STR(text, amount);
    sc_book_format_upper(&sum.delta, text);
    CHECK_STR(text, delta);
    sc_share_sum_clear(&sum);
}

TEST(book_tells_shares_from_the_whole_budget)
{
    CLAIM("book.remainder");
    desk d;
    open_desk(&d);
    declare(&d, "sum 1 0.001 1");
    check_shares(&d, false, "0", "0", false);
    check_remainder(&d, 1, "", "", "1");
    CHECK_STATUS(say(&d, "share 1 0 0.3 -"), SCRIM_OK);
    CHECK_STATUS(say(&d, "share 1 2 0.7 0.0001"), SCRIM_OK);
    check_shares(&d, true, "1", "0.0001", false); /* exactly the budget */
    CHECK_STATUS(say(&d, "charge 1 1 2 0.2 0.00005"), SCRIM_OK);
    check_remainder(&d, 0, "", "", "0.8");
    check_remainder(&d, 1, "0.3", "", "0.8");
    check_remainder(&d, 2, "0.5", "0.00005", "0.8");
    CHECK_STATUS(say(&d, "charge 1 1 2 0.6 0"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message,
                 "epsilon 0.6 requested, 0.5 left of the analyst's share "
                 "and 0.8 of the whole budget") != NULL);
    CHECK_STATUS(say(&d, "charge 1 1 2 0.1 0.0001"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message, "delta 0.0001 requested, 5e-5 left of the analyst's "
                                  "share and 0.00095 of the whole budget") != NULL);
    CHECK_STATUS(say(&d, "share 1 1 0.000001 -"), SCRIM_OK);
    check_shares(&d, true, "1.000001", "0.0001", true);
    CHECK_STATUS(say(&d, "share 1 1 - 0.001"), SCRIM_OK);
    check_shares(&d, true, "1", "0.0011", true); /* by the deltas alone */
    CHECK_STATUS(say(&d, "share 1 1 - -"), SCRIM_OK);
    check_shares(&d, true, "1", "0.0001", false);
    close_desk(&d);
}

/* THREATS A50, as far as the book goes: who is who. */
TEST(A50_neither_name_nor_number_makes_a_new_analyst)
{
    desk d;
    open_desk(&d);
    CHECK_INT(sc_book_find_analyst(&d.book, 1000, sc_text_of("alice")), 1);
    CHECK_INT(sc_book_find_analyst(&d.book, 1000, sc_text_of("mallory")), 1);
    CHECK_INT(sc_book_find_analyst(&d.book, 4242, sc_text_of("alice")), 1);
    CHECK_INT(sc_book_find_analyst(&d.book, 1001, sc_text_of("alice")), 2);
    CHECK_INT(sc_book_find_analyst(&d.book, 4242, sc_text_of("Alice")), 0);
    CHECK_INT(sc_book_find_analyst(&d.book, 4242, sc_text_of("alice ")), 0);
    close_desk(&d);
}

/* Sums of unlike denominators: exact while they are short, never below the truth after that. */
TEST(book_sums_stay_bounded)
{
    CLAIM("book.remainder");
    desk d;
    sc_ratio exact, part, gap, bound, below;
    open_desk(&d);
    declare(&d, "sum 1000000 0 1000000");
    sc_ratio_init(&below);
    sc_ratio_set_int64(&below, 1);
    sc_ratio_init(&exact);
    sc_ratio_init(&part);
    sc_ratio_init(&gap);
    sc_ratio_init(&bound);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("2^-240"), &bound, NULL), SCRIM_OK);
    uint64_t prime = 5; /* from 7 on: a fifth is a decimal */
    for (int i = 0; i < 600; i++) {
        bool is_prime;
        do {
            prime += 2;
            is_prime = true;
            for (uint64_t k = 3; k * k <= prime; k += 2)
                is_prime = is_prime && prime % k != 0;
        } while (!is_prime);
        char line[64];
        snprintf(line, sizeof line, "charge 1 1 1 1/%llu 0", (unsigned long long)prime);
        REQUIRE(say(&d, line) == SCRIM_OK);
        sc_ratio_add(&exact, &exact, &d.event.amount);
        const sc_tally *all = sc_book_tally(&d.book, 1, 0);
        sc_ratio_sub(&gap, &all->amount, &exact);
        CHECK(sc_ratio_sign(&gap) >= 0 && sc_ratio_compare(&gap, &bound) < 0);
        /* From the very charge on that docs/ledger-format.md names, or others who add up get
         * another sum: the primes are all below the line. */
        sc_ratio_mul(&below, &below, &d.event.amount);
        CHECK_INT(sc_ratio_sign(&gap), sc_ratio_bits(&below) > 1024);
    }
    /* The shown numbers are on the safe side of it. */
    char lower[SCRIM_NUMBER_BYTES], upper[SCRIM_NUMBER_BYTES];
    sc_book_format_lower(&exact, lower);
    sc_book_format_upper(&exact, upper);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(lower), &part, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare(&part, &exact) < 0);
    CHECK_STATUS(sc_ratio_parse(sc_text_of(upper), &gap, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare(&gap, &exact) > 0);
    sc_ratio_sub(&gap, &gap, &part);
    CHECK_STATUS(sc_ratio_parse(sc_text_of("1e-20"), &part, NULL), SCRIM_OK);
    CHECK(sc_ratio_compare(&gap, &part) == 0);
    sc_ratio_clear(&bound);
    sc_ratio_clear(&gap);
    sc_ratio_clear(&part);
    sc_ratio_clear(&below);
    sc_ratio_clear(&exact);
    close_desk(&d);
}

TEST(book_keeps_other_accountings)
{
    desk d;
    open_desk(&d);
    /* 1/32 of rho is (1, 10^-6)-DP with room to spare: held by the filter's own test. */
    declare(&d, "concentrated 3 0.000001 0.03125");
    check_left(&d, 0, "0.03125", "0.0000005");
    CHECK_STATUS(say(&d, "charge 1 1 1 0.03 0.0000005"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.00125 0.0000001"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message, "delta 1e-7 requested, 0 left") != NULL);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.00125 0"), SCRIM_OK);
    CHECK_STATUS(say(&d, "charge 1 1 1 0.00001 0"), SCRIM_E_BUDGET);
    CHECK(strstr(d.error.message, "rho") != NULL);
    close_desk(&d);
}

TEST(book_survives_without_memory)
{
    static const char *const lines[] = {("init 1 " HASH "\n/witness"),
                                        "analyst 1000 alice",
                                        "population people add-remove sum 1 0 1",
                                        "dataset adult 1\nunit=row",
                                        "share 1 1 0.5 -",
                                        "charge 1 1 1 0.1 0"};
    FAULT_LOOP(fault)
    {
        desk d = {0};
        sc_event_init(&d.event);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
            scrim_status status = say(&d, lines[i]);
            if (status == SCRIM_E_MEMORY)
                status =
                    say(&d, lines[i]); /* nothing has changed: it can be said again */
            CHECK_STATUS(status, SCRIM_OK);
        }
        CHECK_INT(sc_book_tally(&d.book, 1, 1)->charges, 1);
        close_desk(&d);
    }
}
