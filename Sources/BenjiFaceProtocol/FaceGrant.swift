public import BenjiProtocol

/// Access that was granted or renewed.
public struct FaceGrant: Hashable, Sendable {
    public var accessToken: String
    /// Seconds from the answer.
    public var accessTokenLifetime: Int64
    public var refreshToken: String
    /// Seconds from the answer.
    public var refreshTokenLifetime: Int64

    public init(accessToken: String, accessTokenLifetime: Int64, refreshToken: String, refreshTokenLifetime: Int64) {
        self.accessToken = accessToken
        self.accessTokenLifetime = accessTokenLifetime
        self.refreshToken = refreshToken
        self.refreshTokenLifetime = refreshTokenLifetime
    }

    public var json: JSON {
        .object([
            "accessToken": .string(accessToken), "accessTokenLifetime": .integer(accessTokenLifetime),
            "refreshToken": .string(refreshToken), "refreshTokenLifetime": .integer(refreshTokenLifetime),
        ])
    }

    public init(_ json: JSON, path: String) throws(JSONError) {
        var reader = try JSONObjectReader(json, path: path)
        accessToken = try reader.credential("accessToken", .faceAccess, "an access token")
        accessTokenLifetime = try reader.integer("accessTokenLifetime", in: 1...31_536_000)
        refreshToken = try reader.credential("refreshToken", .faceRefresh, "a refresh token")
        refreshTokenLifetime = try reader.integer("refreshTokenLifetime", in: 1...31_536_000)
    }
}
