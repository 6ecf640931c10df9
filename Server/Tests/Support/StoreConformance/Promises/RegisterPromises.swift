import BenjiProtocol
import Store

extension StoreConformance {
    static let register: [StorePromise] = [
        StorePromise("a new number gets a row number of its own and is found by number and by row") { scenario in
            let first = try await scenario.subscription(1)
            let second = try await scenario.subscription(2)
            try expect(first.id > 0 && second.id > 0 && first.id != second.id, "row numbers are not the store's own")
            try expect(try await scenario.store.subscription(first.id), is: first, "found by row")
            try expect(
                try await scenario.store.subscription(numberIndex: Scenario.numberIndex(2)), is: second,
                "found by number")
            try expect(try await scenario.store.subscription(second.id + 1000) == nil, "an unknown row is found")
            try expect(
                try await scenario.store.subscription(numberIndex: Scenario.numberIndex(3)) == nil,
                "an unknown number is found")
        },
        StorePromise("every field of a subscription is kept, with and without a SIM") { scenario in
            var wanted = try await scenario.subscription()
            wanted.sealedNumber = Sealed(bytes: [0, 255, 1])
            wanted.carrier = .telecom
            wanted.epoch = 3
            wanted.epochKey = Array(16..<32)
            wanted.simGeneration = 4
            wanted.sealedSIM = Sealed(bytes: Array(0..<32))
            wanted.simChangedAt = Scenario.now + .seconds(1)
            wanted.epochStartedAt = Scenario.now - .seconds(2)
            wanted.lastSeenAt = Scenario.now + .seconds(3)
            let all = wanted
            try await scenario.change { $0 = all }
            try expect(try await scenario.store.subscription(wanted.id), is: wanted, "all fields")
            try await scenario.change { $0.sealedSIM = nil }
            wanted.sealedSIM = nil
            try expect(try await scenario.store.subscription(wanted.id), is: wanted, "without a SIM")
        },
        StorePromise(
            "a change sees each number's row, answers with all rows in order, and nil leaves things as they are"
        ) { scenario in
            let second = try await scenario.subscription(2)
            let rows = try await scenario.store.changeSubscriptions((1...3).map(Scenario.numberIndex)) {
                position, present in
                switch (position, present) {
                case (0, nil): return Scenario.newSubscription(1)
                case (1, let row?):
                    var row = row
                    row.simGeneration += 1
                    return row
                default: return nil
                }
            }
            try expect(rows.count, is: 3, "rows answered")
            try expect(rows[0]?.numberIndex, is: Scenario.numberIndex(1), "the new row")
            try expect(rows[1]?.simGeneration, is: second.simGeneration + 1, "the changed row")
            try expect(rows[1]?.id, is: second.id, "the changed row's number")
            try expect(rows[2] == nil, "nothing became something")
            let kept = try await scenario.store.changeSubscriptions([Scenario.numberIndex(1)]) { _, _ in nil }
            try expect(kept, is: [rows[0]], "a row left as it is")
        },
        StorePromise("a number named twice in one change sees its own first change") { scenario in
            let rows = try await scenario.store.changeSubscriptions(
                [Scenario.numberIndex(1), Scenario.numberIndex(1)]
            ) { _, present in
                guard var row = present else { return Scenario.newSubscription(1) }
                row.simGeneration += 1
                return row
            }
            try expect(rows.map { $0?.simGeneration }, is: [1, 2], "SIM generations")
            try expect(rows[0]?.id, is: rows[1]?.id, "row numbers")
        },
        StorePromise("32 changes of one number at once make one row and lose none of the changes") { scenario in
            let rows = try await race(32) { _ in
                try await scenario.store.changeSubscriptions([Scenario.numberIndex(1)]) { _, present in
                    guard var row = present else { return Scenario.newSubscription(1) }
                    row.simGeneration += 1
                    return row
                }
            }
            try expect(Set(rows.map { $0[0]?.id }).count, is: 1, "row numbers")
            let row = try await scenario.store.subscription(numberIndex: Scenario.numberIndex(1))
            try expect(row?.simGeneration, is: 32, "changes kept")
        },
        StorePromise("changes of one number through two stores on one place make one row") { scenario in
            try await scenario.withAnother { another in
                let rows = try await race(16) { position in
                    let store = position.isMultiple(of: 2) ? scenario.store : another
                    return try await store.changeSubscriptions([Scenario.numberIndex(1)]) { _, present in
                        guard var row = present else { return Scenario.newSubscription(1) }
                        row.simGeneration += 1
                        return row
                    }
                }
                try expect(Set(rows.map { $0[0]?.id }).count, is: 1, "row numbers")
                let row = try await another.subscription(numberIndex: Scenario.numberIndex(1))
                try expect(row?.simGeneration, is: 16, "changes kept")
            }
        },
    ]
}
