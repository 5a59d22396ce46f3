package io.weir.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogLimitTest {
  private final Logger log = new LoggerContext().getLogger("rejects");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private long nowMs;

  @Test
  void manyRejects_areAFewLinesAMinute_ofWhichTheLastNamesTheMetric() {
    lines.start();
    log.addAppender(lines);
    LogLimit limit = new LogLimit(log, "weir_sink_rejects_total", () -> nowMs);
    for (int i = 0; i < 100_000; i++) {
      limit.warn("rejected {}: {}", i, "a reason");
    }
    assertThat(logged()).hasSize(LogLimit.LINES).startsWith("rejected 0: a reason");
    assertThat(logged().get(LogLimit.LINES - 1))
        .isEqualTo(
            "rejected 9: a reason; no more such lines for a minute, see weir_sink_rejects_total");

    nowMs = LogLimit.MINUTE_MS - 1;
    limit.warn("rejected {}", "x");
    assertThat(logged()).hasSize(LogLimit.LINES);
    nowMs = LogLimit.MINUTE_MS;
    limit.warn("rejected {}", "y");
    assertThat(logged()).hasSize(LogLimit.LINES + 1).endsWith("rejected y");
  }

  private List<String> logged() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }
}
