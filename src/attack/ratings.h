/* Sparse ratings of films, and who a few of them with errors belong to. Simulated.
 *
 * Each person rates SC_RATINGS_EACH films, popular ones more often, with 1 to 5 stars on a day. The
 * attacker knows some ratings of one person: stars off by 1, days by two weeks, and one of eight wrong
 * altogether. Each person is scored by the ratings that agree, films that few have rated more. The
 * best one is taken if it stands out by 1.5 deviations of all scores.
 *
 * Reference  Narayanan, Shmatikov, "Robust de-anonymization of large sparse datasets", 2008
 */
#ifndef SC_ATTACK_RATINGS_H
#define SC_ATTACK_RATINGS_H

#include "attack/attack_scene.h"

#define SC_RATINGS_PEOPLE 5000
#define SC_RATINGS_FILMS 4000
#define SC_RATINGS_EACH 40

typedef struct sc_rating {
    uint16_t film, day;
    uint8_t stars;
} sc_rating;

typedef struct sc_ratings {
    sc_rating of[SC_RATINGS_PEOPLE][SC_RATINGS_EACH];
    double weights[SC_RATINGS_FILMS];
} sc_ratings;

SCRIM_MUST_USE scrim_status sc_ratings_make(const sc_attack_scene *scene, sc_ratings *out,
                                            scrim_error *error);
/* What the attacker knows: so many ratings of a person, with errors. */
SCRIM_MUST_USE scrim_status sc_ratings_observe(const sc_attack_scene *scene,
                                               const sc_ratings *ratings, size_t person,
                                               size_t count, sc_rating *out,
                                               scrim_error *error);
/* The person they belong to; SC_RATINGS_PEOPLE: nobody stands out. */
size_t sc_ratings_match(const sc_ratings *ratings, const sc_rating *known, size_t count);

#endif
