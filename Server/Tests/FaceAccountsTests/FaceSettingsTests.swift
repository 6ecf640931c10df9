import BenjiFaceProtocol
import BenjiProtocol
import Store
import Testing

@testable import Authority
@testable import FaceAccounts

/// The default settings, and values that are read again.
struct FaceSettingsTests {
    @Test("face login admits as much as the documents say")
    func usual() {
        let usual = FaceProvider.Configuration(terms: FaceTerms(version: "1", title: "t", url: "https://a.example"))
        #expect(usual.leastAssurance == .netApp && usual.attempts == 3 && usual.comparisons == 10)
        #expect(usual.dailyFaces == 50 && usual.begins == 30 && usual.searchesAtOnce == 2 && usual.searches == 10)
        #expect(usual.addressSearches == 60 && usual.appSearches == 600 && usual.appTokens == 60)
        #expect(usual.addressAppTokens == 1200 && usual.questions == 120 && usual.addressQuestions == 600)
        #expect(usual.requests == 600 && usual.requestsPerSecond == 2 && usual.addressRequests == 30_000)
        #expect(usual.groups == 100 && usual.groupMembers == 10_000)
        #expect(FaceBudget.capacity == 200_000)
    }

    @Test("each kind of credential lives as long as the documents say")
    func lives() {
        let lives = FaceCredential.Kind.allCases.map { ($0, FaceProvider.Lifetime.of($0)) }
        for (kind, seconds) in lives {
            let expected: Int64 =
                switch kind {
                case .access, .server: 7200
                case .refresh: 5_184_000
                case .remembered: 31_536_000
                case .code: 60
                }
            #expect(seconds == expected, "\(kind)")
        }
        #expect(FaceProvider.Lifetime.appToken == 7200 && FaceProvider.Lifetime.briefAppToken == 600)
        #expect(FaceProvider.Lifetime.session == 600 && FaceProvider.Lifetime.fresh == 300)
    }

    @Test("what an account's holder is called is read again with the picture, and a name of 65 bytes is none")
    func profile() throws {
        for profile in [
            FaceProfile(name: "王", avatar: nil),
            FaceProfile(name: String(repeating: "n", count: 64), avatar: [1, 2, 3]),
        ] {
            #expect(try FaceProfile(profile.bytes) == profile)
        }
        #expect(FaceProfile(name: "a", avatar: [1, 2, 3]).avatarURL == "data:image/jpeg;base64,AQID")
        #expect(FaceProfile(name: "a", avatar: nil).avatarURL == nil)
        for name in ["", String(repeating: "n", count: 65)] {
            #expect(throws: VaultError.self) { try FaceProfile(FaceProfile(name: name, avatar: nil).bytes) }
        }
    }

    @Test("of each kind as many app tokens are kept as there is room for, in however long a run")
    func appTokens() {
        let tokens = FaceAppTokens(capacity: 3)
        let app = AppID(rawValue: "300000000001")!
        let now = Timestamp(seconds: 1000)
        for number in 0..<40 {
            tokens.insert(
                "\(number)",
                .init(
                    holder: .init(app: app, deviceKey: "\(number)"), isAttested: false, kind: .shared,
                    expiresAt: now + .seconds(1)))
            let held = (0...number).filter { tokens.entry(of: "\($0)", deviceKey: "\($0)", now: now) != nil }
            #expect(held == Array((0...number).suffix(3)))
            #expect(tokens.holderCount == held.count)
        }
        #expect(tokens.entry(of: "39", deviceKey: "39", now: now + .seconds(1)) == nil, "it has expired")
        #expect(tokens.entry(of: "39", deviceKey: "38", now: now) == nil)
    }

    @Test("segments of a picture are kept or left out by their kind, and one of no kind makes it no picture")
    func segments() {
        let start: [UInt8] = [0xff, 0xd8]
        let end: [UInt8] = [0xff, 0xda, 0, 2, 7, 0xff, 0xd9]
        for marker in UInt8(0xc0)...0xfe where ![0xd9, 0xda].contains(marker) {
            let segment: [UInt8] = [0xff, marker, 0, 3, 1]
            let plain = AvatarPicture.plain(start + segment + end)
            switch marker {
            case 0xdb, 0xc4, 0xc0, 0xc1, 0xc2, 0xdd: #expect(plain == start + segment + end, "\(marker)")
            case 0xe0...0xef, 0xfe: #expect(plain == start + end, "\(marker)")
            default: #expect(plain == nil, "\(marker)")
            }
            // A segment that is shorter than its length, or goes beyond the file.
            for length: UInt8 in [0, 1, 255] {
                #expect(AvatarPicture.plain(start + [0xff, marker, 0, length] + end) == nil, "\(marker) \(length)")
            }
        }
        #expect(AvatarPicture.plain(start + end) == start + end)
        #expect(AvatarPicture.plain(start + [0xff, 0xff] + end) == start + end, "fill")
        #expect(AvatarPicture.plain(start + [0xff, 0xd9]) == nil, "no pixels")
        #expect(AvatarPicture.plain(start + end.dropLast(2)) == nil && AvatarPicture.plain(start + [0] + end) == nil)
        #expect(AvatarPicture.plain([0xff, 0xd9] + end) == nil && AvatarPicture.plain([0, 0xd8] + end) == nil)
    }
}
