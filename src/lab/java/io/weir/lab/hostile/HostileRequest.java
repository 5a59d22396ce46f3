package io.weir.lab.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;

/**
 * What a row of the table sends to the HTTP inputs of an edge.
 *
 * @param head with the empty line at its end; Latin-1
 * @param body as it follows, in chunks or not
 */
public record HostileRequest(String head, byte[] body) {
  /** The sender's, as {@code Authorization: Token}. */
  public static final String TOKEN = "hostile";

  private static final int GZIP_ZEROS = 256 << 20;
  private static final int SNAPPY_ZEROS = 64 << 20;
  private static final int SMALL_CHUNKS = 100_000;

  /** Makes it. */
  public static HostileRequest of(HostileRow row, long nowMs) {
    byte[] plain = HostileBody.of(row, nowMs);
    boolean remoteWrite = row.level(HostilePart.REQUEST_INPUT).startsWith("remote write");
    String encoding = row.level(HostilePart.REQUEST_ENCODING);
    byte[] body = encoded(encoding, plain, remoteWrite);
    StringBuilder head = new StringBuilder();
    head.append(method(row)).append(' ').append(path(row)).append(query(row)).append(" HTTP/1.1");
    header(head, "Host", "localhost");
    header(head, "Authorization", "Token " + TOKEN);
    header(head, "Content-Type", HostileBody.type(row));
    switch (encoding) {
      case "gzip", "gzip of zeros", "cut off" -> header(head, "Content-Encoding", "gzip");
      case "unknown" -> header(head, "Content-Encoding", "unknown");
      default -> {
        if (remoteWrite || encoding.equals("snappy of zeros")) {
          header(head, "Content-Encoding", "snappy");
        }
      }
    }
    addHeaders(head, row);
    String length = row.level(HostilePart.REQUEST_LENGTH);
    switch (length) {
      case "right" -> header(head, "Content-Length", Integer.toString(body.length));
      case "none" -> {}
      case "too small" -> header(head, "Content-Length", Integer.toString(body.length / 2));
      case "too large" -> header(head, "Content-Length", Integer.toString(body.length + 1_000));
      case "2^63" -> header(head, "Content-Length", "9223372036854775808");
      case "-1" -> header(head, "Content-Length", "-1");
      case "chunks of 1 byte", "chunk of 2^63" -> header(head, "Transfer-Encoding", "chunked");
      default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_LENGTH);
    }
    head.append("\r\n\r\n");
    return new HostileRequest(head.toString(), framed(length, body));
  }

  private static void header(StringBuilder head, String name, String value) {
    head.append("\r\n").append(name).append(": ").append(value);
  }

  private static String method(HostileRow row) {
    String method = row.level(HostilePart.REQUEST_METHOD);
    return method.equals("of 100 kB") ? "M".repeat(100_000) : method;
  }

  private static String path(HostileRow row) {
    String own = HostileBody.path(row);
    return switch (row.level(HostilePart.REQUEST_PATH)) {
      case "its own" -> own;
      case "unknown" -> "/unknown";
      case "of 8 kB" -> own + "/%41".repeat(2_000);
      case "of 1 MB" -> own + "/".repeat(1_000_000);
      default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_PATH);
    };
  }

  private static String query(HostileRow row) {
    return switch (row.level(HostilePart.REQUEST_QUERY)) {
      case "none" -> "";
      case "of 8 kB" -> "?precision=" + "%6e".repeat(2_700);
      case "10,000 parameters" -> "?" + "precision=ns&".repeat(10_000);
      case "of 1 MB" -> "?db=" + "d".repeat(1_000_000);
      default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_QUERY);
    };
  }

  private static void addHeaders(StringBuilder head, HostileRow row) {
    int count =
        switch (row.level(HostilePart.REQUEST_HEADERS)) {
          case "few" -> 0;
          case "1,000" -> 1_000;
          case "100,000" -> 100_000;
          default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_HEADERS);
        };
    for (int i = 0; i < count; i++) {
      header(head, "H" + i, "");
    }
    switch (row.level(HostilePart.REQUEST_HEADER_VALUE)) {
      case "short" -> {}
      case "64 kB" -> header(head, "Long", "v".repeat(64 << 10));
      case "4 MB" -> header(head, "Long", "v".repeat(4 << 20));
      default -> throw HostileRecord.unknown(row, HostilePart.REQUEST_HEADER_VALUE);
    }
  }

  private static byte[] encoded(String encoding, byte[] plain, boolean remoteWrite) {
    try {
      return switch (encoding) {
        case "usual" -> remoteWrite ? SnappyBytes.literals(plain) : plain;
        case "gzip" -> gzip(out -> out.write(plain));
        case "gzip of zeros" -> gzip(HostileRequest::writeZeros);
        case "snappy of zeros" -> SnappyBytes.zeros(SNAPPY_ZEROS);
        case "cut off" -> {
          byte[] whole = gzip(out -> out.write(plain));
          yield Arrays.copyOf(whole, whole.length / 2);
        }
        default -> plain;
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void writeZeros(OutputStream out) throws IOException {
    byte[] zeros = new byte[1 << 20];
    for (int written = 0; written < GZIP_ZEROS; written += zeros.length) {
      out.write(zeros);
    }
  }

  /** What is compressed. */
  @FunctionalInterface
  private interface Content {
    void write(OutputStream out) throws IOException;
  }

  private static byte[] gzip(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      content.write(out);
    }
    return bytes.toByteArray();
  }

  private static byte[] framed(String length, byte[] body) {
    if (!length.startsWith("chunk")) {
      return body;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (length.equals("chunk of 2^63")) {
      out.writeBytes(latin1("8000000000000000\r\n"));
      out.writeBytes(body);
      return out.toByteArray();
    }
    int small = Math.min(body.length, SMALL_CHUNKS);
    for (int i = 0; i < small; i++) {
      out.writeBytes(new byte[] {'1', '\r', '\n', body[i], '\r', '\n'});
    }
    if (small < body.length) {
      out.writeBytes(latin1(Integer.toHexString(body.length - small) + "\r\n"));
      out.write(body, small, body.length - small);
      out.writeBytes(latin1("\r\n"));
    }
    out.writeBytes(latin1("0\r\n\r\n"));
    return out.toByteArray();
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
