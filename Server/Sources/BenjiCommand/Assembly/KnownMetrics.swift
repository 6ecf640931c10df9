import Endpoints
import PrometheusMetrics
import ServerRuntime

extension KnownMetrics {
    /// Those of a process in any role.
    static let all: [MetricDescription] =
        gateway + [
            MetricDescription(
                "benji_audit_syslog_lines_total", .counter,
                help: "Lines of the audit log that syslog took."),
            MetricDescription(
                "benji_backchannel_notices_dropped_total", .counter,
                help: "Pings and messages about backchannel requests that were not sent because too many waited "
                    + "(notices)."),
            MetricDescription(
                "benji_backchannel_pings_total", .counter, labels: ["result"],
                help: "Pings to clients that a person has decided, by whether they were taken (pings)."),
            MetricDescription(
                "benji_callback_attempts_total", .counter, labels: ["result"],
                help: "Attempts to tell an app's callback of an event, by what became of the event (attempts)."),
            MetricDescription(
                "benji_callback_dead_events", .gauge,
                help: "Events for callbacks that are kept and not tried any more (events)."),
            MetricDescription(
                "benji_callback_oldest_waiting_seconds", .gauge,
                help: "How long the oldest event for a callback has waited (seconds)."),
            MetricDescription(
                "benji_callback_waiting_events", .gauge,
                help: "Events for callbacks that are to be sent (events)."),
            MetricDescription(
                LoginMeters.label, .counter, labels: ["app", "carrier", "code", "party", "step"], seriesLimit: 20_000,
                help:
                    "Steps of logins, by app (200 by name, the rest as other), carrier, acting party and situation "
                    + "(steps)."
            ),
            MetricDescription(
                "benji_sms_messages_total", .counter, labels: ["outcome", "sender"],
                help: "Short messages that a sender was asked to take, by sender and outcome (messages)."),
            MetricDescription(
                "benji_sms_receipts_total", .counter, labels: ["error", "sender", "state"], seriesLimit: 20_000,
                help:
                    "Receipts of short messages, by sender, state or unmatched, and the network's error code "
                    + "(receipts)."
            ),
            MetricDescription(
                "benji_sms_texts_total", .counter, labels: ["outcome", "sender"],
                help: "Messages of phones, by the sender that delivered them and what became of their texts (messages)."
            ),
            MetricDescription(
                "benji_store_rows_refused", .gauge, labels: ["table"],
                help: "Rows that give rights and are refused, because their code is not valid (rows, at most 64)."),
        ]
}
