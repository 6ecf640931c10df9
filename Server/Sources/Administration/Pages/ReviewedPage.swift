package import Authority
import BenjiPage
import BenjiPageReports
package import BenjiPolicy
package import BenjiProtocol
package import Requests
import Store

/// A page as it is submitted: its digest, its canonical form, and what the rules find.
package struct ReviewedPage: Sendable {
    /// The digest that a consent carries and the authority compares: the page's, or the content's if the app draws it.
    package let digest: String
    /// JSON.
    package let canonical: String
    /// Findings and in how many ways the page was looked at, as `benji page lint` says it.
    package let findings: JSON

    /// Reads a description, or the `content` of a consent for a page that the app draws itself. Examines it with each
    /// carrier of the policy.
    ///
    /// - Parameter hasCodes: whether the app's workflow has codes by SMS, whose page need not link a carrier's terms
    ///   (decision 48).
    package init(_ text: String, policy: CarrierPolicy, hasCodes: Bool = false) throws(Refusal) {
        guard text.utf8.count <= PageJSON.maximumSize else {
            throw Refusal(.parameterInvalid, "page: has more than \(PageJSON.maximumSize) bytes")
        }
        // A description has no such field.
        if let json = try? JSON(parsing: text), json["drawnBy"] != nil {
            try self.init(content: json, policy, hasCodes: hasCodes)
        } else {
            try self.init(description: text, policy)
        }
    }

    /// Reads a description that breaks no rule whose severity is error.
    static func keepingTheRules(_ text: String, policy: CarrierPolicy) throws(Refusal) -> PageDescription {
        let page: PageDescription
        let report: PageFindings
        do throws(PageError) {
            page = try PageDescription(parsing: Array(text.utf8))
            report = try PageFindings(page, PageViewing.all(of: page, by: policy.pageCarriers), .current)
        } catch {
            throw Refusal(.parameterInvalid, "page: \(error.place): \(error.problem)")
        }
        let broken = Set(report.entries.map(\.finding).filter { $0.severity == .error }.map(\.rule.rawValue))
        guard broken.isEmpty else {
            let rules = broken.sorted().joined(separator: ", ")
            throw Refusal(.parameterInvalid, "page: breaks \(rules); benji page lint says what to do")
        }
        return page
    }

    private init(description text: String, _ policy: CarrierPolicy) throws(Refusal) {
        do throws(PageError) {
            let page = try PageDescription(parsing: Array(text.utf8))
            digest = ConsentRecord.digest(ofPage: try page.bytesForDigest())
            canonical = try page.json().text
            let report = try PageFindings(page, PageViewing.all(of: page, by: policy.pageCarriers), .current)
            findings = Self.findings(
                policy, profile: report.profile.rawValue, viewings: report.viewings.count,
                report.entries.map { entry in
                    let (finding, rule) = (entry.finding, entry.finding.rule)
                    return .object([
                        "rule": .string(rule.rawValue), "severity": .string(finding.severity.rawValue),
                        "role": .string(finding.role.rawValue),
                        "where": .string(PageViewing.summary(entry.viewings, of: report.viewings)),
                        "explanation": Self.json(rule.explanation), "fix": Self.json(rule.fix),
                        "source": .string(rule.source),
                    ])
                })
        } catch {
            throw Refusal(.parameterInvalid, "page: \(error.place): \(error.problem)")
        }
    }

    private init(content json: JSON, _ policy: CarrierPolicy, hasCodes: Bool) throws(Refusal) {
        let content: ConsentContent
        do throws(JSONError) { content = try ConsentContent(json, path: "$") } catch {
            throw Refusal(.parameterInvalid, "page: \(error.place): \(error.problem)")
        }
        guard content.drawnBy == .app else {
            throw Refusal(.parameterInvalid, "page: Benji drew this one; submit its description")
        }
        digest = content.digest
        canonical = content.json.text
        // Its boxes are judged on the phone; here are its words alone.
        let pages = policy.order.compactMap { policy.carriers[$0]?.page }
        let linked = pages.first { page in content.links.contains { $0.url == page.termsURL } }
        let isForCodes = hasCodes && linked == nil
        let problem = ConsentRules.problem(
            in: content, policyVersion: policy.version,
            carriersTerms: isForCodes ? .notNeeded : .shown(linked ?? pages.first), allowsInitialTick: false)
        var found = problem.map { [Self.finding(.error, $0)] } ?? []
        if isForCodes {
            // Where one tap is asked for, a yes on it does not count, approved or not.
            found.append(
                Self.finding(.warning, "no carrier's terms are linked: people log in on it by a code by SMS alone"))
        }
        findings = Self.findings(policy, profile: "content", viewings: 1, found)
    }

    private static func finding(_ severity: PageSeverity, _ explanation: String) -> JSON {
        .object([
            "severity": .string(severity.rawValue), "explanation": .object(["en": .string(explanation)]),
        ])
    }

    private static func findings(
        _ policy: CarrierPolicy, profile: String, viewings: Int, _ findings: [JSON]
    ) -> JSON {
        func count(_ severity: PageSeverity) -> Int {
            findings.count { $0["severity"]?.stringValue == severity.rawValue }
        }
        return .object([
            "policyVersion": .string(policy.version), "profile": .string(profile), "viewings": .integer(viewings),
            "errors": .integer(count(.error)), "warnings": .integer(count(.warning)), "findings": .array(findings),
        ])
    }

    private static func json(_ text: LocalizedText) -> JSON {
        .object(["zh": .string(text.simplifiedChinese), "en": .string(text.english)])
    }
}

extension CarrierPolicy {
    /// Its carriers as pages know them, with what each asks of a page.
    fileprivate var pageCarriers: [(carrier: PageCarrier, duties: CarrierDuties)] {
        order.compactMap { carrier in
            carriers[carrier].map { entry in
                (
                    PageCarrier(rawValue: carrier.rawValue) ?? .other,
                    CarrierDuties(
                        policyVersion: version, termsTitle: entry.page.termsTitle, termsURL: entry.page.termsURL,
                        slogan: entry.page.slogan)
                )
            }
        }
    }
}
