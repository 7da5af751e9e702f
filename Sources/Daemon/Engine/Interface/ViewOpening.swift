public import Dates
public import ViewState

/// The parameters with which a view opens.
public struct ViewOpening: Sendable {
  public var session: SessionKey
  public var layout: LayoutParameters
  /// The time zone that `layout.timeZone` names.
  public var zone: Zone
  public var viewport: ViewportParameters?
  /// True for Attach, whose client acknowledges frames; false for Watch.
  public var acknowledges: Bool
  /// True if the view only looks: what it shows moves no place and no reading position of its session, and counts as
  /// seen by nobody.
  public var onlyLooks: Bool
  /// The state of an ended view that the client claims to hold.
  public var resume: Resume?

  public init(
    session: SessionKey, layout: LayoutParameters, zone: Zone, viewport: ViewportParameters?, acknowledges: Bool,
    onlyLooks: Bool = false, resume: Resume? = nil
  ) {
    self.session = session
    self.layout = layout
    self.zone = zone
    self.viewport = viewport
    self.acknowledges = acknowledges
    self.onlyLooks = onlyLooks
    self.resume = resume
  }

  /// True if nothing of the view is kept: it only looks, or its session is ephemeral.
  var leavesNoTrace: Bool { onlyLooks || session.isEphemeral }
}
