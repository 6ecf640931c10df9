// Bends a licensed portrait so that it does gestures, frame by frame, for tests of the challenge. It makes no new face.
// Begin with `Puppet.swift`. `FacePainter.swift` covers parts of faces, as masks and dark glasses do.
