"""The Python module gives what the commands give."""
import ctypes
import json
import pathlib
import subprocess
import sys

import numpy

import forewarp
from forewarp import _native

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LAUNCH = ROOT / "corpus/matrix_multiply_tiled/check.toml"


def command(*words):
    return json.loads(subprocess.run([sys.argv[1], *words, "--format", "json"], check=True, capture_output=True).stdout)


def check_predict():
    ours = forewarp.predict(launch=LAUNCH, gpu=["k620", "v100"], define={"TILE": 8}, local=(8, 8))
    theirs = command("predict", "--launch", str(LAUNCH), "--gpu", "k620,v100", "-D", "TILE=8", "--local", "8,8")
    assert ours == theirs["predictions"]


def check_units_of_passes():
    """LLVM's callbacks know a function by the address of this member: the module has to share its own with LLVM, or its rules for long lines
    are off."""
    class Place(ctypes.Structure):
        _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("symbol", ctypes.c_char_p), ("address", ctypes.c_void_p)]

    member = ctypes.c_char.in_dll(ctypes.CDLL(_native.__file__), "_ZN4llvm3Any6TypeIdIPKNS_8FunctionEE2IdE")
    place = Place()
    assert ctypes.CDLL(None).dladdr(ctypes.c_void_p(ctypes.addressof(member)), ctypes.byref(place))
    assert place.file.endswith(b"_native.abi3.so"), place.file


def check_explore():
    space = {"TILE": "4,8,16,no", "local.x": "TILE", "local.y": "TILE"}
    ours = forewarp.explore(launch=LAUNCH, gpu=["k620", "v100"], space={**space, "local.x": "16,8", "local.y": "local.x"}, where=["local.x > 8"])
    theirs = command("explore", "--launch", str(LAUNCH), "--gpu", "k620,v100", "--space", "TILE=4,8,16,no", "--space", "local.x=16,8",
                     "--space", "local.y=local.x", "--where", "local.x > 8")
    rows = theirs.pop("configurations")
    assert ours.summary == theirs
    assert ours.gpus == ["Quadro K620", "Tesla V100 SXM2"]
    assert ours.time_ms.shape == (len(rows), 2) and ours.time_ms.dtype == numpy.float64
    for index, row in enumerate(rows):
        assert ours.ids[index] == row["id"]
        assert {name: str(value) for name, value in row["parameters"].items()} == ours.configuration(index)
        for column, gpu in enumerate(ours.gpus):
            time = row["time_ms"][gpu]
            assert (time is None and not ours.valid[index, column] and ours.reasons[index, column]) or time == ours.time_ms[index, column]
    assert ours.best("Quadro K620")["TILE"] == str(theirs["gpus"][0]["best"][0]["parameters"]["TILE"])


def check_errors():
    for call, code in ((lambda: forewarp.predict("nowhere.cl", gpu="v100", global_=64, local=64), "not_found"),
                       (lambda: forewarp.explore(launch=LAUNCH, gpu="v100", space={"TILE": "1,,2"}), "usage"),
                       (lambda: forewarp.predict(launch=LAUNCH, gpu="v100", colour="red"), "usage")):
        try:
            call()
        except forewarp.Error as error:
            assert error.code == code, error
        else:
            raise AssertionError("no error")


check_predict()
check_units_of_passes()
check_explore()
check_errors()
print("good")
