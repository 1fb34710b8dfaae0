/// Pictures in memory, up to a number and a size; the one that was not used for longest goes first.
struct PictureMemory {
    private struct Entry {
        var picture: Picture
        var usedAt: Int
    }

    private let mostPictures: Int
    private let mostBytes: Int
    private var entries: [SizedImage: Entry] = [:]
    private(set) var bytes = 0
    private var uses = 0

    var count: Int { entries.count }

    init(mostPictures: Int, mostBytes: Int) {
        self.mostPictures = mostPictures
        self.mostBytes = mostBytes
    }

    mutating func picture(_ image: SizedImage) -> Picture? {
        guard let picture = entries[image]?.picture else { return nil }
        uses += 1
        entries[image]?.usedAt = uses
        return picture
    }

    mutating func keep(_ picture: Picture, _ image: SizedImage) {
        uses += 1
        let former = entries.updateValue(Entry(picture: picture, usedAt: uses), forKey: image)
        bytes += picture.bytes.count - (former?.picture.bytes.count ?? 0)
        while entries.count > mostPictures || bytes > mostBytes,
            let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt })
        {
            entries[oldest.key] = nil
            bytes -= oldest.value.picture.bytes.count
        }
    }
}
