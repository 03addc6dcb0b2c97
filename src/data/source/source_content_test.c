#include "check.h"
#include "data/source/source_content.h"

#include <string.h>

static const sc_source_key key = {{{1, 2}, {3, 4}}};

static bool is_equal(const sc_source_content *a, const sc_source_content *b)
{
    return a->words[0] == b->words[0] && a->words[1] == b->words[1];
}

/* The digest of texts as blocks, which come in an order and each in two parts. */
static sc_source_content digest(const sc_source_key *by, const char *const *texts,
                                const size_t *order, size_t count, size_t first)
{
    sc_content_hasher *hasher = NULL;
    sc_content_block *block = NULL;
    sc_source_content sum = {{0, 0}};
    CHECK_STATUS(sc_content_hasher_new(by, &hasher, NULL), SCRIM_OK);
    CHECK_STATUS(sc_content_block_new(hasher, &block, NULL), SCRIM_OK);
    for (size_t i = 0; i < count; i++) {
        const char *text = texts[order[i]];
        const size_t bytes = strlen(text), part = first < bytes ? first : bytes;
        CHECK_STATUS(sc_content_block_begin(block, NULL), SCRIM_OK);
        CHECK_STATUS(sc_content_block_add(block, text, part, NULL), SCRIM_OK);
        CHECK_STATUS(sc_content_block_add(block, text + part, bytes - part, NULL),
                     SCRIM_OK);
        CHECK_STATUS(sc_content_block_end(block, order[i], &sum, NULL), SCRIM_OK);
    }
    sc_content_block_free(block);
    sc_content_hasher_free(hasher);
    return sum;
}

TEST(A107_content_is_all_bytes_in_their_places)
{
    CLAIM("source_content.exact");
    static const char *const texts[] = {"Ann,1\n", "Ann,1\n", "Bob,2\n"},
                             *const others[][3] = {{"Bob,2\n", "Ann,1\n", "Ann,1\n"},
                                                   {"Bob,2\n", "Bob,2\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", "Bob,3\n"},
                                                   {"Ann,1", "\nAnn,1\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", "Bob,2\n"},
                                                   {"Ann,1\n", "Ann,1\n", ""}};
    static const size_t order[] = {0, 1, 2}, back[] = {2, 0, 1};
    static const sc_source_key keys[] = {{{{1, 2}, {3, 5}}}, {{{0, 2}, {3, 4}}}};
    const sc_source_content whole = digest(&key, texts, order, 3, 0);
    for (size_t first = 0; first < 7; first++) {
        const sc_source_content again = digest(&key, texts, back, 3, first);
        CHECK(is_equal(&whole, &again));
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const sc_source_content other = digest(&key, others[i], order, 3, 0);
        CHECK(is_equal(&whole, &other) == (i == 4));
    }
    for (size_t i = 0; i < 2; i++) {
        const sc_source_content other = digest(&keys[i], texts, order, 3, 0);
        CHECK(whole.words[0] != other.words[0] && whole.words[1] != other.words[1]);
    }
    const sc_source_content fewer = digest(&key, texts, order, 2, 0);
    CHECK(!is_equal(&whole, &fewer));
}

/* A file of some blocks, whose last one is not full. */
typedef struct pretended {
    uint64_t changed; /* the place of another byte */
} pretended;

static scrim_status read_pretended(void *context, uint64_t offset, void *to, size_t bytes,
                                   scrim_error *error)
{
    const pretended *file = context;
    (void)error;
    memset(to, 'a', bytes);
    if (file->changed >= offset && file->changed - offset < bytes)
        ((char *)to)[file->changed - offset] = 'b';
    return SCRIM_OK;
}

TEST(A107_content_of_a_file_is_all_its_blocks)
{
    CLAIM("source_content.exact");
    enum { BLOCK = SC_CONTENT_BLOCK_BYTES };
    static const uint64_t sizes[] = {1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 5};
    sc_content_file *file = NULL;
    REQUIRE_OK(sc_content_file_new(&key, &file, NULL));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pretended plain = {.changed = UINT64_MAX};
        sc_source_content whole, other;
        REQUIRE_OK(
            sc_content_file_read(file, sizes[i], read_pretended, &plain, &whole, NULL));
        for (uint64_t at = 0; at < sizes[i]; at += BLOCK / 2 + 1) {
            pretended changed = {.changed = sizes[i] - 1 - at};
            REQUIRE_OK(sc_content_file_read(file, sizes[i], read_pretended, &changed,
                                            &other, NULL));
            CHECK(!is_equal(&whole, &other));
        }
        REQUIRE_OK(sc_content_file_read(file, sizes[i] + 1, read_pretended, &plain,
                                        &other, NULL));
        CHECK(!is_equal(&whole, &other));
    }
    sc_content_file_free(file);
}
