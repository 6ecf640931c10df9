// Messages of the device dialect hold credentials: what prints them names the kind of message and nothing that is
// secret.

extension PrefetchRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "PrefetchRequest(app: \(appID), dialect: \(dialect.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension PrefetchResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "PrefetchResponse(trace: \(trace), carrier: \(carrier.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension AuthorizeRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuthorizeRequest(app: \(appID), purpose: \(purpose.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension AuthorizeResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "AuthorizeResponse(trace: \(trace), assurance: \(assurance.rawValue))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension ForgetRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "ForgetRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSCodeRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSCodeRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSCodeResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSCodeResponse(trace: \(trace))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSLoginRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSLoginRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSUpstreamRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSUpstreamRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSUpstreamResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSUpstreamResponse(trace: \(trace))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSUpstreamStatusRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSUpstreamStatusRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSUpstreamStatusResponse: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSUpstreamStatusResponse(trace: \(trace))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}

extension SMSUpstreamLoginRequest: CustomStringConvertible, CustomReflectable {
    public var description: String { "SMSUpstreamLoginRequest(app: \(appID))" }
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
