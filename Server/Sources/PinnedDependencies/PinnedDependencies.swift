// The packages that come along with our dependencies. The manifest gives each one version; SwiftPM calls a package
// unused, with a warning at every build, unless a target imports it. Nothing depends on this target, and it has no
// code.
import Algorithms
import AsyncAlgorithms
import Configuration
import DequeModule
import NIOHTTP2
import NIOTransportServices
import RealModule
import ServiceContextModule
import StructuredFieldValues
import SwiftASN1
import SystemPackage
import Tracing
import X509
