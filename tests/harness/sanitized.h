/* IS_SANITIZED: this build is watched by the address or the thread sanitizer, of gcc or clang. Sanitizers have larger
 * frames and limits of their own, and their memory has locks: a child that is forked beside a thread may wait for one
 * for ever, where the C library's memory is made for that.
 * IS_RACE_WATCHED: by the thread sanitizer, which keeps notes of its own on the stack. */
#ifndef SANITIZED_H
#define SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED 0
#endif

#if defined(__SANITIZE_THREAD__)
#define IS_RACE_WATCHED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_RACE_WATCHED 1
#endif
#endif
#ifndef IS_RACE_WATCHED
#define IS_RACE_WATCHED 0
#endif

#endif
