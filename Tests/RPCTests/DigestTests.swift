import Codecs
import Testing

@Suite("SHA-1 and SHA-256")
struct DigestTests {
  private func hexadecimal(_ digest: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }

  @Test(
    "match the examples of FIPS 180-4",
    arguments: [
      (
        "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      ),
      (
        "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      ),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(message: String, sha1: String, sha256: String) {
    #expect(hexadecimal(SHA1.digest(of: Array(message.utf8))) == sha1)
    #expect(hexadecimal(SHA256.digest(of: Array(message.utf8))) == sha256)
  }

  /// Compares the digest of the digests of messages of 0 to 299 bytes with Python's hashlib.
  @Test("pad messages of every length correctly") func lengths() {
    let messages = (0..<300).map { length in (0..<length).map { UInt8($0 % 251) } }
    let (first, second) = (messages.flatMap(SHA1.digest), messages.flatMap(SHA256.digest))
    #expect(hexadecimal(SHA1.digest(of: first)) == "415cea6bc6991763c99ec16eb06ad992a955e73f")
    #expect(
      hexadecimal(SHA256.digest(of: second)) == "fa70b867db0a30acb7218d62945db0df52eb393808b30675ea9aac6b058a9a9d")
  }
}
