#include "base/memory.h"
#include "check.h"
#include "store_memory.h"
#include "vault/store_key.h"

TEST(store_key_fits_the_book_that_names_it)
{
    CLAIM("store-key.fits");
    sc_store *store = NULL;
    sc_book book;
    sc_digest key, secret = {{0}};
    bool is_right = false;
    scrim_error error;
    sc_book_init(&book);
    REQUIRE_OK(store_memory_new(&store, &error));
    REQUIRE_OK(store->functions->begin(store, true, &error));
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(is_right); /* neither is there */
    book.key_entry = 1;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* the private one is missing */
    REQUIRE_OK(sc_store_key_draw(store, &key, &error));
    book.key = key;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(is_right);
    CHECK(!sc_digest_equal(&secret, &key));
    book.key.bytes[31] ^= 1;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* of another one */
    book.key = key;
    book.key_entry = 0;
    REQUIRE_OK(sc_store_key_read(store, &book, &secret, &is_right, &error));
    CHECK(!is_right); /* the public one is missing */
    store->functions->rollback(store);
    sc_wipe(&secret, sizeof secret);
    store->functions->close(store);
    sc_book_clear(&book);
}
