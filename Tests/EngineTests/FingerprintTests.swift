import Testing

@testable import Engine

@Suite("Fingerprints")
struct FingerprintTests {
  /// Appendix A of the paper and the vectors of its reference code: key 00 01 … 0f, input 00 01 … of each length.
  @Test(
    "match SipHash-2-4",
    arguments: [
      (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (7, 0xAB02_00F5_8B01_D137), (8, 0x93F5_F579_9A93_2462),
      (15, 0xA129_CA61_49BE_45E5), (16, 0x3F2A_CC7F_57C2_9BDB), (63, 0x958A_324C_EB06_4572),
    ] as [(Int, UInt64)])
  func vectors(length: Int, expected: UInt64) {
    let fingerprint = Fingerprint(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    #expect(fingerprint.of((0..<length).map { UInt8($0) }) == expected)
  }
}
