// The packages that come along with our dependencies. The manifest gives each one version; SwiftPM calls a package unused, with
// a warning at every build, unless a target imports it. Nothing depends on this target, and it has no code.
internal import Algorithms
internal import AsyncAlgorithms
internal import DequeModule
internal import NIOHTTP2
internal import NIOTransportServices
internal import RealModule
internal import ServiceContextModule
internal import StructuredFieldValues
internal import SwiftASN1
internal import SystemPackage
internal import Tracing
internal import X509
