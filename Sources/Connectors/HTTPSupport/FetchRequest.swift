/// A document to be fetched.
public struct FetchRequest: Sendable {
  public var url: WebURL
  /// The validators to send, byte for byte; empty for an unconditional request.
  public var validators: ResponseFields.Validators
  /// True if the address may be of this machine or of a private network.
  public var allowsPrivateAddresses: Bool
  /// The most bytes of the body, decoded.
  public var byteLimit: Int

  /// The most bytes of a body unless a request says otherwise: 15 MiB.
  public static let usualByteLimit = 15 << 20

  public init(
    _ url: WebURL, validators: ResponseFields.Validators = ResponseFields.Validators(),
    allowsPrivateAddresses: Bool = false, byteLimit: Int = FetchRequest.usualByteLimit
  ) {
    self.url = url
    self.validators = validators
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.byteLimit = byteLimit
  }
}

/// A response, whatever its status, at the end of redirects.
public struct FetchResponse: Sendable {
  public var status: Int
  /// The header fields of the last response, in order.
  public var fields: [(name: String, value: [UInt8])]
  /// The body, decoded.
  public var body: [UInt8]
  /// The address that answered.
  public var url: WebURL
  /// The address to which the document has moved for good: where the first redirects lead that are permanent (301,
  /// 308); nil if there was none.
  public var movedTo: WebURL?
  /// The numeric network address of the host that was asked, before redirects.
  public var address: String

  public init(
    status: Int, fields: [(name: String, value: [UInt8])], body: [UInt8] = [], url: WebURL, movedTo: WebURL? = nil,
    address: String = ""
  ) {
    (self.status, self.fields, self.body, self.url, self.movedTo) = (status, fields, body, url, movedTo)
    self.address = address
  }
}

/// The reason why there is no response.
public struct FetchFailure: Error, Equatable, Sendable {
  /// A clause for a person.
  public let reason: String
  /// The numeric network address of the host that was asked, before redirects; empty if it was not reached.
  public let address: String

  public init(_ reason: String, address: String = "") { (self.reason, self.address) = (reason, address) }
}
