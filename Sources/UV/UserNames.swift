internal import CUV

extension Process {
  /// Returns a user's names from the user database: the login name, and the full name up to the first comma (empty if
  /// there is none). Returns nil for an unknown user.
  public static func userNames(of userID: UInt32) -> (name: String, fullName: String)? {
    let size = 256
    var name = [CChar](repeating: 0, count: size)
    var fullName = [CChar](repeating: 0, count: size)
    let status = unsafe name.withUnsafeMutableBufferPointer { name in
      unsafe fullName.withUnsafeMutableBufferPointer { fullName in
        unsafe cuv_user_names(userID, name.baseAddress, size, fullName.baseAddress, size)
      }
    }
    guard status == 0 else { return nil }
    let full = text(fullName).split(separator: ",", omittingEmptySubsequences: false).first.map { String($0) } ?? ""
    return (text(name), full)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
