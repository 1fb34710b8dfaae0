import Console
import Foundation
import RankKit
import rankctl
import rankd
import rankweb

/// rankd, rankctl and rankweb are one file, because they share nearly all of their code. The name by which it is
/// started says which of them it is.
@main
enum Programs {
    /// On the main thread, because there is no other yet.
    @MainActor static func main() async {
        let path = CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last ?? ""
        // A copy may have a version or another ending behind the name.
        switch ["rankd", "rankctl", "rankweb"].first(where: name.hasPrefix) {
        case "rankd": await RankdProgram.main()
        case "rankctl": await RankctlProgram.main()
        case "rankweb": await RankwebProgram.main()
        default:
            Terminal.say(
                "“\(SafeText.escaped(path))” is none of its names: this program is called rankd, rankctl or rankweb, and "
                    + "does what its name says")
            exit(ExitStatus.usage.rawValue)
        }
    }
}
