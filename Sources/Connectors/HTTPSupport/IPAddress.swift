/// A numeric network address.
public struct IPAddress: Hashable, Sendable {
  /// An IPv4 address is mapped into IPv6 (RFC 4291, section 2.5.5.2).
  private let number: UInt128

  /// An address of sixteen bytes, in the order of the network; an IPv4 address is mapped.
  public init(bytes: some Sequence<UInt8>) { number = bytes.reduce(0) { $0 << 8 | UInt128($1) } }

  private init(number: UInt128) { self.number = number }

  // MARK: - Kinds

  /// True for an address of this machine.
  public var isLoopback: Bool { ipv4.map { $0 >> 24 == 127 } ?? (number == 1) }

  /// True for an address of this machine, of a private network, or of no single host (RFC 6890).
  public var isPrivate: Bool {
    guard let ipv4 else { return Self.privateIPv6.contains { (number ^ $0.network) >> UInt128(128 - $0.bits) == 0 } }
    return Self.privateIPv4.contains { (ipv4 ^ $0.network) >> UInt32(32 - $0.bits) == 0 }
  }

  /// The IPv4 address that is mapped, or translated (RFC 6052); nil for none.
  private var ipv4: UInt32? {
    let isMapped = number >> 32 == 0xFFFF || number >> 32 == 0x0064_FF9B << 64
    return isMapped ? UInt32(truncatingIfNeeded: number) : nil
  }

  private static let privateIPv4: [(network: UInt32, bits: Int)] = [
    (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16), (0xAC10_0000, 12),
    (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
  ]

  /// Unspecified and loopback with the obsolete compatible addresses, unique local, link-local and site-local, multicast.
  private static let privateIPv6: [(network: UInt128, bits: Int)] = [
    (0, 96), (0xFC << 120, 7), (0xFE8 << 116, 9), (0xFF << 120, 8),
  ]

  // MARK: - Reading

  /// Reads the IPv4 address that browsers see in a host: decimal, octal or hexadecimal numbers, the last of which fills
  /// all remaining bytes (WHATWG URL, section 3.5). Nil if the host is not one.
  public init?(ipv4 host: some StringProtocol) {
    var parts = host.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
    let numbers = parts.map { Self.number($0) }
    guard (1...4).contains(numbers.count), let last = numbers.last.flatMap(\.self),
      last < 1 << UInt64(8 * (5 - numbers.count))
    else { return nil }
    var address = last
    for (index, part) in numbers.dropLast().enumerated() {
      guard let part, part < 256 else { return nil }
      address |= part << UInt64(8 * (3 - index))
    }
    self.init(number: 0xFFFF << 32 | UInt128(address))
  }

  /// True if browsers take a host for an IPv4 address, also for a wrong one: its last label is a number.
  static func looksLikeIPv4(_ host: some StringProtocol) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let last = labels.last?.isEmpty == true ? labels.dropLast().last : labels.last
    guard let last, !last.isEmpty else { return false }
    return last.utf8.allSatisfy { 0x30...0x39 ~= $0 } || (last.hasPrefix("0x") && number(last) != nil)
  }

  private static func number(_ text: some StringProtocol) -> UInt64? {
    let (digits, radix): (String, Int) =
      text.hasPrefix("0x")
      ? (String(text.dropFirst(2)), 16)
      : text.hasPrefix("0") && text.count > 1 ? (String(text.dropFirst()), 8) : (String(text), 10)
    if digits.isEmpty { return radix == 16 ? 0 : nil }
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt64(digits, radix: radix)
  }

  /// Reads an IPv6 address, without brackets (RFC 4291, section 2.2). Nil if it is not one.
  public init?(ipv6 text: some StringProtocol) {
    let halves = text.split(separator: "::", maxSplits: 2, omittingEmptySubsequences: false).map { Self.groups($0) }
    guard let front = halves.first.flatMap(\.self), halves.count <= 2 else { return nil }
    guard halves.count == 2 else {
      guard front.count == 8 else { return nil }
      self.init(number: Self.joined(front))
      return
    }
    guard let back = halves[1], front.count + back.count < 8 else { return nil }
    let gap = [UInt16](repeating: 0, count: 8 - front.count - back.count)
    self.init(number: Self.joined(front + gap + back))
  }

  /// Returns the groups of sixteen bits in a part of an IPv6 address, which may end in an IPv4 address; nil if it is not
  /// one.
  private static func groups(_ text: some StringProtocol) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var groups: [UInt16] = []
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if index == parts.count - 1, part.contains(".") {
        let bytes = part.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard bytes.count == 4, let address = IPAddress(ipv4: part), bytes.allSatisfy({ $0 != nil }) else { return nil }
        groups += [UInt16(truncatingIfNeeded: address.number >> 16), UInt16(truncatingIfNeeded: address.number)]
      } else {
        guard (1...4).contains(part.count), part.first != "+", let group = UInt16(part, radix: 16) else { return nil }
        groups.append(group)
      }
    }
    return groups
  }

  private static func joined(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

  // MARK: - Writing

  /// The last four bytes in decimal, as IPv4 has them.
  var ipv4Text: String {
    (0..<4).map { String(UInt8(truncatingIfNeeded: number >> UInt128(24 - 8 * $0))) }.joined(separator: ".")
  }

  /// The address in hexadecimal, with its longest run of zeros left out (RFC 5952, section 4).
  var ipv6Text: String {
    let groups = (0..<8).map { UInt16(truncatingIfNeeded: number >> UInt128(112 - 16 * $0)) }
    var longest = 0..<0
    var start = 0
    for index in 0...8 where index == 8 || groups[index] != 0 {
      if index - start > max(1, longest.count) { longest = start..<index }
      start = index + 1
    }
    func joined(_ range: Range<Int>) -> String { groups[range].map { String($0, radix: 16) }.joined(separator: ":") }
    return longest.isEmpty ? joined(0..<8) : "\(joined(0..<longest.lowerBound))::\(joined(longest.upperBound..<8))"
  }
}
