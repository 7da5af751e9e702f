/// What an account may be called: ASCII letters, digits and "_", which is what a mention may name (``TextSpans``), so
/// that a post to "@name" is never a post to somebody whose name only begins so.
public enum AccountName {
  /// Bytes of a name.
  public static let limit = 64

  /// Whether an account may be called so. O(n).
  public static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= limit && name.utf8.allSatisfy(isNameByte)
  }

  /// The name with "_" for every byte that no name has, cut to ``limit``; empty where no letter or digit is left. O(n).
  public static func usable(_ name: String) -> String {
    let bytes = name.utf8.prefix(limit).map { isNameByte($0) ? $0 : UInt8(ascii: "_") }
    return bytes.allSatisfy { $0 == UInt8(ascii: "_") } ? "" : String(decoding: bytes, as: UTF8.self)
  }

  /// The first that is free of: the name of Unix user `uid` as accounts may have it (`user<uid>` if nothing of it is
  /// left), that with `_<uid>`, and that with `_2`, `_3` and so on. Cut so that the number has room. O(names that are
  /// taken).
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

  private static func joined(_ stem: String, _ suffix: String) -> String {
    String(decoding: stem.utf8.prefix(limit - suffix.utf8.count), as: UTF8.self) + suffix
  }

  /// Whether a name may have the byte.
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
