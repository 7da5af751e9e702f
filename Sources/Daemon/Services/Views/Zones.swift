internal import Dates
internal import Engine
internal import Posts

/// The system's time zones by IANA name, each read once.
final class Zones {
  private let system: any SystemFacts
  private var known: [String: Zone] = ["": .utc, "UTC": .utc]

  /// The zones of `system`.
  init(system: any SystemFacts) { self.system = system }

  /// Returns the zone `name`; an empty name is UTC.
  func find(_ name: String) throws(EngineError) -> Zone {
    if let zone = known[name] { return zone }
    guard Self.isName(name), let bytes = system.zoneFile(name), let zone = try? Zone(tzif: bytes)
    else {
      throw EngineError(
        .invalidArgument, "layout.time_zone: unknown time zone \(name.shortened); use a name such as Europe/Berlin",
        field: "layout.time_zone")
    }
    known[name] = zone
    return zone
  }

  /// Returns true for letters, digits and "+-_" in parts between slashes, so that no name leads out of the folder.
  private static func isName(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 64 else { return false }
    return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
  }
}
