import BenjiProtocol
import Console
import OpenIDProvider

extension DoctorCommand {
    /// Asks the provider that knows admins' phones who it is, as `benji serve` would.
    static func examineOneTap(_ configuration: ServerConfiguration) async -> [Finding] {
        guard let settings = configuration.administration?.oneTap else { return [] }
        let parts = OneTapParts(settings, clock: SystemWallClock())
        let trouble = await parts.client.trouble()
        await parts.end()
        let isOwn = settings.client.issuer == configuration.openID?.issuer
        return [
            Finding(
                subject: "console", verdict: trouble == nil ? .good : .warning,
                text: trouble.map { $0 + (isOwn ? "; it is this installation's own, and answers once that runs" : "") }
                    ?? "admins sign in by one tap at \(settings.client.issuer); its client needs the redirect URI "
                    + settings.client.redirectURI)
        ]
    }
}
