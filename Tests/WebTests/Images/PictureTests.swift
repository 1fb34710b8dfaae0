import Testing

@testable import Web

@Suite struct PictureTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test func `the first bytes say which of the three kinds it is`() {
        #expect(Picture(Self.png + [1])?.kind == .png)
        #expect(Picture([0xFF, 0xD8, 0xFF, 0xE0])?.kind == .jpeg)
        #expect(Picture(Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8L".utf8))?.kind == .webP)
    }

    @Test(arguments: [
        "", "<svg xmlns='http://www.w3.org/2000/svg'/>", "<!DOCTYPE html>", "GIF89a", "RIFF",
        "RIFF\u{1}\u{2}\u{3}\u{4}WAVE",
        "\u{89}PNG", "%PDF-1.4",
    ])
    func `everything else is no picture`(_ text: String) {
        #expect(Picture(Array(text.utf8)) == nil)
        #expect(Picture([0x1F, 0x8B, 8, 0]) == nil)
        #expect(Picture(Array(Self.png.dropLast())) == nil)
    }

    @Test func `two million bytes are a picture and one more are not`() {
        let zeros = [UInt8](repeating: 0, count: Picture.largest - Self.png.count)
        #expect(Picture(Self.png + zeros) != nil)
        #expect(Picture(Self.png + zeros + [0]) == nil)
    }
}

@Suite struct PictureMemoryTests {
    private func image(_ number: Int) throws -> SizedImage {
        SizedImage(try #require(ImageAddress("https://a.mzstatic.com/image/\(number)/1x1bb.jpg")), .icon)
    }

    private func picture(_ bytes: Int) throws -> Picture {
        try #require(Picture([0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: bytes - 3)))
    }

    @Test func `the picture that was not used for longest goes first`() throws {
        var memory = PictureMemory(mostPictures: 3, mostBytes: 1_000)
        for number in 1...3 { memory.keep(try picture(10), try image(number)) }
        #expect(memory.picture(try image(1)) != nil)
        memory.keep(try picture(10), try image(4))
        #expect(memory.picture(try image(2)) == nil)
        #expect(memory.picture(try image(1)) != nil && memory.count == 3)
    }

    @Test func `bytes are bounded, and a picture that is replaced counts once`() throws {
        var memory = PictureMemory(mostPictures: 100, mostBytes: 100)
        for number in 1...30 { memory.keep(try picture(40), try image(number)) }
        #expect(memory.count == 2 && memory.bytes == 80)
        memory.keep(try picture(50), try image(30))
        #expect(memory.count == 2 && memory.bytes == 90)
        memory.keep(try picture(101), try image(31))
        #expect(memory.count == 0 && memory.bytes == 0)
    }
}
