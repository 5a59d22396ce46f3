package io.weir.internal.window;

import java.util.ArrayList;
import java.util.List;

/** The closed spans with windows that the current batch amended, each once. Not thread-safe. */
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

  /** Emits all marked spans. */
  void emit(WindowSpec spec, WindowSink sink) {
    amended.forEach(each -> each.emit(spec, sink));
    amended.clear();
  }

  void clear() {
    amended.clear();
  }
}
