#include "exact.h"
#include "model/certificate.h"

#include <string.h>

static scrim_certificate interval(const char *radius, const char *beta,
                                  const char *excludes)
{
    scrim_certificate out;
    sc_ratio r, b;
    SC_OWN(sc_certificate, certificate);
    memset(&out, '#', sizeof out);
    exact_ratio(radius, &r);
    exact_ratio(beta, &b);
    sc_certificate_interval(&certificate, &r, &b, excludes);
    sc_certificate_format(&certificate, &out);
    sc_ratio_clear(&b);
    sc_ratio_clear(&r);
    return out;
}

TEST(certificate_of_an_interval)
{
    scrim_certificate c = interval("29.5", "1/20", "rounding");
    CHECK_INT(c.form, SCRIM_CERTIFICATE_INTERVAL);
    CHECK_STR(c.confidence, "0.95");
    CHECK_STR(c.radius, "29.5");
    CHECK_STR(c.excludes, "rounding");
    CHECK_STR(c.alpha, "");
    CHECK_STR(c.beta, "");
    CHECK_STR(c.gamma, "");
}

TEST(certificate_without_a_doubt_is_a_range)
{
    scrim_certificate c = interval("40", "0", NULL);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_RANGE);
    CHECK_STR(c.confidence, "1");
    CHECK_STR(c.excludes, "");
}

TEST(certificate_of_a_choice_and_of_flexible_accuracy)
{
    scrim_certificate c;
    SC_OWN(sc_certificate, x);
    sc_ratio a, b, g;
    exact_ratio("3", &a);
    exact_ratio("1/100", &b);
    exact_ratio("1e-9", &g);
    sc_certificate_pac(&x, &a, &b, NULL);
    sc_certificate_format(&x, &c);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
    CHECK_STR(c.radius, "3");
    CHECK_STR(c.confidence, "0.99");
    sc_certificate_flexible(&x, &a, &b, &g, "x");
    sc_certificate_format(&x, &c);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_FLEXIBLE);
    CHECK_STR(c.alpha, "3");
    CHECK_STR(c.beta, "0.01");
    CHECK_STR(c.gamma, "0.000000001");
    CHECK_STR(c.radius, "");
    sc_certificate_drop(&x, &a, NULL);
    sc_certificate_format(&x, &c);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_DROP);
    CHECK_STR(c.radius, "3");
    CHECK_STR(c.confidence, "1");
    sc_certificate_none(&x, NULL);
    sc_certificate_format(&x, &c);
    CHECK_INT(c.form, SCRIM_CERTIFICATE_NONE);
    CHECK_STR(c.alpha, "");
    sc_ratio_clear(&g);
    sc_ratio_clear(&b);
    sc_ratio_clear(&a);
}

/* Numbers that no text of that length holds are rounded so that less is promised. */
TEST(certificate_never_promises_more_than_was_proved)
{
    static const char *const radii[] = {"2^-1100", "1e-330", "1e330", "1e-200"};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        scrim_certificate c = interval(radii[i], "2^-1000", NULL);
        sc_ratio shown, radius, confidence, one, beta;
        exact_ratio(radii[i], &radius);
        exact_ratio(c.radius, &shown);
        exact_ratio(c.confidence, &confidence);
        exact_ratio("1", &one);
        exact_ratio("2^-1000", &beta);
        CHECK(sc_ratio_compare(&shown, &radius) >= 0);
        sc_ratio_sub(&one, &one, &beta);
        CHECK(sc_ratio_compare(&confidence, &one) <= 0);
        CHECK_INT(c.form, SCRIM_CERTIFICATE_INTERVAL);
        sc_ratio_clear(&beta);
        sc_ratio_clear(&one);
        sc_ratio_clear(&confidence);
        sc_ratio_clear(&shown);
        sc_ratio_clear(&radius);
    }
}
