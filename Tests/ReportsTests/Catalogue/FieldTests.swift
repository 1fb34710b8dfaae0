import RankKit
import Testing

@testable import Reports

/// One declaration, and what follows from it.
@Suite struct FieldTests {
    private struct Shelf {
        var room: String
        var books: [Book]
    }

    private struct Book {
        var title: String
        var pages: Int?
        var editions: [Int]
    }

    private static let books = ObjectShape<Book>(fields: [
        .value("title", "On its back.") { $0.title },
        .group("size", "How long it is.", [.value("pages", nil, .optional(.count)) { $0.pages }]),
        .value("editions") { $0.editions },
    ])

    private static let shelves = ObjectShape<Shelf>(fields: [
        .value("room") { $0.room }, .value("title", "Of the shelf.") { _ in "shelf" },
        .list("books", "From left to right.", books) { $0.books },
    ])

    private let shelf = Shelf(
        room: "study",
        books: [Book(title: "One", pages: 12, editions: [1, 2]), Book(title: "Two", pages: nil, editions: [])])

    private func csv(_ grain: CSVGrain<Shelf>) -> String {
        var writer = CSVWriter(header: grain.header)
        grain.lines(of: Self.shelves)(shelf) { writer.record($0) }
        return writer.text
    }

    @Test func `JSON has the fields in the order in which they are declared`() {
        var writer = JSONWriter()
        Self.shelves.write(shelf, to: &writer)
        #expect(
            writer.text
                == #"{"room":"study","title":"shelf","books":[{"title":"One","size":{"pages":12},"editions":[1,2]},"#
                + #"{"title":"Two","size":{"pages":null},"editions":[]}]}"#)
    }

    @Test func `a column is of the innermost object that has it`() {
        #expect(
            csv(.each("books", "one book", ["room", "title", "size.pages", "editions"]))
                == "room,title,sizePages,editions\r\nstudy,One,12,1;2\r\nstudy,Two,,\r\n")
    }

    @Test func `a column of the object around the line's says so`() {
        #expect(
            csv(.each("books", "one book", ["title", .column("shelf", "../title")]))
                == "title,shelf\r\nOne,shelf\r\nTwo,shelf\r\n")
    }

    @Test func `a report can itself be the line`() {
        #expect(csv(.each(nil, "one shelf", ["room"])) == "room\r\nstudy\r\n")
    }

    @Test func `a column that names no field is a mistake`() {
        let wanted = CSVLines.Wanted(grain: ["books"], columns: [.init(index: 0, path: ["author"], outwards: 0)])
        #expect(throws: CSVLines.Mistake.self) { _ = try Self.shelves.lines(wanted) }
    }

    @Test func `lines of several kinds leave empty what they have not`() {
        let grain = CSVGrain<Shelf>.kinds(
            "one thing", header: ["kind", "title", "pages"],
            [
                .each("books", [.constant("kind", "book"), "title", .column("pages", "size.pages")]),
                .lines({ [$0] }, [.cell("kind") { _ in "shelf" }, .cell("title") { $0.room }]),
            ])
        #expect(csv(grain) == "kind,title,pages\r\nbook,One,12\r\nbook,Two,\r\nshelf,study,\r\n")
    }

    @Test func `a field that is there in some cases only is left out in the others`() {
        let shape = ObjectShape<Shelf>(fields: [
            Field.value("room") { $0.room }.only("Only of the study.") { $0.room == "study" },
            .value("count") { $0.books.count },
        ])
        var (study, hall) = (JSONWriter(), JSONWriter())
        shape.write(shelf, to: &study)
        shape.write(Shelf(room: "hall", books: []), to: &hall)
        #expect(study.text == #"{"room":"study","count":2}"# && hall.text == #"{"count":0}"#)
        #expect(shape.info.fields[0].isOptional && !shape.info.fields[1].isOptional)
    }
}
