package io.weir.internal.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
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

/** Log lines as flat JSON objects with the field names of a log service. */
final class StructuredLog extends EncoderBase<ILoggingEvent> {
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
