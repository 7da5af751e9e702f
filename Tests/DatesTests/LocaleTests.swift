@testable import Dates
import TestSupport
import Testing

@Suite("Labels in other languages")
struct LocaleTests {
  @Test("whole numbers have the plural categories of CLDR's samples")
  func plurals() throws {
    var numbers = 0
    for sample in pluralSamples {
      let table = Locale.lookup(sample.locale).locale.table
      #expect(table.tag == sample.locale)
      for part in sample.numbers.split(separator: " ") {
        let ends = part.split(separator: "~").map { Int64($0)! }
        for number in ends[0]...ends[ends.count - 1] {
          #expect("\(table.numerals.plural(number))" == sample.category, "\(sample.locale): \(number)")
          numbers += 1
        }
      }
    }
    #expect(Set(pluralSamples.map(\.locale)) == Set(Locale.all.map(\.tag)))
    #expect(numbers > 400)
  }

  @Test(
    "a tag finds the locale of its language, or falls back to English",
    arguments: [
      ("", "en", false), ("en", "en", false), ("en-GB", "en", false), ("de", "de", false), ("DE-at", "de", false),
      ("pt-BR", "pt", false),
      ("pt-PT-x-mine", "pt", false), ("de-Latn-CH-1996-u-co-phonebk", "de", false), ("zh", "zh", false),
      ("zh-CN", "zh", false),
      ("zh-Hans-SG", "zh", false), ("zh-TW", "zh-Hant", false), ("zh-hant-hk", "zh-Hant", false),
      ("zh_HK", "zh-Hant", false),
      ("iw", "he", false), ("iw-IL", "he", false), ("deu-AT", "de", false), ("cmn-TW", "zh-Hant", false),
      ("de_DE.UTF-8", "de", false),
      ("fr_FR@euro", "fr", false), ("tlh", "en", true), ("xx-Latn-DE", "en", true), ("d", "en", true),
      ("C.UTF-8", "en", true),
      ("dede", "en", true), ("und", "en", true), ("-", "en", false), ("\u{0}", "en", true), ("日本語", "en", true),
      (String(repeating: "de-", count: 100_000), "de", false), (String(repeating: "x", count: 100_000), "en", true),
    ] as [(String, String, Bool)])
  func lookup(tag: String, expected: String, isFallback: Bool) {
    let found = Locale.lookup(tag)
    #expect(found.locale.tag == expected)
    #expect(found.isFallback == isFallback)
  }

  @Test("every locale's tag finds that locale", arguments: Locale.all)
  func itself(locale: Locale) {
    #expect(Locale.lookup(locale.tag) == (locale, false))
    #expect(Locale.lookup(locale.tag.uppercased()) == (locale, false))
  }

  @Test(
    "words: distances rounded to the unit",
    arguments: [
      ("de", 0, "jetzt"), ("de", 29, "jetzt"), ("de", 30, "vor 1 Minute"), ("de", 90, "vor 2 Minuten"),
      ("de", 2670, "vor 1 Stunde"),
      ("de", 5370, "vor 2 Stunden"), ("de", 86_369, "vor 24 Stunden"), ("de", 86_370, "vor 1 Tag"),
      ("de", 151_170, "vor 2 Tagen"),
      ("de", 30 * 86_400, "vor 1 Monat"), ("de", 45 * 86_400, "vor 2 Monaten"), ("de", 364 * 86_400, "vor 12 Monaten"),
      ("de", 365 * 86_400, "vor 1 Jahr"), ("de", 540 * 86_400, "vor 1 Jahr"), ("de", 550 * 86_400, "vor 2 Jahren"),
      ("de", 700 * 86_400, "vor 2 Jahren"), ("de", -31, "in 1 Minute"), ("de", -30, "jetzt"),
      ("de", -3 * 86_400, "in 3 Tagen"),
      ("es", 7200, "hace 2 horas"), ("es", -7200, "dentro de 2 horas"), ("fr", 86_400, "il y a 1 jour"),
      ("fr", 172_800, "il y a 2 jours"),
      ("fr", -86_400, "dans 1 jour"), ("ru", 60, "1 минуту назад"), ("ru", 180, "3 минуты назад"),
      ("ru", 300, "5 минут назад"),
      ("ru", 660, "11 минут назад"), ("ru", 1260, "21 минуту назад"), ("ru", -1320, "через 22 минуты"),
      ("pl", 60, "1 minutę temu"),
      ("pl", 120, "2 minuty temu"), ("pl", 300, "5 minut temu"), ("pl", 720, "12 minut temu"),
      ("pl", 1320, "22 minuty temu"),
      ("ar", 60, "قبل دقيقة واحدة"), ("ar", 120, "قبل دقيقتين"), ("ar", 300, "قبل ٥ دقائق"),
      ("ar", 660, "قبل ١١ دقيقة"),
      ("ar", 10 * 86_400, "قبل ١٠ أيام"), ("ar", 11 * 86_400, "قبل ١١ يومًا"), ("he", 3600, "לפני שעה"),
      ("he", 7200, "לפני שעתיים"),
      ("he", 10_800, "לפני 3 שעות"), ("he", 86_400, "לפני יום 1"), ("hi", 300, "5 मिनट पहले"), ("hi", 7200, "2 घंटे पहले"),
      ("ja", 300, "5 分前"), ("ja", 7200, "2 時間前"), ("ja", -172_800, "2 日後"), ("zh", 300, "5分钟前"), ("zh", 7200, "2小时前"),
      ("zh-Hant", 300, "5 分鐘前"), ("en", 7200, "about 2 hours ago"),
    ] as [(String, Int64, String)])
  func words(tag: String, seconds: Int64, expected: String) {
    #expect(text(tag, secondsAgo: seconds, .words) == expected)
  }

  @Test(
    "very short: the narrowest relative times, never calendar words, then the date",
    arguments: [
      ("de", 9, "jetzt"), ("de", 12, "vor 12 s"), ("de", 300, "vor 5 m"), ("de", 10_800, "vor 3 Std."),
      ("de", 86_400, "vor 1 Tag"),
      ("de", 8 * 86_400, "29. Mai"), ("de", 200 * 86_400, "19. Nov. 2023"), ("de", -300, "in 5 m"),
      ("es", 300, "hace 5 min"),
      ("es", 8 * 86_400, "29 may"), ("fr", 300, "-5 min"), ("fr", 8 * 86_400, "29 mai"),
      ("fr", 200 * 86_400, "19 nov. 2023"),
      ("ru", 8 * 86_400, "29 мая"), ("ru", 200 * 86_400, "19 нояб. 2023 г."), ("pl", 8 * 86_400, "29 maj"),
      ("ar", 8 * 86_400, "٢٩ مايو"),
      ("ar", 200 * 86_400, "١٩ نوفمبر ٢٠٢٣"), ("he", 86_400, "לפני יום 1"), ("he", -86_400, "בעוד יום 1"),
      ("he", 8 * 86_400, "29 במאי"),
      ("hi", 8 * 86_400, "29 मई"), ("ja", 300, "5分前"), ("ja", 8 * 86_400, "5月29日"), ("ja", 200 * 86_400, "2023年11月19日"),
      ("zh", 8 * 86_400, "5月29日"), ("zh-Hant", 300, "5 分鐘前"), ("en", 300, "5m"),
    ] as [(String, Int64, String)])
  func veryShort(tag: String, seconds: Int64, expected: String) {
    #expect(text(tag, secondsAgo: seconds, .veryShort) == expected)
  }

  @Test(
    "dates, times and days follow the language's conventions",
    arguments: [
      ("de", "06.06.24", "Donnerstag, 6. Juni 2024 um 15:05:09", "15:05", "gestern", "Donnerstag"),
      ("es", "6/6/24", "jueves, 6 de junio de 2024, 15:05:09", "15:05", "ayer", "Jueves"),
      ("fr", "06/06/2024", "jeudi 6 juin 2024 à 15:05:09", "15:05", "hier", "Jeudi"),
      ("ru", "06.06.2024", "четверг, 6 июня 2024 г., 15:05:09", "15:05", "Вчера", "Четверг"),
      ("pl", "6.06.2024", "czwartek, 6 czerwca 2024 15:05:09", "15:05", "Wczoraj", "Czwartek"),
      ("ar", "٦\u{200F}/٦\u{200F}/٢٠٢٤", "الخميس، ٦ يونيو ٢٠٢٤ في ٣:٠٥:٠٩ م", "٣:٠٥ م", "أمس", "الخميس"),
      ("he", "6.6.2024", "יום חמישי, 6 ביוני 2024 בשעה 15:05:09", "15:05", "אתמול", "יום חמישי"),
      ("hi", "6/6/24", "गुरुवार, 6 जून 2024 को 3:05:09 pm", "3:05 pm", "कल", "गुरुवार"),
      ("ja", "2024/06/06", "2024年6月6日木曜日 15:05:09", "15:05", "昨日", "木曜日"),
      ("zh", "2024/6/6", "2024年6月6日星期四 15:05:09", "15:05", "昨天", "星期四"),
      ("pt", "06/06/2024", "quinta-feira, 6 de junho de 2024 15:05:09", "15:05", "Ontem", "Quinta-feira"),
      ("en", "6/6/24", "Thursday, June 6, 2024 at 3:05:09 PM", "3:05 PM", "Yesterday", "Thursday"),
    ] as [(String, String, String, String, String, String)])
  func dates(tag: String, short: String, long: String, time: String, yesterday: String, weekday: String) {
    let post = instant("2024-06-06T15:05:09Z")
    func text(_ style: LabelStyle, _ days: Int64) -> String {
      label(
        for: post, now: post.adding(milliseconds: days * 86_400_000), zone: .utc, style: style,
        locale: Locale.lookup(tag).locale
      ).text
    }
    #expect(text(.short, 0) == short)
    #expect(text(.long, 0) == long)
    #expect([text(.clock, 0), text(.clock, 1), text(.clock, 3)] == [time, yesterday, weekday])
    #expect([text(.day, 1), text(.day, 3)] == [yesterday, weekday])
  }

  @Test("the halves of a day begin at midnight and noon in every hour format")
  func halves() {
    let table = LocaleTable.en
    func text(_ pattern: String, _ hour: Int) -> String {
      table.text(pattern, CivilTime(date: CivilDate(daysSinceEpoch: 0), millisecondOfDay: hour * 3_600_000 + 61_000))
    }
    #expect(
      [0, 1, 11, 12, 13, 23].map { text("h:mm:ss a", $0) } == [
        "12:01:01 AM", "1:01:01 AM", "11:01:01 AM", "12:01:01 PM", "1:01:01 PM", "11:01:01 PM",
      ])
    #expect([0, 11, 12, 23].map { text("aK'h'mm", $0) } == ["AM0h01", "AM11h01", "PM0h01", "PM11h01"])
    #expect([0, 12, 23].map { text("kk HH H k", $0) } == ["24 00 0 24", "12 12 12 12", "23 23 23 23"])
  }

  @Test("no label contains a control, a line break or a bidi control", arguments: Locale.all)
  func harmless(locale: Locale) {
    var random = SeededGenerator(seed: 1)
    for style in labelStyles {
      for _ in 0..<200 {
        let now = Instant(milliseconds: .random(in: 1_000_000_000_000...2_000_000_000_000, using: &random))
        let post = now.adding(milliseconds: .random(in: -100_000_000_000...100_000_000_000, using: &random))
        let text = label(for: post, now: now, zone: .utc, style: style, locale: locale).text
        let isHarmful = text.unicodeScalars.contains {
          switch $0.value {
          case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
          default: false
          }
        }
        #expect(!isHarmful && !text.isEmpty && !text.contains("{") && !text.contains("'"), "\(text)")
      }
    }
  }

  @Test(
    "in every locale, a label and its wording stay the same until the next change and differ then",
    arguments: Locale.all)
  func law(locale: Locale) throws {
    let seed: UInt64 = 2011
    var random = SeededGenerator(seed: seed)
    let zones = try zoneNames.map { try zone($0) }
    for style in labelStyles {
      for _ in 0..<(triesAllSeeds ? 150 : 30) {
        let zone = zones.randomElement(using: &random)!
        let now = delicateInstant(in: zone, using: &random)
        let distance = Int64.random(in: 0...(1 << Int64.random(in: 4...41, using: &random)), using: &random)
        let post = now.adding(milliseconds: Int.random(in: 0..<4, using: &random) == 0 ? distance : -distance)
        try checkChange(of: post, now: now, zone: zone, style: style, locale: locale, seed: seed, using: &random)
      }
    }
  }

  private func text(_ tag: String, secondsAgo: Int64, _ style: LabelStyle) -> String {
    let now = instant("2024-06-06T12:00:00Z")
    let post = now.adding(milliseconds: -1000 * secondsAgo)
    return label(for: post, now: now, zone: .utc, style: style, locale: Locale.lookup(tag).locale).text
  }
}
