/// Jobs in the order of asking.
package struct JobQueue<Job> {
    private var jobs: [Job] = []
    private var place = 0

    package init() {}

    package var first: Job? { place < jobs.count ? jobs[place] : nil }
    package var count: Int { jobs.count - place }

    package mutating func append(_ job: Job) { jobs.append(job) }

    @discardableResult
    package mutating func removeFirst() -> Job {
        defer {
            place += 1
            if place == jobs.count || place > 1024 {
                jobs.removeFirst(place)
                place = 0
            }
        }
        return jobs[place]
    }
}

/// Jobs of several listeners: each listener has a queue, and they take turns. A flood at one does not delay the others.
package struct JobQueues<Job> {
    private var queues: [(listener: String, jobs: JobQueue<Job>)] = []
    private var turn = 0

    package init() {}

    package var count: Int { queues.reduce(0) { $0 + $1.jobs.count } }

    /// How many jobs are done before one more of this listener.
    package func jobs(before listener: String) -> Int {
        let own = count(of: listener)
        return queues.reduce(0) { $0 + ($1.listener == listener ? own : min($1.jobs.count, own + 1)) }
    }

    package func count(of listener: String) -> Int { queues.first { $0.listener == listener }?.jobs.count ?? 0 }

    package mutating func append(_ job: Job, of listener: String) {
        if let place = queues.firstIndex(where: { $0.listener == listener }) {
            queues[place].jobs.append(job)
        } else {
            var jobs = JobQueue<Job>()
            jobs.append(job)
            queues.append((listener, jobs))
        }
    }

    package mutating func removeFirst() -> Job? {
        for _ in queues.indices {
            turn = (turn + 1) % queues.count
            if queues[turn].jobs.count > 0 { return queues[turn].jobs.removeFirst() }
        }
        return nil
    }
}
