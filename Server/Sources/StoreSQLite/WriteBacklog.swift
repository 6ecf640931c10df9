import StoreRows

/// The jobs that wait to be written, as a value: who must start a writer, what one commit holds, when closing is over.
/// Knows no database, lock or timer (decision 1); ``GroupedWriter`` acts on it.
///
/// A `Job` must be answered after its own commit. Vital jobs go first. Unproven jobs, those of callers who have proved
/// nothing, go last. Each group takes a few of them, even if many other jobs wait.
///
/// `Event`s (trace events) are not waited for. They gather until ``flush()`` is called or there are many, and go with
/// the next group then. So most groups carry none, and events that go together share pages.
struct WriteBacklog<Job, Event> {
    struct Group {
        var jobs: [Job]
        var events: [Event]
    }

    enum Next {
        case write(Group)
        /// Fewer are here than the last group had, whose callers were answered just now: wait until
        /// ``Admission/gathered``, a moment at most, then ask ``next(hasWaited:)`` again.
        case gather
        /// Nothing to do; adding a job starts the writer again.
        case rest
        /// Nothing to do and nothing will come any more: close the file.
        case finish
    }

    enum Admission {
        /// The writer is already at work and will find it.
        case waits
        /// The caller must start the writer.
        case start
        /// The caller must wake the writer, which waits for as many as there are now.
        case gathered
        /// Nothing waits for it: flush after the usual delay.
        case flushLater
        case closed
        /// Too many events for the memory of the process, or so many unproven jobs that one more would wait longer than
        /// its caller does.
        case full
    }

    private enum Phase { case open, closing, closed }

    /// All jobs but the unproven ones.
    private var jobs: [Job] = []
    /// How many of ``jobs`` are vital: the first ones.
    private var vitalJobs = 0
    private var unproven = JobQueues<Job>()
    /// How fast groups are written while unproven jobs wait.
    private var pace = Pace<ContinuousClock.Instant>()
    private var events: [Event] = []
    private var phase = Phase.open
    private var writing = false
    private var gathering = false
    /// How many jobs the last group had besides unproven ones; 0 if the writer has rested since.
    private var recent = 0
    private var flushDue = false
    private var flushScheduled = false

    /// How long the caller of an unproven job waits at most, as with PostgreSQL.
    private static var patience: Duration { .seconds(10) }

    /// The most jobs in one commit besides unproven ones. It bounds how long the first of them waits for the others.
    let groupLimit: Int
    /// The most unproven jobs in one commit. It bounds how much longer a flood makes a commit.
    let unprovenInGroup: Int
    /// The most unproven jobs of one listener that may wait.
    let unprovenLimit: Int
    /// So many events do not wait for jobs.
    let eventGroup: Int
    /// So many events are kept while the disk fails.
    let eventLimit: Int

    init(
        groupLimit: Int = 512, unprovenInGroup: Int = 64, unprovenLimit: Int = 1024, eventGroup: Int = 512,
        eventLimit: Int = 16_384
    ) {
        self.groupLimit = groupLimit
        self.unprovenInGroup = unprovenInGroup
        self.unprovenLimit = unprovenLimit
        self.eventGroup = eventGroup
        self.eventLimit = eventLimit
    }

    var isOpen: Bool { phase == .open }
    var waitingJobs: Int { jobs.count + unproven.count }
    var hasEvents: Bool { !events.isEmpty }

    mutating func add(
        _ job: Job, _ urgency: Urgency = .other, now: @autoclosure () -> ContinuousClock.Instant = .now
    ) -> Admission {
        guard phase == .open else { return .closed }
        switch urgency {
        case .vital:
            jobs.insert(job, at: vitalJobs)
            vitalJobs += 1
        case .other: jobs.append(job)
        case .unproven(let listener):
            let groups = unproven.jobs(before: listener) / unprovenInGroup
            guard pace.wait(behind: groups, atOnce: 1, now: now()) < Self.patience,
                unproven.count(of: listener) < unprovenLimit
            else { return .full }
            unproven.append(job, of: listener)
            return startIfIdle()
        }
        if gathering, jobs.count >= recent {
            gathering = false
            return .gathered
        }
        return startIfIdle()
    }

    mutating func add(events new: [Event]) -> Admission {
        guard phase == .open else { return .closed }
        guard events.count + new.count <= eventLimit else { return .full }
        events += new
        if events.count >= eventGroup { return flush() }
        if flushScheduled || new.isEmpty { return .waits }
        flushScheduled = true
        return .flushLater
    }

    /// Events go with the next group, or alone.
    mutating func flush() -> Admission {
        flushScheduled = false
        guard !events.isEmpty else { return .waits }
        flushDue = true
        return startIfIdle()
    }

    private mutating func startIfIdle() -> Admission {
        if writing { return .waits }
        writing = true
        return .start
    }

    /// The writer's next action. Only the writer that was started may ask.
    ///
    /// A caller that has its answer often asks again at once. A group with only the first of these jobs would cost a
    /// sync for one job, and the others would wait for it. The writer does not wait for unproven jobs.
    ///
    /// - Parameter hasWaited: it was told to gather.
    mutating func next(hasWaited: Bool = false, now: ContinuousClock.Instant = .now) -> Next {
        pace.end(0, at: now)
        let eventsGo = !events.isEmpty && (flushDue || phase != .open)
        gathering = !hasWaited && phase == .open && recent > 1 && jobs.count < recent
        if gathering { return .gather }
        let unprovenGo = unproven.count > 0
        if !jobs.isEmpty || unprovenGo || eventsGo {
            var group = Group(jobs: Array(jobs.prefix(groupLimit)), events: eventsGo ? events : [])
            recent = group.jobs.count
            jobs.removeFirst(recent)
            vitalJobs = max(vitalJobs - recent, 0)
            if unprovenGo {
                pace.begin(0, at: now)
                while group.jobs.count < recent + unprovenInGroup, let job = unproven.removeFirst() {
                    group.jobs.append(job)
                }
            }
            if eventsGo {
                events = []
                flushDue = false
            }
            return .write(group)
        }
        if phase == .closing {
            phase = .closed
            return .finish
        }
        writing = false
        recent = 0
        return .rest
    }

    /// Gives events back whose commit failed, to go with a later one. Once closing, nothing later comes, and they are
    /// lost.
    mutating func giveBack(_ failed: [Event]) -> Admission {
        guard phase == .open, !failed.isEmpty else { return .waits }
        events = Array((failed + events).suffix(eventLimit))
        if flushScheduled { return .waits }
        flushScheduled = true
        return .flushLater
    }

    /// Accepts no new jobs from now on. Present ones are still written.
    mutating func close() -> Admission {
        guard phase == .open else { return .closed }
        phase = .closing
        return startIfIdle()
    }
}
