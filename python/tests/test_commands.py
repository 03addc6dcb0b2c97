"""What the program can do and the package has by it: papers, errata, reports, exported ledgers, signed files, exact bodies."""

import json
import subprocess

import pytest
from conftest import BUILD, BY_SEX

import scrim


def program(*words):
    """What the program itself says."""
    done = subprocess.run([f"{BUILD}/scrim", *map(str, words), "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.fixture
def asked(adult):
    adult.query("adult", BY_SEX, epsilon="0.5")
    return adult


def test_papers_and_errata_are_those_of_the_program():
    found = scrim.papers("002", "Theorem 4.2")
    assert found.rows == program("list", "papers", "002", "Theorem 4.2")["rows"]
    assert found[0]["in_scrim"] == "5.328" and "in_document: 5.298" in str(found)
    assert found.to_dict()["document"] == ["002"] and found.to_dict()["in_document"] == [5.298]
    wrong = scrim.errata(12)
    assert wrong.facts == program("errata", 12) and wrong["correction"] == "q must be public and fixed."
    assert "claimed" in str(wrong) and "<table>" in wrong._repr_html_()


def test_commands_take_words_options_and_input(tmp_path):
    for name, line in (("p.csv", "a,1/2\nb,1/2\n"), ("q.csv", "a,1/4\nb,3/4\n")):
        (tmp_path / name).write_text(line)
    files = [tmp_path / "p.csv", tmp_path / "q.csv"]
    found = scrim.command("distance", "divergence", *files, order="2,3")
    assert found.rows == program("distance", "divergence", *files, "--order", "2,3")["rows"]
    assert found[0]["exact"] == "0.25" and len(found.to_dict()["value"]) == len(found)
    drawn = scrim.command("run", "laplace", "sensitivity=1", "epsilon=100", "neighbours=add-remove", input="12\n")
    assert drawn.to_dict()["value"] == [12] and drawn.to_dict().keys() == {"value", "value_low", "value_high"}
    assert {"audit", "errata", "report", "list"} <= {row["command"] for row in scrim.command()}
    with pytest.raises(scrim.ParameterError, match=r"unknown command 'quary'; scrim.command\(\) lists them"):
        scrim.command("quary")


def test_a_report_has_every_release_and_is_signed(asked, folder):
    report = asked.report(until="2999")
    assert [row["question"] for row in report] == [BY_SEX] and report.to_dict()["total"] == [0.5]
    assert report.populations[0]["end"] == "0.5" and "one person_id is right at most" in str(report)
    report.save(folder / "all.html")
    page = (folder / "all.html").read_text()
    label = scrim.verify(folder / "all.html", key=asked.key)
    assert label["period.releases"] == "1" and BY_SEX in page
    (folder / "all.html").write_text(page.replace("0.5", "0.4", 1))
    with pytest.raises(scrim.CheckError):
        scrim.verify(folder / "all.html", key=asked.key)
    assert report.html().startswith("<!DOCTYPE html>")
    with pytest.raises(scrim.ParameterError, match="since='never' is not a day"):
        asked.report(since="never")


def test_exported_ledgers_are_verified_without_a_vault(asked, monkeypatch):
    monkeypatch.setenv("SCRIM_VAULT", asked.path)  # which vouches for nothing that it was not asked about
    text = asked.export_ledger()
    whole = asked.verify()
    found = scrim.verify_ledger(text.encode(), key=asked.key, head=whole["head"])
    assert (found["entries"], found["head"], found["key"]) == (whole["entries"], whole["head"], asked.key)
    with pytest.raises(scrim.CheckError, match="chain is broken"):
        scrim.verify_ledger(text.replace("adult", "adulT", 1).encode(), key=asked.key)
    with pytest.raises(scrim.CheckError, match="not checked.*key="):
        scrim.verify_ledger(text.encode())
    assert asked.verify(head=whole["head"])["head"] == whole["head"]
    with pytest.raises(scrim.CheckError):
        asked.verify(head="0" * 64)


def test_answers_are_saved_with_a_signed_label(asked, folder):
    answer = asked.replay(1)
    answer.save(folder / "n.csv")
    lines = (folder / "n.csv").read_text().splitlines()
    assert lines[0] == "sex,n,n_low,n_high,mean_age,mean_age_low,mean_age_high"
    assert lines[1].split(",")[:2] == ["Female", str(answer["n"][0].value)]
    assert scrim.verify(folder / "n.csv", key=asked.key)["release.number"] == "1"
    (folder / "n.csv").write_text("\n".join([lines[0].replace("n_low", "n_loW"), *lines[1:], ""]))
    with pytest.raises(scrim.CheckError):
        scrim.verify(folder / "n.csv", key=asked.key)
    assert asked.replay(1).is_repeated and len(asked.ledger()) == 1
    made = asked.synth("adult", columns=["sex"], method="mwem", epsilon="0.1")
    made.save(folder / "rows.json", rows=3)
    assert scrim.verify(folder / "rows.json", vault=asked)["release.number"] == "2"
    assert len(json.loads((folder / "rows.json").read_text())["rows"]) == 3


def test_exact_bodies_of_public_points():
    points = [(20, 30), (40, 38), (60, 10), (33, 33)]
    body = scrim.exact_body(points, {"age": (0, 100), "hours": (0, 99)}, q="0.75", directions="axes")
    assert body.support({"age": 1, "hours": 0}).value == pytest.approx(40) and body.support([0, -1]).value == pytest.approx(-30)
    low, high = body.depth((40, 38))
    assert (low, high) == (0, pytest.approx(0.25)) and body.label is None
    assert (36, 32) in body and (50, 32) not in body
    with pytest.raises(ValueError, match="expected 2 numbers"):
        body.support([1])


def test_owners_compare_bounds_of_files_and_of_frames(vault, folder):
    """A hundred people with five rows each, in a file, in a frame and in a database: the same choices."""
    import sqlite3

    rows = [(f"p{i // 5}", i % 10, "ab"[i % 2]) for i in range(500)]
    (folder / "t.csv").write_text("who,x,g\n" + "".join(f"{who},{x},{g}\n" for who, x, g in rows))
    with sqlite3.connect(folder / "t.db") as connection:
        connection.execute("CREATE TABLE t (who, x, g)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
    connection.close()
    declared = {"unit": "who", "columns": {"x": "int[0,9]", "g": "text"}, "keys": {"g": ["a", "b"]}, "bounds": {"max_total_rows": 1}}
    vault.add("file", folder / "t.csv", budget=1, **declared)
    vault.add("database", folder / "t.db", budget=1, format={"table": "t"}, **declared)
    live = vault.add("live", live=True, budget=1, **declared)
    frame = {name: [row[i] for row in rows] for i, name in enumerate(("who", "x", "g"))}
    found = live.check_bounds(data=frame, epsilon=1)
    assert found.bounds == {"max_total_rows": 5, "bounds_from": "check"} and found.typical[0]["question"] == "COUNT(*)"
    assert vault.check_bounds("file", epsilon=1).choices == found.choices == vault.check_bounds("database", epsilon=1).choices
    by_key = live.check_bounds(data=frame, by="g", epsilon=1)
    assert by_key.bounds == {"max_groups": 2, "max_rows": 3, "bounds_from": "check"}
    assert "SENSITIVE" in str(by_key) and "SENSITIVE" in by_key._repr_html_() and "SENSITIVE" in repr(by_key)
    assert live.check_bounds(data=frame).bounds is None and set(by_key.to_dict()) > {"question", "kept", "error"}
    with pytest.raises(scrim.InputError, match="data=FRAME"):
        live.check_bounds()


def test_checks_say_what_to_declare(vault):
    live = vault.add(
        "live", live=True, unit="who", bounds={"max_total_rows": 1}, budget=1, keys={"g": ["a", "b"]},
        columns={"g": "text", "x": "decimal[0,9]", "d": "date[2025-01-01,2025-12-31]"},
    )  # fmt: skip
    frame = {"who": [1, 2, 3], "g": ["a", " A", "c"], "x": ["1,5", "2,5", "NA"], "d": ["31.12.2025", "1.2.2025", "2025-01-01"]}
    said = live.check(data=frame).advice
    assert any("1 of 2 cells of g is a public key" in words and "LOWER(TRIM(g))" in words for words in said), said
    assert any("format={'decimal': ','}" in words for words in said), said
    assert any("format={'date_format': 'D.M.YYYY'}" in words for words in said), said
    assert any("format={'null': ['NA']}" in words for words in said), said
    assert "LOWER(TRIM(g))" in str(live.check(data=frame)) and live.check(data={"who": [1], "g": ["a"], "x": [1], "d": ["2025-01-01"]}).advice == []
