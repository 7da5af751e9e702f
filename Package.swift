// swift-tools-version: 6.2
import PackageDescription

/// One array for every Swift target: the language is the strictest the toolchain offers, and a warning is an error.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  // Overlapping accesses are found by the debug builds that every test runs in; looking for them in a release costs an
  // eighth of a delivery.
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// A Debian library with a module map of ours and, where C macros or variadics need one, a header of `static inline`
/// shims.
func system(_ name: String, _ pkgConfig: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func library(
  _ name: String, in folder: String, _ dependencies: [Target.Dependency] = [], linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)\(name)", swiftSettings: strict,
    linkerSettings: linking)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "stack",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
  ],
  targets: [
    // C: module maps, shims and generated code only.
    system("CUV", "libuv", apt: "libuv1-dev"),
    system("CNGHTTP2", "libnghttp2", apt: "libnghttp2-dev"),
    system("CProtobufC", "libprotobuf-c", apt: "libprotobuf-c-dev"),
    system("CSQLite", "sqlite3", apt: "libsqlite3-dev"),
    system("CPlist", "libplist-2.0", apt: "libplist-dev"),
    system("CXML", "libxml-2.0", apt: "libxml2-dev"),
    system("CCurl", "libcurl", apt: "libcurl4-openssl-dev"),
    .target(
      name: "CSIMDJSON", path: "Sources/CSIMDJSON", cxxSettings: [.unsafeFlags(["-O2"])],
      linkerSettings: [.linkedLibrary("simdjson"), .linkedLibrary("stdc++")]),
    // toml++ is its header alone.
    .target(
      name: "CTOML", path: "Sources/CTOML", cxxSettings: [.unsafeFlags(["-O2", "-std=c++17"])],
      linkerSettings: [.linkedLibrary("stdc++")]),
    .target(name: "WireProto", path: "Sources/Wire/WireProto", exclude: ["schema.binpb"]),

    // What client and daemon share; pure.
    library("Codecs", in: "Wire/"),
    library("ViewState", in: "Wire/"),
    library("Messages", in: "Wire/", ["CProtobufC", "ViewState", "WireProto"]),
    library("RPC", in: "Wire/", ["CNGHTTP2", "Codecs"]),

    // The event loop. Every program links it, so all use the toolchain's own linker: the system's takes three times as
    // long, and warns of functions in Foundation that nobody calls.
    library("UV", in: "", ["CUV"], linking: [.unsafeFlags(["-use-ld=lld"])]),

    // The daemon: a pure core, then its shell.
    library("Dates", in: "Daemon/"),
    library("Posts", in: "Daemon/", ["Dates"]),
    library("Search", in: "Daemon/", ["Dates", "Posts"]),
    library("TextLayout", in: "Daemon/"),
    library(
      "Engine", in: "Daemon/",
      [
        "Codecs", "Dates", "Messages", "Posts", "Search", "TextLayout", "ViewState",
        .product(name: "HeapModule", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    library("Store", in: "Daemon/", ["CSQLite", "Dates", "Posts", "Search", "ViewState"]),
    library("Ingest", in: "Daemon/", ["CPlist", "CSIMDJSON", "Codecs", "Dates", "Posts"]),
    library(
      "Services", in: "Daemon/",
      [
        "Codecs", "Dates", "Engine", "HTTPSupport", "Ingest", "Messages", "Posts", "RPC", "Search", "Store",
        "ViewState",
        .product(name: "DequeModule", package: "swift-collections"),
      ]),
    library("Server", in: "Daemon/", ["Dates", "Ingest", "Messages", "Posts", "RPC", "Services", "UV", "ViewState"]),
    library("DaemonSettings", in: "Daemon/", ["CTOML", "Server", "Services", "UV", "ViewState"]),
    .executableTarget(
      name: "stack-daemon", dependencies: ["Dates", "Server", "DaemonSettings", "UV"],
      path: "Sources/Daemon/stack-daemon",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xclang-linker", "-no-pie"])]),

    // Connectors: programs that speak for sources elsewhere.
    library("HTTPSupport", in: "Connectors/", ["Codecs", "Dates"]),
    library("ConnectorSupport", in: "Connectors/", ["Dates", "Ingest", "Posts"]),
    library(
      "Feeds", in: "Connectors/",
      [
        "CXML", "Codecs", "ConnectorSupport", "Dates", "HTTPSupport", "Ingest", "Posts",
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    library(
      "Mastodon", in: "Connectors/",
      [
        "Codecs", "ConnectorSupport", "Dates", "HTTPSupport", "Ingest", "Posts",
        .product(name: "HeapModule", package: "swift-collections"),
      ]),

    library("Fetch", in: "Connectors/", ["CCurl", "Dates", "HTTPSupport", "Ingest", "UV"]),
    .executableTarget(
      name: "stack-feeds",
      dependencies: ["CSQLite", "Dates", "Feeds", "Fetch", "HTTPSupport", "Ingest", "UV", "ViewState"],
      path: "Sources/Connectors/stack-feeds",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xclang-linker", "-no-pie"])]),
    .executableTarget(
      name: "stack-mastodon",
      dependencies: ["Dates", "Fetch", "HTTPSupport", "Mastodon", "UV", "ViewState"],
      path: "Sources/Connectors/stack-mastodon",
      swiftSettings: strict,
      linkerSettings: [.unsafeFlags(["-Xclang-linker", "-no-pie"])]),

    // The client: a pure core, then its shell.
    library("ClientCore", in: "Client/", ["Codecs", "Messages", "ViewState"]),
    library("Terminal", in: "Client/", ["ClientCore"]),
    // Found words are marked by the same rules by which the daemon finds them.
    library("FullScreen", in: "Client/", ["ClientCore", "Dates", "Messages", "Search", "Terminal", "ViewState"]),
    library("ClientTransport", in: "Client/", ["RPC", "UV"]),
    .executableTarget(
      name: "stack-client",
      dependencies: [
        "ClientCore", "ClientTransport", "FullScreen", "Messages", "RPC", "Terminal", "UV", "ViewState",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Client/stack-client", swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["Dates", "Posts", "Search", "ViewState"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .target(
      name: "InteropService", dependencies: ["RPC", "Services", "UV"], path: "Tests/Interop/Service",
      swiftSettings: strict),
    .executableTarget(
      name: "stack-interop-server", dependencies: ["InteropService", "Messages", "Server", "Services", "UV"],
      path: "Tests/Interop/Server", swiftSettings: strict),
    .target(
      name: "Simulation",
      dependencies: [
        "ClientCore", "CSQLite", "Dates", "Engine", "Ingest", "Messages", "Posts", "RPC", "Services", "Store",
        "TestSupport",
        "ViewState",
      ],
      path: "Tests/Simulation", exclude: ["stack-simulate", "traces.txt"], swiftSettings: strict),
    .executableTarget(
      name: "stack-simulate", dependencies: ["Simulation"], path: "Tests/Simulation/stack-simulate",
      swiftSettings: strict),
    tests("UVTests", ["UV"]),
    tests("ViewStateTests", ["TestSupport", "ViewState"]),
    tests("MessagesTests", ["Messages", "TestSupport", "ViewState"]),
    tests("RPCTests", ["Codecs", "RPC", "TestSupport"]),
    tests("DatesTests", ["Dates", "TestSupport"]),
    tests("PostsTests", ["Dates", "Posts", "TestSupport"]),
    tests("SearchTests", ["Dates", "Posts", "Search", "TestSupport"]),
    tests("TextLayoutTests", ["TestSupport", "TextLayout"]),
    tests(
      "EngineTests",
      [
        "Dates", "Engine", "Messages", "Posts", "Search", "TestSupport", "TextLayout", "ViewState",
        .product(name: "OrderedCollections", package: "swift-collections"),
      ]),
    tests("StoreTests", ["Dates", "Posts", "Search", "Store", "TestSupport", "ViewState"]),
    tests("IngestTests", ["Dates", "Ingest", "Posts", "TestSupport"]),
    tests("HTTPSupportTests", ["Dates", "HTTPSupport", "TestSupport"]),
    tests("FetchTests", ["Fetch", "HTTPSupport", "UV"]),
    tests("FeedsTests", ["CXML", "Dates", "Feeds", "HTTPSupport", "Ingest", "Posts", "TestSupport"]),
    tests("MastodonTests", ["Codecs", "Dates", "HTTPSupport", "Ingest", "Mastodon", "Posts", "TestSupport"]),
    tests(
      "SimulationTests",
      ["Dates", "Messages", "Posts", "RPC", "Services", "Simulation", "Store", "TestSupport", "ViewState"]),
    tests(
      "ServerTests",
      [
        "ClientTransport", "Codecs", "Dates", "Engine", "Ingest", "InteropService", "Messages", "Posts", "RPC",
        "Server",
        "Services",
        "Store", "TestSupport",
        "UV",
        "ViewState",
      ]),
    tests("DaemonSettingsTests", ["Server", "DaemonSettings", "UV"]),
    tests("ClientCoreTests", ["ClientCore", "Messages", "TestSupport", "ViewState"]),
    tests("TerminalTests", ["ClientCore", "Terminal", "TestSupport"]),
    tests(
      "FullScreenTests",
      ["ClientCore", "FullScreen", "Messages", "Terminal", "TestSupport", "TextLayout", "ViewState"]),
    tests(
      "ClientTests",
      ["ClientCore", "Messages", "stack-client", .product(name: "ArgumentParser", package: "swift-argument-parser")]),
  ]
)

// `STACK_ONLY=EngineTests` leaves out all targets that one does not need, for a quick build of one module's tests
// (scripts/test --fast).
if let only = Context.environment["STACK_ONLY"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var waiting = [only]
  while let name = waiting.popLast() {
    guard let target = targets[name], needed.insert(name).inserted else { continue }
    for case .byNameItem(let name, _) in target.dependencies { waiting.append(name) }
  }
  package.targets.removeAll { !needed.contains($0.name) }
}
