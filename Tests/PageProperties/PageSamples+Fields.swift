public import BenjiPage

extension PageSamples {
    /// The usual page, with a popup and a dialog where the field is part of one.
    public static func base(_ path: String) -> PageDescription {
        var page = usual
        if path.hasPrefix("popup.") { page.popup = PageDescription.Popup() }
        if path.hasPrefix("consentDialog.") { page.consentDialog = PageDescription.ConsentDialog() }
        return page
    }

    /// The same page, with the one field that `path` names as on the page without defaults. Returns `nil` when there is
    /// no such field, or when it changes nothing.
    public static func page(_ path: String) throws -> PageDescription? {
        let parts = path.split(separator: ".")[...]
        guard let value = try changed.json().value(parts) else { return nil }
        let page = try PageDescription(base(path).json().setting(parts, to: value))
        return page == base(path) ? nil : page
    }

    /// The name under which the app supplies what the field at `path` asks for.
    public static func suppliedName(_ path: String) throws -> String? {
        var slot = try changed.json().value(path.split(separator: ".")[...])
        if case .array(let views)? = slot { slot = views.first?["view"] }
        guard case .string(let name)? = slot?["name"] else { return nil }
        return name
    }

    /// Every state in which a box may look otherwise.
    public static let states: [@Sendable (inout PageState) -> Void] = [
        { _ in }, { $0.isTicked = true }, { $0.isLoginPressed = true }, { $0.isLoginDisabled = true },
        { $0.isHintShown = true }, { $0.isDialogShown = true }, { $0.isLoading = true },
    ]
}

extension PageJSON {
    fileprivate func value(_ path: ArraySlice<Substring>) -> PageJSON? {
        guard let name = path.first else { return self }
        return self[String(name)]?.value(path.dropFirst())
    }

    fileprivate func setting(_ path: ArraySlice<Substring>, to value: PageJSON) -> PageJSON {
        guard let name = path.first else { return value }
        guard case .object(var members) = self else { return self }
        let next = (self[String(name)] ?? .object([])).setting(path.dropFirst(), to: value)
        if let index = members.firstIndex(where: { $0.name == String(name) }) {
            members[index].value = next
        } else {
            members.append(Member(String(name), next))
        }
        return .object(members)
    }
}
