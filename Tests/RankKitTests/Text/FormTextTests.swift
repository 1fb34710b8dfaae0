import Testing

@testable import RankKit

struct FormTextTests {
    @Test func `fields are decoded in their order, repeated ones too`() throws {
        let fields = try #require(FormText.fields("query=to+do&query=caf%C3%A9&all&since="))
        #expect(fields.map(\.name) == ["query", "query", "all", "since"])
        #expect(fields.map(\.value) == ["to do", "café", "", ""])
    }

    @Test(arguments: ["a=%", "a=%4", "a=%zz", "%ff=1", "a=%C3"]) func `what stands for no text is refused`(
        _ text: String
    ) {
        #expect(FormText.fields(text[...]) == nil)
    }

    @Test func `a plus is a plus in a path`() {
        #expect(FormText.decoded("a+b%20c", plusIsSpace: false) == "a+b c")
    }

    @Test(arguments: ["habit tracker", "+&=%#?/", "日本語", "a-b._~", ""]) func `what was encoded is read back`(
        _ text: String
    ) {
        #expect(FormText.decoded(FormText.encoded(text)[...]) == text)
        #expect(FormText.decoded(FormText.encoded(text)[...], plusIsSpace: false) == text)
    }
}
