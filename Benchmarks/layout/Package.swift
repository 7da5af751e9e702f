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

let package = Package(
  name: "layout",
  targets: [
    // The daemon's own sources, by a symbolic link.
    .target(name: "TextLayout", path: "Sources/Daemon/TextLayout", swiftSettings: settings),
    .executableTarget(name: "wrap", dependencies: ["TextLayout"], path: "wrap/ours", swiftSettings: settings),
  ]
)
