/* Numbers that a block owns: SC_OWN(sc_ratio, low, high); declares them, initialises them to 0 and
 * clears them where the block ends, whichever way it ends (the compiler's cleanup attribute, which
 * gcc and clang have). For any type with _init and _clear of one argument; up to six at once.
 *
 * The value of a return is computed before they are cleared. No goto and no case may jump over it.
 */
#ifndef SC_BASE_OWN_H
#define SC_BASE_OWN_H

#define SC_OWN_1(type, x)                                                                \
    __attribute__((cleanup(type##_clear))) type x;                                       \
    type##_init(&(x))
#define SC_OWN_2(type, x, ...)                                                           \
    SC_OWN_1(type, x);                                                                   \
    SC_OWN_1(type, __VA_ARGS__)
#define SC_OWN_3(type, x, ...)                                                           \
    SC_OWN_1(type, x);                                                                   \
    SC_OWN_2(type, __VA_ARGS__)
#define SC_OWN_4(type, x, ...)                                                           \
    SC_OWN_1(type, x);                                                                   \
    SC_OWN_3(type, __VA_ARGS__)
#define SC_OWN_5(type, x, ...)                                                           \
    SC_OWN_1(type, x);                                                                   \
    SC_OWN_4(type, __VA_ARGS__)
#define SC_OWN_6(type, x, ...)                                                           \
    SC_OWN_1(type, x);                                                                   \
    SC_OWN_5(type, __VA_ARGS__)
#define SC_OWN_COUNT(a, b, c, d, e, f, name, ...) name
#define SC_OWN(type, ...)                                                                \
    SC_OWN_COUNT(__VA_ARGS__, SC_OWN_6, SC_OWN_5, SC_OWN_4, SC_OWN_3, SC_OWN_2,          \
                 SC_OWN_1, 0)                                                            \
    (type, __VA_ARGS__)

#endif
