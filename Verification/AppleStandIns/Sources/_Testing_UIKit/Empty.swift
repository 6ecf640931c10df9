// Empty on purpose: Swift Testing asks for an overlay of this name wherever Testing and UIKit meet in one file.
