package io.weir.internal.app;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.pattern.MessageConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import io.weir.internal.text.Printable;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Log lines with texts of senders in them, from Weir and from its libraries: without control
 * characters and of bounded length.
 */
public final class PrintableLog {
  /** Longest message, in characters. */
  static final int LONGEST = 4_000;

  /** Longest stack trace with its causes. */
  static final int LONGEST_TRACE = 64_000;

  private PrintableLog() {}

  /** The message, on one line. */
  public static final class Message extends MessageConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return Printable.line(String.valueOf(super.convert(event)), LONGEST);
    }
  }

  /** The stack trace. Only its own lines begin without a tab, so no message forges a log line. */
  public static final class Trace extends ThrowableProxyConverter {
    @Override
    protected String throwableProxyToString(IThrowableProxy thrown) {
      String trace = Printable.cut(super.throwableProxyToString(thrown), LONGEST_TRACE);
      String first = thrown.getClassName();
      return trace
          .lines()
          .map(Printable::line)
          .map(
              line ->
                  line.matches("(\t|Caused by: ).*") || line.startsWith(first) ? line : "\t" + line)
          .collect(Collectors.joining("\n", "", "\n"));
    }
  }

  /** One JSON object a line. */
  static final class Json extends JsonEncoder {
    @Override
    public byte[] encode(ILoggingEvent event) {
      String line = new String(super.encode(event), StandardCharsets.UTF_8).stripTrailing();
      return (Printable.line(line) + '\n').getBytes(StandardCharsets.UTF_8);
    }

    /** The value has its escapes; none of them is cut. */
    @Override
    protected void appenderMember(StringBuilder line, String name, String value) {
      int end = 0;
      while (end < value.length() && end < LONGEST) {
        boolean escape = value.charAt(end) == '\\' && end + 1 < value.length();
        end += !escape ? 1 : value.charAt(end + 1) == 'u' ? 6 : 2;
      }
      boolean whole = end >= value.length();
      super.appenderMember(line, name, whole ? value : Printable.cut(value, end));
    }
  }
}
