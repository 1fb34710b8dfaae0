import RankKit
