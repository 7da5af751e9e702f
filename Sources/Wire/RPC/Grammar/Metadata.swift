internal import Codecs

/// The custom metadata of a call: names with values, in order. A name may occur more than once.
///
/// Names are lower-case. A name that ends in `-bin` has bytes as its value; any other has printable ASCII.
public struct Metadata: Hashable, Sendable {
  /// The value of an entry.
  public enum Value: Hashable, Sendable {
    /// Printable ASCII.
    case text(String)
    /// Any bytes; base64 on the wire.
    case binary([UInt8])
  }

  /// One name with its value.
  public struct Entry: Hashable, Sendable {
    /// Lower-case.
    public let name: String
    /// The value, of the kind the name requires.
    public let value: Value
  }

  /// The reason a name or a value cannot be sent.
  public enum Invalid: Error, Hashable, Sendable {
    /// Not one or more of `0-9 a-z _ - .`, or reserved for HTTP or gRPC.
    case name
    /// Not printable ASCII, or not of the kind the name requires.
    case value
  }

  /// All entries, in the order in which they were added or received.
  public private(set) var entries: [Entry] = []

  /// No metadata.
  public init() {}

  /// Returns the first text value of a name.
  public func text(_ name: String) -> String? {
    for entry in entries where entry.name == name {
      if case .text(let text) = entry.value { return text }
    }
    return nil
  }

  /// Returns the first binary value of a name.
  public func binary(_ name: String) -> [UInt8]? {
    for entry in entries where entry.name == name {
      if case .binary(let bytes) = entry.value { return bytes }
    }
    return nil
  }

  /// Adds a text value. Converts the name to lower case.
  public mutating func add(_ name: String, _ text: String) throws(Invalid) {
    let name = try Metadata.checked(name)
    guard !Metadata.isBinary(name), text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
      text.utf8.first != 0x20, text.utf8.last != 0x20
    else { throw .value }
    entries.append(Entry(name: name, value: .text(text)))
  }

  /// Adds a binary value, under a name that ends in `-bin`.
  public mutating func add(_ name: String, binary bytes: [UInt8]) throws(Invalid) {
    let name = try Metadata.checked(name)
    guard Metadata.isBinary(name) else { throw .value }
    entries.append(Entry(name: name, value: .binary(bytes)))
  }

  /// Adds a header field from a peer. Returns false if it should be base64 and is not. One field may hold several
  /// values, separated by commas.
  mutating func receive(name: String, value: String) -> Bool {
    guard Metadata.isBinary(name) else {
      entries.append(Entry(name: name, value: .text(value)))
      return true
    }
    for part in value.split(separator: ",", omittingEmptySubsequences: false) {
      guard let bytes = Base64.decode(part.utf8) else { return false }
      entries.append(Entry(name: name, value: .binary(bytes)))
    }
    return true
  }

  /// The entries as header fields.
  var fields: [HeaderField] {
    entries.map { entry in
      switch entry.value {
      case .text(let text): HeaderField(entry.name, text, isSecret: entry.name == "authorization")
      case .binary(let bytes): HeaderField(entry.name, Base64.encode(bytes))
      }
    }
  }

  /// Returns true if a received field belongs to the application rather than to HTTP or gRPC.
  static func isCustom(_ name: String) -> Bool {
    name.utf8.first != UInt8(ascii: ":") && !name.utf8.starts(with: "grpc-".utf8) && name != "content-type"
      && name != "te"
  }

  private static func isBinary(_ name: String) -> Bool { name.utf8.suffix(4).elementsEqual("-bin".utf8) }

  private static func checked(_ name: String) throws(Invalid) -> String {
    let name = name.lowercased()
    let isNamed =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      }
    guard isNamed, isCustom(name), !HeaderField.isConnectionSpecific(name) else { throw .name }
    return name
  }
}
