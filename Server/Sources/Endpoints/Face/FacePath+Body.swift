import BenjiFaceProtocol
package import BenjiProtocol

extension FacePath {
    /// The largest body that is read, in bytes. Of JSON it is one with a picture of a person.
    package var maximumBody: Int { self == .frames ? FaceFramesRequest.maximumLength : 192 * 1024 }
}
