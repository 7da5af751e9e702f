import Testing

@testable import Mastodon

@Suite("Secrets")
struct SecretsTests {
  @Test("they survive being written, and nothing else is read") func file() {
    var secrets = Secrets()
    #expect(Secrets(secrets.bytes) == secrets)
    secrets.tokens["ann@a.example"] = Secrets.Token(
      server: "https://a.example/", token: "t", id: "1", secret: "\"x\"\n")
    #expect(Secrets(secrets.bytes) == secrets)
    for text in ["", "[]", "{", #"{"tokens":{"a":{"server":"x"}}}"#, #"{"tokens":{"a":7}}"#] {
      #expect(Secrets(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
