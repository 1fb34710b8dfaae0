import History
import Judging
package import RankKit

/// `rankctl report volatility`: how the stores were.
package struct VolatilityReport: ReportView {
    package var volatility: Volatility

    package init(_ volatility: Volatility) { self.volatility = volatility }

    package var generatedAt: Timestamp { volatility.generatedAt }

    var remarks: [StoreRemark] { volatility.stores.remarks(on: volatility.days, today: generatedAt.day) }

    package func write(to writer: inout JSONWriter) {
        writer.member("since", CivilTime.date(.startOfDay(volatility.days.lowerBound)))
        writer.member("until", CivilTime.date(.startOfDay(volatility.days.upperBound)))
        writer.key("remarks")
        writer.array(remarks) { $0.string($1.text) }
        writer.key("volatility")
        writer.array(volatility.stores, linePerElement: true) { writer, store in
            writer.object { writer in
                writer.member("country", store.country.code)
                writer.key("days")
                writer.array(store.days) { writer, day in
                    writer.object { $0.members(of: day) }
                }
            }
        }
    }

    /// A row a country and day.
    package var csv: CSVWriter {
        var writer = CSVWriter(header: [
            "country", "day", "state", "z", "moves", "usual", "compared", "apps", "entered", "left", "queries", "good",
            "suspect", "failed", "trouble",
        ])
        for store in volatility.stores {
            for day in store.days {
                func number(_ number: Double?) -> CSVWriter.Field { number.map { .number($0) } ?? .empty }
                let (facts, moves) = (day.facts, day.facts.moves)
                writer.record([
                    .text(store.country.code), .text(CivilTime.date(.startOfDay(day.day))),
                    .optional(day.weather?.state.rawValue), number(day.weather?.z), number(day.figure),
                    number(day.weather?.usual), .integer(Int64(moves.compared)), .integer(Int64(moves.apps)),
                    .integer(Int64(moves.entered)), .integer(Int64(moves.left)), .integer(Int64(facts.queries)),
                    .integer(Int64(facts.good)), .integer(Int64(facts.suspect)), .integer(Int64(facts.failed)),
                    .optional(day.trouble?.rawValue),
                ])
            }
        }
        return writer
    }
}

extension JSONWriter {
    fileprivate mutating func members(of day: StoreWeather.Day) {
        member("day", CivilTime.date(.startOfDay(day.day)))
        member("state", day.weather?.state.rawValue)
        member("z", day.weather?.z)
        member("moves", day.figure)
        member("usual", day.weather?.usual)
        member("compared", day.facts.moves.compared)
        member("apps", day.facts.moves.apps)
        member("entered", day.facts.moves.entered)
        member("left", day.facts.moves.left)
        member("queries", day.facts.queries)
        member("good", day.facts.good)
        member("suspect", day.facts.suspect)
        member("failed", day.facts.failed)
        member("trouble", day.trouble?.rawValue)
    }
}
