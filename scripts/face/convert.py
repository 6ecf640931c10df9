"""Converts one model: convert.py KIND SOURCE TARGET. It runs where numpy, onnx, h5py and tflite are installed."""

import importlib
import pathlib
import sys

MODULES = {"gemm": "gemm", "keras": "keras", "minifasnet": "minifasnet", "tflite": "lite"}

kind, source, target = sys.argv[1:]
importlib.import_module(MODULES[kind]).convert(pathlib.Path(source), pathlib.Path(target))
