import RankKit

/// What the manual says of `alerts`.
extension WatchlistObject {
    var introductionOfAlerts: String {
        switch self {
        case .channel:
            "The keys of `channels` are names: 1 to 40 letters, digits, dots, hyphens or underscores. A channel sends by "
                + "exactly one of `webhook`, `slack`, `discord`, `telegram`, `ntfy`, `mail` and `command`, and has the keys that "
                + "belong to it. Addresses begin with https; http is only for 127.0.0.1, ::1 and localhost. `\"secret:NAME\"` "
                + "stands for a value that is kept elsewhere under that name."
        case .rule:
            "What rankd sends a message about. `when` is required. rankd refuses an option that none of its kinds of message has."
        case .mute:
            "Stops messages about something for a while. It needs at least one key beside `until`. With several keys, it "
                + "stops only messages that fit all of them. `rankctl alerts mute` writes such lines."
        default:
            "Without this object nothing is sent. `channels` is required, and so is `to`, unless every rule has its own. "
                + "Without `rules` the usual ones are in force. `rankctl alerts list` shows them."
        }
    }

    static let alertsMeanings: [(keys: [String], meaning: [String])] = [
        (["channels"], ["Where messages can go, by name: \(AlertLimits.channels) channels at most. Required."]),
        (["to"], ["The channel that messages go to, or a list of them, unless a rule says otherwise."]),
        (
            ["rules"],
            [
                "A list of rules that say what rankd sends messages about, \(AlertLimits.rules) at most. It replaces the usual rules, unless "
                    + "`\"\(AlertRule.usual)\"` stands in it beside your own."
            ]
        ),
        (["mutes"], ["A list of what rankd sends no messages about for a while, \(AlertLimits.mutes) at most."]),
        (
            ["sensitivity"],
            [
                "How easily a change counts as a move in alerts: `\"calm\"`, `\"normal\"` or `\"keen\"`. Default: that of the file."
            ]
        ),
        (
            ["quietHours"],
            [
                "Hours of the day in which messages wait, such as `\"22:00-07:00\"`, in the `timeZone` of `defaults`. Messages "
                    + "of high severity do not wait."
            ]
        ),
    ]

    static let channelMeanings: [(keys: [String], meaning: [String])] = [
        (["webhook"], ["JSON for a program of yours: its address, or `\"secret:NAME\"`."]),
        (["slack"], ["An incoming webhook of Slack: `\"secret:NAME\"`."]),
        (["discord"], ["A webhook of Discord: `\"secret:NAME\"`."]),
        (["telegram"], ["A bot of Telegram, by its token: `\"secret:NAME\"`. Needs `chat`."]),
        (["ntfy"], ["A server of ntfy, such as `\"https://ntfy.sh\"`. Needs `topic`."]),
        (["mail"], ["An address, or a list of up to \(AlertLimits.recipients)."]),
        (
            ["command"],
            ["A list: the absolute path of a program and its arguments. It gets the message as JSON on standard input."]
        ),
        (
            ["secret"],
            [
                "Of a webhook: the key that messages are signed with, `\"secret:NAME\"`, or a list of up to "
                    + "\(AlertLimits.secrets) while it is changed."
            ]
        ),
        (["chat"], ["Of Telegram: the number of the chat as a text, `\"@channel\"`, or `\"secret:NAME\"`."]),
        (["topic"], ["Of ntfy: the topic, or `\"secret:NAME\"`. Whoever knows a topic can read it."]),
        (["token"], ["Of ntfy: an access token, `\"secret:NAME\"`."]),
        (["from"], ["Of mail: the sender."]),
        (
            ["timeout"],
            [
                "Of a command: how long it may take, \(LengthOfTime.text(AlertLimits.timeout)). Default: "
                    + "`\"\(AlertLimits.defaultTimeout)s\"`."
            ]
        ),
        (
            ["privateHosts"],
            ["A list of hosts that have a private address and may be connected to: names or addresses."]
        ),
    ]

    static let ruleMeanings: [(keys: [String], meaning: [String])] = [
        (["name"], ["What you call it: \(AlertLimits.longestName) bytes at most."]),
        (
            ["when"],
            [
                "What it is about, one or a list of: "
                    + AlertKind.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ")
                    + ". Required."
            ]
        ),
        (["way"], ["`\"up\"` or `\"down\"`. \(of(.way))"]),
        (["places"], ["How many places a move takes at least. Default: 1. \(of(.places))"]),
        (
            ["top"],
            [
                "The first places that it is about, \(AlertLimits.places.lowerBound) to \(AlertLimits.places.upperBound). "
                    + "Default: the whole list; of `newcomer` the first \(AlertRule.newcomersTop). \(of(.top))"
            ]
        ),
        (["app", "apps"], ["An app, by short name or bundle identifier, or a list of them. \(of(.apps))"]),
        (["query", "queries"], ["A query of the watchlist, or a list of them. \(of(.queries))"]),
        (["country", "countries"], ["A country, or a list of them. \(of(.countries))"]),
        (["platform", "platforms"], ["A platform, or a list of them. \(of(.platforms))"]),
        (["tag", "tags"], ["A tag of the watchlist, or a list of them. \(of(.tags))"]),
        (
            ["whose"],
            [
                "Whose apps: `\"mine\"`, `\"competitors\"` or `\"all\"`. Default: `\"mine\"` if the rule is about places in "
                    + "lists and names no app, else `\"all\"`. \(of(.whose))"
            ]
        ),
        (["to"], ["The channel that its messages go to, or a list of them. Default: `to` of `alerts`."]),
        (
            ["severity"],
            ["`\"low\"`, `\"normal\"` (the default) or `\"high\"`, which is sent in quiet hours too."]
        ),
        (["quietHours"], ["As in `alerts`, for this rule."]),
        (
            ["atMost"],
            [
                "Messages a day, \(AlertLimits.messagesPerDay.lowerBound) to \(AlertLimits.messagesPerDay.upperBound). The rest "
                    + "comes with the first message of the next day. Default: no limit."
            ]
        ),
        (
            ["cooldown"],
            [
                "How long nothing is sent about the same thing again, \(LengthOfTime.text(AlertLimits.cooldown)). Default: "
                    + "none."
            ]
        ),
        (["sensitivity"], ["As in `alerts`, for this rule. \(of(.sensitivity))"]),
        (["at"], ["The time of day of a digest, `\"HH:MM\"`, or a list of them. Required for `digest`."]),
        (
            ["on"],
            [
                "The day of the week of a digest, or a list of them: "
                    + Weekday.allCases.map { "`\"\($0.rawValue)\"`" }.joined(separator: ", ") + ". Default: every day."
            ]
        ),
    ]

    static let muteMeanings: [(keys: [String], meaning: [String])] = [
        (["app"], ["An app, by short name or bundle identifier."]),
        (["query"], ["A query of the watchlist."]),
        (["country"], ["A country."]),
        (["tag"], ["A tag of the watchlist."]),
        (["when"], ["A kind of message, as in a rule."]),
        (
            ["until"],
            [
                "The first day on which messages are sent again, `\"YYYY-MM-DD\"`. Without it the mute lasts until you remove it."
            ]
        ),
    ]

    /// “For `moved` and `drift`.”
    private static func of(_ option: AlertOption) -> String {
        "For " + option.kinds.map { "`\($0.rawValue)`" }.joined(separator: ", ") + "."
    }
}
