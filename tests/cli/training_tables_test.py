#!/usr/bin/env python3
"""The shipped training tables: each row says where its time comes from, times stand under the catalogue's names, and Ardalani's claim (section 4.1) that
the text alone puts a feature into the bin of the run holds on the rows that have both."""
import csv
import pathlib
import statistics
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TRAINING = ROOT / "data/training"
NAMES = ["coalesced", "diverging", "ksize", "parallelism", "arith_intensity", "ctrl_intensity", "muldiv_intensity", "sincos_intensity",
         "logexp_intensity", "sqrt_intensity"]


def read(name):
    with open(TRAINING / name) as file:
        return list(csv.DictReader(file))


def catalogue():
    files = [path for path in (ROOT / "data/gpus").glob("*.toml") if not path.name.startswith("family")]
    return {tomllib.loads(path.read_text())["name"] for path in files}


class TrainingTables(unittest.TestCase):
    def test_every_time_says_where_it_comes_from(self):
        for name in ("measured.csv", "corpus.csv", "workloads.csv"):
            for row in read(name):
                self.assertEqual(bool(row["gpu_ms"]), bool(row["provenance"]), f"{name}: {row['region']}")
        self.assertEqual({row["provenance"] for row in read("measured.csv")}, {"measured"})
        self.assertEqual({row["provenance"] for row in read("corpus.times.csv")}, {"predicted"})
        self.assertEqual({row["provenance"] for row in read("workloads.times.csv")}, {"measured"})

    def test_times_have_features_and_known_gpus(self):
        known = catalogue()
        for name in ("corpus", "workloads"):
            regions = {row["region"] for row in read(name + ".csv")}
            times = read(name + ".times.csv")
            for row in times:
                self.assertIn(row["region"], regions)
            gpus = [column for column in list(times[0])[2:] if "(all cores)" not in column]
            self.assertEqual([gpu for gpu in gpus if gpu not in known], [])

    def test_single_threaded_rows_and_all_core_rows_have_other_features(self):
        self.assertEqual({row["extractor"] for row in read("workloads.csv")}, {"workload-1"})
        for name in ("measured.csv", "corpus.csv"):
            self.assertNotIn("workload-1", {row["extractor"] for row in read(name)})

    def test_the_text_gives_the_bin_of_the_run(self):
        # Of a kernel of several nests the text is that of the first alone.
        several = {f"rajaperf/{kernel}" for line in read("regions/kernels.csv") for kernel in line["several"].split()}
        rows = [row for row in read("measured.csv") if row["region"] not in several]
        text = {row["region"]: row for row in rows if row["extractor"] == "static-1"}
        counted = {row["region"]: row for row in rows if row["extractor"] == "static-1-counted"}
        self.assertEqual(len(text), len(counted))
        same = 0
        for name in NAMES:
            cut = statistics.median(float(row[name]) for row in counted.values())
            same += sum((float(text[region][name]) > cut) == (float(row[name]) > cut) for region, row in counted.items())
        self.assertGreaterEqual(same / len(NAMES) / len(counted), 0.97)


unittest.main()
