import Judging
import RankKit

/// A drawing of figures over time, as a terminal and a page both can show it.
struct Chart: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        /// Positions over time: the axis is inverted, so that better is higher.
        case positions([PositionLine])
        /// Figures over time, such as a share in percent: the axis is linear.
        case values([ValueLine], range: ClosedRange<Double>?)
        /// How a whole is made up of parts over time.
        case stack([StackColumn], parts: [StackPart])
    }

    var title: String
    /// The chart in words, for someone who cannot see it.
    var summary: String
    /// What stands above it; the title where it is `nil`, nothing where it is empty, because what comes before says it.
    var heading: String?
    /// What stands below the heading; the summary where it is `nil`.
    var caption: String?
    var span: ClosedRange<Timestamp>
    var content: Content
    /// In any order.
    var events: [Event] = []
    /// Days on which the store was out of the ordinary; `nil` if there are none.
    var weather: Weather?
    /// Whether the meaning of the events' marks stands below it; a chart before may have explained them.
    var tellsEvents = true
    /// What follows the figures of an axis of values, such as `%`; what a stack counts, in the singular.
    var unit = ""
    var size: Size = .full
    /// How many of a list's first places are drawn, each in a row of its own, with the name of each app where its line
    /// ends; `nil` where the axis of positions is logarithmic, and spans what is drawn.
    var rankedPlaces: Int?

    /// Days that are marked as wide as they are, unlike events, and what is said of them all.
    struct Weather: Sendable, Hashable {
        /// Counted from 1970-01-01, in any order.
        var days: [Int64]
        /// Empty if a chart before has explained it.
        var legend: String

        /// Stands below the axis, and before the legend.
        static let mark: Character = "≈"

        /// The parts of `span` that the days take.
        func stretches(in span: ClosedRange<Timestamp>) -> [ClosedRange<Timestamp>] {
            days.sorted().map { Timestamp.startOfReportDay($0)...Timestamp.startOfReportDay($0 + 1) - 1 }
                .filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
        }
    }

    enum Size: Sendable, Hashable {
        case full
        /// For one of many.
        case low
        /// For ten rows, each with a name.
        case high
    }

    /// Where one app stood.
    struct PositionLine: Sendable, Hashable {
        var name: String
        var mark: AppMark?
        /// Oldest first.
        var points: [Point]

        struct Point: Sendable, Hashable {
            var at: Timestamp
            var place: Place
            /// How many places the check saw; `nil` where nobody says.
            var within: Int?
            /// Its place, if that is below all that are drawn.
            var position: Position?
        }

        enum Place: Sendable, Hashable {
            case ranked(Position)
            /// Not among this many places: at the floor.
            case absent(within: Int)
            /// A check that says nothing about the place: the line is broken.
            case gap
        }
    }

    /// A figure over time.
    struct ValueLine: Sendable, Hashable {
        var name: String
        var mark: AppMark?
        /// Oldest first; a `nil` value breaks the line.
        var points: [Point]

        struct Point: Sendable, Hashable {
            var at: Timestamp
            var value: Double?
        }
    }

    /// One moment of a whole and its parts.
    struct StackColumn: Sendable, Hashable {
        var at: Timestamp
        /// One a part, in the order of the parts; empty if nothing is known. Nothing is drawn where all are 0.
        var counts: [Int]
    }

    /// What a part of a whole is called.
    struct StackPart: Sendable, Hashable, ExpressibleByStringLiteral {
        var name: String
        /// Whether it is what is not known: hatched, so that nobody takes it for another part.
        var isUnknown = false

        init(_ name: String, isUnknown: Bool = false) {
            self.name = name
            self.isUnknown = isUnknown
        }

        init(stringLiteral name: String) { self.init(name) }
    }

    /// Something that happened, marked below the axis.
    struct Event: Sendable, Hashable {
        enum Kind: Sendable, Hashable { case version, note, weather }

        var at: Timestamp
        var kind: Kind
        var label: String
    }
}
