package import HTTPSupport

/// A response to a request for a feed, or a reason why there is none.
package struct FeedResponse: Sendable {
  /// The status; 0 if there was no response.
  var status: Int
  var fields: [(name: String, value: [UInt8])]
  var body: [UInt8]
  /// The address that answered.
  var url: WebURL?
  /// The address to which the feed has moved for good.
  var movedTo: WebURL?
  /// The numeric network address of the host.
  var address: String
  /// Why there is no response, as a clause; empty if there is one.
  var failure: String

  /// A response.
  package init(
    status: Int, fields: [(name: String, value: [UInt8])], body: [UInt8], url: WebURL, movedTo: WebURL?,
    address: String
  ) {
    (self.status, self.fields, self.body, self.url, self.movedTo) = (status, fields, body, url, movedTo)
    (self.address, self.failure) = (address, "")
  }

  /// No response.
  package init(failure: String, address: String) {
    (status, fields, body) = (0, [], [])
    (self.address, self.failure) = (address, failure)
  }
}
