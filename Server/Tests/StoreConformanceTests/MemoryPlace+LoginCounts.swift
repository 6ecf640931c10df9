import BenjiProtocol
import Store

extension MemoryPlace {
    func add(_ counts: [LoginCount]) {
        for count in counts {
            var key = count
            key.count = 0
            let before = flaw == .forgetsEarlierLoginCounts ? 0 : loginCounts[key, default: 0]
            loginCounts[key] = before + count.count
        }
    }

    func loginCounts(of app: AppID, hours: Range<Int64>) -> [LoginCount] {
        loginCounts.filter {
            ($0.key.app == app || flaw == .countsLoginsOfOtherApps) && hours.contains($0.key.hour)
        }
        .map { key, count in
            var full = key
            full.count = count
            return full
        }
        .sorted { one, other in
            [one.carrier?.rawValue ?? "", one.party.rawValue, one.step, one.situation.rawValue]
                .lexicographicallyPrecedes(
                    [other.carrier?.rawValue ?? "", other.party.rawValue, other.step, other.situation.rawValue])
        }
        .sorted { flaw == .countsLoginsBackwards ? $0.hour > $1.hour : $0.hour < $1.hour }
    }

    func loginCounts(hours: Range<Int64>, unit: Int64, offset: Int64) -> [LoginCount] {
        var sums: [LoginCount: Int] = [:]
        for (key, count) in loginCounts {
            guard hours.contains(key.hour) || (flaw == .sumsLoginsOfLaterHours && key.hour >= hours.lowerBound) else {
                continue
            }
            var sum = key
            sum.hour = (key.hour - offset) / unit * unit + offset
            if flaw == .sumsLoginsOverApps, let first = loginCounts.keys.map(\.app.rawValue).min() {
                sum.app = AppID(rawValue: first) ?? key.app
            }
            sums[sum, default: 0] += count
        }
        return sums.map { key, count in
            var full = key
            full.count = count
            return full
        }
    }

    func deleteLoginCounts(before hour: Int64, limit: Int) -> Int {
        let old = loginCounts.keys.filter { flaw == .deletesLoginCountsOfTheHour ? $0.hour <= hour : $0.hour < hour }
            .prefix(limit)
        for key in old { loginCounts[key] = nil }
        return old.count
    }
}

extension MemoryStore {
    func addLoginCounts(_ counts: [LoginCount]) async throws(StoreError) { try await opened().add(counts) }
    func loginCounts(of app: AppID, hours: Range<Int64>) async throws(StoreError) -> [LoginCount] {
        try await opened().loginCounts(of: app, hours: hours)
    }
    func loginCounts(
        hours: Range<Int64>, unit: Int64, offset: Int64
    ) async throws(StoreError) -> [LoginCount] {
        try await opened().loginCounts(hours: hours, unit: unit, offset: offset)
    }
    func deleteLoginCounts(before hour: Int64, limit: Int) async throws(StoreError) -> Int {
        try await opened().deleteLoginCounts(before: hour, limit: limit)
    }
}
