extension Schema {
    /// Version 6: whose login a trace is, in the step that found it out.
    static let traceLogins = """
        ALTER TABLE trace_event ADD COLUMN app TEXT;
        ALTER TABLE trace_event ADD COLUMN subscription INTEGER;
        ALTER TABLE trace_event ADD COLUMN epoch INTEGER;
        CREATE INDEX trace_event_by_app ON trace_event (app, at) WHERE app IS NOT NULL;
        CREATE INDEX trace_event_by_subscription ON trace_event (subscription, at) WHERE subscription IS NOT NULL;
        """
}
