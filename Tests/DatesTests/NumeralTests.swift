import Testing

@testable import Dates

@Suite("Numerals and calendar days")
struct NumeralTests {
  @Test("digits follow the locale's zero; the sign is unchanged")
  func digits() {
    let latin = Numerals(zero: "0") { _ in .other }
    #expect(
      [latin.text(7), latin.text(7, digits: 3), latin.text(-12), latin.text(2024, digits: 2)] == [
        "7", "007", "-12", "2024",
      ])
    let arabic = Numerals(zero: "\u{660}") { $0 == 1 ? .one : .other }
    #expect(arabic.text(1090) == "\u{661}\u{660}\u{669}\u{660}")
    #expect(arabic.plural(1) == .one && arabic.plural(2) == .other)
  }

  @Test("the first day of a month matches its date")
  func firstDays() {
    for year in [-401, 0, 1600, 1900, 1970, 2000, 2024, 9999] {
      for month in 1...12 {
        let day = GregorianCalendar.firstDay(ofMonth: month, of: year)
        #expect(GregorianCalendar.days(year: year, month: month, day: 1) == day)
        #expect(GregorianCalendar.civil(days: day) == (year, month, 1))
      }
    }
    #expect(GregorianCalendar.firstDay(ofMonth: 1, of: 1970) == 0)
  }
}
