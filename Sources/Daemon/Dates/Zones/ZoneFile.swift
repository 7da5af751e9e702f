/// A reason why bytes are not a zone.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
  case notAZoneFile
  case truncated
  case malformed
  case countsLeapSeconds

  public var description: String {
    switch self {
    case .notAZoneFile: "not a time-zone file (TZif)"
    case .truncated: "the time-zone file is truncated"
    case .malformed: "the time-zone file is malformed"
    case .countsLeapSeconds:
      "the time-zone file counts leap seconds (\"right\"); use the zone of the same name outside right/"
    }
  }
}

extension Zone {
  /// Decodes a zone file (TZif, RFC 9636) of any version.
  ///
  /// From version 2 on, only the second block, which has 64-bit times, and the rule after it are read. Files come from
  /// the system but may be damaged: every count is checked against the length before anything is read.
  public init(tzif bytes: [UInt8]) throws(ZoneError) {
    var reader = ZoneFileReader(bytes: bytes)
    var header = try reader.header()
    guard header.version >= 2 else {
      self = try reader.zone(header, wide: false, rule: nil)
      return
    }
    try reader.skip(header.length(wide: false))
    header = try reader.header()
    let footer = reader.position + header.length(wide: true)
    guard footer < bytes.count, bytes[footer] == 0x0A, let end = bytes[(footer + 1)...].firstIndex(of: 0x0A)
    else { throw .truncated }
    let text = bytes[footer + 1..<end]
    let rule = PosixRule(text)
    guard text.isEmpty || rule != nil else { throw .malformed }
    self = try reader.zone(header, wide: true, rule: rule)
  }
}

extension Zone {
  /// Applies the rule ahead until 2038, as far as files without a rule go, since looking up is faster than computing.
  ///
  /// Adds at most 300 transitions: a file whose transitions end before 1888 gains little from its rule today.
  fileprivate mutating func writeOutRule() {
    guard let rule, ruleStart > .min else { return }
    for _ in 0..<300 {
      guard let transition = rule.nextTransition(after: ruleStart), transition < 2_145_916_800 else { return }
      transitions.append(transition)
      offsets.append(Int32(rule.offset(at: transition)))
      ruleStart = transition
    }
  }
}

/// The counts at the start of a block of a zone file.
private struct ZoneFileHeader {
  var version: Int
  var universalFlags: Int
  var standardFlags: Int
  var leapSeconds: Int
  var transitions: Int
  var types: Int
  var nameBytes: Int

  /// Returns the length of the block after the header, with 32-bit or 64-bit times.
  func length(wide: Bool) -> Int {
    let time = wide ? 8 : 4
    return transitions * (time + 1) + types * 6 + nameBytes + leapSeconds * (time + 4) + standardFlags + universalFlags
  }
}

/// A position in a zone file. Numbers are big-endian.
private struct ZoneFileReader {
  let bytes: [UInt8]
  var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func skip(_ count: Int) throws(ZoneError) {
    guard count <= bytes.count - position else { throw .truncated }
    position += count
  }

  mutating func number(bytes count: Int) throws(ZoneError) -> Int64 {
    let start = position
    try skip(count)
    var value: Int64 = bytes[start] >= 0x80 ? -1 : 0
    for byte in bytes[start..<position] { value = value << 8 | Int64(byte) }
    return value
  }

  mutating func header() throws(ZoneError) -> ZoneFileHeader {
    guard bytes.count - position >= 4, bytes[position..<position + 4].elementsEqual("TZif".utf8) else {
      throw .notAZoneFile
    }
    try skip(4)
    let version = try number(bytes: 1)
    try skip(15)
    var counts: [Int] = []
    for _ in 0..<6 {
      let count = try number(bytes: 4)
      guard count >= 0, count <= Int64(bytes.count) else { throw .truncated }
      counts.append(Int(count))
    }
    return ZoneFileHeader(
      version: version == 0 ? 1 : Int(version) - 0x30, universalFlags: counts[0], standardFlags: counts[1],
      leapSeconds: counts[2], transitions: counts[3], types: counts[4], nameBytes: counts[5])
  }

  mutating func zone(_ header: ZoneFileHeader, wide: Bool, rule: PosixRule?) throws(ZoneError) -> Zone {
    guard header.leapSeconds == 0 else { throw .countsLeapSeconds }
    guard header.types >= 1 else { throw .malformed }
    var times: [Int64] = []
    for _ in 0..<header.transitions { times.append(try number(bytes: wide ? 8 : 4)) }
    var types: [Int] = []
    for _ in 0..<header.transitions { types.append(Int(try number(bytes: 1)) & 0xFF) }
    var offsets: [Int32] = []
    for _ in 0..<header.types {
      let offset = try number(bytes: 4)
      guard abs(offset) < 26 * 3600 else { throw .malformed }
      offsets.append(Int32(offset))
      try skip(2)
    }
    // A change of name or flag without a change of offset is not a transition here.
    var transitions: [Int64] = []
    var changed: [Int32] = []
    for (index, time) in times.enumerated() {
      let ascends = index == 0 || times[index - 1] < time
      guard types[index] < offsets.count, ascends, time <= Instant.distantFuture.seconds else { throw .malformed }
      let offset = offsets[types[index]]
      if offset != changed.last ?? offsets[0] {
        transitions.append(time)
        changed.append(offset)
      }
    }
    var zone = Zone(
      transitions: transitions, offsets: changed, initialOffset: offsets[0], ruleStart: times.last ?? .min, rule: rule)
    zone.writeOutRule()
    return zone
  }
}
