package io.weir.internal.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.weir.internal.text.Printable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.LoggerFactory;

/** Configures the log. Lines are plain text by default. */
public final class Logs {
  private static final String APPENDER = "stderr";
  private static final String CONFIGURATION_FILE = "logback.configurationFile";

  private static volatile LogFormat format = LogFormat.PLAIN;
  private static volatile boolean levelGiven;
  private static volatile boolean kafkaLevelGiven;

  private Logs() {}

  /**
   * Makes logback use Weir's configuration, unless the process sets one or has one on its class
   * path. To be called before the first logger, by main methods only: a program that embeds Weir
   * has its own log.
   */
  public static void useOwnConfiguration() {
    ClassLoader loader = Logs.class.getClassLoader();
    boolean another =
        System.getProperty(CONFIGURATION_FILE) != null
            || loader.getResource("logback.xml") != null
            || loader.getResource("logback-test.xml") != null;
    if (!another) {
      System.setProperty(CONFIGURATION_FILE, "io/weir/internal/app/logback.xml");
    }
  }

  /** The current format. */
  public static LogFormat format() {
    return format;
  }

  /** Whether a level is set for Weir's own loggers. */
  public static boolean isLevelGiven() {
    return levelGiven;
  }

  /** Whether a level is set for the loggers of Kafka's clients. */
  public static boolean isKafkaLevelGiven() {
    return kafkaLevelGiven;
  }

  /** Applies settings; plain lines cannot be restored. */
  public static synchronized void use(LogSettings settings) {
    settings.level().ifPresent(level -> set("io.weir", level));
    settings.kafkaLevel().ifPresent(level -> set("org.apache.kafka", level));
    levelGiven |= settings.level().isPresent();
    kafkaLevelGiven |= settings.kafkaLevel().isPresent();
    use(settings.format());
  }

  private static void set(String name, String level) {
    if (LoggerFactory.getLogger(name) instanceof Logger logger) {
      logger.setLevel(Level.valueOf(level));
    }
  }

  private static void use(LogFormat wanted) {
    if (wanted != LogFormat.PLAIN
        && LoggerFactory.getILoggerFactory() instanceof LoggerContext context
        && context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(APPENDER)
            instanceof OutputStreamAppender<ILoggingEvent> appender) {
      appender.setEncoder(encoder(wanted, context));
      format = wanted;
    }
  }

  static Encoder<ILoggingEvent> encoder(LogFormat wanted, LoggerContext context) {
    if (wanted == LogFormat.JSON) {
      return json(context);
    }
    StructuredLog encoder = new StructuredLog(wanted);
    encoder.setContext(context);
    encoder.start();
    return encoder;
  }

  /** One JSON object a line: time, level, logger, message, and a throwable with its causes. */
  static JsonEncoder json(LoggerContext context) {
    JsonEncoder encoder = new PrintableLog.Json();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithContext(false);
    encoder.setWithMessage(false);
    encoder.setWithArguments(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }

  /** Log lines as flat JSON objects with the field names of a log service. */
  static final class StructuredLog extends EncoderBase<ILoggingEvent> {
    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] NOTHING = {};

    private final LogFormat format;

    /**
     * @param format {@link LogFormat#ECS} or {@link LogFormat#GOOGLE}
     */
    StructuredLog(LogFormat format) {
      this.format = format;
    }

    @Override
    public byte[] headerBytes() {
      return NOTHING;
    }

    @Override
    public byte[] footerBytes() {
      return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      StringWriter line = new StringWriter();
      try (JsonGenerator json = JSON.createGenerator(line)) {
        json.writeStartObject();
        for (Map.Entry<String, String> field : fields(event).entrySet()) {
          json.writeStringField(field.getKey(), field.getValue());
        }
        json.writeEndObject();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return (Printable.line(line.toString()) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    private Map<String, String> fields(ILoggingEvent event) {
      String message =
          Printable.cut(String.valueOf(event.getFormattedMessage()), PrintableLog.LONGEST);
      IThrowableProxy thrown = event.getThrowableProxy();
      String trace =
          thrown == null
              ? ""
              : Printable.cut(ThrowableProxyUtil.asString(thrown), PrintableLog.LONGEST_TRACE);
      return format == LogFormat.ECS
          ? ecs(event, message, thrown, trace)
          : google(event, message, trace);
    }

    private static Map<String, String> ecs(
        ILoggingEvent event, String message, IThrowableProxy thrown, String trace) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("@timestamp", event.getInstant().toString());
      fields.put("log.level", event.getLevel().toString());
      fields.put("message", message);
      fields.put("ecs.version", "8.11.0");
      fields.put("service.name", "weir");
      fields.put("log.logger", event.getLoggerName());
      fields.put("process.thread.name", event.getThreadName());
      if (thrown != null) {
        fields.put("error.type", thrown.getClassName());
        fields.put(
            "error.message",
            Printable.cut(String.valueOf(thrown.getMessage()), PrintableLog.LONGEST));
        fields.put("error.stack_trace", trace);
      }
      return fields;
    }

    /** Error Reporting finds a stack trace in the message. */
    private static Map<String, String> google(ILoggingEvent event, String message, String trace) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("severity", severity(event.getLevel()));
      fields.put("time", event.getInstant().toString());
      fields.put("message", trace.isEmpty() ? message : message + "\n" + trace);
      fields.put("logger", event.getLoggerName());
      fields.put("thread", event.getThreadName());
      return fields;
    }

    private static String severity(Level level) {
      return level.equals(Level.WARN)
          ? "WARNING"
          : level.equals(Level.TRACE) ? "DEBUG" : level.toString();
    }
  }
}
