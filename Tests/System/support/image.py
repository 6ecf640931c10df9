"""A container image, as an archive of the Open Container Initiative."""

import json

from .checks import folder, run


def unpacked(archive):
    """(the folder with the image's files, its configuration) of an OCI archive, read as the image specification has
    it."""
    place = folder()
    run(["tar", "-xf", str(archive), "-C", str(place)])

    def blob(descriptor):
        return place / "blobs" / descriptor["digest"].replace(":", "/")

    manifest = json.loads(blob(json.loads((place / "index.json").read_text())["manifests"][0]).read_text())
    (place / "files").mkdir()
    for layer in manifest["layers"]:
        run(["tar", "-xf", str(blob(layer)), "-C", str(place / "files")], 180)
    return place / "files", json.loads(blob(manifest["config"]).read_text())["config"]
