package import BenjiFaceTexts

/// Why a challenge was not passed, or a post of frames not taken. Two are equal when their reasons are.
package struct FaceChallengeFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Reason: String, CaseIterable, Sendable {
        /// There are no models here.
        case unavailable
        /// Too many people at once, or another post of this challenge is still being looked at. The challenge goes on.
        case busy
        /// Never begun, ended already, or begun by somebody else.
        case unknown
        case expired
        /// A post or a challenge of too many frames.
        case tooManyFrames
        case frameTooLarge
        /// Damaged, of an unknown format, too small: no picture of a camera.
        case frameUnreadable
        /// Frames out of order, from before the challenge, or from the future.
        case timesWrong
        /// Frames took too long to arrive.
        case late
        /// A pause in which anybody may have come before the camera.
        case interrupted
        case faceLost
        case severalFaces
        /// The picture lies on its side or upside down.
        case pictureTurned
        /// The picture never became good enough to compare a face by.
        case unclear
        /// The same, because a part of the face was not seen.
        case mouthCovered, eyesCovered, halfFace
        /// The face is no longer the first one.
        case anotherFace
        /// The face jumped within the picture.
        case leap
        /// Another gesture than the one that was asked for.
        case wrongGesture
        /// The requested gesture was not seen in time.
        case gestureMissed
        /// Every frame is the same: a still picture.
        case still
        /// A frame was shown before.
        case replayed
        /// The passive score is too low.
        case notLive
        /// A defect of ours.
        case failed
    }

    package var reason: Reason
    /// The prompt at the time of the failure, if it matters.
    package var prompt: FacePrompt?

    package init(_ reason: Reason, at prompt: FacePrompt? = nil) {
        self.reason = reason
        self.prompt = prompt
    }

    package static func == (left: Self, right: Self) -> Bool { left.reason == right.reason }
    package func hash(into hasher: inout Hasher) { hasher.combine(reason) }

    /// Whether the same challenge may go on: nothing of the post was taken.
    package var mayGoOn: Bool { reason == .busy }

    package var description: String { reason.rawValue + (prompt.map { " at \($0.name)" } ?? "") }
}

extension FaceChallengeFailure.Reason {
    /// The reason for ending a challenge in which no face was seen for too long.
    init(absence hint: FaceHint?) {
        switch hint {
        case .severalFaces: self = .severalFaces
        case .pictureTurned: self = .pictureTurned
        default: self = .faceLost
        }
    }

    /// The reason for ending a challenge whose face was never seen well enough.
    init(unsettled hint: FaceHint?) {
        switch hint {
        case .flaw(.mouthCovered): self = .mouthCovered
        case .flaw(.eyesCovered): self = .eyesCovered
        case .flaw(.half): self = .halfFace
        default: self = .unclear
        }
    }
}

extension FaceChallengeFailure {
    /// For the person: what happened, or what to do.
    package var sentence: FaceSentence {
        switch reason {
        case .unavailable: .faceUnavailable
        case .busy: .crowded
        case .unknown: .attemptOver
        case .expired: .tooLate
        case .tooManyFrames, .frameTooLarge, .frameUnreadable, .timesWrong: .picturesWrong
        case .late: .slowNetwork
        case .interrupted: .interrupted
        case .faceLost: .faceLost
        case .severalFaces: .severalFacesSeen
        case .pictureTurned: .pictureTurned
        case .unclear: .unclear
        case .mouthCovered: .mouthCovered
        case .eyesCovered: .eyesCovered
        case .halfFace: .halfFace
        case .anotherFace: .faceChanged
        case .leap: .jumped
        case .wrongGesture: .wrongMovement
        case .gestureMissed: .movementMissing
        case .still: .still
        case .replayed: .replayed
        case .notLive: .notLive
        case .failed: .trouble
        }
    }
}
