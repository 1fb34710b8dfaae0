internal import ArgumentParser
import Console
import RankKit
import Reports

/// What stands behind `rankctl`, as it is meant.
struct TypedLine {
    let words: [String]

    /// - Parameter words: as they were typed. The name of a report stands for `report` and that name.
    init(_ words: some Sequence<String>) {
        var words = Self.unquoted(Array(words))
        // To read its help as well.
        let place = words.first == "help" ? 1 : 0
        if words.indices.contains(place), Self.reports.contains(words[place]) {
            words.insert(reportName, at: place)
        }
        self.words = words
    }

    /// Those that are no commands of their own.
    private static let reports = Set(ReportCatalogue.reports.filter { !$0.about.isTopLevel }.map { $0.about.name })

    /// Whether a command is named, be it to read its help.
    var namesCommand: Bool {
        guard let first = words.first, !first.hasPrefix("-") else { return false }
        return words != ["help"]
    }

    /// What is understood and better written otherwise; `nil` if nothing is.
    var remark: String? {
        let isNicknamed = Self.countries(in: words).contains { text in
            text.split(separator: ",").contains { $0.trimmingPrefix(" ").lowercased() == Country.nickname }
        }
        let isInLink = words.contains { StoreLink($0) != nil && $0.lowercased().contains("/\(Country.nickname)/") }
        return isNicknamed || isInLink
            ? "\(Country.nickname) is read as \(Country.nicknamed), the App Store's code for the United Kingdom" : nil
    }

    /// What `--country` is given.
    static func countries(in words: some Collection<String>) -> [Substring] {
        MistypedOption.values(of: "--country", in: words)
    }

    /// The words with those that stand in curly quotes made one. A shell takes no notice of such quotes, which chats and
    /// word processors put in the place of straight ones.
    private static func unquoted(_ words: [String]) -> [String] {
        var unquoted: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            guard let first = word.first, "“„".contains(first) else {
                unquoted.append(word)
                continue
            }
            let all = [word] + rest
            guard
                let end = all.firstIndex(where: {
                    $0.last.map("”“".contains) ?? false && ($0.count > 1 || all.count > 1)
                })
            else {
                unquoted.append(word)
                continue
            }
            unquoted.append(String(all[...end].joined(separator: " ").dropFirst().dropLast()))
            rest = rest.dropFirst(end)
        }
        return unquoted
    }
}
