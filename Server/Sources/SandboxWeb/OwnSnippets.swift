import BenjiClient
import BenjiProtocol
import Endpoints
import Foundation
import Sandbox

/// Texts that a developer copies into a shell or a program to try their own app: complete, with this sandbox's values.
struct OwnSnippets {
    let app: OwnApp
    let servers: SandboxServers
    let phone: String
    /// Where this sandbox's page is.
    let sandbox: String

    /// The first lines for a shell, so that it finds this program and this sandbox.
    var shell: String {
        guard !servers.isEnclosed else {
            return #"benji() { docker exec benji benji "$@"; }   # if the container is called benji"#
        }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "benji"
        let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return """
            export PATH="\(folder):$PATH"
            export BENJI_SANDBOX=\(sandbox)
            """
    }

    /// Programs that redeem a token, as the console has them: name for scripts, name for people, text.
    var redeem: [(name: String, title: String, text: String)] {
        RedeemSnippets(
            app: id, secret: app.serverSecret, server: app.server(servers, seenAt: sandbox), token: .phone(phone)
        ).all
    }

    private var id: String { app.credentials.id.rawValue }

    /// The settings of an OpenID client.
    var openID: String {
        """
        OIDC_ISSUER=\(servers.provider.issuer)
        OIDC_CLIENT_ID=\(id)
        OIDC_CLIENT_SECRET=\(app.clientSecret)
        OIDC_REDIRECT_URI=\(app.redirectURIs.first ?? "")
        OIDC_SCOPE="openid phone"
        """
    }
}
