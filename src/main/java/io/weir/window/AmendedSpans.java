package io.weir.window;

import java.util.ArrayList;
import java.util.List;

/**
 * Closed spans that hold a window which the batch under way amended, each once, however many of its
 * windows were. Not safe for several threads.
 */
final class AmendedSpans {
  private final List<Amended<?>> amended = new ArrayList<>(0);

  private record Amended<T extends WideSpan>(WideSpans<T> series, T span) {
    void emit(WindowSpec spec, WindowSink sink) {
      span.unmarkAmended();
      series.emit(spec, span, CloseReason.AMENDED, sink);
    }
  }

  /** Marks a span, if it is closed. */
  <T extends WideSpan> void mark(WideSpans<T> series, T span) {
    if (span.closed() && !span.markAmended()) {
      amended.add(new Amended<>(series, span));
    }
  }

  /** Emits all, each as it is. */
  void emit(WindowSpec spec, WindowSink sink) {
    amended.forEach(each -> each.emit(spec, sink));
    amended.clear();
  }

  void clear() {
    amended.clear();
  }
}
