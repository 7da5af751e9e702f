// swift-tools-version: 6.2
import PackageDescription

/// The daemon's settings, with testable internals and libFuzzer's counters. `Fuzz/fuzz` adds the sanitizers.
let instrumented: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags([
    "-parse-as-library", "-enable-testing", "-sanitize-coverage=edge,inline-8bit-counters,pc-table,trace-cmp",
  ]),
]

/// Returns the target of one of the daemon's modules, whose sources this package reaches by a symbolic link.
func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(folder)\(name)", swiftSettings: instrumented)
}

func system(_ name: String, _ pkgConfig: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig)
}

/// Returns the target that fuzzes one decoder: `Targets/NAME`.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Targets/\(name)", swiftSettings: instrumented)
}

let package = Package(
  name: "fuzz",
  dependencies: [.package(url: "https://github.com/apple/swift-collections", exact: "1.6.0")],
  targets: [
    system("CNGHTTP2", "libnghttp2"),
    system("CProtobufC", "libprotobuf-c"),
    system("CPlist", "libplist-2.0"),
    system("CXML", "libxml-2.0"),
    .target(
      name: "CSIMDJSON", path: "Sources/CSIMDJSON", cxxSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    .target(name: "WireProto", path: "Sources/Wire/WireProto", exclude: ["schema.binpb"]),
    module("ViewState", in: "Wire/"),
    module("Messages", in: "Wire/", ["CProtobufC", "ViewState", "WireProto"]),
    module("Codecs", in: "Wire/"),
    module("RPC", in: "Wire/", ["CNGHTTP2", "Codecs"]),
    module("Dates", in: "Daemon/"),
    module("Posts", in: "Daemon/", ["Dates"]),
    module("Ingest", in: "Daemon/", ["CPlist", "CSIMDJSON", "Dates", "Posts"]),
    module("HTTPSupport", in: "Connectors/", ["Codecs", "Dates"]),
    module("ConnectorSupport", in: "Connectors/", ["Dates"]),
    module(
      "Feeds", in: "Connectors/",
      [
        "CXML", "Codecs", "ConnectorSupport", "Dates", "HTTPSupport", "Ingest", "Posts",
        .product(name: "HeapModule", package: "swift-collections"),
      ]),

    .target(name: "FuzzSupport", path: "Support", swiftSettings: instrumented),
    fuzzer("connection", ["FuzzSupport", "RPC"]),
    fuzzer("message-reader", ["FuzzSupport", "RPC"]),
    fuzzer("client-frame", ["FuzzSupport", "Messages"]),
    fuzzer("frame", ["FuzzSupport", "Messages", "ViewState"]),
    fuzzer("importer", ["FuzzSupport", "Ingest"]),
    fuzzer("feed", ["Dates", "Feeds", "FuzzSupport", "HTTPSupport", "Ingest", "Posts"]),
    fuzzer("opml", ["Feeds", "FuzzSupport"]),
    fuzzer("http", ["Dates", "FuzzSupport", "HTTPSupport"]),
    fuzzer("streams", ["FuzzSupport", "HTTPSupport"]),
    fuzzer("upstream", ["FuzzSupport", "Ingest", "Posts"]),
  ]
)
