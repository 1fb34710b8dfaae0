import Synchronization

/// Which requests go wrong, and how.
package struct FaultPlan: Sendable {
    /// A fault and how often it happens, 0–1.
    package struct Chance: Sendable, Hashable {
        package var fault: Fault
        package var probability: Double

        package init(_ fault: Fault, probability: Double) {
            self.fault = fault
            self.probability = probability
        }
    }

    /// Drawn for each search and look-up; the probabilities add up to 1 at most.
    package var chances: [Chance]
    /// Used up first, one element a search or page of results; `nil` is an answer without fault.
    package var script: [Fault?]
    /// The same seed draws the same faults for requests in the same order.
    package var seed: UInt64

    package init(chances: [Chance] = [], script: [Fault?] = [], seed: UInt64 = 1) {
        self.chances = chances
        self.script = script
        self.seed = seed
    }
}

/// A plan at work.
final class FaultSequence: Sendable {
    private struct State {
        var script: ArraySlice<Fault?>
        var generator: SeededGenerator
    }

    private let chances: [FaultPlan.Chance]
    private let state: Mutex<State>

    init(_ plan: FaultPlan) {
        chances = plan.chances
        state = Mutex(State(script: plan.script[...], generator: SeededGenerator(seed: plan.seed)))
    }

    func next(for endpoint: ReceivedRequest.Endpoint) -> Fault? {
        state.withLock { state in
            if endpoint != .lookup, let scripted = state.script.popFirst() { return scripted }
            guard !chances.isEmpty else { return nil }
            var draw = state.generator.unit()
            for chance in chances {
                draw -= chance.probability
                if draw < 0 { return chance.fault }
            }
            return nil
        }
    }
}
