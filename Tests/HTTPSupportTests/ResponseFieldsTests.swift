import Dates
import HTTPSupport
import Testing

@Suite("What responses say about time")
struct ResponseFieldsTests {
  /// 2026-11-24 12:00:00 UTC.
  static let now = Instant(seconds: 1_795_521_600)

  private func fields(_ pairs: (String, String)...) -> ResponseFields {
    ResponseFields(pairs.map { (name: $0.0, value: Array($0.1.utf8)) }, now: Self.now)
  }

  private func seconds(_ instant: Instant?) -> Int64? { instant.map { $0.seconds - Self.now.seconds } }

  @Test(
    "dates of HTTP",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Tue, 24 Nov 2026 12:00:00 GMT", 1_795_521_600),
      ("Tuesday, 24-Nov-26 12:00:00 GMT", 1_795_521_600), ("0", nil), ("-1", nil), ("", nil),
      ("Sun, 31 Feb 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 24:49:37 GMT", nil), ("tomorrow", nil),
    ] as [(String, Int64?)])
  func dates(text: String, seconds: Int64?) {
    #expect(HTTPDate.parse(text, now: Self.now)?.seconds == seconds)
  }

  @Test("validators are kept byte for byte") func validators() {
    let fields = fields(("ETag", "W/\"a-gzip\""), ("LAST-MODIFIED", "yesterday"))
    #expect(fields.validators.entityTag == Array("W/\"a-gzip\"".utf8))
    #expect(fields.validators.lastModified == Array("yesterday".utf8))
    #expect(self.fields(("etag", "")).validators.isEmpty)
  }

  @Test(
    "freshness",
    arguments: [
      ([("Cache-Control", "public, max-age=600")], 600), ([("cache-control", "MAX-AGE = \"60\"")], 60),
      ([("Cache-Control", "no-cache, max-age=600")], 0), ([("Cache-Control", "max-age=-1")], nil),
      ([("Cache-Control", "max-age=99999999999999999999")], 7 * 86_400),
      // The server's clock is an hour behind.
      ([("Date", "Tue, 24 Nov 2026 11:00:00 GMT"), ("Expires", "Tue, 24 Nov 2026 11:10:00 GMT")], 600),
      ([("Expires", "Tue, 24 Nov 2026 12:10:00 GMT"), ("Cache-Control", "max-age=5")], 5),
      ([("Expires", "0")], nil), ([("Expires", "Thu, 01 Jan 1970 00:00:00 GMT")], nil), ([], nil),
    ] as [([(String, String)], Int64?)])
  func freshness(pairs: [(String, String)], seconds: Int64?) {
    let fields = ResponseFields(pairs.map { (name: $0.0, value: Array($0.1.utf8)) }, now: Self.now)
    #expect(self.seconds(fields.freshUntil) == seconds)
  }

  @Test(
    "when to ask again",
    arguments: [
      ("120", 120), (" 120 ", 120), ("Tue, 24 Nov 2026 12:02:00 GMT", 120), ("Tue, 24 Nov 2026 11:00:00 GMT", nil),
      ("-1", nil), ("soon", nil), ("99999999999999999999", 7 * 86_400),
    ] as [(String, Int64?)])
  func retry(text: String, seconds: Int64?) {
    #expect(self.seconds(fields(("Retry-After", text)).retryAfter) == seconds)
  }

  @Test("the charset of the media type") func charset() {
    #expect(fields(("Content-Type", "Text/XML ; Charset=\"ISO-8859-1\"; x=y")).charset == "iso-8859-1")
    #expect(fields(("Content-Type", "")).charset == nil && fields().charset == nil)
  }
}
