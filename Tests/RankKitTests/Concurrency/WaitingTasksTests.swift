import RankKit
import Testing

@Suite(.timeLimit(.minutes(30))) struct WaitingTasksTests {
    /// A door that is opened for everyone, or for one.
    private actor Door {
        private var isOpen = false
        private let waiting = WaitingTasks()
        private(set) var passed: [Int] = []
        private(set) var arrived = 0

        func open() {
            isOpen = true
            waiting.wakeAll()
        }

        func letOne() { waiting.wakeFirst() }

        func pass(_ number: Int) async {
            arrived += 1
            if !isOpen { await waiting.wait() }
            passed.append(number)
        }

        func wait(evenIfCancelled: Bool) async -> Bool {
            arrived += 1
            return await waiting.wait(evenIfCancelled: evenIfCancelled)
        }
    }

    private func arrivals(_ count: Int, at door: Door) async { while await door.arrived < count { await Task.yield() } }

    @Test func `everyone who waits is woken`() async {
        let door = Door()
        let tasks = (0..<10).map { number in Task { await door.pass(number) } }
        await arrivals(10, at: door)
        #expect(await door.passed.isEmpty)
        await door.open()
        for task in tasks { await task.value }
        #expect(await door.passed.count == 10)
    }

    @Test func `who has waited longest is woken first`() async {
        let door = Door()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(Task { await door.pass(number) })
            await arrivals(number + 1, at: door)
        }
        for (number, task) in tasks.enumerated() {
            await door.letOne()
            await task.value
            #expect(await door.passed == Array(0...number))
        }
    }

    /// It takes some hundred rounds until somebody comes in the moment between the look and the sleep.
    @Test func `what changes while many come is missed by nobody`() async {
        for _ in 0..<3_000 {
            let door = Door()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<8 { group.addTask { await door.pass(number) } }
                group.addTask { await door.open() }
            }
            #expect(await door.passed.count == 8)
        }
    }

    @Test func `who is cancelled waits no longer, whenever that happens`() async {
        let door = Door()
        for turns in 0..<50 {
            let task = Task { await door.wait(evenIfCancelled: false) }
            for _ in 0..<turns { await Task.yield() }
            task.cancel()
            #expect(await !task.value)
        }
    }

    @Test func `who is to wait even if cancelled does, and takes nobody's place`() async {
        let door = Door()
        let first = Task { await door.wait(evenIfCancelled: true) }
        await arrivals(1, at: door)
        let second = Task { await door.wait(evenIfCancelled: false) }
        await arrivals(2, at: door)
        first.cancel()
        second.cancel()
        #expect(await !second.value)
        await door.letOne()
        #expect(await first.value)
    }

    @Test func `who comes after a wake that met nobody waits all the same`() async {
        let door = Door()
        await door.letOne()
        let task = Task { await door.wait(evenIfCancelled: false) }
        await arrivals(1, at: door)
        task.cancel()
        #expect(await !task.value)
    }
}
