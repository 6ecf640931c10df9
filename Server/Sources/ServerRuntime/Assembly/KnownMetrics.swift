package import PrometheusMetrics

/// Every metric of the programs: what monitoring reads beside its values, and what alert rules and dashboards may name.
package enum KnownMetrics {
    /// Those of every process, and of a gateway.
    package static let gateway: [MetricDescription] = [
        MetricDescription(
            "benji_data_free_bytes", .gauge,
            help: "Room left on the disk of the data directory (bytes)."),
        MetricDescription(
            "benji_gateway_accounting_packets_total", .counter, labels: ["result"],
            help: "Accounting packets received, by what became of them (packets)."),
        MetricDescription(
            "benji_gateway_connections", .gauge, labels: ["nas"],
            help: "Open connections over TLS that accounting comes through, by NAS (connections)."),
        MetricDescription(
            "benji_gateway_connections_ended_total", .counter, labels: ["reason"],
            help: "Connections over TLS that ended, or came to nothing, by why (connections)."),
        MetricDescription(
            "benji_gateway_feed_clock_ahead_seconds", .gauge, labels: ["nas"],
            help: "How far a NAS's clock is ahead of ours, or behind if negative: the median of 64 packets (seconds)."),
        MetricDescription(
            "benji_gateway_feed_faults_total", .counter, labels: ["nas", "reason"], seriesLimit: 20_000,
            help: "Packets of a NAS that were refused, or answered and made no phone known, by reason (packets)."),
        MetricDescription(
            "benji_gateway_feed_packets_total", .counter, labels: ["kind", "nas"], seriesLimit: 20_000,
            help: "Packets of a NAS: taken, refused, those that named a phone, and signs of loss (packets)."),
        MetricDescription(
            "benji_gateway_feed_sessions", .gauge, labels: ["nas"],
            help: "Sessions that a NAS has announced, in doubt or not (sessions)."),
        MetricDescription(
            "benji_gateway_feed_silence_limit_seconds", .gauge, labels: ["nas"],
            help: "How long a NAS with sessions may say nothing (seconds)."),
        MetricDescription(
            "benji_gateway_feed_silence_seconds", .gauge, labels: ["nas"],
            help: "How long nothing was taken from a NAS (seconds)."),
        MetricDescription(
            "benji_gateway_feed_unconfirmed_sessions", .gauge, labels: ["nas"],
            help: "Sessions of a NAS of which nothing was heard for one and a half of its intervals (sessions)."),
        MetricDescription(
            "benji_gateway_journal_failures_total", .counter,
            help: "Writes of the journal of sessions that failed; their packets were not answered (writes)."),
        MetricDescription(
            "benji_gateway_pair_fence", .gauge,
            help: "How often gateways of this one's pair have taken over, as this gateway knows it (times)."),
        MetricDescription(
            "benji_gateway_pair_owner", .gauge,
            help: "Whether this gateway owns its pair (1 yes, 0 no)."),
        MetricDescription(
            "benji_gateway_pair_read_total", .counter,
            help: "Entries of the pair's record that this gateway has read (entries)."),
        MetricDescription(
            "benji_gateway_pair_recorded_total", .counter,
            help: "Entries that this gateway has recorded for the other one of its pair (entries)."),
        MetricDescription(
            "benji_gateway_sessions", .gauge,
            help: "Sessions in the gateway's directory, in doubt or not (sessions)."),
        MetricDescription(
            "benji_gateway_sightings_total", .counter, labels: ["result"],
            help: "Questions whose phone an address is, by answer (questions)."),
        MetricDescription(
            "benji_health_check", .gauge, labels: ["check"],
            help: "Whether a check of /health/ready passes (1 yes, 0 no)."),
        MetricDescription(
            "benji_health_warnings", .gauge, labels: ["check"],
            help: "Warnings that /health/ready lists for a check (warnings)."),
        MetricDescription(
            "benji_http_request_duration_seconds", .histogram, labels: ["listener", "route"],
            help: "Time from a request's head to its answer, by listener and route (seconds)."),
        MetricDescription(
            "benji_http_requests_total", .counter, labels: ["code", "listener", "route", "status"], seriesLimit: 2000,
            help: "Requests answered, by listener, route, HTTP status and result code of the dialect (requests)."),
        MetricDescription(
            "benji_link_authority_answers", .gauge, labels: ["authority"],
            help: "Whether a node of the authority answered the gateway's last question (1 yes, 0 no)."),
        MetricDescription(
            "benji_link_faults_total", .counter, labels: ["authority", "reason"],
            help: "Exchanges between gateway and authority that brought no answer, by node and reason (exchanges)."),
        MetricDescription(
            "benji_tls_certificate_not_after_seconds", .gauge, labels: ["listener"],
            help: "When the certificate in use ends (seconds since 1970)."),
        MetricDescription(
            "benji_tls_renewal_failed", .gauge, labels: ["listener"],
            help: "Whether the certificate that was read last could not be used (1 yes, 0 no)."),
    ]
}
