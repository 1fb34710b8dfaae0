import Foundation
import Reports
import Testing

@testable import Manual

@Suite struct CommandInfoTests {
    private static func dump(version: Int = 0, name: String = "tool") -> Data {
        Data(
            """
            {"serializationVersion":\(version),"command":{"commandName":"\(name)","abstract":"Does .things.",
             "subcommands":[{"commandName":"go","superCommands":["tool"],"abstract":"Goes.","discussion":"One.\\n\\nTwo.",
              "arguments":[
               {"kind":"option","shouldDisplay":true,"isOptional":false,"isRepeating":false,
                "names":[{"kind":"long","name":"to-what"}],"preferredName":{"kind":"long","name":"to-what"},
                "valueName":"a b","defaultValue":"x","allValues":["x","y"],"abstract":"Where."},
               {"kind":"positional","shouldDisplay":true,"isOptional":true,"isRepeating":true,"valueName":"file"},
               {"kind":"flag","shouldDisplay":false,"isOptional":true,"isRepeating":false,
                "names":[{"kind":"long","name":"hidden"}]},
               {"kind":"flag","shouldDisplay":true,"isOptional":true,"isRepeating":false,
                "names":[{"kind":"short","name":"h"},{"kind":"long","name":"help"}],"abstract":"Helps."}]},
              {"commandName":"help","superCommands":["tool"]}]}}
            """.utf8)
    }

    private func go() throws -> CommandInfo {
        try #require(try CommandInfo.read(Self.dump(), of: "tool").leaves.first)
    }

    @Test func `a command is written with what it needs first`() throws {
        #expect(try go().synopsis().roff == #"\fBtool go\fR \fB\-\-to\-what\fR\ \fIa\-b\fR [\fIfile\fR]\|.\|.\|."#)
    }

    @Test func `the help that every command has is not repeated, and what is hidden stays so`() throws {
        let page = ManualPage(
            name: "x", section: 1, purpose: "y", sections: [.init("COMMANDS", try go().reference())]
        ).roff(version: "1", day: "2026-11-21")
        #expect(page.contains(".TP\n\\fB\\-\\-to\\-what\\fR \\fIa\\-b\\fR\nWhere. One of x, y. Default: x.\n"))
        #expect(page.contains(".PP\nOne.\n.PP\nTwo.\n"))
        #expect(!page.contains("hidden") && !page.contains("Helps."))
        #expect(try go().commonOptions.count == 1)
    }

    @Test func `a description of another form or program is refused`() {
        #expect(throws: CommandInfo.Refusal.newer(version: 1)) {
            try CommandInfo.read(Self.dump(version: 1), of: "tool")
        }
        #expect(throws: CommandInfo.Refusal.otherProgram("other", wanted: "tool")) {
            try CommandInfo.read(Self.dump(name: "other"), of: "tool")
        }
    }
}
