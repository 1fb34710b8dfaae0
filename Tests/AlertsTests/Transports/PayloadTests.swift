import Foundation
import RankKit
import TestSupport
import Testing

@testable import Alerts

@Suite struct WebhookPayloadTests {
    @Test func `the body is what its schema says, whatever names are in it`() throws {
        let schema = try JSONSchema(named: "alert")
        var test = message([], title: "A test")
        (test.isTest, test.remark) = (true, "said\nso")
        for message in hostileMessages + [message(), test, longMessage] {
            let body = String(decoding: WebhookPayload.body(message, sentAt: noon), as: UTF8.self)
            #expect(try schema.violations(of: body).isEmpty)
        }
    }

    @Test func `the documented example is one`() throws {
        let path = URL(filePath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        let example = try String(contentsOfFile: "\(path)/docs/json/alert.example.json", encoding: .utf8)
        #expect(try JSONSchema(named: "alert").violations(of: example).isEmpty)
        var own = message(omitted: 2)
        own.id = "a1b2c3d4"
        let made = String(decoding: WebhookPayload.body(own, sentAt: noon + 3), as: UTF8.self)
        #expect(try ParsedJSON(example) == ParsedJSON(made))
    }

    @Test func `names are exact, and titles and sentences safe to look at`() throws {
        let name = "\u{202E}a\nb"
        let body = try parsed(WebhookPayload.body(message([line(name, app: name)], title: name), sentAt: noon))
        #expect(body["title"]?.text == "\\u{202E}a b")
        #expect(body["events"]?.elements[0]["text"]?.text == "\\u{202E}a b")
        #expect(body["events"]?.elements[0]["app"]?.text == name)
    }
}

@Suite struct WebhookSignatureTests {
    /// Bytes 0 to 23. Computed with Python's own hmac: `hmac.new(bytes(range(24)), b'm1.1763640000.{"a":1}', 'sha256')`.
    private static let key = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX"
    private static let other = "whsec_" + Data((100..<132).map { UInt8($0) }).base64EncodedString()

    @Test func `a known message has a known signature`() throws {
        let signature = try #require(WebhookSignature(secrets: [Secret(Self.key)]))
        let headers = signature.headers(
            id: "m1", at: Timestamp(secondsSinceEpoch: 1_763_640_000), body: Array("{\"a\":1}".utf8))
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        #expect(
            headers.map(\.value.revealed) == ["m1", "1763640000", "v1,oo3iv17HNEmBZut55N4HOZZR2dGyDAYSxmHkE4Y+uls="])
    }

    @Test func `every secret signs while they are changed`() throws {
        let both = try #require(WebhookSignature(secrets: [Secret(Self.key), Secret(Self.other)]))
        let texts = try #require(both.headers(id: "a", at: noon, body: []).last).value.revealed.split(separator: " ")
        let alone = try #require(WebhookSignature(secrets: [Secret(Self.other)]))
        #expect(texts.count == 2 && texts[0] != texts[1])
        #expect(String(texts[1]) == alone.headers(id: "a", at: noon, body: []).last?.value.revealed)
    }

    @Test func `without a secret nothing is signed`() throws {
        let none = try #require(WebhookSignature(secrets: []))
        #expect(none.headers(id: "a", at: noon, body: []).map(\.name) == ["webhook-id", "webhook-timestamp"])
    }

    @Test(arguments: [
        "", "whsec_", "abc", "whsec_%%%", "whsec_c2hvcnQ=", "whsec_" + String(repeating: "AAAA", count: 22),
    ])
    func `a secret of another form is none`(text: String) { #expect(WebhookSignature(secrets: [Secret(text)]) == nil) }

    private static let hasPackage: Bool = {
        do { _ = try ShellCommand.output(["python3", "-c", "import standardwebhooks"]) } catch { return false }
        return true
    }()

    @Test(.enabled(if: hasPackage, "needs python3 with standardwebhooks"))
    func `the specification's own library verifies it with either secret, and refuses another body`() throws {
        let now = Timestamp(Date())
        let body = WebhookPayload.body(hostileMessages[0], sentAt: now)
        let headers = try #require(WebhookSignature(secrets: [Secret(Self.key), Secret(Self.other)]))
            .headers(id: "m1", at: now, body: body)
        let script = """
            import json, sys
            from standardwebhooks.webhooks import Webhook, WebhookVerificationError
            keys, headers, body = json.load(sys.stdin)
            for key in keys:
                assert Webhook(key).verify(body, headers)["id"] == "m1"
                try:
                    Webhook(key).verify(body.replace("m1", "m2"), headers)
                    raise SystemExit("another body is taken")
                except WebhookVerificationError:
                    pass
            print("verified")
            """
        struct Case: Encodable {
            let keys: [String]
            let headers: [String: String]
            let body: String

            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                try list.encode(keys)
                try list.encode(headers)
                try list.encode(body)
            }
        }
        let input = try JSONEncoder().encode(
            Case(
                keys: [Self.key, Self.other],
                headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value.revealed) }),
                body: String(decoding: body, as: UTF8.self)))
        let output = try ShellCommand.output(["python3", "-c", script], input: input)
        #expect(String(decoding: output, as: UTF8.self) == "verified\n")
    }
}

@Suite struct SlackPayloadTests {
    private func texts(_ body: ParsedJSON) -> [String] {
        [body["text"]?.text ?? ""]
            + (body["blocks"]?.elements ?? []).flatMap { block in
                [block["text"]?["text"]?.text].compactMap(\.self)
                    + (block["elements"]?.elements ?? []).compactMap { $0["text"]?.text }
            }
    }

    @Test func `no name mentions, links or formats`() throws {
        for message in hostileMessages {
            for text in texts(try parsed(SlackPayload.body(message))) {
                let bare = text.replacing("&lt;", with: "").replacing("&gt;", with: "").replacing("&amp;", with: "")
                #expect(!bare.contains("<") && !bare.contains(">") && !bare.contains("&") && !bare.contains("`"))
                #expect(bare.filter { $0 == "*" }.count.isMultiple(of: 2) && !bare.contains("\u{202E}"))
            }
        }
    }

    @Test func `bare names of channels and addresses are left as they are by Slack itself`() throws {
        let name = "@channel @here #general https://evil.example"
        let body = try parsed(SlackPayload.body(message([line(name, app: name)], title: name, omitted: 1)))
        // Only `link_names` and a text that is not verbatim would make something of them.
        #expect(body["link_names"] == nil && body["parse"] == nil)
        #expect(body["unfurl_links"] == .bool(false) && body["unfurl_media"] == .bool(false))
        let blocks = try #require(body["blocks"]).elements
        for block in blocks.dropFirst() {
            for text in [block["text"]].compactMap(\.self) + (block["elements"]?.elements ?? []) {
                #expect(text["verbatim"] == .bool(true))
            }
        }
        #expect(blocks[0]["text"]?["type"]?.text == "plain_text")
    }

    @Test func `lengths and blocks stay below their limits, and what is left out is said`() throws {
        let body = try parsed(SlackPayload.body(longMessage))
        let blocks = try #require(body["blocks"]).elements
        #expect(blocks.count <= 50)
        #expect(try #require(blocks[0]["text"]?["text"]).text.utf16.count <= 150)
        for block in blocks.dropFirst() { #expect((block["text"]?["text"]?.text ?? "").utf16.count <= 3_000) }
        let closing = try #require(blocks.last?["elements"]?.elements.first?["text"]).text
        #expect(closing.hasSuffix("more that are not shown here"))
        for text in texts(body) { #expect(text.matches(of: /&(?!amp;|lt;|gt;)/).isEmpty) }
    }

    @Test func `a trend draws an absence as one, and a day without a good check as a gap`() {
        var line = line()
        line.places = [.place(34), .absent, .unknown, .place(9)]
        #expect(line.trend == "▁_·█")
        line.places = [.absent, .absent]
        #expect(line.trend == "__")
        line.places = [.unknown, .unknown]
        #expect(line.trend == "")
    }

    @Test func `an app whose name is cut has its bundle identifier, in every way out`() throws {
        for name in [String(repeating: "Long ", count: 40), String(repeating: "<日&", count: 60)] {
            let message = message([line(app: name)])
            let bodies = [
                SlackPayload.body(message), DiscordPayload.body(message), NtfyPayload.body(message, topic: Secret("t")),
                TelegramPayload.body(message, chat: Secret("1")),
            ]
            for body in bodies {
                let text = String(decoding: body, as: UTF8.self).replacing("\\u2060", with: "").replacing(
                    "\u{2060}", with: ""
                ).replacing("\\", with: "")
                #expect(text.contains("com.me.habits"), "\(text)")
            }
            #expect(CleanMessage(message).lines[0].plain.contains("… · com.me.habits · “habit tracker”"))
        }
        #expect(!CleanMessage(message([line()])).lines[0].plain.contains("com.me.habits"))
    }

    @Test func `a line names the app, the query and the trend`() throws {
        let body = try parsed(SlackPayload.body(message()))
        #expect(
            body["blocks"]?.elements[1]["text"]?["text"]?.text
                == "• *Habits* · “habit tracker” (us, iPhone): #34 → #9  ▁▁·▆█")
        #expect(body["blocks"]?.elements.count == 2)
    }
}

@Suite struct DiscordPayloadTests {
    @Test func `nobody is mentioned and nothing of a name formats`() throws {
        for message in hostileMessages {
            let body = try parsed(DiscordPayload.body(message))
            #expect(body["allowed_mentions"] == .object(["parse": .array([])]))
            let embed = try #require(body["embeds"]).elements[0]
            let title = try #require(embed["title"]).text
            #expect(title.matches(of: /(?:^|[^\\])(?:\\\\)*[@<`*_~|\[\]()]/).isEmpty, "\(title)")
        }
    }

    @Test func `lengths stay below their limits, and what is left out is said`() throws {
        let embed = try #require(try parsed(DiscordPayload.body(longMessage))["embeds"]).elements[0]
        let (title, description) = (try #require(embed["title"]).text, try #require(embed["description"]).text)
        let footer = try #require(embed["footer"]?["text"]).text
        #expect(title.utf16.count <= 256 && description.utf16.count <= 4_096)
        #expect(title.utf16.count + description.utf16.count + footer.utf16.count <= 6_000)
        #expect(footer.hasSuffix("more that are not shown here"))
        #expect(description.split(separator: "\n").allSatisfy { $0.hasPrefix("• ") })
    }
}

@Suite struct TelegramPayloadTests {
    @Test func `its HTML has no tags but ours`() throws {
        for message in hostileMessages {
            let text = try #require(try parsed(TelegramPayload.body(message, chat: Secret("12")))["text"]).text
            let bare = text.replacing(/<\/?[bi]>/, with: "")
            #expect(!bare.contains("<") && !bare.contains(">"))
            #expect(bare.matches(of: /&(?!amp;|lt;|gt;|quot;)/).isEmpty)
        }
    }

    @Test(arguments: [
        "@somebody", "a@b.example", "#tag", "#1tag", "#日本", "/start", "/start@bot", "https://evil.example/x",
        "www.evil.example", "t.me/joinchat", "evil.example", "tg://resolve", "$USD", "x.日本",
    ])
    func `nothing of a name mentions, commands or leads anywhere`(name: String) throws {
        let named = message([line(name, app: name, query: name)], title: name, omitted: 1)
        let body = try parsed(TelegramPayload.body(named, chat: Secret("12")))
        let text = try #require(body["text"]).text.replacing(/<\/?[bi]>/, with: "")
        // What Telegram looks for.
        for pattern in [/@[A-Za-z0-9_]/, /#[\p{L}\p{N}_]*[\p{L}_]/, /\/[A-Za-z0-9_\/]/, /[^\s]\.\p{L}/, /\$[A-Z]/] {
            #expect(text.matches(of: pattern).isEmpty, "\(text)")
        }
        #expect(text.replacing("\u{2060}", with: "").contains("• \(name) · “\(name)” (us, iPhone): \(name)"))
    }

    @Test func `places, versions and prices are as they are`() {
        for text in ["#34 → #9 ▲25", "1.2.3", "Sleep. Better.", "3.99 €", "a / b", "3 @ 4"] {
            #expect(TelegramPayload.unlinked(text) == text)
        }
    }

    @Test func `what is read stays below the limit`() throws {
        let text = try #require(try parsed(TelegramPayload.body(longMessage, chat: Secret("12")))["text"]).text
        let shown = text.replacing(/<\/?[bi]>/, with: "").replacing("&lt;", with: "<").replacing("&amp;", with: "&")
        #expect(shown.utf16.count <= 4_096 && shown.utf16.count > 2_000)
        #expect(text.hasSuffix("more that are not shown here</i>"))
    }

    @Test func `a message of low severity makes no noise, and links show no preview`() throws {
        let body = try parsed(TelegramPayload.body(message(severity: .low), chat: Secret("-100")))
        #expect(body["disable_notification"] == .bool(true) && body["chat_id"]?.text == "-100")
        #expect(body["link_preview_options"]?["is_disabled"] == .bool(true))
    }

    @Test(arguments: ["", "123", "123:a/b", "123:a b", "a:b", "1:é", "1:a?x"])
    func `no token leads to another address`(token: String) { #expect(!TelegramPayload.isToken(token)) }
}

@Suite struct NtfyPayloadTests {
    @Test func `the message is no file, and what is left out is said`() throws {
        for message in hostileMessages + [longMessage] {
            let body = try parsed(NtfyPayload.body(message, topic: Secret("ranks")))
            let text = try #require(body["message"]).text
            #expect(text.utf8.count <= 4_096 && !text.isEmpty)
            #expect(try #require(body["title"]).text.utf8.count <= 250)
        }
        let text = try #require(try parsed(NtfyPayload.body(longMessage, topic: Secret("ranks")))["message"]).text
        #expect(text.hasSuffix("more that are not shown here"))
    }

    @Test func `its priority is the severity's`() throws {
        let found = try [AlertSeverity.low, .normal, .high].map {
            try parsed(NtfyPayload.body(message(severity: $0), topic: Secret("ranks")))["priority"]
        }
        #expect(found == [.number(2), .number(3), .number(4)])
    }
}

@Suite struct CleanTextTests {
    @Test func `a cut splits neither a character nor an escape`() {
        for limit in 1...40 {
            let cut = CleanText.escaped("a&👩‍👩‍👧‍👦<é日>b", upTo: limit, SlackPayload.escape)
            #expect(cut.utf16.count <= limit)
            #expect(cut.matches(of: /&(?!amp;|lt;|gt;)/).isEmpty)
            #expect(!cut.contains("👩") || cut.contains("👩‍👩‍👧‍👦"))
        }
    }

    @Test func `what fits is whole`() {
        #expect(CleanText.escaped("a<b", upTo: 6, SlackPayload.escape) == "a&lt;b")
        #expect(CleanText.escaped("a<b", upTo: 5, SlackPayload.escape) == "a…")
        #expect(CleanText.escaped("", upTo: 5) == "")
    }

    @Test func `a name is one line of a bounded length`() {
        for name in hostileNames {
            let clean = CleanText.name(name)
            #expect(clean.count <= 120 && !clean.contains { $0.isNewline } && clean.utf8.count < 6_000)
        }
    }

    @Test func `a name that is written from right to left does not turn round what stands beside it`() {
        let name = "מעקב 2"
        let turned = message([line(app: name, query: name)], title: "\(name): #34 → #9")
        let clean = CleanMessage(turned)
        #expect(clean.title == "\u{2068}\(name)\u{2069}: #34 → #9")
        let subject = "\u{2068}\(name)\u{2069} · “\u{2068}\(name)\u{2069}” (us, iPhone)"
        #expect(clean.lines[0].plain.hasPrefix("\(subject): #34 → #9"))
    }

    @Test func `what is not shown is counted in words`() {
        #expect(CleanMessage(message(omitted: 1)).closing() == ["and 1 more that is not shown here"])
        #expect(CleanMessage(message(omitted: 1)).closing(omitting: 2) == ["and 3 more that are not shown here"])
        #expect(CleanMessage(message()).closing().isEmpty)
    }
}
