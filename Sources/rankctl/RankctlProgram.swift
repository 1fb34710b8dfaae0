/// rankctl as the program that is started by this name.
package enum RankctlProgram {
    @MainActor package static func main() async { await Rankctl.main() }
}
