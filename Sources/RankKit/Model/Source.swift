/// Where a position comes from. No source is "the" rank, so every stored position carries its own.
package enum Source: Sendable, Hashable, Codable {
    /// Apple's documented iTunes Search API.
    case itunes
    /// The results that the App Store itself shows on the web.
    case web
    /// What another tool saw, by the name that its table was imported under. Nobody asks it.
    case imported(String)

    /// Those that a watchlist can name.
    package static let askable: [Source] = [.itunes]
    /// The one that is asked where nobody names one.
    package static let usual = Source.itunes

    /// Whether rankd asks it. What another tool saw nobody asks for again.
    package var isAsked: Bool { if case .imported = self { false } else { true } }
    package var isImported: Bool { !isAsked }

    /// Whether its answers tell what an app's listing says in the form that look-ups tell it, too. What the web's page
    /// tells of ratings, icons and screenshots is written otherwise: beside the other form each would look like a change.
    package var tellsListings: Bool { self == .itunes }
}

extension Source: RawRepresentable {
    private static let imports = "import:"

    package init?(rawValue: String) {
        if rawValue == "itunes" {
            self = .itunes
        } else if rawValue == "web" {
            self = .web
        } else if rawValue.hasPrefix(Self.imports), rawValue != Self.imports {
            self = .imported(String(rawValue.dropFirst(Self.imports.count)))
        } else {
            return nil
        }
    }

    /// As the history and every report have it.
    package var rawValue: String {
        switch self {
        case .itunes: "itunes"
        case .web: "web"
        case .imported(let name): Self.imports + name
        }
    }
}
