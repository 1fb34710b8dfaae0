import RankKit
import Testing

@Suite struct ListChoiceTests {
    @Test(
        arguments: [
            ("", [0, 1, 2, 3, 4], []), (" , ", [0, 1, 2, 3, 4], []), ("none", [], []), ("-", [], []), ("2", [1], []),
            ("1,3-5", [0, 2, 3, 4], []), ("3, 1, 3", [2, 0], []), ("1 2 4", [0, 1, 3], []),
            ("2, habit  tracker", [1], ["habit tracker"]), ("mood,mood", [], ["mood"]),
            ("572688855", [], ["572688855"]), ("5-3", [], ["5-3"]), ("to-do list", [], ["to-do list"]),
            ("2 do list", [], ["2 do list"]),
        ] as [(String, [Int], [String])])
    func `an answer picks lines of the list and adds words`(answer: String, picked: [Int], written: [String]) throws {
        let choice = try ListChoice(answer, of: 5)
        #expect(choice.picked == picked && choice.written == written, "\(choice)")
    }

    @Test func `a number that the list does not have is a slip`() {
        for (answer, words) in [
            ("6", "there is no number “6”: the list has 1 to 5"), ("0", "there is no number “0”: the list has 1 to 5"),
            ("1,4-9", "there is no number “4-9”: the list has 1 to 5"),
        ] {
            do throws(ListChoice.Mistake) {
                _ = try ListChoice(answer, of: 5)
                Issue.record("\(answer) is taken")
            } catch { #expect(error.description == words) }
        }
        #expect(throws: ListChoice.Mistake.noSuchNumber("1", count: 0)) { try ListChoice("1", of: 0) }
    }
}
