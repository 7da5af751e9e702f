import ClientCore
import Testing

@Suite("Kinds of files")
struct MediaTypeTests {
  @Test(
    "the type of a file is told by its first bytes",
    arguments: [
      ("\u{89}PNG\r\n", "image/png"), ("\u{FF}\u{D8}\u{FF}\u{E0}", "image/jpeg"), ("GIF89a", "image/gif"),
      ("RIFF....WEBP", "image/webp"), ("RIFF....WAVE", "audio/wav"), ("....ftypavif", "image/avif"),
      ("....ftypheic", "image/heic"), ("....ftypisom", "video/mp4"), ("....ftypqt  ", "video/quicktime"),
      ("....ftypM4A ", "audio/mp4"), ("\u{1A}E\u{DF}\u{A3}", "video/webm"), ("OggS", "audio/ogg"),
      ("fLaC", "audio/flac"),
      ("ID3", "audio/mpeg"), ("\u{FF}\u{FB}", "audio/mpeg"),
    ])
  func known(beginning: String, type: String) {
    #expect(MediaType.find(in: beginning.unicodeScalars.map { UInt8($0.value) }) == type)
  }

  @Test("other files have none", arguments: ["", "hello", "%PDF-1.7", "RIFF....AVI ", "\u{FF}", "\u{FF}\u{E0}"])
  func unknown(beginning: String) {
    #expect(MediaType.find(in: beginning.unicodeScalars.map { UInt8($0.value) }) == nil)
  }
}
