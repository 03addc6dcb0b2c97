#include "base/mac.h"

#include "base/fork_guard.h"
#include "base/memory.h"

#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>
#include <string.h>

struct sc_mac {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *provider;
    OSSL_FUNC_mac_newctx_fn *state_new;
    OSSL_FUNC_mac_freectx_fn *state_free;
    OSSL_FUNC_mac_init_fn *begin;
    OSSL_FUNC_mac_update_fn *add;
    OSSL_FUNC_mac_final_fn *end;
};

struct sc_mac_state {
    const sc_mac *mac;
    void *state;
};

/* The provider's functions are called directly, as in base/digest.c: no configuration comes between. */
static bool find(sc_mac *mac, const OSSL_ALGORITHM *algorithm)
{
    while (algorithm->algorithm_names != NULL &&
           strcmp(algorithm->algorithm_names, "POLY1305") != 0)
        algorithm++;
    if (algorithm->algorithm_names == NULL)
        return false;
    for (const OSSL_DISPATCH *f = algorithm->implementation; f->function_id != 0; f++) {
        if (f->function_id == OSSL_FUNC_MAC_NEWCTX)
            mac->state_new = OSSL_FUNC_mac_newctx(f);
        else if (f->function_id == OSSL_FUNC_MAC_FREECTX)
            mac->state_free = OSSL_FUNC_mac_freectx(f);
        else if (f->function_id == OSSL_FUNC_MAC_INIT)
            mac->begin = OSSL_FUNC_mac_init(f);
        else if (f->function_id == OSSL_FUNC_MAC_UPDATE)
            mac->add = OSSL_FUNC_mac_update(f);
        else if (f->function_id == OSSL_FUNC_MAC_FINAL)
            mac->end = OSSL_FUNC_mac_final(f);
    }
    return mac->state_new != NULL && mac->state_free != NULL && mac->begin != NULL &&
           mac->add != NULL && mac->end != NULL;
}

/* The example of RFC 8439, 2.5.2. */
static scrim_status try_example(const sc_mac *mac, bool *out, scrim_error *error)
{
    static const unsigned char key[SC_MAC_KEY_BYTES] = {0x85, 0xd6, 0xbe, 0x78, 0x57,
                                                        0x55, 0x6d, 0x33, 0x7f, 0x44,
                                                        0x52, 0xfe, 0x42, 0xd5, 0x06,
                                                        0xa8, 0x01, 0x03, 0x80, 0x8a,
                                                        0xfb, 0x0d, 0xb2, 0xfd, 0x4a,
                                                        0xbf, 0xf6, 0xaf, 0x41, 0x49,
                                                        0xf5, 0x1b},
                               want[SC_MAC_TAG_BYTES] = {
                                   0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
                                   0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9};
    static const char text[] = "Cryptographic Forum Research Group";
    unsigned char tag[SC_MAC_TAG_BYTES];
    sc_mac_state *state = NULL;
    const scrim_status status = sc_mac_state_new(mac, &state, error);
    if (status != SCRIM_OK)
        return status;
    *out = sc_mac_begin(state, key) && sc_mac_add(state, text, sizeof text - 1) &&
           sc_mac_end(state, tag) && memcmp(tag, want, sizeof tag) == 0;
    sc_mac_state_free(state);
    return SCRIM_OK;
}

scrim_status sc_mac_open(sc_mac **out, scrim_error *error)
{
    sc_mac *mac = sc_allocate(1, sizeof *mac);
    bool is_found = false;
    if (mac == NULL)
        return sc_no_memory(error, "a digest");
    sc_fork_guard_moment_enter();
    mac->library = OSSL_LIB_CTX_new();
    if (mac->library != NULL)
        mac->provider = OSSL_PROVIDER_load(mac->library, "default");
    sc_fork_guard_moment_leave();
    if (mac->provider != NULL) {
        int no_cache;
        const OSSL_ALGORITHM *all =
            OSSL_PROVIDER_query_operation(mac->provider, OSSL_OP_MAC, &no_cache);
        is_found = all != NULL && find(mac, all);
        OSSL_PROVIDER_unquery_operation(mac->provider, OSSL_OP_MAC, all);
    }
    bool works = false;
    scrim_status status = is_found ? try_example(mac, &works, error) : SCRIM_OK;
    /* The default provider is a part of libcrypto: only memory can be missing for it. */
    if (mac->provider == NULL)
        status = sc_no_memory(error, "a digest");
    if (status == SCRIM_OK && !works)
        status = sc_fail(error, SCRIM_E_INTERNAL,
                         "libcrypto has no Poly1305 that works; install OpenSSL 3.0 or "
                         "later");
    if (status == SCRIM_OK)
        *out = mac;
    else
        sc_mac_close(mac);
    return status;
}

void sc_mac_close(sc_mac *mac)
{
    if (mac == NULL)
        return;
    sc_fork_guard_moment_enter();
    if (mac->provider != NULL)
        (void)OSSL_PROVIDER_unload(mac->provider);
    OSSL_LIB_CTX_free(mac->library);
    sc_fork_guard_moment_leave();
    sc_free(mac);
}

scrim_status sc_mac_state_new(const sc_mac *mac, sc_mac_state **out, scrim_error *error)
{
    sc_mac_state *state = sc_allocate(1, sizeof *state);
    if (state != NULL) {
        state->mac = mac;
        state->state = mac->state_new(OSSL_PROVIDER_get0_provider_ctx(mac->provider));
    }
    if (state == NULL || state->state == NULL) {
        sc_free(state);
        return sc_no_memory(error, "a digest");
    }
    *out = state;
    return SCRIM_OK;
}

void sc_mac_state_free(sc_mac_state *state)
{
    if (state == NULL)
        return;
    state->mac->state_free(state->state);
    sc_free(state);
}

bool sc_mac_begin(sc_mac_state *state, const unsigned char key[SC_MAC_KEY_BYTES])
{
    return state->mac->begin(state->state, key, SC_MAC_KEY_BYTES, NULL) == 1;
}

bool sc_mac_add(sc_mac_state *state, const void *bytes, size_t count)
{
    return count == 0 || state->mac->add(state->state, bytes, count) == 1;
}

bool sc_mac_end(sc_mac_state *state, unsigned char tag[SC_MAC_TAG_BYTES])
{
    size_t bytes = 0;
    return state->mac->end(state->state, tag, &bytes, SC_MAC_TAG_BYTES) == 1 &&
           bytes == SC_MAC_TAG_BYTES;
}
