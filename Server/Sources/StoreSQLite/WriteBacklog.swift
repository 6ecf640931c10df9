/// What waits to be written, as a value: who must start a writer, what one commit takes along, when closing is over.
/// Knows no database, lock or timer (decision 1); ``GroupedWriter`` acts on it.
///
/// `Job` must be answered after its own commit. `Rider`s (trace events) are not waited for: they gather until ``flush()`` is
/// called or there are many, and go with the group that is next then. So most groups carry none, and riders that go together
/// share pages.
struct WriteBacklog<Job, Rider> {
    struct Group {
        var jobs: [Job]
        var riders: [Rider]
    }

    enum Next {
        case write(Group)
        /// Fewer are here than the last group had, whose callers were answered just now: wait until ``Admission/gathered``, a
        /// moment at most, then ask ``next(hasWaited:)`` again.
        case gather
        /// Nothing to do; whoever adds something starts the writer again.
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
        /// So many riders wait that one more could cost the memory of the process.
        case full
    }

    private enum Phase { case open, closing, closed }

    private var jobs: [Job] = []
    private var riders: [Rider] = []
    private var phase = Phase.open
    private var writing = false
    private var gathering = false
    /// Jobs of the last group, if the writer has not rested since.
    private var recent = 0
    private var flushDue = false
    private var flushScheduled = false

    /// Jobs in one commit at most: it bounds how long the first of them waits for the others.
    let groupLimit: Int
    /// So many riders do not wait for jobs.
    let riderGroup: Int
    /// So many riders are kept while the disk fails.
    let riderLimit: Int

    init(groupLimit: Int = 512, riderGroup: Int = 512, riderLimit: Int = 16_384) {
        self.groupLimit = groupLimit
        self.riderGroup = riderGroup
        self.riderLimit = riderLimit
    }

    var isOpen: Bool { phase == .open }
    var waitingJobs: Int { jobs.count }
    var hasRiders: Bool { !riders.isEmpty }

    mutating func add(_ job: Job) -> Admission {
        guard phase == .open else { return .closed }
        jobs.append(job)
        if gathering, jobs.count >= recent {
            gathering = false
            return .gathered
        }
        return startIfIdle()
    }

    mutating func add(riders new: [Rider]) -> Admission {
        guard phase == .open else { return .closed }
        guard riders.count + new.count <= riderLimit else { return .full }
        riders += new
        if riders.count >= riderGroup { return flush() }
        if flushScheduled || new.isEmpty { return .waits }
        flushScheduled = true
        return .flushLater
    }

    /// Riders go with the next group, or alone.
    mutating func flush() -> Admission {
        flushScheduled = false
        guard !riders.isEmpty else { return .waits }
        flushDue = true
        return startIfIdle()
    }

    private mutating func startIfIdle() -> Admission {
        if writing { return .waits }
        writing = true
        return .start
    }

    /// What the writer does next. Only the one that was started may ask.
    ///
    /// Whoever is answered often asks again at once. A group that took only the first of them would cost a sync for one, and
    /// the others the wait for it.
    ///
    /// - Parameter hasWaited: it was told to gather.
    mutating func next(hasWaited: Bool = false) -> Next {
        let ridersGo = !riders.isEmpty && (flushDue || phase != .open)
        gathering = !hasWaited && phase == .open && recent > 1 && jobs.count < recent
        if gathering { return .gather }
        if !jobs.isEmpty || ridersGo {
            let group = Group(jobs: Array(jobs.prefix(groupLimit)), riders: ridersGo ? riders : [])
            jobs.removeFirst(group.jobs.count)
            recent = group.jobs.count
            if ridersGo {
                riders = []
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

    /// Gives riders back whose commit failed, to go with a later one. Once closing, nothing later comes, and they are
    /// lost.
    mutating func giveBack(_ failed: [Rider]) -> Admission {
        guard phase == .open, !failed.isEmpty else { return .waits }
        riders = Array((failed + riders).suffix(riderLimit))
        if flushScheduled { return .waits }
        flushScheduled = true
        return .flushLater
    }

    /// From now on nothing new is taken. What is here is still written.
    mutating func close() -> Admission {
        guard phase == .open else { return .closed }
        phase = .closing
        return startIfIdle()
    }
}
