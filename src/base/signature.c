#include "base/signature.h"

#include "base/fork_guard.h"
#include "base/memory.h"

#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

/* A library context of our own: nothing that the system's configuration file or the host program
 * has made the default comes between. */
typedef struct library {
    OSSL_LIB_CTX *context;
    OSSL_PROVIDER *provider;
    EVP_MD_CTX *state;
} library;

static void close_library(library *l)
{
    EVP_MD_CTX_free(l->state);
    sc_fork_guard_moment_enter();
    if (l->provider != NULL)
        (void)OSSL_PROVIDER_unload(l->provider);
    OSSL_LIB_CTX_free(l->context);
    sc_fork_guard_moment_leave();
}

static bool sign(library *l, const sc_signature_seed *seed, sc_text text,
                 sc_signature *out)
{
    size_t bytes = sizeof out->bytes;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(l->context, "ED25519", NULL,
                                                    seed->bytes, sizeof seed->bytes);
    const bool is_signed =
        key != NULL && EVP_MD_CTX_reset(l->state) == 1 &&
        EVP_DigestSignInit_ex(l->state, NULL, NULL, l->context, NULL, key, NULL) == 1 &&
        EVP_DigestSign(l->state, out->bytes, &bytes, (const unsigned char *)text.start,
                       text.bytes) == 1 &&
        bytes == sizeof out->bytes;
    EVP_PKEY_free(key);
    return is_signed;
}

static scrim_status fail_signature(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_CHECK,
                   "the signature is not that of this text under this key");
}

/* A key that is no point of the curve is refused as a signature that is wrong: SCRIM_E_CHECK. */
static scrim_status check(library *l, const sc_digest *key, sc_text text,
                          const sc_signature *signature, scrim_error *error)
{
    EVP_PKEY *public = EVP_PKEY_new_raw_public_key_ex(l->context, "ED25519", NULL,
                                                      key->bytes, sizeof key->bytes);
    const bool is_ready = public != NULL && EVP_MD_CTX_reset(l->state) == 1 &&
                          EVP_DigestVerifyInit_ex(l->state, NULL, NULL, l->context, NULL,
                                                  public, NULL) == 1;
    const bool holds =
        is_ready && EVP_DigestVerify(l->state, signature->bytes, sizeof signature->bytes,
                                     (const unsigned char *)text.start, text.bytes) == 1;
    EVP_PKEY_free(public);
    if (!is_ready)
        return sc_no_memory(error, "a signature");
    return holds ? SCRIM_OK : fail_signature(error);
}

/* The second example of RFC 8032: the text is one byte, 0x72. */
static bool is_right(library *l)
{
    static const sc_signature_seed seed = {
        {0x4c, 0xcd, 0x08, 0x9b, 0x28, 0xff, 0x96, 0xda, 0x9d, 0xb6, 0xc3,
         0x46, 0xec, 0x11, 0x4e, 0x0f, 0x5b, 0x8a, 0x31, 0x9f, 0x35, 0xab,
         0xa6, 0x24, 0xda, 0x8c, 0xf6, 0xed, 0x4f, 0xb8, 0xa6, 0xfb}};
    sc_signature want, got;
    return sc_signature_parse(
               sc_text_of("92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69"
                          "da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb"
                          "0c00"),
               &want) &&
           sign(l, &seed, (sc_text){"\x72", 1}, &got) &&
           memcmp(got.bytes, want.bytes, sizeof want.bytes) == 0;
}

static scrim_status open_library(library *l, scrim_error *error)
{
    sc_fork_guard_moment_enter();
    *l = (library){.context = OSSL_LIB_CTX_new()};
    if (l->context != NULL)
        l->provider = OSSL_PROVIDER_load(l->context, "default");
    sc_fork_guard_moment_leave();
    if (l->provider != NULL)
        l->state = EVP_MD_CTX_new();
    if (l->state != NULL && is_right(l))
        return SCRIM_OK;
    if (l->state == NULL) {
        close_library(l);
        return sc_no_memory(error, "a signature");
    }
    close_library(l);
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "libcrypto has no Ed25519 that works; install OpenSSL 3.0 or later");
}

scrim_status sc_signature_key(const sc_signature_seed *seed, sc_digest *out,
                              scrim_error *error)
{
    library l;
    sc_digest made;
    size_t bytes = sizeof made.bytes;
    scrim_status status = open_library(&l, error);
    if (status != SCRIM_OK)
        return status;
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(l.context, "ED25519", NULL,
                                                    seed->bytes, sizeof seed->bytes);
    if (key != NULL && EVP_PKEY_get_raw_public_key(key, made.bytes, &bytes) == 1 &&
        bytes == sizeof made.bytes)
        *out = made;
    else
        status = sc_fail(error, SCRIM_E_INTERNAL, "libcrypto could not make a key");
    EVP_PKEY_free(key);
    close_library(&l);
    return status;
}

scrim_status sc_signature_sign(const sc_signature_seed *seed, sc_text text,
                               sc_signature *out, scrim_error *error)
{
    library l;
    sc_signature made;
    scrim_status status = open_library(&l, error);
    if (status != SCRIM_OK)
        return status;
    if (sign(&l, seed, text, &made))
        *out = made;
    else
        status = sc_fail(error, SCRIM_E_INTERNAL, "libcrypto could not sign");
    close_library(&l);
    return status;
}

/* Points whose multiple by 8 is the neutral one, by their y, the least byte first: 1, -1, 0, and
 * two of order 8. The top bit is the sign of x. */
static const unsigned char small_order[][32] = {
    {0x01},
    {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
    {0x00},
    {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4,
     0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6,
     0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
    {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b,
     0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39,
     0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
};

static bool has_small_order(const unsigned char point[32])
{
    unsigned char y[32];
    memcpy(y, point, sizeof y);
    y[31] &= 0x7f;
    for (size_t i = 0; i < sizeof small_order / sizeof *small_order; i++)
        if (memcmp(y, small_order[i], sizeof y) == 0)
            return true;
    return false;
}

/* y is below 2^255 - 19. */
static bool is_reduced(const unsigned char point[32])
{
    bool is_full = (point[31] & 0x7f) == 0x7f;
    for (size_t i = 1; i < 31; i++)
        is_full = is_full && point[i] == 0xff;
    return !is_full || point[0] < 0xed;
}

scrim_status sc_signature_check(const sc_digest *key, sc_text text,
                                const sc_signature *signature, scrim_error *error)
{
    library l;
    if (!is_reduced(key->bytes) || has_small_order(key->bytes))
        return sc_fail(error, SCRIM_E_CHECK, "the key is not a valid public key");
    scrim_status status = open_library(&l, error);
    if (status != SCRIM_OK)
        return status;
    status = has_small_order(signature->bytes) ? fail_signature(error)
                                               : check(&l, key, text, signature, error);
    close_library(&l);
    return status;
}

/* Text. */

void sc_signature_format(const sc_signature *signature,
                         char text[SC_SIGNATURE_TEXT_BYTES])
{
    sc_digest half;
    memcpy(half.bytes, signature->bytes, sizeof half.bytes);
    sc_digest_format(&half, text);
    memcpy(half.bytes, signature->bytes + sizeof half.bytes, sizeof half.bytes);
    sc_digest_format(&half, text + SC_DIGEST_TEXT_BYTES - 1);
}

bool sc_signature_parse(sc_text text, sc_signature *out)
{
    const size_t half = SC_DIGEST_TEXT_BYTES - 1;
    sc_digest first, second;
    if (text.bytes != 2 * half || !sc_digest_parse((sc_text){text.start, half}, &first) ||
        !sc_digest_parse((sc_text){text.start + half, half}, &second))
        return false;
    memcpy(out->bytes, first.bytes, sizeof first.bytes);
    memcpy(out->bytes + sizeof first.bytes, second.bytes, sizeof second.bytes);
    return true;
}
