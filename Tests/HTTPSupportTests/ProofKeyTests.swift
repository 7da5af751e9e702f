import HTTPSupport
import Testing

@Suite("Proof keys")
struct ProofKeyTests {
  @Test("RFC 7636, appendix B") func example() {
    let key = ProofKey(randomBytes: [
      116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191, 240,
      91, 88, 5,
      88, 83, 132, 141, 121,
    ])
    #expect(key.verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }
}
