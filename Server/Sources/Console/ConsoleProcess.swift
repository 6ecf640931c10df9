package import BenjiProtocol
package import Requests
package import ServerHTTP

extension Console {
    /// The state of the process that serves the console, besides the answers of orders.
    package struct Process: Sendable {
        /// How one NAS's accounting goes, since this process began.
        package struct Feed: Sendable {
            package var name: String
            package var carrier: String
            /// When the last packet was taken; `nil` if none was.
            package var heardAt: Timestamp?
            /// Packets that were taken, repeated ones included.
            package var taken: Int
            /// Packets that made no phone known, by the reason's name in the metric `benji_gateway_feed_faults_total`.
            package var faults: [String: Int]
            package var sessions: Int
            /// Whether it has sessions and has been silent for too long.
            package var isSilent: Bool
            package var isOverTLS: Bool
            /// Milliseconds that its clock is ahead of ours; `nil` as long as too little was heard.
            package var clockAhead: Int64?
            /// Sessions that no Interim-Update has confirmed in time.
            package var unconfirmed: Int
            /// The signs of lost packets, by the kind's name in the metric `benji_gateway_feed_packets_total`.
            package var losses: [String: Int]

            package init(
                name: String, carrier: String, heardAt: Timestamp?, taken: Int, faults: [String: Int], sessions: Int,
                isSilent: Bool, isOverTLS: Bool = false, clockAhead: Int64? = nil, unconfirmed: Int = 0,
                losses: [String: Int] = [:]
            ) {
                self.name = name
                self.carrier = carrier
                self.heardAt = heardAt
                self.taken = taken
                self.faults = faults
                self.sessions = sessions
                self.isSilent = isSilent
                self.isOverTLS = isOverTLS
                self.clockAhead = clockAhead
                self.unconfirmed = unconfirmed
                self.losses = losses
            }
        }

        /// The checks of readiness.
        package var checks: [HealthEndpoints.Check]
        /// The feeds of the gateway that is in this process; `nil` if gateways are elsewhere.
        package var feeds: (@Sendable () -> [Feed])?
        /// Reads a policy as a server does when it starts: its whole form, or the error and its line.
        package var readPolicy: @Sendable ([UInt8]) throws(Refusal) -> JSON
        /// The file that the setting `policy` names; `nil` if the policy that comes along holds.
        package var policyFile: String?
        /// The options by which a command on this machine finds the installation: ` -c benji.yaml`, or empty.
        package var options: String
        /// Whether the database is PostgreSQL, which has its own backups.
        package var isPostgres: Bool

        package init(
            checks: [HealthEndpoints.Check] = [], feeds: (@Sendable () -> [Feed])? = nil,
            readPolicy: @escaping @Sendable ([UInt8]) throws(Refusal) -> JSON, policyFile: String? = nil,
            options: String = "", isPostgres: Bool = false
        ) {
            self.checks = checks
            self.feeds = feeds
            self.readPolicy = readPolicy
            self.policyFile = policyFile
            self.options = options
            self.isPostgres = isPostgres
        }
    }
}
