/// The MIME types of pictures, videos and sounds, told by how their files begin.
public enum MediaType {
  /// The bytes that tell it.
  public static let beginningBytes = 12

  /// Returns the type of a file; nil if it is none that posts have.
  public static func find(in file: [UInt8]) -> String? {
    func has(_ text: String, at position: Int = 0) -> Bool {
      file.dropFirst(position).starts(with: text.unicodeScalars.map { UInt8($0.value) })
    }
    for (beginning, type) in beginnings where has(beginning) { return type }
    if has("RIFF") { return has("WEBP", at: 8) ? "image/webp" : has("WAVE", at: 8) ? "audio/wav" : nil }
    guard has("ftyp", at: 4) else { return isMPEGAudio(file) ? "audio/mpeg" : nil }
    // ISO/IEC 14496-12: the brand says which kind of file it is.
    for (brand, type) in brands where has(brand, at: 8) { return type }
    return "video/mp4"
  }

  private static let beginnings = [
    ("\u{89}PNG", "image/png"), ("\u{FF}\u{D8}\u{FF}", "image/jpeg"), ("GIF8", "image/gif"),
    ("\u{1A}\u{45}\u{DF}\u{A3}", "video/webm"), ("OggS", "audio/ogg"), ("fLaC", "audio/flac"), ("ID3", "audio/mpeg"),
  ]

  private static let brands = [
    ("avif", "image/avif"), ("heic", "image/heic"), ("heix", "image/heic"), ("mif1", "image/heif"),
    ("qt  ", "video/quicktime"), ("M4A ", "audio/mp4"),
  ]

  /// True for a frame of MPEG audio without tags before it: eleven set bits, then a version and a layer.
  private static func isMPEGAudio(_ file: [UInt8]) -> Bool {
    file.count >= 2 && file[0] == 0xFF && file[1] & 0xE0 == 0xE0 && file[1] & 0x06 != 0
  }
}
