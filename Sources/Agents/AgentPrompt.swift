import RankKit

/// A question that people ask, with how to find the answer.
struct AgentPrompt: Sendable {
    struct Argument: Sendable {
        let name: String
        let meaning: String
        var isRequired = true
    }

    let name: String
    let title: String
    let meaning: String
    let arguments: [Argument]
    /// The question and the way to its answer, from the arguments in quotes.
    let text: @Sendable (_ arguments: [String: String]) -> String

    static let all = [whatChanged, didMyUpdateWork, whereDoIStand]

    static var list: JSONValue {
        .array(
            all.map { prompt in
                [
                    "name": .string(prompt.name), "title": .string(prompt.title),
                    "description": .string(prompt.meaning),
                    "arguments": .array(
                        prompt.arguments.map {
                            [
                                "name": .string($0.name), "description": .string($0.meaning),
                                "required": .bool($0.isRequired),
                            ]
                        }),
                ]
            })
    }

    private static let app = Argument(name: "app", meaning: "The app: its alias or bundle id.")

    private static let whatChanged = AgentPrompt(
        name: "what-changed", title: "What changed, and is it real?",
        meaning: "Which moves of the user's apps are real, and which only wobbled.",
        arguments: [
            Argument(name: "since", meaning: "From when: 7d, 2026-11-01, release.", isRequired: false)
        ]
    ) { arguments in
        let since = arguments["since"].map { " with since \($0)" } ?? ""
        return """
            What changed in the App Store positions of my apps, and is it real?

            1. Call status. If rankd is not recording, or many checks failed, say that first.
            2. Call standings\(since): its summary counts what moved and what is steady.
            3. Call movers\(since) for each move, and who passed my apps where they fell.
            4. For a country where much moved at once, call volatility: the store may have moved, not my app.
            5. For the largest real move, call timeline with that app: what happened to it on those days?

            Then tell me in a few sentences what is real, what is likely, and what is noise. Name query, country, platform \
            and both places of each move.
            """
    }

    private static let didMyUpdateWork = AgentPrompt(
        name: "did-my-update-work", title: "Did my update work?",
        meaning: "Whether the positions moved because of an update, as far as they can tell.",
        arguments: [
            app, Argument(name: "version", meaning: "The version; the newest without it.", isRequired: false),
        ]
    ) { arguments in
        let app = arguments["app"] ?? ""
        let version =
            arguments["version"].map { "2. Take version \($0)." }
            ?? "2. Take the newest version that is old enough for days after it."
        return """
            Did the update of my app \(app) work?

            1. Call release with app \(app) and without a version: it lists the known versions.
            \(version)
            3. Call release with app \(app) and that version. Its sentence is the finding; it compares with what the update \
            cannot have touched.
            4. If other things happened in those days, call timeline with app \(app).

            Give the finding in its own strength: helped, hurt, no difference to be seen, or too little to tell. Say what \
            else moved, and do not claim a cause that the report does not claim.
            """
    }

    private static let whereDoIStand = AgentPrompt(
        name: "where-do-i-stand", title: "Where do I stand against a rival?",
        meaning: "On which queries the user's app is ahead of a rival, and where it is behind.",
        arguments: [app, Argument(name: "rival", meaning: "The other app: its alias or bundle id.")]
    ) { arguments in
        let app = arguments["app"] ?? ""
        let rival = arguments["rival"] ?? ""
        return """
            Where does my app \(app) stand against \(rival)?

            1. Call compare with the arguments app \(app), with \(rival) and since 30d. It has the two head to head: which \
            of them is ahead on each query, by how much and since when, and on how many days each was ahead.
            2. If it has never seen \(rival), it says so and names apps that come near, or the tool that finds them. Take \
            the one that I mean, or ask me.
            3. Call movers with app \(app) and since 30d: only its marks tell whether a change is real.
            4. Call timeline with app \(rival) for what the rival did.

            Tell me where I am ahead, where I am behind and by how much, and which gaps really grow or shrink. Where one \
            of the two was not in the list, say from how many results it was absent.
            """
    }
}

extension AgentServer {
    func prompt(_ params: JSONValue) throws(ProtocolError) -> JSONValue {
        guard let name = params["name"]?.text else { throw .parameters("the prompt's name is missing") }
        guard let prompt = AgentPrompt.all.first(where: { $0.name == name }) else {
            throw .parameters(
                "there is no prompt \(ForeignText.quoted(name)); the prompts are "
                    + AgentPrompt.all.map(\.name).joined(separator: ", "))
        }
        var given: [String: String] = [:]
        if case .object(let members)? = params["arguments"] {
            for member in members {
                guard prompt.arguments.contains(where: { $0.name == member.key }) else {
                    throw .parameters("the prompt has no argument \(ForeignText.quoted(member.key))")
                }
                guard let text = member.value.text else { throw .parameters("\(member.key) is not text") }
                if !text.isEmpty { given[member.key] = ForeignText.quoted(text) }
            }
        }
        if let missing = prompt.arguments.first(where: { $0.isRequired && given[$0.name] == nil }) {
            throw .parameters("\(missing.name) is missing: \(missing.meaning)")
        }
        let text = prompt.text(given) + "\n\n" + Self.reading + "\n\n" + ForeignText.warning
        return [
            "description": .string(prompt.meaning),
            "messages": [["role": "user", "content": ["type": "text", "text": .string(text)]]],
        ]
    }
}
