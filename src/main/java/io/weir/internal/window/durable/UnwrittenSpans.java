package io.weir.internal.window.durable;

import java.util.ArrayList;
import java.util.List;

/** The derived windows of a sensor that must be written. Not safe for several threads. */
public final class UnwrittenSpans<T extends DurableSpan> {
  private final List<T> spans = new ArrayList<>(1);

  /** Adds a new or changed one. */
  public void add(T span) {
    if (!span.markUnwritten()) {
      spans.add(span);
    }
  }

  /** Those that changed since their last write and were not removed. */
  public List<T> list() {
    return spans.stream().filter(span -> !span.dropped()).toList();
  }

  /** Marks all as written. */
  public void written() {
    spans.forEach(DurableSpan::written);
    spans.clear();
  }
}
