import Dates
import Testing

@Suite("Instants in fixed formats")
struct InstantParsingTests {
  @Test(
    "Twitter's created_at is read and its offset honoured",
    arguments: [
      ("Wed Oct 10 20:19:24 +0000 2018", "2018-10-10T20:19:24Z"),
      ("Thu Oct 11 01:49:24 +0530 2018", "2018-10-10T20:19:24Z"),
      ("Wed Oct 10 12:19:24 -0800 2018", "2018-10-10T20:19:24Z"),
      ("Sat Feb 29 23:59:59 +0000 2020", "2020-02-29T23:59:59Z"),
      ("Sat Dec 31 23:59:60 +0000 2016", "2017-01-01T00:00:00Z"),
      ("Tue Mar 21 20:50:14 +0000 2006", "2006-03-21T20:50:14Z"),
    ])
  func twitter(input: String, expected: String) {
    #expect(Instant(twitter: Array(input.utf8))?.iso8601 == expected)
  }

  @Test(
    "text that is not in Twitter's format is refused",
    arguments: [
      "", "Wed Oct 10 20:19:24 +0000 201", "Wed Oct 10 20:19:24 +0000 20188", "Xyz Oct 10 20:19:24 +0000 2018",
      "Wed Okt 10 20:19:24 +0000 2018", "Wed Oct 32 20:19:24 +0000 2018", "Thu Feb 29 20:19:24 +0000 2018",
      "Wed Oct 10 24:19:24 +0000 2018", "Wed Oct 10 20:60:24 +0000 2018", "Wed Oct 10 20:19:61 +0000 2018",
      "Wed Oct 10 20:19:24 00000 2018", "Wed Oct 10 20:19:24 +0060 2018", "Wed Oct 10 20:19:24 +2400 2018",
      "Wed Oct 00 20:19:24 +0000 2018", "Wed Oct 10 2 :19:24 +0000 2018", "Wed Oct 10 20:19:24 +00:00 018",
      "Wed-Oct 10 20:19:24 +0000 2018", "Wed Oct 10 20.19:24 +0000 2018", "Wed Oct 10 20:19:24 +0000 ２",
    ])
  func notTwitter(input: String) { #expect(Instant(twitter: Array(input.utf8)) == nil) }

  @Test(
    "ISO 8601 is read with and without fraction, with every form of offset",
    arguments: [
      ("2018-10-10T20:19:24Z", "2018-10-10T20:19:24Z"), ("2018-10-10T20:19:24.000Z", "2018-10-10T20:19:24Z"),
      ("2022-11-08T03:07:14.123Z", "2022-11-08T03:07:14.123Z"),
      ("2022-11-08T03:07:14.1239999Z", "2022-11-08T03:07:14.123Z"),
      ("2022-11-08T03:07:14.5+01:00", "2022-11-08T02:07:14.500Z"),
      ("2022-11-08t03:07:14,05z", "2022-11-08T03:07:14.050Z"),
      ("2011-09-01 00:01:00 +0000", "2011-09-01T00:01:00Z"), ("2011-09-01T00:01:00-0330", "2011-09-01T03:31:00Z"),
      ("2011-09-01T00:01+02", "2011-08-31T22:01:00Z"), ("0001-01-01T00:00:00+00:01", "0000-12-31T23:59:00Z"),
      ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
      ("0000-02-29T00:00:00Z", "0000-02-29T00:00:00Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
    ])
  func iso8601(input: String, expected: String) {
    #expect(Instant(iso8601: Array(input.utf8))?.iso8601 == expected)
  }

  @Test(
    "text that is not ISO 8601, or lacks an offset, is refused",
    arguments: [
      "", "2018-10-10", "2018-10-10T20:19:24", "2018-10-10T20:19:24.Z", "2018-10-10T20:19:24ZZ",
      "2018-10-10T20:19:24+1",
      "2018-10-10T20:19:24+01:", "2018-10-10T20:19:24+01:6", "2018-10-10T20:19:24+01:60", "2018-13-10T20:19:24Z",
      "2018-02-29T20:19:24Z", "1900-02-29T20:19:24Z", "2018-10-10X20:19:24Z", "2018-10-10T20:19:2Z",
      "18-10-10T20:19:24Z",
      "2018-10-10T20:19:24 ", "2018-10-10T20:19:24  Z", "+2018-10-10T20:19:24Z", "2018-10-10T24:00:00Z",
      "２０１８-10-10T20:19:24Z",
    ])
  func notISO8601(input: String) { #expect(Instant(iso8601: Array(input.utf8)) == nil) }

  @Test("years beyond four digits are written with a sign")
  func farYears() {
    #expect(Instant(milliseconds: 253_402_300_800_000).iso8601 == "+010000-01-01T00:00:00Z")
    #expect(Instant(milliseconds: -62_167_219_200_001).iso8601 == "-000001-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: .min).iso8601 == "-292275055-05-16T16:47:04.192Z")
    #expect(Instant(milliseconds: .max).iso8601 == "+292278994-08-17T07:12:55.807Z")
  }

  @Test("every day of 400 years is written and read back")
  func days() {
    var day = Instant(iso8601: Array("1600-01-01T12:34:56.789Z".utf8))!
    for _ in 0..<146_097 {
      let text = Array(day.iso8601.utf8)
      #expect(Instant(iso8601: text) == day, "\(day.iso8601)")
      day = day.adding(milliseconds: 86_400_000)
    }
    #expect(day.iso8601 == "2000-01-01T12:34:56.789Z")
  }
}
