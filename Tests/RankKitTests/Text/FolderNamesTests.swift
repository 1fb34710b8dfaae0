import RankKit
import Testing

@Suite struct FolderNamesTests {
    @Test(arguments: [
        ("/var/lib/rankd/history.sqlite: no space left", "history.sqlite: no space left"),
        ("cannot make “/srv/backups/a b”", "cannot make “a b”"), ("see /etc/rankd/, please", "see rankd, please"),
        ("1/2 of https://host/a and and/or", "1/2 of https://host/a and and/or"), ("(/a/b/c)", "(c)"), ("/", "/"),
        ("path=/a/b", "path=b"), ("no path", "no path"), ("", ""),
    ])
    func `a path is named by its file alone`(_ text: String, _ expected: String) {
        #expect(SafeText.withoutFolders(text) == expected)
    }
}
