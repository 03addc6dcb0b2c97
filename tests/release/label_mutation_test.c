/* A89: files of labels that were changed. Whatever changes a byte is refused; whoever makes all of a
 * file fit has neither the ledger nor the key. */
#include "check.h"
#include "cli/report/report_verify.h"
#include "label_files.h"
#include "query/label/label.h"
#include "vault/handle/vault_key.h"

#include <stdio.h>
#include <string.h>

static uint64_t next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static size_t below(uint64_t *state, size_t bound)
{
    return (size_t)(next(state) % bound);
}

/* Room for what is put in, and what is taken out. */
static void splice(label_file *file, size_t at, size_t out, const char *in, size_t bytes)
{
    file->bytes = realloc(file->bytes, file->count + bytes + 1);
    if (!CHECK(file->bytes != NULL))
        abort();
    memmove(file->bytes + at + bytes, file->bytes + at + out, file->count - at - out + 1);
    memcpy(file->bytes + at, in, bytes);
    file->count += bytes - out;
}

static void insert(label_file *file, size_t at, const char *text)
{
    splice(file, at, 0, text, strlen(text));
}

/* The place of the n-th byte of these, from somewhere on and round. */
static size_t find_any(const label_file *file, const char *bytes, uint64_t *state)
{
    const size_t from = below(state, file->count);
    for (size_t i = 0; i < file->count; i++) {
        const size_t at = (from + i) % file->count;
        if (strchr(bytes, file->bytes[at]) != NULL)
            return at;
    }
    return from;
}

typedef void mutation(label_file *file, uint64_t *state);

static void flip(label_file *file, uint64_t *state)
{
    char *byte = &file->bytes[below(state, file->count)];
    *byte = (char)(*byte ^ 1 << below(state, 8));
}

static void replace(label_file *file, uint64_t *state)
{
    file->bytes[below(state, file->count)] = (char)(' ' + below(state, 95));
}

static void delete (label_file *file, uint64_t *state)
{
    const size_t at = below(state, file->count), left = file->count - at;
    splice(file, at, 1 + below(state, left < 40 ? left : 40), "", 0);
}

static void repeat(label_file *file, uint64_t *state)
{
    char piece[64];
    const size_t at = below(state, file->count), left = file->count - at;
    const size_t bytes = 1 + below(state, left < 64 ? left : 64);
    memcpy(piece, file->bytes + at, bytes);
    splice(file, at, 0, piece, bytes);
}

static void cut(label_file *file, uint64_t *state)
{
    const size_t at = below(state, file->count);
    splice(file, at, file->count - at, "", 0);
}

/* A line is moved to another place. */
static void move_line(label_file *file, uint64_t *state)
{
    char line[4096];
    const size_t from = find_any(file, "\n", state) + 1;
    const char *end =
        from < file->count ? memchr(file->bytes + from, '\n', file->count - from) : NULL;
    if (end == NULL || (size_t)(end - file->bytes) - from >= sizeof line)
        return;
    const size_t bytes = (size_t)(end - file->bytes) - from + 1;
    memcpy(line, file->bytes + from, bytes);
    splice(file, from, bytes, "", 0);
    splice(file, below(state, file->count + 1), 0, line, bytes);
}

static void blanks(label_file *file, uint64_t *state)
{
    static const char *const others[] = {"\t",       "  ", "\n",           "\r\n",
                                         "\xc2\xa0", "",   "\xe2\x80\x8b", "\f"};
    const char *with = others[below(state, COUNT(others))];
    splice(file, find_any(file, " \n", state), 1, with, strlen(with));
}

static void blanks_around(label_file *file, uint64_t *state)
{
    static const char *const others[] = {" ", "\n", "\r\n", "\xef\xbb\xbf", "\t", "\f"};
    insert(file, below(state, 2) == 0 ? 0 : file->count,
           others[below(state, COUNT(others))]);
}

/* What looks alike, or cannot be seen, or turns the direction of what follows. */
static void look_alike(label_file *file, uint64_t *state)
{
    static const struct {
        const char *one, *other;
    } pairs[] = {{"a", "\xd0\xb0"},
                 {"e", "\xd0\xb5"},
                 {"o", "\xce\xbf"},
                 {"0", "O"},
                 {"1", "l"},
                 {"l", "I"},
                 {"5", "\xef\xbc\x95"},
                 {".", "\xe2\x80\xa4"},
                 {"-", "\xe2\x80\x91"}};
    static const char *const unseen[] = {"\xe2\x80\x8b", "\xe2\x80\xae", "\xe2\x80\x8d",
                                         "\xc2\xad", "\xef\xb8\x8f"};
    const size_t which = below(state, COUNT(pairs) + COUNT(unseen));
    if (which >= COUNT(pairs)) {
        insert(file, below(state, file->count), unseen[which - COUNT(pairs)]);
        return;
    }
    const size_t at = find_any(file, pairs[which].one, state);
    splice(file, at, 1, pairs[which].other, strlen(pairs[which].other));
}

/* The same number in another spelling. */
static void respell(label_file *file, uint64_t *state)
{
    static const char *const before[] = {"0", "+", "00", "0x", " ", "-"};
    static const char *const after[] = {"0", ".0", "e0", "E+0", "L", "/1"};
    const size_t at = find_any(file, "0123456789", state);
    if (below(state, 2) == 0)
        insert(file, at, before[below(state, COUNT(before))]);
    else
        insert(file, at + 1, after[below(state, COUNT(after))]);
}

/* What a browser shows otherwise, hides, covers or runs. */
static void markup(label_file *file, uint64_t *state)
{
    static const char *const pieces[] = {
        "<!-- -->",
        "<!--",
        "-->",
        "<style>.big b{display:none}</style>",
        "<style>.big b::after{content:\"0.01\"}</style>",
        "<style>pre{visibility:hidden}</style>",
        "<div style=\"position:fixed;inset:0;background:#fff\">epsilon 0.01</div>",
        "<script>document.title=1</script>",
        "<base href=\"//x\">",
        "<link rel=stylesheet href=x>",
        "<meta http-equiv=refresh content=0>",
        "<template>",
        "<noscript>",
        "<details>",
        "<p hidden>",
        "<plaintext>",
        "<svg><text>0.01</text></svg>",
        "<iframe srcdoc=x></iframe>",
        "&shy;",
        "&#8203;",
        "<wbr>",
        "<bdo dir=rtl>",
        "</pre><pre id=\"scrim-label\">",
        "<pre id=\"scrim-record\"></pre>",
        "}.big b{font-size:0",
    };
    insert(file, below(state, file->count + 1), pieces[below(state, COUNT(pieces))]);
}

static void attribute(label_file *file, uint64_t *state)
{
    static const char *const pieces[] = {" hidden",
                                         " style=\"display:none\"",
                                         " class=\"x\"",
                                         " onclick=\"x()\"",
                                         " dir=\"rtl\"",
                                         " aria-label=\"0.01\"",
                                         " ",
                                         " translate=\"no\""};
    const size_t at = find_any(file, ">", state);
    insert(file, at, pieces[below(state, COUNT(pieces))]);
}

/* An entity or an escape in place of a character. */
static void escape(label_file *file, uint64_t *state)
{
    char text[16];
    const size_t at = below(state, file->count);
    const unsigned c = (unsigned char)file->bytes[at];
    const size_t which = below(state, 4);
    snprintf(text, sizeof text,
             which == 0   ? "&#%u;"
             : which == 1 ? "&#x%x;"
             : which == 2 ? "\\u%04x"
                          : "%%%02X",
             c);
    splice(file, at, 1, text, strlen(text));
}

/* Members twice, members more, and objects behind the object. */
static void member(label_file *file, uint64_t *state)
{
    static const char *const pieces[] = {"\"cost\": {\"epsilon\": \"0.01\"}, ",
                                         "\"release\": 1, ",
                                         "\"\\u0063ost\": {}, ",
                                         "\"label\": \"\", ",
                                         "\"x\": null, ",
                                         ", ",
                                         "{",
                                         "}",
                                         "]"};
    insert(file, below(state, 2) == 0 ? 1 : below(state, file->count),
           pieces[below(state, COUNT(pieces))]);
}

static void append(label_file *file, uint64_t *state)
{
    static const char *const pieces[] = {"{}",
                                         "garbage",
                                         "\n{\"cost\": {}}\n",
                                         "<script>x()</script>",
                                         "# a comment\n",
                                         "cost.epsilon,0.01\n",
                                         "epsilon 0.01\n",
                                         "x",
                                         "  holds: true\n",
                                         "hash 00\n",
                                         "signature 00\n"};
    insert(file, file->count, pieces[below(state, COUNT(pieces))]);
}

static void nought(label_file *file, uint64_t *state)
{
    splice(file, below(state, file->count + 1), 0, "", 1); /* its terminator */
}

static void fold_case(label_file *file, uint64_t *state)
{
    const size_t at =
        find_any(file, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", state);
    file->bytes[at] ^= ' ';
}

static const struct {
    const char *name;
    mutation *change;
} mutations[] = {
    {"flip", flip},
    {"replace", replace},
    {"delete", delete},
    {"repeat", repeat},
    {"cut", cut},
    {"move line", move_line},
    {"blanks", blanks},
    {"around", blanks_around},
    {"look-alike", look_alike},
    {"respell", respell},
    {"markup", markup},
    {"attribute", attribute},
    {"escape", escape},
    {"member", member},
    {"append", append},
    {"nought", nought},
    {"case", fold_case},
};

static label_file copy_of(const label_file *file)
{
    label_file copy = {malloc(file->count + 1), file->count};
    if (!CHECK(copy.bytes != NULL))
        abort();
    memcpy(copy.bytes, file->bytes, file->count + 1);
    return copy;
}

static bool is_same(const label_file *a, const label_file *b)
{
    return a->count == b->count && memcmp(a->bytes, b->bytes, a->count) == 0;
}

/* By turns the vault and the key prove it. */
SLOW_TEST(A89_files_that_were_changed)
{
    CLAIM("verify.shown");
    label_scene s;
    label_file files[FORMS];
    uint64_t state = check_seed() * UINT64_C(0x9e3779b97f4a7c15) + 1;
    uint64_t changed = 0;
    const uint64_t rounds = check_count(340, 10000);
    if (!label_scene_begin(&s))
        return;
    for (label_form form = FORM_BARE; form < FORMS; form++) {
        files[form] = label_file_write(s.label, form);
        CHECK(label_file_holds(&files[form], s.base.vault, NULL));
        CHECK(label_file_holds(&files[form], NULL, s.key.text));
        CHECK(label_file_holds(&files[form], s.base.vault, s.key.text));
        CHECK(!label_file_holds(&files[form], NULL, NULL));
    }
    for (uint64_t i = 0; changed < rounds && i < 2 * rounds; i++) {
        const size_t which = i % COUNT(mutations);
        const label_form form = (label_form)(i / COUNT(mutations) % FORMS);
        const bool by_vault = next(&state) % 2 == 0;
        label_file copy = copy_of(&files[form]);
        mutations[which].change(&copy, &state);
        if (!is_same(&copy, &files[form])) {
            changed++;
            if (label_file_holds(&copy, by_vault ? s.base.vault : NULL,
                                 by_vault ? NULL : s.key.text))
                CHECK_FAIL("%s of form %d, round %llu: it holds", mutations[which].name,
                           (int)form, (unsigned long long)i);
        }
        free(copy.bytes);
    }
    CHECK_INT(changed, rounds);
    for (label_form form = FORM_BARE; form < FORMS; form++)
        free(files[form].bytes);
    label_scene_end(&s);
}
