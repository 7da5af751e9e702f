@testable import Services
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  private func hexadecimal(_ message: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(SHA256.digest(of: message).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  @Test(
    "matches the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(message: String, digest: String) { #expect(hexadecimal(Array(message.utf8)) == digest) }

  /// Compares the digest of the digests of messages of 0 to 299 bytes with Python's hashlib.
  @Test("pads messages of every length correctly") func lengths() {
    let digests = (0..<300).flatMap { length in SHA256.digest(of: (0..<length).map { UInt8($0 % 251) }) }
    #expect(hexadecimal(digests) == "fa70b867db0a30acb7218d62945db0df52eb393808b30675ea9aac6b058a9a9d")
  }
}
