public import Benji
public import BenjiClient
public import BenjiFaceProtocol
public import BenjiProtocol

/// Where a person does what a face session asks of them: screens on a phone, a script in a test.
///
/// When the calling task is cancelled, every method returns at once; what it returns then does not matter.
public protocol FaceStage: Sendable {
    /// The page on which the person proves their number with one tap.
    func numberPage() async -> any AuthorizationPresenter

    /// The page on which the person proves it by a code by SMS where one tap cannot work. The app's workflow must have
    /// codes, and the server must take them for faces. `nil` for none.
    func smsPage() async -> (any SMSPresenter)?

    /// BCP 47: the language in which the person is spoken to.
    var language: String { get async }

    /// Asks the person and waits for what they do.
    func answer(_ question: FaceQuestion) async -> FaceReply

    /// Shows the person a notice, without waiting for them.
    func tell(_ notice: FaceNotice) async

    /// The camera's next pictures, in order: waits until there are some. `nil` when the person has left or the camera
    /// has gone.
    ///
    /// Only after ``FaceNotice/challenge(pace:)``. None is left out on the way: a gap looks like a cut.
    func frames(atMost count: Int) async -> [FaceFrame]?
}

extension FaceStage {
    /// None.
    public func smsPage() async -> (any SMSPresenter)? { nil }
}

/// A notice to the person.
public enum FaceNotice: Hashable, Sendable {
    /// A challenge begins: pictures are counted from here.
    ///
    /// - Parameter pace: the time between two of them.
    case challenge(pace: Duration)
    /// What to do now, and what keeps the last pictures from being of use.
    case due(FaceProgress)
    case passed
    /// The person cannot go on, and why. The session ends.
    case ended(Situation)
}

/// One picture of the camera: a JPEG, with the time since the challenge was shown.
public typealias FaceFrame = FaceFramesRequest.Frame
