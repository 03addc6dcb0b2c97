#include "base/json_scan.h"
#include "check.h"

#include <string.h>

static sc_json_scan scan_of(const char *text)
{
    sc_json_scan scan;
    sc_json_scan_init(&scan, sc_text_of(text));
    return scan;
}

TEST(json_scan_reads_what_is_expected)
{
    sc_json_scan scan =
        scan_of(" {\"a\" : [1, -20,\n \"1/3\", 2.5e-3], \"b\":\"x\\u00e9\\n\\\"\"}\n");
    char text[16];
    sc_text number = {NULL, 0};
    int64_t integer = 0;
    CHECK(sc_json_scan_mark(&scan, '{') && sc_json_scan_member(&scan, "a"));
    CHECK(sc_json_scan_mark(&scan, '[') && sc_json_scan_int64(&scan, &integer));
    CHECK_INT(integer, 1);
    CHECK(sc_json_scan_mark(&scan, ',') && sc_json_scan_int64(&scan, &integer));
    CHECK_INT(integer, -20);
    CHECK_INT((int64_t)scan.line, 1);
    CHECK(sc_json_scan_mark(&scan, ',') && sc_json_scan_number(&scan, &number));
    CHECK(sc_text_is(number, "1/3"));
    CHECK_INT((int64_t)scan.line, 2);
    CHECK(sc_json_scan_mark(&scan, ',') && !sc_json_scan_int64(&scan, &integer));
    CHECK(sc_json_scan_number(&scan, &number) && sc_text_is(number, "2.5e-3"));
    CHECK(sc_json_scan_mark(&scan, ']') && sc_json_scan_mark(&scan, ','));
    CHECK(!sc_json_scan_member(&scan, "c") && sc_json_scan_member(&scan, "b"));
    CHECK(sc_json_scan_string(&scan, text, sizeof text));
    CHECK_STR(text, "x\xc3\xa9\n\"");
    CHECK(!sc_json_scan_is_end(&scan) && sc_json_scan_mark(&scan, '}'));
    CHECK(sc_json_scan_is_end(&scan));
}

TEST(json_scan_refuses_strings_that_are_none)
{
    static const char *const bad[] = {"x",           "\"",          "\"a",
                                      "\"\\\"",      "\"\\x\"",     "\"\\u12\"",
                                      "\"\\u0000\"", "\"\\ud800\"", "\"\\ud800\\u0041\"",
                                      "\"\\udc00\"", "\"\x01\"",    "\"\xff\"",
                                      "\"0123456\""};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char text[7];
        sc_json_scan scan = scan_of(bad[i]);
        if (!CHECK(!sc_json_scan_string(&scan, text, sizeof text)))
            CHECK_FAIL("%s was taken", bad[i]);
        CHECK_INT((int64_t)scan.rest.bytes, (int64_t)strlen(bad[i]));
    }
    char text[8];
    sc_json_scan scan = scan_of("\"\\ud83d\\ude00\"");
    CHECK(sc_json_scan_string(&scan, text, sizeof text));
    CHECK_STR(text, "\xf0\x9f\x98\x80");
}

TEST(json_scan_writes_what_it_reads)
{
    static const char given[] = "a\"b\\c\nd\te\x1f\xc3\xa9";
    char text[64], back[64];
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, sizeof text);
    sc_json_put_string(&sink, given);
    sc_json_scan scan = scan_of(text);
    CHECK(sc_json_scan_string(&scan, back, sizeof back));
    CHECK_STR(back, given);
}

TEST(json_scan_bounds_integers)
{
    int64_t integer = 5;
    uint64_t number = 5;
    sc_json_scan scan = scan_of("9223372036854775808");
    CHECK(!sc_json_scan_int64(&scan, &integer) && sc_json_scan_uint64(&scan, &number));
    CHECK(number == (uint64_t)1 << 63 && integer == 5);
    scan = scan_of("-1");
    CHECK(!sc_json_scan_uint64(&scan, &number) && sc_json_scan_int64(&scan, &integer));
    scan = scan_of("1.5");
    CHECK(!sc_json_scan_int64(&scan, &integer) && !sc_json_scan_uint64(&scan, &number));
}
