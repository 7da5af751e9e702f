// swift-tools-version: 6.2
import PackageDescription

/// As the daemon is compiled.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// The programs that measure it speak to C without ceremony.
let measuring: [SwiftSetting] = [.swiftLanguageMode(.v6), .unsafeFlags(["-parse-as-library", "-enforce-exclusivity=unchecked"])]

let package = Package(
  name: "layout",
  targets: [
    // The daemon's own sources, by a symbolic link.
    .target(name: "TextLayout", path: "Sources/Daemon/TextLayout", swiftSettings: settings),
    .target(name: "Dates", path: "Sources/Daemon/Dates", swiftSettings: settings),
    .target(name: "Posts", dependencies: ["Dates"], path: "Sources/Daemon/Posts", swiftSettings: settings),
    // Of the engine, what posts are kept in; its internals are what is measured.
    .target(
      name: "Engine", dependencies: ["Dates", "Posts"], path: "Sources/Daemon/Engine/Timeline",
      sources: ["OrderKey.swift", "PostChunk.swift", "PostColumns.swift", "PostRecord.swift"],
      swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),

    .executableTarget(name: "wrap", dependencies: ["TextLayout"], path: "wrap/ours", swiftSettings: settings),
    .target(name: "Peers", path: "heights/Peers", cSettings: [.unsafeFlags(["-O3", "-march=native"])]),
    .executableTarget(name: "heights", dependencies: ["Peers", "TextLayout"], path: "heights/race", swiftSettings: measuring),
    .executableTarget(name: "posts", dependencies: ["Dates", "Engine", "Posts"], path: "posts", swiftSettings: measuring),
  ]
)
