/* Fuzzers whose corpora are tests. A file x_fuzz.c holds
 *
 *     FUZZ(x)
 *     {
 *         ... parse bytes[0..count-1]; CHECK what must always hold ...
 *     }
 *
 * `make fuzz` makes a libFuzzer program of it, which ends at a check that fails; in every
 * other test build it is the test x_corpus, which runs over the files of
 * tests/fuzz/corpus/x and over every beginning of each of them. */
#ifndef CORPUS_H
#define CORPUS_H

#include "check.h"

typedef void corpus_body(const unsigned char *bytes, size_t count);

/* Fails when the folder holds no file. */
void corpus_replay(const char *name, corpus_body *body);

/* One input; aborts when a check failed, as a fuzzer wants it. */
void corpus_try(const unsigned char *bytes, size_t count, corpus_body *body);

#ifdef SCRIM_FUZZING
#define FUZZ(name)                                                                       \
    static void fuzz_##name(const unsigned char *bytes, size_t count);                   \
    int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count);                \
    int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t count)                 \
    {                                                                                    \
        corpus_try(bytes, count, fuzz_##name);                                           \
        return 0;                                                                        \
    }                                                                                    \
    static void fuzz_##name(const unsigned char *bytes, size_t count)
#else
#define FUZZ(name)                                                                       \
    static void fuzz_##name(const unsigned char *bytes, size_t count);                   \
    TEST(name##_corpus)                                                                  \
    {                                                                                    \
        corpus_replay(#name, fuzz_##name);                                               \
    }                                                                                    \
    static void fuzz_##name(const unsigned char *bytes, size_t count)
#endif

#endif
