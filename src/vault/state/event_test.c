#include "base/memory.h"
#include "check.h"
#include "model/cost.h"
#include "vault/state/event.h"

#include <string.h>

#define HASH "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

/* One of each kind, as it stands in a ledger. */
static const char *const right[] = {
    ("init 1 " HASH),
    ("init 1-test " HASH),
    ("init 1 " HASH "\n/var/lib/scrim/witness"),
    ("init 2 " HASH),
    ("init 2-test " HASH "\n/var/lib/scrim/witness"),
    ("key " HASH),
    "place 18446744073709551615 42",
    "file ext4:0123456789abcdef 42 1794807576123456789 18446744073709551615",
    "file - 42 - -",
    "analyst 1000 alice",
    "analyst 4294967295 CORP\\bob@example.org",
    "population people add-remove sum 3 0.000001 3",
    "population people replace concentrated 3 0.000001 0.15",
    "population people local renyi=1.5 1/3 0 7",
    "dataset adult 1\nunit=person_id\ncolumn=age=int[0,120]",
    "dataset adult 999999",
    "policy 1 2\nunit=row",
    "update 1 999999999",
    "remove 7",
    "share 1 0 - -",
    "share 1 3 1/3 0.000001",
    "cap 2 0.5 - 0.001",
    "terms 2 1",
    "witness 0",
    "witness 17\n/srv/scrim.witness",
    "close 2 1",
    "terms 2 1\ncap=epsilon=0.5\nquantum=1/3\n",
    "charge 3 1 2 0.1 0\nlaplace sensitivity=1 epsilon=0.1 neighbours=add-remove",
    "charge 3 1 2 0.1 0",
    ("release 9223372036854775807 " HASH),
    "asked 8 1\nbelow",
    "asked 9223372036854775807 9223372036854775807\nabove=-4 halted",
    "joint 3 1 2 0.83 0.000001\narithmetic 1\nquestion\nquery : SELECT 1",
    "joint 3 1 2 0.83 0.000001\na\n\nb\nquestion\nquestion\nquestion",
    "time 1",
    "time 253402300799",
    "series words 1 12 parallel\nquery SELECT COUNT(*)",
    "series words 999999 999999 sequential",
    "window 1 2 3 4 5 0.1 0.000001\nquery series=words release=2 : SELECT COUNT(*)",
    "window 999999 999999 1 999999999 999999 0 0",
};

/* Texts that look like an event and are invalid. */
static const char *const wrong[] = {
    "",
    "\n",
    "nonsense",
    "init",
    ("init 0 " HASH),
    ("init 3 " HASH),
    ("init -test " HASH),
    ("init 3-test " HASH),
    ("key " HASH "\nbody"),
    "key abc",
    "key",
    ("init 1-test-test " HASH),
    ("init 1test " HASH),
    "init 1 abc",
    ("init 1 " HASH "\n"),
    ("init 1 " HASH " "),
    (" init 1 " HASH),
    "place 1",
    "place 1 2\nbody",
    "place 18446744073709551616 42",
    "file - 42 -",
    "file - 42 - - -",
    "file - - - -",
    "file - 42 01 -",
    "file  42 - -",
    "file - 42 - -\nbody",
    "analyst 4294967296 alice",
    "analyst 1000 al\x01ice",
    "analyst 1000 al\xc3\xa9",
    "population people unset sum 3 0 3",
    "population people add-remove product 3 0 3",
    "population people add-remove renyi=1 3 0 3",
    "population people add-remove renyi=0.50 3 0 3",
    "population people add-remove sum 3.0 0 3",
    "population people add-remove sum -3 0 3",
    "population people add-remove sum 2/6 0 3",
    "dataset adult 0",
    "dataset adult 1000000",
    "dataset adult 01",
    "policy 1",
    "update 1 1000000000",
    "share 1 0 -",
    "share 1 0 - - -",
    "cap 2 0.5 -",
    "terms 2",
    "witness",
    "witness -1",
    "witness 017",
    "close 2",
    "close 2 1 1",
    "close 2 1\ntext",
    "terms 2 0",
    "terms 2 1 1",
    "charge 3 1 0 0.1 0",
    "time 0",
    "time 253402300800",
    "time -1",
    "time 1\nnoon",
    "charge 3 1 2 - 0",
    "charge  3 1 2 0.1 0",
    "charge 3 1 2 0.1  0",
    "charge 3 1 2 0.1 0 ",
    "charge 3 1 2 00.1 0",
    "charge 3 1 2 01 0",
    "charge 3 1 2 0.10 0",
    "charge 3 1 2 0. 0",
    "charge 3 1 2 .5 0",
    "charge 3 1 2 +1 0",
    "charge 3 1 2 1e-1 0",
    "charge 3 1 2 2^-1 0",
    "charge 3 1 2 1/2 0",
    "charge 3 1 2 3/1 0",
    "charge 3 1 2 0.100000000000000000001 0", /* 21 places: a fraction says that */
    "charge\t3 1 2 0.1 0",
    "series words 1 12",
    "series words 1 0 parallel",
    "series words 1 12 both",
    "series words 0 12 parallel",
    "series words 1 12 parallel 1",
    "window 1 2 1 1 1 0.1",
    "window 0 2 1 1 1 0.1 0",
    "window 1 0 1 1 1 0.1 0",
    "joint 3 1 2 0.83 0.000001",
    "joint 3 1 2 0.83 0.000001\nquery : SELECT 1",
    "joint 3 1 2 0.83 0.000001\narithmetic 1\nquestion",
    "joint 3 1 2 0.83 0.000001\narithmetic 1\nquestion\n",
    "joint 3 1 2 0.83 0.000001\nquestion\nquery : SELECT 1",
    "joint 3 1 2 0.83\narithmetic 1\nquestion\nquery : SELECT 1",
    ("release 0 " HASH),
    "asked 8 0\nbelow",
    "asked 8\nbelow",
    ("release 9223372036854775808 " HASH),
};

static void check_same(const char *text)
{
    sc_event event;
    scrim_error error;
    size_t length = 0;
    sc_event_init(&event);
    if (CHECK_STATUS(sc_event_parse(sc_text_of(text), &event, &error), SCRIM_OK)) {
        char *bytes = sc_allocate(sc_event_capacity(&event), 1);
        REQUIRE(bytes != NULL);
        CHECK_STATUS(sc_event_format(&event, bytes, &length, &error), SCRIM_OK);
        CHECK_STR(bytes, text);
        CHECK_INT(length, strlen(text));
        sc_free(bytes);
    }
    sc_event_clear(&event);
}

TEST(event_has_one_spelling)
{
    CLAIM("event.canonical");
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        check_same(right[i]);
    sc_event event;
    sc_event_init(&event);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (sc_event_parse(sc_text_of(wrong[i]), &event, NULL) != SCRIM_E_LEDGER)
            CHECK_FAIL("'%s' is taken for an entry", wrong[i]);
    CHECK_STATUS(sc_event_parse((sc_text){"remove 7\0", 9}, &event, NULL),
                 SCRIM_E_LEDGER);
    sc_event_clear(&event);
}

TEST(event_says_what_it_was_given)
{
    sc_event event;
    sc_event_init(&event);
    REQUIRE_OK(
        sc_event_parse(sc_text_of("charge 3 14 15 1/3 0.25\nlaplace x=1"), &event, NULL));
    CHECK(event.kind == SC_EVENT_CHARGE && event.dataset == 3 && event.version == 14);
    CHECK(event.analyst == 15);
    char text[SCRIM_NUMBER_BYTES];
    sc_ratio_format(&event.amount, text, sizeof text);
    CHECK_STR(text, "1/3");
    sc_ratio_format(&event.delta, text, sizeof text);
    CHECK_STR(text, "0.25");
    CHECK(sc_text_is(event.body, "laplace x=1"));
    REQUIRE_OK(sc_event_parse(sc_text_of("share 1 0 0.5 -"), &event, NULL));
    CHECK(event.has_amount && !event.has_delta && event.analyst == 0);
    sc_event_clear(&event);
}

/* (2^180 - 1)/(2^180 - 3) and other rationals with as many bits as a charge may have. */
static void set_longest(sc_ratio *out, int64_t above, int64_t below)
{
    sc_integer n, d, less;
    sc_integer_init(&n);
    sc_integer_init(&d);
    sc_integer_init(&less);
    sc_integer_set_int128(&n, 1);
    sc_integer_shift_left(&n, &n, SC_COST_BITS);
    sc_integer_set(&d, &n);
    sc_integer_set_int128(&less, above);
    sc_integer_sub(&n, &n, &less);
    sc_integer_set_int128(&less, below);
    sc_integer_sub(&d, &d, &less);
    sc_ratio_set_fraction(out, &n, &d);
    sc_integer_clear(&less);
    sc_integer_clear(&d);
    sc_integer_clear(&n);
}

TEST(event_of_a_charge_is_short)
{
    CLAIM("event.size");
    char bytes[SC_EVENT_HEAD_BYTES + 2];
    size_t length = 0;
    sc_event event;
    sc_event_init(&event);
    event.kind = SC_EVENT_CHARGE;
    event.dataset = event.analyst = 999999;
    event.version = 999999999;
    set_longest(&event.amount, 1, 3);
    set_longest(&event.delta, 3, 1);
    CHECK_STATUS(sc_event_format(&event, bytes, &length, NULL), SCRIM_OK);
    CHECK_INT(length, 254);
    set_longest(&event.amount, -1, 3);
    CHECK_STATUS(sc_event_format(&event, bytes, &length, NULL), SCRIM_E_LIMIT);
    sc_ratio_set_int64(&event.amount, -1);
    CHECK_STATUS(sc_event_format(&event, bytes, &length, NULL), SCRIM_E_LIMIT);
    sc_ratio_set_int64(&event.amount, 1);
    event.dataset = 1000000;
    CHECK_STATUS(sc_event_format(&event, bytes, &length, NULL), SCRIM_E_LIMIT);
    event.kind = (sc_event_kind)99;
    CHECK_STATUS(sc_event_format(&event, bytes, &length, NULL), SCRIM_E_INTERNAL);
    sc_event_clear(&event);
}

TEST(event_names)
{
    static char many[66];
    memset(many, 'x', 65);
    CHECK(sc_event_is_name(sc_text_of("adult")));
    CHECK(sc_event_is_name(sc_text_of("A.b-c_9")));
    CHECK(sc_event_is_name((sc_text){many, 64}));
    CHECK(!sc_event_is_name((sc_text){many, 65}));
    const char *const bad[] = {"",    "-a",  ".a",       "_a", "a b",
                               "a/b", "a\n", "\xc3\xa9", "a;"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(!sc_event_is_name(sc_text_of(bad[i])));
}
