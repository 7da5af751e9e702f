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
    for token in ["", "a\r\nHost: b", "a b", "ä", String(repeating: "t", count: 4_097)] {
      secrets.tokens["ann@a.example"]?.token = token
      #expect(Secrets(secrets.bytes) == nil, "a token is part of a header field")
    }
    secrets.tokens["ann@a.example"] = Secrets.Token(
      server: "https://a.example/", token: "t0k3n", id: "", secret: "", command: "pass show \"a\"")
    #expect(!String(decoding: secrets.bytes, as: UTF8.self).contains("t0k3n"), "the command has it")
    secrets.tokens["ann@a.example"]?.token = ""
    #expect(Secrets(secrets.bytes) == secrets)
    // A version that knows no commands reads "tokens" alone.
    #expect(String(decoding: secrets.bytes, as: UTF8.self).hasPrefix(#"{"commands":{"ann@a.example""#))
    secrets.unconfirmed = secrets.tokens
    #expect(Secrets(secrets.bytes) == secrets)
    for text in [
      "", "[]", "{", #"{"tokens":{"a":{"server":"x"}}}"#, #"{"tokens":{"a":7}}"#,
      #"{"tokens":{"a":{"server":"x","command":"c"}}}"#, #"{"commands":{"a":{"server":"x","token":"t"}}}"#,
    ] {
      #expect(Secrets(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
