import Authority
import BenjiFaceProtocol
import BenjiProtocol
import FaceMatching
import Sightings
import Store
import Synchronization

/// A face session: the steps that a person has completed. It holds a face's numbers, never a picture.
struct FaceSession: Sendable {
    var appID: AppID
    var deviceKey: String
    var trace: TraceID
    var purpose: FacePurpose
    var nonceHash: String
    var expiresAt: Timestamp
    /// The holder, by a proven number. `nil` while a search has found no holder: then nothing is issued.
    var subscription: SubscriptionReference?
    /// The account that the face is compared with; `nil` when this session enrols. The account may be erased, frozen or
    /// cancelled meanwhile, so its sealed values are read only when they are needed.
    var account: Int64?
    /// The binding as it was when the session began, without what the app has said of its user.
    var binding: FaceBindingRecord?
    var uid: String?
    var needs: Set<FaceNeed>
    var consent: FaceConsent?
    /// There when the session looks for a face in a group instead of being told whose it is.
    var search: FaceSearch?
    var attemptsLeft: Int
    var challenge: String?
    var proof: FaceProof?
    /// When the challenge was passed that left it.
    var faceSeenAt: Timestamp?
    /// Steps that are written down when it is known whose session it is, the first ones only.
    var untold: [TraceEvent] = []
    /// Whether it is being finished: one request at a time.
    var isClaimed = false
}

/// Face sessions of this process.
final class FaceSessions: Sendable {
    private let capacity: Int
    /// The most sessions whose person is not known yet. They need no token, so they must not fill the table.
    private let searches: Int
    private let sessions = Mutex<[CredentialHash: FaceSession]>([:])

    init(capacity: Int) {
        self.capacity = capacity
        searches = max(capacity / 4, 1)
    }

    var count: Int { sessions.withLock { $0.count } }

    /// `false` when the table is full. When there are too many searches, the oldest that has seen no face is forgotten
    /// instead.
    func insert(_ session: FaceSession, _ secret: String, now: Timestamp) -> Bool {
        sessions.withLock { sessions in
            if sessions.count >= capacity { sessions = sessions.filter { now < $0.value.expiresAt } }
            if session.subscription == nil, sessions.count >= searches {
                let open = sessions.filter { $0.value.subscription == nil }
                if open.count >= searches {
                    let idle = open.filter { $0.value.needs.contains(.face) }
                    guard let oldest = idle.min(by: { $0.value.expiresAt < $1.value.expiresAt }) else { return false }
                    sessions[oldest.key] = nil
                }
            }
            guard sessions.count < capacity else { return false }
            sessions[CredentialHash(of: secret)] = session
            return true
        }
    }

    /// The session of this device key, if it lives.
    func session(_ secret: String, deviceKey: String, now: Timestamp) -> FaceSession? {
        sessions.withLock { $0[CredentialHash(of: secret)] }.flatMap {
            $0.deviceKey == deviceKey && now < $0.expiresAt ? $0 : nil
        }
    }

    /// Changes the session and returns what `change` does; `nil` if it is gone.
    func change<Value: Sendable>(_ secret: String, _ change: (inout FaceSession) -> Value) -> Value? {
        sessions.withLock { sessions in
            let hash = CredentialHash(of: secret)
            guard var session = sessions[hash] else { return nil }
            let value = change(&session)
            sessions[hash] = session
            return value
        }
    }

    func end(_ secret: String) { sessions.withLock { $0[CredentialHash(of: secret)] = nil } }

    func removeExpired(now: Timestamp) {
        sessions.withLock { sessions in sessions = sessions.filter { now < $0.value.expiresAt } }
    }
}
