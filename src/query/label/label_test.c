#include "check.h"
#include "faults.h"
#include "query/label/label.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that could break a line, JSON or HTML, or look like a label. */
static const char *const values[] = {
    "plain",
    "",
    " ",
    "100 % of \"this\" & <that> 'there'",
    "a\nscrim-label 1\nhash 00",
    "\x1b[31m",
    "gr\xc3\xbc\xc3\x9f\x65 \xf0\x9f\x8e\xad \xe2\x80\xae",
    "\xff\xfe",
    "</pre><pre id=\"scrim-label\">scrim-label 1\n",
    "\", \"label\": \"scrim-label 1\\n",
    "back\\slash\\u0041",
};

static scrim_label *make(void)
{
    scrim_label *label = sc_label_new();
    char key[SC_LABEL_KEY_BYTES];
    if (label == NULL)
        return NULL;
    for (size_t i = 0; i < COUNT(values); i++)
        sc_label_put(label, sc_label_key(key, "fact", i + 1, "value"),
                     sc_text_of(values[i]));
    sc_label_put_number(label, "last.number", UINT64_MAX);
    if (sc_label_seal(label, NULL) == SCRIM_OK)
        return label;
    scrim_label_free(label);
    return NULL;
}

/* Around the label: what stands there is not looked at. */
typedef enum surface { TEXT, JSON, HTML, YAML, SURFACES } surface;

static char *put_char(char *at, surface s, unsigned char c)
{
    static const char escapes[] = "\"\\\n", names[] = "\"\\n";
    const char *escape = s == JSON && c != '\0' ? strchr(escapes, c) : NULL;
    if (escape != NULL)
        return at + sprintf(at, "\\%c", names[escape - escapes]);
    if (s == HTML && (c == '<' || c == '>' || c == '&' || c == '"' || c == '\''))
        return at + sprintf(at, "%s",
                            c == '<'   ? "&lt;"
                            : c == '>' ? "&gt;"
                            : c == '&' ? "&amp;"
                            : c == '"' ? "&quot;"
                                       : "&#39;");
    *at++ = (char)c;
    if (s == YAML && c == '\n')
        at += sprintf(at, "# ");
    return at;
}

static char *shown(surface s, const char *text)
{
    static const char *const before[] = {
        "release   8\n  scrim-label 1\n\n",
        "{\"rows\": [\"\\\"label\\\": \\\"scrim-label 1\\\\n\"], \"label\": \"",
        "<p>scrim-label 1\n&lt;pre id=\"scrim-label\"&gt;</p><pre id=\"scrim-label\">",
        "# made\nname: |-\n  scrim-label 1\n# "};
    static const char *const after[] = {"\nthat is all\n", "\"}\n", "</pre></html>", ""};
    char *out = malloc(6 * strlen(text) + 400), *at = out;
    if (!CHECK(out != NULL))
        abort();
    at += sprintf(at, "%s", before[s]);
    for (; *text != '\0'; text++)
        at = put_char(at, s, (unsigned char)*text);
    if (s == YAML)
        at -= 2; /* a comment that has not begun */
    sprintf(at, "%s", after[s]);
    return out;
}

TEST(label_is_read_from_every_surface)
{
    CLAIM("label.whole");
    scrim_label *label = make(), *again;
    REQUIRE(label != NULL);
    for (surface s = TEXT; s < SURFACES; s++) {
        char *file = shown(s, scrim_label_text(label));
        again = NULL;
        if (CHECK_STATUS(scrim_label_find(file, strlen(file), &again, NULL), SCRIM_OK)) {
            CHECK_STR(scrim_label_text(again), scrim_label_text(label));
            CHECK_INT(scrim_label_count(again), COUNT(values) + 1);
            for (size_t i = 0; i < COUNT(values); i++)
                CHECK_STR(scrim_label_fact_at(again, i)->value, values[i]);
        }
        scrim_label_free(again);
        free(file);
    }
    scrim_label_free(label);
}

/* Lines are lines: no value breaks one. */
TEST(label_has_a_line_a_fact)
{
    CLAIM("label.whole");
    scrim_label *label = make();
    size_t lines = 0;
    REQUIRE(label != NULL);
    for (const char *c = scrim_label_text(label); *c != '\0'; c++) {
        lines += *c == '\n';
        CHECK((unsigned char)*c >= ' ' || *c == '\n');
    }
    CHECK_INT(lines, COUNT(values) + 3);
    scrim_label_free(label);
}

/* A change of any byte, a line less, a line twice. */
TEST(label_notices_every_change)
{
    CLAIM("label.whole");
    scrim_label *label = make(), *other = NULL;
    REQUIRE(label != NULL);
    const char *text = scrim_label_text(label);
    const size_t bytes = strlen(text);
    for (surface s = TEXT; s < SURFACES; s++) {
        char *file = shown(s, text);
        const size_t count = strlen(file);
        const char *first = s == TEXT   ? "\n\nscrim-label"
                            : s == JSON ? "\"label\": \"scrim"
                            : s == YAML ? "\n# scrim-label"
                                        : "<pre id=\"scrim-label\">";
        const size_t from = (size_t)(strstr(file, first) - file) + strlen(first);
        const size_t to = (size_t)(strstr(file, "hash ") - file) + 5 + 64;
        (void)bytes;
        for (size_t i = from; i < count && i < to; i++) {
            const char was = file[i];
            file[i] = was == 'x' ? 'y' : 'x';
            const scrim_status status = scrim_label_find(file, count, &other, NULL);
            if (status != SCRIM_E_CHECK && status != SCRIM_E_SYNTAX)
                CHECK_FAIL("byte %zu of surface %d", i, (int)s);
            file[i] = was;
        }
        free(file);
    }
    for (size_t cut = 0; cut < bytes - 1; cut++) {
        const scrim_status status = scrim_label_find(text, cut, &other, NULL);
        CHECK(status == SCRIM_E_CHECK || status == SCRIM_E_SYNTAX);
    }
    scrim_label_free(label);
}

TEST(label_is_alone)
{
    CLAIM("label.whole");
    scrim_label *label = make(), *other = NULL;
    REQUIRE(label != NULL);
    const char *text = scrim_label_text(label);
    for (surface s = TEXT; s < SURFACES; s++) {
        char *one = shown(s, text), *two = malloc(2 * strlen(one) + 1);
        REQUIRE(two != NULL);
        sprintf(two, "%s%s", one, one);
        CHECK_STATUS(scrim_label_find(two, strlen(two), &other, NULL), SCRIM_E_CHECK);
        free(two);
        free(one);
    }
    scrim_label_free(label);
}

TEST(label_is_not_found_in_anything)
{
    static const char *const files[] = {
        "", "\n", "{}", "label", "{\"label\": \"x\"}", "<pre>scrim-label 1</pre>"};
    scrim_label *none = NULL;
    scrim_error error;
    for (size_t i = 0; i < COUNT(files); i++)
        CHECK_STATUS(scrim_label_find(files[i], strlen(files[i]), &none, &error),
                     SCRIM_E_SYNTAX);
    CHECK_STATUS(scrim_label_find("scrim-label 3\n", 14, &none, &error), SCRIM_E_CHECK);
    CHECK_STATUS(scrim_label_find("scrim-label 1\nhash 0\n", 21, &none, &error),
                 SCRIM_E_CHECK);
}

/* A fact that is there twice, under a hash that is right. */
TEST(label_has_no_fact_twice)
{
    CLAIM("label.whole");
    scrim_label *label = sc_label_new(), *other = NULL;
    REQUIRE(label != NULL);
    sc_label_put(label, "cost.epsilon", sc_text_of("1"));
    sc_label_put(label, "cost.delta", sc_text_of("0"));
    sc_label_put(label, "cost.epsilon", sc_text_of("2"));
    if (CHECK_STATUS(sc_label_seal(label, NULL), SCRIM_OK))
        CHECK_STATUS(scrim_label_find(label->text, strlen(label->text), &other, NULL),
                     SCRIM_E_CHECK);
    scrim_label_free(label);
}

/* Rows of CSV, whose quotes are those of RFC 4180. */
TEST(label_is_read_from_rows)
{
    CLAIM("label.whole");
    static const char *const broken[] = {"fact,value\n", "fact,value\nscrim-label,7\n",
                                         "fact,value\nscrim-label,7\na.b,\"x\n",
                                         "fact,value\nscrim-label,7\na.b\n",
                                         "fact,value\nscrim-label,7\na.b,\"x\"y\n"};
    scrim_label *label = make(), *again = NULL;
    REQUIRE(label != NULL);
    char *file = malloc(2 * strlen(label->text) + 100), *at = file;
    REQUIRE(file != NULL);
    at += sprintf(at, "fact,value\nscrim-label,7\n");
    for (size_t i = 0; i < label->count; i++) {
        at += sprintf(at, "%s,\"", label->facts[i].key);
        for (const char *c = label->facts[i].value; *c != '\0'; c++)
            at += sprintf(at, *c == '"' ? "\"%c" : "%c", *c);
        at += sprintf(at, "\"\n");
    }
    const char *hash = strstr(label->text, "\nhash ") + 6;
    sprintf(at, "hash,%s", hash);
    if (CHECK_STATUS(scrim_label_find(file, strlen(file), &again, NULL), SCRIM_OK))
        CHECK_STR(scrim_label_text(again), scrim_label_text(label));
    scrim_label_free(again);
    for (size_t i = 0; i < COUNT(broken); i++)
        CHECK(scrim_label_find(broken[i], strlen(broken[i]), &again, NULL) != SCRIM_OK);
    free(file);
    scrim_label_free(label);
}

/* Behind the hash there is a signature, once, or nothing. */
TEST(label_ends_with_its_signature)
{
    CLAIM("label.signed");
    scrim_label *label = make(), *again = NULL;
    REQUIRE(label != NULL);
    const size_t content = strlen(label->text);
    memset(label->signature.bytes, 0xab, sizeof label->signature.bytes);
    label->has_signature = true;
    REQUIRE_OK(sc_label_seal(label, NULL));
    CHECK_INT(sc_label_content(label).bytes, content);
    for (surface s = TEXT; s < SURFACES; s++) {
        char *file = shown(s, scrim_label_text(label));
        if (CHECK_STATUS(scrim_label_find(file, strlen(file), &again, NULL), SCRIM_OK)) {
            CHECK_STR(scrim_label_text(again), scrim_label_text(label));
            CHECK(scrim_label_is_signed(again));
        }
        scrim_label_free(again);
        free(file);
    }
    char *text = malloc(2 * strlen(label->text));
    REQUIRE(text != NULL);
    static const char *const ends[] = {"signature \n", "signature ab\n",
                                       "signatures x\n"};
    for (size_t i = 0; i < COUNT(ends); i++) {
        sprintf(text, "%.*s%s", (int)content, label->text, ends[i]);
        CHECK_STATUS(sc_label_read(sc_text_of(text), &again, NULL), SCRIM_E_CHECK);
    }
    sprintf(text, "%s%s", label->text, label->text + content);
    CHECK_STATUS(sc_label_read(sc_text_of(text), &again, NULL), SCRIM_E_CHECK);
    free(text);
    scrim_label_free(label);
}

TEST(label_survives_without_memory)
{
    scrim_label *label = make();
    REQUIRE(label != NULL);
    FAULT_LOOP(fault)
    {
        scrim_label *again = NULL;
        const scrim_status status = scrim_label_find(
            scrim_label_text(label), strlen(scrim_label_text(label)), &again, NULL);
        CHECK(status == SCRIM_OK || (fault_hit() && status == SCRIM_E_MEMORY) ||
              (fault_hit() && status == SCRIM_E_INTERNAL));
        scrim_label_free(again);
    }
    scrim_label_free(label);
}

/* A record of any bytes is the same from a page; one that is too long for a page is kept beside. */
TEST(label_carries_its_record)
{
    CLAIM("label.record");
    static const char record[] = "query 1\nrow %00 \xff\x01<b>&\n\nlast";
    scrim_label *label = sc_label_new();
    char back[sizeof record + 100];
    size_t bytes = 0;
    REQUIRE(label != NULL);
    REQUIRE_OK(sc_label_keep_record(label, sc_text_of(record), NULL));
    CHECK_STR(label->record, record);
    REQUIRE(scrim_label_record(label) != NULL);
    REQUIRE(strlen(scrim_label_record(label)) < sizeof back);
    CHECK(strstr(scrim_label_record(label), "\xff") == NULL);
    CHECK(sc_label_unescape(sc_text_of(scrim_label_record(label)), back, &bytes));
    CHECK_INT(bytes, strlen(record));
    CHECK_BYTES(back, record, bytes);
    scrim_label_free(label);
    label = sc_label_new();
    static char much[SC_LABEL_RECORD_BYTES + 1];
    REQUIRE(label != NULL);
    memset(much, 'x', SC_LABEL_RECORD_BYTES + 1);
    REQUIRE_OK(
        sc_label_keep_record(label, (sc_text){much, SC_LABEL_RECORD_BYTES + 1}, NULL));
    CHECK(scrim_label_record(label) == NULL);
    CHECK_INT(strlen(label->record), SC_LABEL_RECORD_BYTES + 1);
    scrim_label_free(label);
}
