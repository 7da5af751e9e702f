internal import ClientCore
internal import UV

/// What a command is called by, so that asking twice does it once.
enum RequestID {
  /// A new one: 128 random bits in hexadecimal.
  static func make() throws(ClientFailure) -> String {
    do {
      return try UV.Process.randomBytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    } catch {
      throw ClientFailure(.failure, "the kernel gives no random bytes: \(error)")
    }
  }
}
