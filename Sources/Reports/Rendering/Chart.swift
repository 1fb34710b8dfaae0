package import Judging
package import RankKit

/// A drawing of figures over time, as a terminal and a page both can show it.
package struct Chart: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        /// Positions over time: the axis is inverted, so that better is higher.
        case positions([PositionLine])
        /// Figures over time, such as a share in percent: the axis is linear.
        case values([ValueLine], range: ClosedRange<Double>?)
        /// How a whole is made up of parts over time.
        case stack([StackColumn], parts: [String])
    }

    package var title: String
    /// The chart in words, for someone who cannot see it.
    package var summary: String
    /// What stands above it; the title where it is `nil`, nothing where it is empty, because what comes before says it.
    package var heading: String?
    /// What stands below the heading; the summary where it is `nil`.
    package var caption: String?
    package var span: ClosedRange<Timestamp>
    package var content: Content
    /// In any order.
    package var events: [Event]
    /// Days on which the store was out of the ordinary; `nil` if there are none.
    package var weather: Weather?
    /// Whether the meaning of the events' marks stands below it; a chart before may have explained them.
    package var tellsEvents: Bool
    /// What follows the figures of an axis of values, such as `%`; what a stack counts, in the singular.
    package var unit: String
    package var size: Size

    package init(
        title: String, summary: String, heading: String? = nil, caption: String? = nil,
        span: ClosedRange<Timestamp>, content: Content, events: [Event] = [], weather: Weather? = nil,
        tellsEvents: Bool = true, unit: String = "", size: Size = .full
    ) {
        self.title = title
        self.summary = summary
        self.heading = heading
        self.caption = caption
        self.span = span
        self.content = content
        self.events = events
        self.weather = weather
        self.tellsEvents = tellsEvents
        self.unit = unit
        self.size = size
    }

    /// Days (UTC) that are marked as wide as they are, unlike events, and what is said of them all.
    package struct Weather: Sendable, Hashable {
        /// Counted from 1970-01-01, in any order.
        package var days: [Int64]
        /// Empty if a chart before has explained it.
        package var legend: String

        package init(days: [Int64], legend: String) {
            self.days = days
            self.legend = legend
        }

        /// Stands below the axis, and before the legend.
        static let mark: Character = "≈"

        /// The parts of `span` that the days take.
        func stretches(in span: ClosedRange<Timestamp>) -> [ClosedRange<Timestamp>] {
            days.sorted().map { Timestamp.startOfDay($0)...Timestamp.startOfDay($0 + 1) - 1 }
                .filter { $0.overlaps(span) }.map { $0.clamped(to: span) }
        }
    }

    package enum Size: Sendable, Hashable {
        case full
        /// For one of many.
        case low
    }

    /// Where one app stood.
    package struct PositionLine: Sendable, Hashable {
        package var name: String
        package var mark: AppMark?
        /// Oldest first.
        package var points: [Point]

        package init(name: String, mark: AppMark? = nil, points: [Point]) {
            self.name = name
            self.mark = mark
            self.points = points
        }

        package struct Point: Sendable, Hashable {
            package var at: Timestamp
            package var place: Place

            package init(at: Timestamp, place: Place) {
                self.at = at
                self.place = place
            }
        }

        package enum Place: Sendable, Hashable {
            case ranked(Position)
            /// Not among this many places: at the floor.
            case absent(within: Int)
            /// A check that says nothing about the place: the line is broken.
            case gap
        }
    }

    /// A figure over time.
    package struct ValueLine: Sendable, Hashable {
        package var name: String
        package var mark: AppMark?
        /// Oldest first; a `nil` value breaks the line.
        package var points: [Point]

        package init(name: String, mark: AppMark? = nil, points: [Point]) {
            self.name = name
            self.mark = mark
            self.points = points
        }

        package struct Point: Sendable, Hashable {
            package var at: Timestamp
            package var value: Double?

            package init(at: Timestamp, value: Double?) {
                self.at = at
                self.value = value
            }
        }
    }

    /// One moment of a whole and its parts.
    package struct StackColumn: Sendable, Hashable {
        package var at: Timestamp
        /// One a part, in the order of the parts; empty if nothing is known.
        package var counts: [Int]

        package init(at: Timestamp, counts: [Int]) {
            self.at = at
            self.counts = counts
        }
    }

    /// Something that happened, marked below the axis.
    package struct Event: Sendable, Hashable {
        package enum Kind: Sendable, Hashable { case version, note, weather }

        package var at: Timestamp
        package var kind: Kind
        package var label: String

        package init(at: Timestamp, kind: Kind, label: String) {
            self.at = at
            self.kind = kind
            self.label = label
        }
    }
}
