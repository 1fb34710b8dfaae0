import History
import RankKit

extension Entry {
    /// What a check is made of that is asked for in no pass.
    static func answer(_ check: Check, _ asking: SearchAnswer.Asking = .alone) -> Entry {
        let reply: SearchAnswer.Reply =
            switch check.outcome {
            case .answered(let list), .suspect(let list, _): .list(list)
            case .failed(let failure): .failed(failure)
            }
        return .answer(SearchAnswer(to: check.query, at: check.at, asking: asking, reply: reply))
    }
}
