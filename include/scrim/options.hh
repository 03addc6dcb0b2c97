/* SCRIM_OPTIONS of status.h for C++20, which has designated initialisers as C has. Members that are not
 * named are zero, as in C; g++ warns of each of them where -Wextra is on, and not of what a system header
 * wrote. */
#ifndef SCRIM_OPTIONS_HH
#define SCRIM_OPTIONS_HH
#pragma GCC system_header

extern "C++" {
/* C++ cannot take the address of an unnamed value; the value lives until its call returns. */
template <typename options> inline const options *scrim_options_at(const options &given)
{
    return &given;
}
}
#define SCRIM_OPTIONS(type, ...)                                                         \
    (scrim_options_at<type>(type{.size = sizeof(type), __VA_ARGS__}))

#endif
