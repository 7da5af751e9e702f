import HTTPSupport
import Testing

@Suite("Forms")
struct FormFieldsTests {
  @Test("fields are percent-encoded, and read back") func fields() {
    let text = FormFields.encode([("a", "x y&z"), ("types[]", "ä=%\u{1}"), ("-._*", "")])
    #expect(text == "a=x%20y%26z&types%5B%5D=%C3%A4%3D%25%01&-._*=")
    #expect(FormFields.value("a", in: text) == "x y&z" && FormFields.value("types[]", in: text) == "ä=%\u{1}")
    #expect(FormFields.value("-._*", in: text) == "" && FormFields.value("b", in: text) == nil)
    #expect(FormFields.value("q", in: "q=a+b%2") == "a b%2" && FormFields.value("q", in: "q") == "")
  }
}
