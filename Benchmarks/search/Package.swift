// swift-tools-version: 6.2
import PackageDescription

/// The daemon's settings.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// Settings of the measuring programs, which call C without `unsafe`.
let measuring: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library", "-enforce-exclusivity=unchecked"]),
]

let package = Package(
  name: "search",
  targets: [
    // The daemon's own sources, through a symbolic link.
    .target(name: "Dates", path: "Sources/Daemon/Dates", swiftSettings: settings),
    .target(name: "Posts", dependencies: ["Dates"], path: "Sources/Daemon/Posts", swiftSettings: settings),
    .target(name: "Search", dependencies: ["Dates", "Posts"], path: "Sources/Daemon/Search", swiftSettings: settings),
    .target(name: "ViewState", path: "Sources/Wire/ViewState", swiftSettings: settings),
    .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", pkgConfig: "sqlite3"),
    // Testable, because the peers use its `Connection`.
    .target(
      name: "Store", dependencies: ["CSQLite", "Dates", "Posts", "Search", "ViewState"], path: "Sources/Daemon/Store",
      swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),

    .target(name: "Measuring", dependencies: ["Dates", "Posts"], path: "measuring", swiftSettings: measuring),
    .executableTarget(
      name: "matching", dependencies: ["Dates", "Measuring", "Posts", "Search"], path: "matching",
      swiftSettings: measuring),
    .executableTarget(
      name: "storing", dependencies: ["Dates", "Measuring", "Posts", "Search", "Store"], path: "storing",
      swiftSettings: measuring),
  ]
)
