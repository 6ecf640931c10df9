/// Whether it is the face of the account (1.5.1).
#if canImport(ObjectiveC)
@objc(SIDFACEVerifyState)
#endif
public enum SIDFACEVerifyState: Int, Sendable {
    /// It is.
    #if canImport(ObjectiveC)
    @objc(SIDFaceVerifySucceed)
    #endif
    case faceVerifySucceed
    /// It is not, or that could not be determined.
    #if canImport(ObjectiveC)
    @objc(SIDFaceVerifyFail)
    #endif
    case faceVerifyFail
}
