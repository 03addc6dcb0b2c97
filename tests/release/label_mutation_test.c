/* A89: files of labels that were changed. Whatever changes a byte is refused; whoever makes all of a
 * file fit has neither the ledger nor the key. A105: the same of files that show a release, by the label in them or
 * beside them. */
#include "check.h"
#include "cli/display/listing.h"
#include "cli/release/file_proof.h"
#include "cli/release/report_verify.h"
#include "label_files.h"
#include "query/label/label.h"
#include "vault/vault_key.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Characters that look alike, or cannot be seen, or turn the direction of what follows. */
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

/* Markup that a browser shows otherwise, hides, covers or runs. */
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

/* A file that was written has bytes. */
static void need_bytes(const label_file *file)
{
    if (!CHECK(file->bytes != NULL && file->count > 2))
        abort();
}

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
        need_bytes(&files[form]);
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

/* A105. */

typedef enum signed_kind { KIND_BODY, KIND_OBJECT, KIND_ROWS, KINDS } signed_kind;

/* A file, and the label beside it where it is not in the file. */
typedef struct signed_file {
    label_file file, beside;
} signed_file;

static label_file text_of(size_t (*format)(const void *, char *, size_t),
                          const void *source)
{
    label_file file = {NULL, format(source, NULL, 0)};
    file.bytes = malloc(file.count + 1);
    if (!CHECK(file.bytes != NULL))
        abort();
    (void)format(source, file.bytes, file.count + 1);
    return file;
}

static size_t format_body(const void *source, char *text, size_t capacity)
{
    return scrim_body_format(source, text, capacity);
}

static label_file body_file(query_scene *s, const char *epsilon)
{
    label_file file = {NULL, 0};
    scrim_body_fit *fit = NULL;
    scrim_body_release *release = NULL;
    if (CHECK_STATUS(
            scrim_body_fit_new(s->vault, "people",
                               SCRIM_OPTIONS(scrim_body_fit_options,
                                             .columns = "age,income", .epsilon = epsilon),
                               &fit, &s->error),
            SCRIM_OK) &&
        CHECK_STATUS(scrim_body_fit_run(s->vault, fit, &release, &s->error), SCRIM_OK))
        file = text_of(format_body, scrim_body_release_body(release));
    scrim_body_release_free(release);
    scrim_body_fit_free(fit);
    return file;
}

static void write_counts(sc_output *output, sc_format format, sc_signing *signing)
{
    static const sc_listing_column columns[] = {
        {"level", SC_KIND_NUMBER}, {"sex", SC_KIND_KEY}, {"n", SC_KIND_NUMBER}};
    sc_listing listing = SC_LISTING(columns, output, format, NULL);
    listing.signing = signing;
    sc_json *json = sc_listing_open(&listing);
    if (json != NULL)
        sc_json_text(json, "epsilon", "0.5");
    sc_listing_add(&listing, (const char *const[]){"0", "", "30"});
    sc_listing_add(&listing, (const char *const[]){"1", "=\"x\", scrim-label 7", "30"});
    CHECK_STATUS(sc_listing_close(&listing, SCRIM_OK, NULL), SCRIM_OK);
}

/* Counts as an object with its label, or as CSV with the label beside. */
static signed_file counts_file(label_scene *s, sc_format format)
{
    signed_file made = {{NULL, 0}, {NULL, 0}};
    sc_output *output = malloc(sizeof *output);
    sc_signing signing = {.vault = s->base.vault, .release = 1, .kind = "counts"};
    scrim_label *label = NULL;
    char path[] = "/tmp/scrim-counts-XXXXXX";
    const int descriptor = mkstemp(path);
    if (!CHECK(output != NULL && descriptor >= 0))
        abort();
    unlink(path);
    sc_output_init(output, descriptor);
    CHECK_STATUS(sc_signing_begin(&signing, output, NULL), SCRIM_OK);
    write_counts(output, format, &signing);
    CHECK(sc_output_flush(output));
    if (format == SCRIM_FORMAT_CSV &&
        CHECK_STATUS(scrim_label_new_file(s->base.vault, 1, "counts", signing.digest,
                                          &label, NULL),
                     SCRIM_OK))
        made.beside = label_file_write(label, FORM_BARE);
    made.file.count = (size_t)lseek(descriptor, 0, SEEK_END);
    made.file.bytes = malloc(made.file.count + 1);
    CHECK(made.file.bytes != NULL && pread(descriptor, made.file.bytes, made.file.count,
                                           0) == (ssize_t)made.file.count);
    made.file.bytes[made.file.count] = '\0';
    sc_signing_clear(&signing);
    scrim_label_free(label);
    close(descriptor);
    free(output);
    return made;
}

static bool signed_holds(const signed_file *f, scrim_vault *vault, const char *key)
{
    const sc_report_proof proof = {.vault = vault, .key = key};
    sc_report_verdict verdict = {.label = NULL};
    if (f->beside.bytes == NULL)
        return label_file_holds(&f->file, vault, key);
    const bool holds =
        sc_report_verify_beside(f->file.bytes, f->file.count, f->beside.bytes,
                                f->beside.count, &proof, &verdict, NULL) == SCRIM_OK &&
        verdict.unchecked_count == 0;
    sc_report_verdict_clear(&verdict);
    return holds;
}

/* Is it shown, and as signed? */
static bool is_shown_as_signed(const label_file *file)
{
    static const sc_options options = {.words = NULL};
    char note[SC_PROOF_BYTES] = "";
    scrim_error error = {.message = ""};
    return sc_file_prove(&options, "-", file->bytes, file->count, note, &error) ==
               SCRIM_OK &&
           strstr(note, "signed by") != NULL;
}

static bool signed_begin(label_scene *s, signed_file files[KINDS])
{
    if (!label_scene_begin(s))
        return false;
    files[KIND_BODY] = (signed_file){body_file(&s->base, "1"), {NULL, 0}};
    files[KIND_OBJECT] = counts_file(s, SCRIM_FORMAT_JSON);
    files[KIND_ROWS] = counts_file(s, SCRIM_FORMAT_CSV);
    for (int i = 0; i < KINDS; i++) {
        need_bytes(&files[i].file);
        CHECK(signed_holds(&files[i], s->base.vault, NULL));
        CHECK(signed_holds(&files[i], NULL, s->key.text));
        CHECK(!signed_holds(&files[i], NULL, NULL));
        if (files[i].beside.bytes == NULL)
            CHECK(is_shown_as_signed(&files[i].file));
    }
    return true;
}

static void signed_end(label_scene *s, signed_file files[KINDS])
{
    for (int i = 0; i < KINDS; i++) {
        free(files[i].file.bytes);
        free(files[i].beside.bytes);
    }
    label_scene_end(s);
}

static void check_refused(const label_scene *s, const signed_file *f, bool by_vault,
                          const char *what, uint64_t place)
{
    if (signed_holds(f, by_vault ? s->base.vault : NULL, by_vault ? NULL : s->key.text))
        CHECK_FAIL("%s, %llu: it holds", what, (unsigned long long)place);
    if (f->beside.bytes == NULL && is_shown_as_signed(&f->file))
        CHECK_FAIL("%s, %llu: it is shown as signed", what, (unsigned long long)place);
}

/* Bytes here and there, with --long every one: a bit of it is turned. */
SLOW_TEST(A105_every_byte_of_a_signed_file_counts)
{
    CLAIM("label.file");
    CLAIM("file-proof.refuses");
    CLAIM("signed-file.every-byte");
    label_scene s;
    signed_file files[KINDS];
    if (!signed_begin(&s, files))
        return;
    for (int kind = 0; kind < KINDS; kind++)
        for (int is_beside = 0; is_beside < (kind == KIND_ROWS ? 2 : 1); is_beside++) {
            label_file *file = is_beside ? &files[kind].beside : &files[kind].file;
            const uint64_t rounds = check_count(150, file->count);
            for (uint64_t i = 0; i < rounds; i++) {
                const size_t at =
                    (size_t)(rounds == file->count ? i : i * 7919 + check_seed()) %
                    file->count;
                const char before = file->bytes[at];
                file->bytes[at] = (char)(before ^ 1 << i % 8);
                check_refused(&s, &files[kind], i % 16 == 0, "byte", at);
                file->bytes[at] = before;
            }
        }
    signed_end(&s, files);
}

/* Changes that a person or a program makes to a file: members twice, other spellings, something behind the end. */
SLOW_TEST(A105_signed_files_that_were_changed)
{
    CLAIM("label.file");
    CLAIM("verify.shown");
    label_scene s;
    signed_file files[KINDS];
    uint64_t state = check_seed() * UINT64_C(0x9e3779b97f4a7c15) + 7;
    const uint64_t rounds = check_count(170, 10000);
    if (!signed_begin(&s, files))
        return;
    for (uint64_t i = 0; i < rounds; i++) {
        const size_t which = i % COUNT(mutations);
        signed_file changed = files[i / COUNT(mutations) % KINDS];
        const label_file before = changed.file;
        changed.file = copy_of(&before);
        mutations[which].change(&changed.file, &state);
        if (!is_same(&changed.file, &before))
            check_refused(&s, &changed, i % 8 == 0, mutations[which].name, i);
        free(changed.file.bytes);
    }
    signed_end(&s, files);
}

/* Where the label of a JSON file begins. */
static size_t label_place(const label_file *file)
{
    need_bytes(file);
    const char *at = strstr(file->bytes, "\"scrim-label\": \"");
    return CHECK(at != NULL) ? (size_t)(at - file->bytes) : 0;
}

/* The label does not change with these bytes, and they are not in the digest. */
TEST(A105_the_last_bytes_of_a_signed_file_count)
{
    CLAIM("signed-file.every-byte");
    label_scene s;
    signed_file files[KINDS];
    if (!signed_begin(&s, files))
        return;
    for (int kind = 0; kind < KIND_ROWS; kind++)
        for (size_t i = 1; i <= 2; i++) {
            char *last = &files[kind].file.bytes[files[kind].file.count - i];
            const char before = *last;
            *last = ' ';
            check_refused(&s, &files[kind], false, "the end", i);
            *last = before;
        }
    signed_end(&s, files);
}

/* The label of one file behind, or beside, another. */
SLOW_TEST(A105_labels_of_other_files)
{
    label_scene s;
    signed_file files[KINDS];
    label_file other;
    if (!signed_begin(&s, files))
        return;
    other = body_file(&s.base, "2");
    signed_file swapped = {copy_of(&files[KIND_BODY].file), {NULL, 0}};
    const size_t place = label_place(&swapped.file), from = label_place(&other);
    splice(&swapped.file, place, swapped.file.count - place, other.bytes + from,
           other.count - from);
    check_refused(&s, &swapped, false, "the label of another body", 0);
    check_refused(&s, &swapped, true, "the label of another body", 0);
    /* The label of the release, which is that of no file. */
    const label_file plain = label_file_write(s.label, FORM_BARE);
    signed_file rows = files[KIND_ROWS];
    rows.beside = plain;
    check_refused(&s, &rows, false, "the label of a release", 0);
    rows.beside = files[KIND_ROWS].beside;
    rows.file = files[KIND_OBJECT].file;
    rows.file.count = label_place(&rows.file);
    check_refused(&s, &rows, false, "the label of a table beside another", 0);
    /* Without its label a body is a body, and nobody's. */
    signed_file bare = {copy_of(&files[KIND_BODY].file), {NULL, 0}};
    splice(&bare.file, place - 2, bare.file.count - place + 2, "}\n", 2);
    scrim_body *body = NULL;
    CHECK_STATUS(scrim_body_read(bare.file.bytes, bare.file.count, &body, NULL),
                 SCRIM_OK);
    check_refused(&s, &bare, false, "no label", 0);
    scrim_body_free(body);
    free(bare.file.bytes);
    free(plain.bytes);
    free(swapped.file.bytes);
    free(other.bytes);
    signed_end(&s, files);
}

/* A file that is made again is the same, whatever the ledger has learnt since. */
SLOW_TEST(A105_a_file_is_the_same_whenever_it_is_made)
{
    CLAIM("label.file");
    label_scene s;
    signed_file files[KINDS];
    if (!signed_begin(&s, files))
        return;
    label_file other = body_file(&s.base, "3"), again = body_file(&s.base, "1");
    CHECK(is_same(&again, &files[KIND_BODY].file));
    free(other.bytes);
    free(again.bytes);
    signed_end(&s, files);
}
