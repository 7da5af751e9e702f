import Dates
import Testing

@testable import Feeds

/// Writes instants as gofeed's tests do.
enum FeedDateText {
  static func iso(_ instant: Instant) -> String {
    let seconds = instant.seconds
    let date = CivilDate(daysSinceEpoch: Int((seconds - ((seconds % 86_400) + 86_400) % 86_400) / 86_400))
    let rest = Int(((seconds % 86_400) + 86_400) % 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(date.year)-\(two(date.month))-\(two(date.day))T\(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60))Z"
  }
}

@Suite("Dates in feeds")
struct FeedDateTests {
  @Test(
    "standards, and what people write",
    arguments: [
      ("Thu, 01 Jan 2004 19:48:21 GMT", "2004-01-01T19:48:21Z"),
      ("Thu, 01 Jan 04 19:48:21 EST", "2004-01-02T00:48:21Z"),
      ("Thu, 1 Jan 2004 19:48 +0200", "2004-01-01T17:48:00Z"), ("1 Jan 99 00:00:00 PDT", "1999-01-01T07:00:00Z"),
      ("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z"), ("2003-12-31T10:14:55.123-08:00", "2003-12-31T18:14:55Z"),
      ("2003-12-31", "2003-12-31T00:00:00Z"), ("2003-12", "2003-12-01T00:00:00Z"), ("2003", "2003-01-01T00:00:00Z"),
      ("20031231", "2003-12-31T00:00:00Z"), ("2003-12-31 10:14:55", "2003-12-31T10:14:55Z"),
      ("Thu Jan  1 19:48:21 2004", "2004-01-01T19:48:21Z"), ("Thu Jan 1 19:48:21 PST 2004", "2004-01-02T03:48:21Z"),
      ("Thursday, 01-Jan-04 19:48:21 GMT", "2004-01-01T19:48:21Z"), ("2-Jan-2004", "2004-01-02T00:00:00Z"),
      ("January 2nd, 2004 3:04 pm", "2004-01-02T15:04:00Z"), ("Jan 2, 2004, 12:04AM", "2004-01-02T00:04:00Z"),
      ("Mon, 02 Jan 2006 15:04:05+0200", "2006-01-02T13:04:05Z"),
      ("02 Jan 2006 15:04:05 GMT+2", "2006-01-02T13:04:05Z"),
      ("Mon Jan 02 2006 15:04:05 GMT-0700 (MST)", "2006-01-02T22:04:05Z"), ("Jan 2006", "2006-01-01T00:00:00Z"),
      ("Sun, 06 Jul 2014 24:00:00 GMT", "2014-07-07T00:00:00Z"), ("29 Feb 2024 10:00 CET", "2024-02-29T09:00:00Z"),
    ])
  func valid(text: String, instant: String) {
    #expect(FeedDate.parse(Array(text.utf8)).map(FeedDateText.iso) == instant)
  }

  @Test(
    "other texts, and dates that do not exist",
    arguments: [
      "", "soon", "yesterday", "1/2/2004", "30 Feb 2004 10:00 GMT", "2004-13-01", "Thu, 01 Jan 2004 25:00:00 GMT",
      "Jan Feb 2004", "12345678901234567890", "Thu, 01 Jan 2004 19:48:21 +9999", "99999", "<b>1 Jan 2004</b>",
    ])
  func invalid(text: String) { #expect(FeedDate.parse(Array(text.utf8)) == nil) }
}
