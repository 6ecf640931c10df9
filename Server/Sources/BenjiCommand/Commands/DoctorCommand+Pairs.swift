extension DoctorCommand {
    /// Which gateways are a pair: both ends must be told.
    static func examinePairs(_ configuration: ServerConfiguration) -> [Finding] {
        if configuration.isPaired {
            return [
                Finding(
                    subject: "pair", verdict: .good,
                    text: "this gateway is one of a pair, and answers nobody until it owns it: the authority needs "
                        + "gateways.\(configuration.gatewayName).pair. /health/ready says which of the two answers")
            ]
        }
        return configuration.membersOfPairs
            .sorted { $0.key < $1.key }.map { pair, gateways in
                Finding(
                    subject: "pair", verdict: .good,
                    text: "\(pair) is \(gateways.joined(separator: " and ")): both need gateway.pair: true. "
                        + "Which of them answers: benji gateway pairs")
            }
    }
}
