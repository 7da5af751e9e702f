public enum LabelStyle: Sendable { case words, veryShort, short, long }
public func label(for instant: Instant, now: Instant, zone: Zone, style: LabelStyle) -> (text: String, nextChange: Instant?) {
  let s = (now.seconds - instant.seconds) / 60
  return ("\(s)m", Instant(seconds: instant.seconds + (s + 1) * 60))
}
