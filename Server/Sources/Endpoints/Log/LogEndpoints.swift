package import Authority
import BenjiProtocol
import HTTPTypes
import Hummingbird
package import Requests
package import ServerHTTP
import Store

/// The public log of releases and consents, for its followers (docs/log.md). Answers hold hashes and signatures alone.
package struct LogEndpoints: Sendable {
    /// Questions of one address, or one /64, in ten minutes; as many at once. A follower asks five in each look, and
    /// one more for each thousand new leaves.
    static let calls = 600

    private let authority: Authority
    private let callers = SourceLimiter(calls: calls)

    package init(authority: Authority) { self.authority = authority }

    package var routes: [EndpointRoute] {
        [
            route("sth", []) { _, authority async throws(Refusal) in
                Answer(life: .head, try await authority.logHead().json)
            },
            route("keys", []) { _, authority async throws(Refusal) in
                Answer(life: .keys, ConsentReceipt.set(of: try await authority.receiptKeys()))
            },
            route("consistency", ["first", "second"]) { query, authority async throws(Refusal) in
                let (first, second) = (try query.number("first"), try query.number("second"))
                let path = try await authority.logConsistency(from: first, to: second)
                return Answer(
                    life: .forGood,
                    .object(["first": .integer(first), "second": .integer(second), "consistency": path.json]))
            },
            route("inclusion", ["hash", "tree_size"]) { query, authority async throws(Refusal) in
                let size = try query.number("tree_size")
                guard let hash = Base64URL.decode(try query.text("hash")), hash.count == 32 else {
                    throw Refusal(.parameterInvalid, "hash: is no SHA-256 in base64url")
                }
                guard let proof = try await authority.logInclusion(of: hash, in: size) else {
                    throw Refusal(.notFound, "no leaf of a log of this size has this hash")
                }
                return Answer(
                    life: .forGood,
                    .object([
                        "index": .integer(proof.index), "tree_size": .integer(proof.size), "path": proof.path.json,
                    ]))
            },
            route("entries", ["start", "end"]) { query, authority async throws(Refusal) in
                let (start, end) = (try query.number("start"), try query.number("end"))
                let hashes = try await authority.logLeafHashes(from: start, to: end)
                return Answer(
                    life: .forGood,
                    .object(["start": .integer(start), "end": .integer(end), "hashes": hashes.json]))
            },
        ]
    }

    /// The content of an answer, and how long it holds.
    private struct Answer {
        enum Life: String {
            case head = "public, max-age=1"
            case keys = "public, max-age=60"
            /// An entry of the log never changes.
            case forGood = "public, max-age=31536000, immutable"
        }

        var life: Life
        var json: JSON

        init(life: Life, _ json: JSON) {
            self.life = life
            self.json = json
        }
    }

    private func route(
        _ name: String, _ parameters: Set<String>,
        _ answer: @escaping @Sendable (LogQuery, Authority) async throws(Refusal) -> Answer
    ) -> EndpointRoute {
        EndpointRoute(.get, "/log/v1/\(name)") { [authority, callers] request, context in
            do throws(Refusal) {
                guard callers.admits(context.peer?.address, now: authority.clock.now) else {
                    throw Refusal(.tooManyRequests, "too many questions from this address; ask again in a second")
                }
                let answer = try await answer(LogQuery(request.uri.query ?? "", parameters), authority)
                context.outcome.note(code: Situation.success.rawValue)
                var response = Response(answer.json)
                response.headers[.cacheControl] = answer.life.rawValue
                return response
            } catch {
                context.outcome.note(code: error.situation.rawValue)
                return Response(error)
            }
        }
    }
}

/// The parameters of a question: each of them once, and no others.
private struct LogQuery {
    private let values: [String: String]

    init(_ query: String, _ names: Set<String>) throws(Refusal) {
        guard let pairs = FormText.pairs(query.utf8) else {
            throw Refusal(.parameterInvalid, "the query is not form-encoded UTF-8")
        }
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard names.contains(name) else { throw Refusal(.parameterInvalid, "a parameter is unknown here") }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Refusal(.parameterInvalid, "\(name): comes twice")
            }
        }
        if let missing = names.subtracting(values.keys).min() {
            throw Refusal(.parameterInvalid, "\(missing): is missing")
        }
        self.values = values
    }

    func text(_ name: String) throws(Refusal) -> String { values[name] ?? "" }

    func number(_ name: String) throws(Refusal) -> Int64 {
        let text = values[name] ?? ""
        // Digits alone, so that one number has one spelling.
        guard let number = Int64(text), number >= 0, String(number) == text else {
            throw Refusal(.parameterInvalid, "\(name): is no whole number from 0 on")
        }
        return number
    }
}

extension [[UInt8]] {
    fileprivate var json: JSON { .array(map { .string(Base64URL.encode($0)) }) }
}

extension LogHead {
    fileprivate var json: JSON {
        .object([
            "size": .integer(size), "root": .string(Base64URL.encode(root)), "time": .integer(at.milliseconds),
            "head": .string(text),
        ])
    }
}
