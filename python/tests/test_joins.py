"""Public tables: declared with join, brought with tables."""

import datetime
import decimal

import pytest

import scrim

LEVELS = {"education": ["Bachelors", "Masters", "HS-grad"], "level": ["degree", "degree", None], "years": [16, 17, None]}
BY_LEVEL = "SELECT level, COUNT(*) AS n, AVG(years) AS y FROM adult JOIN levels USING (education) GROUP BY level"


def keys(result):
    return [row["level"] for row in result]


def test_a_table_is_brought(adult, tmp_path):
    brought = adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": LEVELS})
    assert keys(brought) == ["degree", None]
    assert adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": LEVELS}).release == brought.release
    # Frames and files are the same table, and so the same question.
    path = tmp_path / "any.csv"
    path.write_text('"education","level","years"\n"Bachelors","degree",16\n"Masters","degree",17\n"HS-grad",,\n')
    for library, make in (("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "table")):
        try:
            module = __import__(library)
        except ImportError:
            continue
        again = adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": getattr(module, make)(LEVELS)})
        assert again.release == brought.release, library
    assert adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": path}).release == brought.release
    other = {**LEVELS, "level": ["degree", "higher", None]}
    assert adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": other}).release != brought.release
    assert "joins: public table levels by education" in str(adult.explain("adult", BY_LEVEL, epsilon=1, tables={"levels": LEVELS}))
    assert len(adult.batch("adult", [BY_LEVEL], epsilon=1, tables={"levels": LEVELS})) == 1
    assert keys(adult.replay(brought.release)) == ["degree", None]


def test_a_table_is_declared_and_removed(adult):
    with pytest.raises(scrim.Error):
        adult.explain("adult", BY_LEVEL, epsilon=1)
    adult.join("adult", "levels", LEVELS, on="education", columns={"years": "int[0,30]"})
    assert "join-column=levels=years=int[0,30] null" in adult.policy("adult")
    assert keys(adult.query("adult", BY_LEVEL, epsilon=1)) == ["degree", None]
    adult.join("adult", "levels", {**LEVELS, "years": [1, 2, 3]}, on="education")  # in place of the first
    assert "join-column=levels=years=int[1,3]\n" in adult.policy("adult")
    adult.join("adult", "levels", None)
    assert "levels" not in adult.policy("adult")
    with pytest.raises(scrim.ParameterError, match="no public table"):
        adult.join("adult", "levels", None)
    with pytest.raises(scrim.ParameterError, match="on is missing"):
        adult.join("adult", "levels", LEVELS)
    with pytest.raises(scrim.ParameterError, match="twice"):
        adult.join("adult", "levels", {"education": ["a", "a"]}, on="education")


def test_values_keep_their_kind(adult):
    table = {
        "education": ["a", 'b"', "c,", "", "5"],
        "code": ["01", "2", "3", "4", "5"],
        "rate": [decimal.Decimal("0.25"), 1.5, 2.0, None, float("nan")],
        "day": [datetime.date(2026, 1, 2), None, datetime.date(2026, 3, 4), None, None],
        "good": [True, False, None, True, True],
    }
    adult.join("adult", "t", table, on="education")
    policy = adult.policy("adult")
    assert 'join-cells=t=education=a,"b""","c,","",5\n' in policy
    assert "join-column=t=code=text\n" in policy
    assert "join-column=t=rate=decimal[0.25,2]/1e-2 null\n" in policy
    assert "join-column=t=day=date[2026-01-02,2026-03-04] null\n" in policy
    assert "join-column=t=good=bool null\n" in policy


def test_what_is_no_table_is_refused(adult):
    for wrong in (5, ["a"], object()):
        with pytest.raises(TypeError, match="public table"):
            adult.explain("adult", BY_LEVEL, epsilon=1, tables={"levels": wrong})
    with pytest.raises(TypeError, match="mapping"):
        adult.explain("adult", BY_LEVEL, epsilon=1, tables="levels.csv")
    with pytest.raises(TypeError, match="value of a public table"):
        adult.explain("adult", BY_LEVEL, epsilon=1, tables={"levels": {"a": [1j]}})
    with pytest.raises(ValueError, match="equally long"):
        adult.explain("adult", BY_LEVEL, epsilon=1, tables={"levels": {"a": [1], "b": []}})
    with pytest.raises(OSError):
        adult.explain("adult", BY_LEVEL, epsilon=1, tables={"levels": "nowhere.csv"})


def test_a_join_is_built_from_parts(adult):
    """The same question as its text, with a table that is brought or declared."""
    data = adult["adult"]
    built = data.joined("levels", on="education").group_by("level").agg(n=scrim.count(), y=scrim.mean("years"))
    assert built.sql == BY_LEVEL
    brought = built.query(epsilon=1, tables={"levels": LEVELS})
    assert keys(brought) == ["degree", None] and adult.query("adult", BY_LEVEL, epsilon=1, tables={"levels": LEVELS}).is_repeated
    other = {"town": LEVELS["education"], "kind": ["degree", "degree", "school"]}
    by_kind = data.where("age > ?", 30).joined("kinds", on="education=town", how="left").where(kind="degree").agg(n=scrim.count())
    assert by_kind.sql == (
        "SELECT COUNT(*) AS n FROM adult LEFT JOIN kinds ON adult.education = kinds.town WHERE (age > 30) AND (kind = 'degree')"
    )
    assert by_kind.explain(epsilon=1, tables={"kinds": other}).cost.epsilon == 1
    with pytest.raises(ValueError, match="'inner' or 'left'"):
        data.joined("levels", on="education", how="outer")
