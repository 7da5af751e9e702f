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
  name: "layout",
  dependencies: [.package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")],
  targets: [
    // The daemon's own sources, through a symbolic link.
    .target(name: "TextLayout", path: "Sources/Daemon/TextLayout", swiftSettings: settings),
    .target(name: "Dates", path: "Sources/Daemon/Dates", swiftSettings: settings),
    .target(name: "Posts", dependencies: ["Dates"], path: "Sources/Daemon/Posts", swiftSettings: settings),
    .target(name: "Search", dependencies: ["Dates", "Posts"], path: "Sources/Daemon/Search", swiftSettings: settings),
    .systemLibrary(name: "CProtobufC", path: "Sources/CProtobufC", pkgConfig: "libprotobuf-c"),
    .target(name: "WireProto", path: "Sources/Wire/WireProto", exclude: ["schema.binpb"]),
    .target(name: "ViewState", path: "Sources/Wire/ViewState", swiftSettings: settings),
    .target(
      name: "Messages", dependencies: ["CProtobufC", "ViewState", "WireProto"], path: "Sources/Wire/Messages",
      swiftSettings: settings),
    // Testable, because its internals are measured too.
    .target(
      name: "Engine",
      dependencies: [
        "Dates", "Messages", "Posts", "Search", "TextLayout", "ViewState",
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ],
      path: "Sources/Daemon/Engine", swiftSettings: settings + [.unsafeFlags(["-enable-testing"])]),

    .executableTarget(name: "wrap", dependencies: ["TextLayout"], path: "wrap/ours", swiftSettings: settings),
    .target(name: "Peers", path: "heights/Peers", cSettings: [.unsafeFlags(["-O3", "-march=native"])]),
    .executableTarget(
      name: "heights", dependencies: ["Peers", "TextLayout"], path: "heights/race", swiftSettings: measuring),
    .executableTarget(
      name: "posts", dependencies: ["Dates", "Engine", "Posts"], path: "posts", swiftSettings: measuring),
    .executableTarget(
      name: "resize", dependencies: ["Dates", "Engine", "Posts", "ViewState"], path: "resize", swiftSettings: settings),
    .executableTarget(
      name: "ticks", dependencies: ["Dates", "Engine", "Posts", "ViewState"], path: "ticks", swiftSettings: settings),
  ]
)
