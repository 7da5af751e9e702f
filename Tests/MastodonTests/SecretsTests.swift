import Testing

@testable import Mastodon

@Suite("Secrets")
struct SecretsTests {
  @Test("they survive being written, and nothing else is read") func file() {
    var secrets = Secrets()
    #expect(Secrets(secrets.bytes) == secrets)
    secrets.applications["a.example"] = Secrets.Application(id: "1", secret: "\"x\"\n", scopes: "read")
    secrets.tokens["ann@a.example"] = Secrets.Token(server: "https://a.example/", token: "t")
    #expect(Secrets(secrets.bytes) == secrets)
    for text in ["", "[]", "{", #"{"tokens":{"a":{"server":"x"}}}"#, #"{"applications":{"a":7}}"#] {
      #expect(Secrets(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
