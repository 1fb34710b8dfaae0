import RankKit
import Testing

@Suite struct ProcessorsTests {
    private struct Odd: Error, Equatable {
        let number: Int
    }

    @Test(arguments: [1, 2, 3], [0, 1, 7, 500])
    func `results stand in the order of what they were made of`(processors: Int, count: Int) {
        #expect(Array(0..<count).mapped(on: processors) { $0 * 2 } == (0..<count).map { $0 * 2 })
    }

    @Test(arguments: [1, 2]) func `the first error is thrown`(processors: Int) {
        #expect(throws: Odd(number: 3)) {
            try [2, 4, 3, 6, 5, 8].mapped(on: processors) { number throws(Odd) in
                guard number.isMultiple(of: 2) else { throw Odd(number: number) }
                return number
            }
        }
    }
}
