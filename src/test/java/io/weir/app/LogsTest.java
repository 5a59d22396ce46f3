package io.weir.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.weir.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogsTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger logger = context.getLogger("io.weir.app.Something");

  @Test
  void line_isOneObject_whateverItSays() throws IOException {
    String odd = "quote \" backslash \\ line\nbreak tab\t bell \u0007 \u00fc \ud83d\ude00 {} %d";
    Map<String, String> line = JsonFields.of(encode(odd, null));

    assertThat(line)
        .containsEntry("/level", "WARN")
        .containsEntry("/loggerName", "io.weir.app.Something")
        .containsEntry("/formattedMessage", odd)
        .containsKey("/timestamp")
        .containsKey("/threadName");
  }

  @Test
  void throwable_standsInTheSameLine_withItsCauses() throws IOException {
    Throwable cause = new IOException("the \"disk\" is full");
    String line = encode("broken", new IllegalStateException("cannot\nwrite", cause));

    assertThat(JsonFields.of(line))
        .containsEntry("/throwable/cause/message", "the \"disk\" is full");
    assertThat(line).contains("IllegalStateException", "LogsTest").doesNotContain("rawMessage");
  }

  @Test
  void level_isGivenToTheLoggersOfThatName_andTheOthersStay() {
    Logger weir = context.getLogger("io.weir");
    Logger kafka = context.getLogger("org.apache.kafka");
    Level weirBefore = weir.getLevel();
    Level kafkaBefore = kafka.getLevel();
    try {
      Logs.use(new LogSettings(LogFormat.PLAIN, Optional.of("TRACE"), Optional.empty()));

      assertThat(logger.getEffectiveLevel()).isEqualTo(Level.TRACE);
      assertThat(kafka.getLevel()).isEqualTo(kafkaBefore);
      assertThat(Logs.isLevelGiven()).isTrue();
    } finally {
      weir.setLevel(weirBefore);
    }
  }

  private String encode(String message, Throwable throwable) {
    LoggingEvent event =
        new LoggingEvent(
            LogsTest.class.getName(), logger, Level.WARN, "{}", throwable, new Object[] {message});
    String line = new String(Logs.json(context).encode(event), StandardCharsets.UTF_8);
    assertThat(line).endsWith("\n");
    assertThat(line.strip()).doesNotContain("\n");
    return line;
  }
}
