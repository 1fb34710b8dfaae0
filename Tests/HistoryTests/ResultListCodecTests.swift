import History
import Testing

@Suite struct ResultListCodecTests {
    @Test(
        arguments: [
            [], [1], [nil], [1, 1, 1], [nil, nil, 3], [127, 128, 16_383, 16_384, Int64(UInt32.max)],
            Array(1...200).map(Int64?.init), [Int64.max >> 1],
        ] as [[Int64?]])
    func `a list survives the round trip exactly`(places: [Int64?]) throws {
        #expect(try ResultListCodec.decode(ResultListCodec.encode(places)) == places)
    }

    @Test(
        arguments: [[], [0], [2, 1], [1, 0x80], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01]]
            as [[UInt8]])
    func `what no rankd wrote is told apart`(bytes: [UInt8]) {
        #expect(throws: DamagedBytes.self) { try ResultListCodec.decode(bytes) }
    }
}
