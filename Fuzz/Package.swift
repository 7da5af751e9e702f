// swift-tools-version: 6.2
import PackageDescription

/// As the daemon is compiled; `public` and internal names alike are in reach. `fuzz` adds the sanitizers.
let watched: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags([
    "-parse-as-library", "-enable-testing", "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp",
  ]),
]

/// A room of the daemon's, of which this package has the sources by a symbolic link.
func room(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(folder)\(name)", swiftSettings: watched)
}

func system(_ name: String, _ pkgConfig: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig)
}

/// One decoder under fire: `Targets/NAME.swift`.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Targets/\(name)", swiftSettings: watched)
}

let package = Package(
  name: "fuzz",
  targets: [
    system("CNGHTTP2", "libnghttp2"),
    system("CProtobufC", "libprotobuf-c"),
    system("CPlist", "libplist-2.0"),
    .target(
      name: "CSIMDJSON", path: "Sources/CSIMDJSON", cxxSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    .target(name: "WireProto", path: "Sources/Wire/WireProto", exclude: ["schema.binpb"]),
    room("ViewState", in: "Wire/"),
    room("Messages", in: "Wire/", ["CProtobufC", "ViewState", "WireProto"]),
    room("RPC", in: "Wire/", ["CNGHTTP2"]),
    room("Dates", in: "Daemon/"),
    room("Posts", in: "Daemon/", ["Dates"]),
    room("Ingest", in: "Daemon/", ["CPlist", "CSIMDJSON", "Dates", "Posts"]),

    .target(name: "FuzzSupport", path: "Support", swiftSettings: watched),
    fuzzer("connection", ["FuzzSupport", "RPC"]),
    fuzzer("message-reader", ["FuzzSupport", "RPC"]),
    fuzzer("client-frame", ["FuzzSupport", "Messages"]),
    fuzzer("frame", ["FuzzSupport", "Messages", "ViewState"]),
    fuzzer("importer", ["FuzzSupport", "Ingest"]),
  ]
)
