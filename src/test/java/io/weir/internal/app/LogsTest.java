package io.weir.internal.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import io.weir.JsonFields;
import io.weir.internal.text.Printable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogsTest {
  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
  private final Logger logger = context.getLogger("io.weir.internal.app.Something");

  @Test
  void line_isOneObject_whateverItSays() throws IOException {
    String odd = "quote \" backslash \\ line\nbreak tab\t bell \u0007 \u00fc \ud83d\ude00 {} %d";
    Map<String, String> line = JsonFields.of(encode(odd, null));

    assertThat(line)
        .containsEntry("/level", "WARN")
        .containsEntry("/loggerName", "io.weir.internal.app.Something")
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
  void formsOfLogServices_haveTheirFields() throws IOException {
    Throwable cause = new IOException("the disk is full");
    Map<String, String> ecs = JsonFields.of(encode(LogFormat.ECS, "broken\nline", cause));
    assertThat(ecs)
        .containsEntry("/log.level", "WARN")
        .containsEntry("/log.logger", "io.weir.internal.app.Something")
        .containsEntry("/message", "broken\nline")
        .containsEntry("/error.type", "java.io.IOException")
        .containsEntry("/error.message", "the disk is full")
        .containsKeys("/ecs.version", "/process.thread.name");
    assertThat(Instant.parse(ecs.get("/@timestamp"))).isAfter(Instant.EPOCH);
    assertThat(ecs.get("/error.stack_trace")).contains("LogsTest");

    Map<String, String> google = JsonFields.of(encode(LogFormat.GOOGLE, "broken", cause));
    assertThat(google)
        .containsEntry("/severity", "WARNING")
        .containsEntry("/logger", "io.weir.internal.app.Something");
    assertThat(google.get("/message"))
        .startsWith("broken\njava.io.IOException: the disk is full\n\tat ");
    assertThat(Instant.parse(google.get("/time"))).isAfter(Instant.EPOCH);
  }

  @Test
  void formsOfLogServices_areOneLineEach_withoutControlCharacters() throws IOException {
    for (LogFormat format : List.of(LogFormat.ECS, LogFormat.GOOGLE)) {
      String line = encode(format, HOSTILE, new IllegalStateException(HOSTILE));

      assertThat(line).endsWith("\n");
      assertThat(Printable.line(line.strip())).isEqualTo(line.strip());
      assertThat(JsonFields.of(line).get("/message")).startsWith(HOSTILE);
      assertThat(encode(format, "x".repeat(500_000), null).length()).isLessThan(10_000);
    }
  }

  private String encode(LogFormat format, String message, Throwable throwable) {
    return new String(
        Logs.encoder(format, context).encode(event(logger, message, throwable)),
        StandardCharsets.UTF_8);
  }

  private static final String HOSTILE =
      "\u001b[2J\u202e\u009b\n2026-11-26T00:00:00.000Z INFO  Doctor: no findings";

  @Test
  void plainLine_holdsNoControlCharacter_andNoLineThatASenderForged() throws Exception {
    String logged =
        plain(
            "gateway " + HOSTILE,
            new IllegalStateException("of " + HOSTILE, new IOException("by " + HOSTILE)));

    assertThat(logged.lines().toList())
        .allSatisfy(line -> assertThat(Printable.line(line)).isEqualTo(line))
        .filteredOn(line -> !line.startsWith("\t"))
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains(" WARN  Something: gateway \\u001b[2J")
                    .endsWith("no findings"),
            line -> assertThat(line).startsWith("java.lang.IllegalStateException: of \\u001b"),
            line -> assertThat(line).startsWith("Caused by: java.io.IOException: by \\u001b"));
  }

  @Test
  void jsonLine_holdsNoControlCharacter_andKeepsTheText() throws IOException {
    String line = encode(HOSTILE, new IllegalStateException(HOSTILE));
    assertThat(Printable.line(line.strip())).isEqualTo(line.strip());
    assertThat(JsonFields.of(line))
        .containsEntry("/formattedMessage", HOSTILE)
        .containsEntry("/throwable/message", HOSTILE);
  }

  @Test
  void line_ofALongText_isCut() throws Exception {
    String huge = "\n".repeat(500_000);
    assertThat(plain(huge, new IllegalStateException(huge)).length()).isLessThan(200_000);
    assertThat(plain(huge, null).length()).isLessThan(10_000);
    String json = encode("x" + huge, new IllegalStateException(huge));
    assertThat(json.length()).isLessThan(100_000);
    assertThat(JsonFields.of(json).get("/formattedMessage"))
        .startsWith("x\n\n")
        .endsWith("characters)");
  }

  /** The event as the shipped configuration writes it. */
  private String plain(String message, Throwable throwable) throws Exception {
    LoggerContext own = new LoggerContext();
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(own);
    configurator.doConfigure(Logs.class.getResource("logback.xml"));
    OutputStreamAppender<ILoggingEvent> appender =
        (OutputStreamAppender<ILoggingEvent>)
            own.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
    byte[] line =
        appender.getEncoder().encode(event(own.getLogger(logger.getName()), message, throwable));
    own.stop();
    return new String(line, StandardCharsets.UTF_8);
  }

  private static LoggingEvent event(Logger logger, String message, Throwable throwable) {
    return new LoggingEvent(
        LogsTest.class.getName(), logger, Level.WARN, "{}", throwable, new Object[] {message});
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
    LoggingEvent event = event(logger, message, throwable);
    String line = new String(Logs.json(context).encode(event), StandardCharsets.UTF_8);
    assertThat(line).endsWith("\n");
    assertThat(line.strip()).doesNotContain("\n");
    return line;
  }
}
