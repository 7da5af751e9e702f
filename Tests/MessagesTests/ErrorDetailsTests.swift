import Messages
import Testing

@Suite("Error details")
struct ErrorDetailsTests {
  @Test("round-trip")
  func roundTrip() throws {
    var details = ErrorDetails(code: 3, message: "there is no zone Mars", reason: "INVALID_FIELD")
    #expect(try ErrorDetails(decoding: details.encoded()) == details)
    details.metadata = ["limit": "64", "given": "70"]
    details.fieldViolations = [
      ErrorDetails.FieldViolation(field: "layout.time_zone", description: "there is no zone Mars")
    ]
    details.retryDelayMilliseconds = 1250
    #expect(try ErrorDetails(decoding: details.encoded()) == details)
  }

  @Test("are the bytes of google.rpc.Status")
  func bytes() {
    var details = ErrorDetails(code: 14, message: "stop", reason: "STOPPING")
    details.retryDelayMilliseconds = 1500
    let info = [0x0A, 8] + Array("STOPPING".utf8) + [0x12, 5] + Array("stack".utf8)
    let retry: [UInt8] = [0x0A, 8, 0x08, 1, 0x10, 0x80, 0xCA, 0xB5, 0xEE, 0x01]
    func any(_ type: String, _ value: [UInt8]) -> [UInt8] {
      let url = Array("type.googleapis.com/google.rpc.\(type)".utf8)
      let body = [0x0A, UInt8(url.count)] + url + [0x12, UInt8(value.count)] + value
      return [0x1A, UInt8(body.count)] + body
    }
    let expected = [0x08, 14, 0x12, 4] + Array("stop".utf8) + any("ErrorInfo", info) + any("RetryInfo", retry)
    #expect(details.encoded() == expected)
  }

  @Test("of other types and domains are skipped, and retry delays are capped at a day")
  func foreign() throws {
    func any(_ url: String, _ value: [UInt8]) -> [UInt8] {
      let body = [0x0A, UInt8(url.utf8.count)] + Array(url.utf8) + [0x12, UInt8(value.count)] + value
      return [0x1A, UInt8(body.count)] + body
    }
    let other = any("type.googleapis.com/google.rpc.Help", [0xFF])
    let domain = any("type.googleapis.com/google.rpc.ErrorInfo", [0x0A, 1, 0x41, 0x12, 1, 0x42])
    #expect(try ErrorDetails(decoding: [0x08, 5] + other + domain) == ErrorDetails(code: 5, message: "", reason: ""))
    let long = any(
      "type.googleapis.com/google.rpc.RetryInfo", [0x0A, 10, 0x08] + [UInt8](repeating: 0xFF, count: 8) + [0x7F])
    #expect(try ErrorDetails(decoding: long).retryDelayMilliseconds == 86_400_000)
    #expect(throws: DecodingFailure.self) {
      try ErrorDetails(decoding: any("type.googleapis.com/google.rpc.ErrorInfo", [0xFF]))
    }
  }
}
