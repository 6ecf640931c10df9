#!/usr/bin/env python3
"""Fits the judges of FaceCover: what covers a face, by features that the mesh and the eye network work out anyway.

    python3 -m venv fit && fit/bin/pip install opencv-python-headless onnxruntime onnx scikit-learn
    fit/bin/python scripts/face/fit_cover.py lfw --worn sunglasses.txt >
    Server/Sources/FaceMatching/Observations/FaceCover+Judges.swift

The folder holds a folder for each person, as that of Labeled Faces in the Wild does. Only people whose names' CRC-32 is
in the lower half are looked at; the others are there to report on (`FacePuppetCommand --covers`). Their pictures as
they are stand for faces that nothing covers. Those that --worn names, a path on a line, wear dark glasses. On one
picture of each of some people masks, glasses and covered halves are painted (cover_paint.py). Three logistic
regressions tell them apart; a judge's offset is such that it finds a cover in --wrong of the pictures of tuning. The
fit is written to the standard output, as Swift.
"""

import argparse
import base64
import pathlib
import sys
import zlib

import cv2
import numpy
import onnx
import onnxruntime
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import cover_paint
from place import FOLDER

# Kind of cover, network whose features tell it, share of uncovered pictures that may be judged covered, how strongly
# weights are held.
JUDGES = {"mouth": ("mask", 0, .005, .002), "eyes": ("dark", 1, .002, .004), "side": ("half", 0, .003, .002)}
WAYS = {"mask": cover_paint.mask, "dark": cover_paint.dark_glasses, "clear": cover_paint.clear_glasses,
        "half": cover_paint.half}


class Networks:
    def __init__(self, folder):
        self.folder, self.detectors = folder, {}
        self.mesh = self.network("mesh.onnx", "v81")
        self.eyes = self.network("eyes.onnx", "v163")

    def network(self, name, inner):
        model = onnx.load(str(self.folder / name))
        model.graph.output.append(onnx.helper.make_empty_tensor_value_info(inner))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        return onnxruntime.InferenceSession(model.SerializeToString(), options)

    def largest(self, picture):
        """The largest face as YuNet finds it, or nothing. Its input is a multiple of 32."""
        height, width = (-(-side // 32) * 32 for side in picture.shape[:2])
        padded = numpy.zeros((height, width, 3), numpy.uint8)
        padded[:picture.shape[0], :picture.shape[1]] = picture
        if (width, height) not in self.detectors:
            path = str(self.folder / "detector.onnx")
            self.detectors[width, height] = cv2.FaceDetectorYN.create(path, "", (width, height), .6, .3, 50)
        faces = self.detectors[width, height].detect(padded)[1]
        return None if faces is None else max(faces, key=lambda face: face[2] * face[3])

    def measure(self, picture):
        """Mesh, whether it is one, and the features of both networks, cut out as CFaceEngine/Measure.cpp does; or
        nothing."""
        face = self.largest(picture)
        if face is None:
            return None
        left, top, width, height = face[:4]
        eyes = face[4:8].reshape(2, 2)
        part, back = cut(picture, (left + width / 2, top + height / 2), eyes[1] - eyes[0],
                         192 / (1.5 * max(width, height)), 192)
        points, flag, inner = self.mesh.run(["mesh", "flag", "v81"], {"input": blob(part)})
        mesh = back(points.reshape(468, 3)[:, :2])
        features = []
        for eye, (one, other) in enumerate(((33, 133), (362, 263))):
            across = mesh[other] - mesh[one]
            if not numpy.linalg.norm(across) > 1:
                return None
            part, _ = cut(picture, (mesh[one] + mesh[other]) / 2, across, 64 / (2.3 * numpy.linalg.norm(across)), 64)
            # The network knows the eye on the picture's right.
            features.append(self.eyes.run(["v163"], {"input": blob(part[:, ::-1] if eye == 0 else part)})[0].ravel())
        return mesh, 1 / (1 + numpy.exp(-flag.ravel()[0])), (inner.ravel(), (features[0] + features[1]) / 2)


def blob(part):
    return numpy.ascontiguousarray(part[..., ::-1].transpose(2, 0, 1)[None], numpy.float32) / 255


def cut(picture, center, level, scale, size):
    """A square around `center`, turned so that `level` is level; and the way back from its points to the picture's."""
    direction = numpy.array(level, float) / numpy.linalg.norm(level) * scale
    turn = numpy.array([[direction[0], direction[1]], [-direction[1], direction[0]]])
    shift = numpy.array([size / 2, size / 2]) - turn @ numpy.array(center, float)
    factor, source, there = int(1 / scale), picture, shift.copy()
    matrix = turn.copy()
    if factor > 1:
        height, width = picture.shape[0] // factor, picture.shape[1] // factor
        source = cv2.resize(picture[:height * factor, :width * factor], (width, height), interpolation=cv2.INTER_AREA)
        there, matrix = shift + turn.sum(1) * (factor - 1) / 2, turn * factor
    part = cv2.warpAffine(source, numpy.column_stack([matrix, there]).astype(numpy.float32), (size, size),
                          flags=cv2.INTER_LINEAR)
    return part, lambda points: (points - shift) @ numpy.linalg.inv(turn).T


def gather(folder, networks, worn, painted, most):
    """Features of pictures as they are, those of dark glasses that are worn, and those of painted pictures by their
    kind."""
    people = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    lower = [path for path in people if zlib.crc32(path.name.encode()) < 1 << 31]
    others = [cv2.imread(str(sorted(path.glob("*.jpg"))[0])) for path in people[::37]]
    plain, wearing, covered = [], [], {kind: [] for kind in WAYS}
    for number, person in enumerate(lower):
        print(f"\r{number + 1} of {len(lower)} people", end="", file=sys.stderr, flush=True)
        files = sorted(person.glob("*.jpg"))
        for file in files[:most]:
            found = networks.measure(cv2.imread(str(file)))
            if found and found[1] >= .5:
                (wearing if f"{person.name}/{file.name}" in worn else plain).append(found[2])
        rng = numpy.random.default_rng(zlib.crc32(person.name.encode()))
        if rng.random() > painted:
            continue
        picture = cv2.imread(str(files[rng.integers(len(files))]))
        found = networks.measure(picture)
        if not found or found[1] < .5:
            continue
        for kind, way in WAYS.items():
            for _ in range(1 if kind == "clear" else 2):
                quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(80, 96))]
                result = cv2.imdecode(cv2.imencode(".jpg", way(picture, found[0], rng, others), quality)[1],
                                      cv2.IMREAD_COLOR)
                seen = networks.measure(result)
                # A picture in which the mesh network finds no face has a flaw already.
                if seen and seen[1] >= .3:
                    covered[kind].append(seen[2])
    print(file=sys.stderr)
    return plain, wearing, covered


def fit(name, plain, wearing, covered):
    """Weights of a byte each, their scale, and the offset."""
    kind, network, wrong, held = JUDGES[name]
    features = lambda found: numpy.array([each[network] for each in found], numpy.float32)
    uncovered, positive = features(plain), features(covered[kind])
    others = [each for other in WAYS if other not in (kind, "half") for each in covered[other]]
    if name == "eyes":
        # Real ones count for more than painted ones.
        positive = numpy.vstack([positive] + [features(wearing)] * 6) if wearing else positive
    keep = numpy.ones(len(uncovered), bool)
    for turn in range(2):
        rows = numpy.vstack([uncovered[keep], features(others), positive])
        labels = numpy.arange(len(rows)) >= len(rows) - len(positive)
        scaler = StandardScaler().fit(rows)
        scale = numpy.maximum(scaler.scale_, 1e-3)
        model = LogisticRegression(C=held, max_iter=400).fit((rows - scaler.mean_) / scale, labels)
        weights = model.coef_[0] / scale
        offset = model.intercept_[0] - scaler.mean_ @ weights
        if turn == 0 and name != "eyes":
            # A hand before a mouth is in such collections too: the most likely hundredth is left out of the second fit.
            scores = uncovered @ weights + offset
            keep = scores < numpy.quantile(scores, .99)
    step = numpy.abs(weights).max() / 127
    rounded = numpy.round(weights / step).astype(numpy.int8)
    return rounded, step, -numpy.quantile(uncovered @ (rounded * step), 1 - wrong)


def swift(judges):
    lines = (HERE / "cover_judges.swift.in").read_text().splitlines()
    for line in lines:
        if not line.strip().startswith("@"):
            yield line
            continue
        name = line.strip()[1:]
        weights, step, offset = judges[name]
        text = base64.b64encode(weights.tobytes()).decode()
        parts = [text[i:i + 110] for i in range(0, len(text), 110)]
        yield f"    static let {name} = Judge(\n        scale: {step:.8g}, offset: {offset:.8g},\n        \"\"\""
        yield from (f"        {part}\\" for part in parts[:-1])
        yield f"        {parts[-1]}\n        \"\"\")"


HERE = pathlib.Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=pathlib.Path, help="a folder for each person")
    parser.add_argument("--worn", type=pathlib.Path,
                        help="a file that names pictures of dark glasses, PERSON/FILE on a line")
    parser.add_argument("--painted", type=float, default=.5, help="the share of the people on whose faces is painted")
    parser.add_argument("--pictures", type=int, default=6, help="the most pictures of one person")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    worn = set(given.worn.read_text().split()) if given.worn else set()
    plain, wearing, covered = gather(given.folder, Networks(FOLDER / "models"), worn, given.painted, given.pictures)
    print(f"{len(plain)} uncovered, {len(wearing)} with dark glasses, {({k: len(v) for k, v in covered.items()})}",
          file=sys.stderr)
    print("\n".join(swift({name: fit(name, plain, wearing, covered) for name in JUDGES})))


if __name__ == "__main__":
    main()
