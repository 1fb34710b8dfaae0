import Judging
import RankKit

extension MoversReport {
    private static let mostInData = 10

    static let fallShape = ObjectShape<Fall>(
        fields: Query.fields { $0.query }, ReportedApp.fields { $0.app },
        [
            .object(
                "was",
                "In the earlier list: of the last seven days with a check before the fall, the newest in which it stood "
                    + "nearest to its usual place; of a slow fall, before the last \(NoiseModel.monthDays) days.",
                Reading.shape
            ) { $0.was },
            .object(
                "now",
                "In the later list: the newest since the fall in which it stands nearest to its usual place, or of one that "
                    + "left is absent; of a slow fall, of the newest week.", Reading.shape
            ) { $0.now },
            .value(
                "passedBy",
                "How many apps stood below it or nowhere then, and stand above it now; null where one of the lists is "
                    + "damaged or no longer kept.", .optional(.count)
            ) { $0.passers?.count },
            .list(
                "passers",
                "The first \(mostInData) of these at most: mine, competitors, then those that rose, the best placed first.",
                passerShape
            ) { Array(($0.passers ?? []).prefix(mostInData)) },
            .object("context", "Whether the store moved, the list, or the app alone.", LossContext.shape) {
                $0.context
            },
        ])

    private static let passerShape = ObjectShape<Fall.Passer>(
        fields: ReportedApp.fields { $0.app },
        [
            .value("was", "Its place in the earlier list; null for not in it.") { $0.was },
            .value("position", "Its place in the later list.") { $0.position },
        ])
}
