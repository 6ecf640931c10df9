"""Where models and test portraits are: .face in the repository, or what BENJI_FACE names. `FaceFolder.swift` says the
same."""

import os
import pathlib

# An empty variable is one that is not set.
FOLDER = pathlib.Path(os.environ.get("BENJI_FACE") or pathlib.Path(__file__).resolve().parents[2] / ".face").absolute()
