package io.weir.window.durable;

import java.util.ArrayList;
import java.util.List;

/** Spans of a sensor that are to be written. Not safe for several threads. */
public final class UnwrittenSpans<T extends DurableSpan> {
  private final List<T> spans = new ArrayList<>(1);

  /** It is new, or something of it changed. */
  public void add(T span) {
    if (!span.markUnwritten()) {
      spans.add(span);
    }
  }

  /** Those that changed since they were last written and are still kept. */
  public List<T> list() {
    return spans.stream().filter(span -> !span.dropped()).toList();
  }

  /** Says that all were written. */
  public void written() {
    spans.forEach(DurableSpan::written);
    spans.clear();
  }
}
