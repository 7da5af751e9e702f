/// The rules for account names: ASCII letters, digits and "_".
///
/// These are the characters that a mention can hold (``TextSpans``), so that a post to "@name" never addresses an
/// account whose name merely begins with "name".
public enum AccountName {
  /// The maximum length of a name in bytes.
  public static let limit = 64

  /// True if an account may have the name. O(n).
  public static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= limit && name.utf8.allSatisfy(isNameByte)
  }

  /// Returns the name with "_" for every byte that is not allowed, cut to ``limit``; empty if no letter or digit
  /// remains. O(n).
  public static func usable(_ name: String) -> String {
    let bytes = name.utf8.prefix(limit).map { isNameByte($0) ? $0 : UInt8(ascii: "_") }
    return bytes.allSatisfy { $0 == UInt8(ascii: "_") } ? "" : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the first free name for Unix user `uid`: the user's name as ``usable(_:)`` makes it (`user<uid>` if that
  /// is empty), then the same with `_<uid>`, then with `_2`, `_3` and so on.
  ///
  /// The name is cut to leave room for the number. O(taken names).
  public static func free<Failure: Error>(
    for name: String, uid: UInt32?, isTaken: (String) throws(Failure) -> Bool
  ) throws(Failure) -> String {
    let number = uid.map(String.init) ?? ""
    let usable = usable(name)
    let wanted = usable.isEmpty ? "user" + number : usable
    if try !isTaken(wanted) { return wanted }
    let stem = uid == nil ? wanted : joined(wanted, "_" + number)
    if try !isTaken(stem) { return stem }
    var next = 2
    while true {
      let candidate = joined(stem, "_\(next)")
      if try !isTaken(candidate) { return candidate }
      next += 1
    }
  }

  /// Returns a handle as a reader takes it for an account's name: in lower case, without white space and characters
  /// that are not seen. O(n).
  public static func folded(_ handle: [UInt8]) -> [UInt8] {
    if handle.allSatisfy({ $0 < 0x80 }) {
      return handle.lazy.filter { $0 > 0x20 }.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    }
    var seen = String.UnicodeScalarView()
    for scalar in String(decoding: handle, as: UTF8.self).unicodeScalars {
      let properties = scalar.properties
      if !properties.isWhitespace, !properties.isDefaultIgnorableCodePoint { seen.append(scalar) }
    }
    return Array(String(seen).lowercased().utf8)
  }

  private static func joined(_ stem: String, _ suffix: String) -> String {
    String(decoding: stem.utf8.prefix(limit - suffix.utf8.count), as: UTF8.self) + suffix
  }

  /// True if a name may contain the byte.
  static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
