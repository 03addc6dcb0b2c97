#!/usr/bin/env python3
"""Finds unknown texts of many devices with pure-ldp's prefix method and with `scrim local`, the same texts.

10^6 devices hold texts of 64 bits by a Zipf law of power 1.1 over 10^5 random ones, epsilon 4. F1 is on the 20
most frequent texts: of the 20 first texts that are listed, or of all where there are fewer.

pure-ldp's default oracle keeps a counter for each of 2^64 texts and cannot run. Its sketch (Hadamard
count-mean sketch) can, after a repair: its server draws other hash functions than those it gave to the clients.

usage: bench/local_rivals.py [--devices N] [OUTPUT]
"""

import argparse
import csv
import importlib.metadata
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import rival_venv
from rival_venv import ROOT

PROGRAM = ROOT / "build/release/scrim"
TEXTS = 10**5
TOP = 20
EPSILON = 4
FIRST, STEP, LENGTH = 16, 4, 64
KEPT = 64
SKETCHES, WIDTH = 1024, 1024


def make_fleet(devices, seed):
    """Texts of 8 bytes, none of which ends a line or is padding, and the text of each device."""
    draw = random.Random(seed)
    letters = [byte for byte in range(1, 256) if byte not in (10, 13)]
    texts = [bytes(draw.choices(letters, k=8)) for _ in range(TEXTS)]
    weights = [(rank + 1) ** -1.1 for rank in range(TEXTS)]
    held = draw.choices(range(TEXTS), weights=weights, k=devices)
    counts = [0] * TEXTS
    for rank in held:
        counts[rank] += 1
    top = sorted(range(TEXTS), key=lambda rank: -counts[rank])[:TOP]
    return texts, held, {texts[rank] for rank in top}


def score(found, top):
    right = len(set(found[:TOP]) & top)
    return 2 * right / (TOP + min(TOP, len(found))) if found else 0


def ours(texts, held, top):
    with tempfile.TemporaryDirectory() as folder:
        config = f"{folder}/config"
        reports = f"{folder}/reports"
        subprocess.run(
            [PROGRAM, "local", "plan", "--users", str(len(held)), "--unknown", "--length", "8",
             "--epsilon", str(EPSILON), "--out", config, "--quiet"],
            check=True, stdout=subprocess.DEVNULL)
        start = time.process_time() + os.times().children_user
        with open(reports, "wb") as out:
            subprocess.run([PROGRAM, "local", "encode", "--config", config], check=True, stdout=out,
                           input=b"\n".join(texts[rank] for rank in held) + b"\n")
        page = subprocess.run([PROGRAM, "local", "decode", "--config", config, reports, "--format", "csv"],
                              check=True, capture_output=True, text=True).stdout
        seconds = time.process_time() + os.times().children_user - start
        rows = [row["text"] for row in csv.DictReader(io.StringIO(page))]
    found = [bytes.fromhex(text[2:]) if text.startswith("0x") else text.encode() for text in rows]
    everyone = {texts[rank] for rank in held}
    return {"name": "scrim local", "f1": round(score(found, top), 4), "listed": len(found),
            "held_by_nobody": sum(text not in everyone for text in found), "seconds": round(seconds, 1),
            "config": "local plan --unknown --length 8"}


def pure_ldp(texts, held, top):
    from pure_ldp.frequency_oracles.apple_cms import CMSClient, CMSServer
    from pure_ldp.heavy_hitters.prefix_extending import PEMClient, PEMServer

    start = time.process_time()
    oracle = CMSServer(EPSILON, SKETCHES, WIDTH, is_hadamard=True)
    encoder = CMSClient(EPSILON, oracle.get_hash_funcs(), WIDTH, is_hadamard=True)
    client = PEMClient(EPSILON, FIRST - STEP, LENGTH, STEP, fo_client=encoder)
    encoder.hash_funcs = oracle.get_hash_funcs()
    server = PEMServer(EPSILON, FIRST - STEP, LENGTH, STEP, fo_server=oracle)
    for each in server.oracles:
        each.hash_funcs = encoder.hash_funcs  # which the server had drawn again
    bits = [format(int.from_bytes(text, "big"), "064b") for text in texts]
    for rank in held:
        server.aggregate(client.privatise(bits[rank]))
    listed, _ = server.find_heavy_hitters(k=KEPT)
    seconds = time.process_time() - start
    found = [int(text, 2).to_bytes(8, "big") for text in listed]
    return {"name": f"pure-ldp {importlib.metadata.version('pure-ldp')}, PEM over HCMS, repaired",
            "f1": round(score(found, top), 4), "listed": len(found), "seconds": round(seconds, 1),
            "config": f"first {FIRST} bits, steps of {STEP}, {KEPT} kept, {SKETCHES} sketches of {WIDTH}"}


def main():
    parser = argparse.ArgumentParser(description="unknown texts: pure-ldp beside scrim local")
    parser.add_argument("--devices", type=int, default=10**6)
    parser.add_argument("output", nargs="?", default=str(ROOT / "bench/local_rivals.json"))
    given = parser.parse_args()
    rival_venv.enter(os.path.abspath(__file__), ["pure-ldp", "scikit-learn", "statsmodels", "pandas<3", "numpy<2", "xxhash<3"], sys.argv[1:])
    texts, held, top = make_fleet(given.devices, 1)
    rows = []
    for method in (ours, pure_ldp):
        try:
            rows.append(method(texts, held, top))
        except ImportError:
            print("pure-ldp does not install here", file=sys.stderr)
    result = {"unknown texts": {"devices": given.devices, "texts": TEXTS, "epsilon": EPSILON, "law": "Zipf 1.1",
                                "bits": LENGTH, "top": TOP, "rows": rows}}
    with open(given.output, "w", encoding="ascii") as out:
        json.dump(result, out, indent=1)
        out.write("\n")
    print(json.dumps(result))


main()
