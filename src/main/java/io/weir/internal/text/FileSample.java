package io.weir.internal.text;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The beginning of a file as text, whatever its encoding: up to a thousand lines, of a few MiB.
 *
 * @param charset UTF-8, UTF-16 where a mark says so, else windows-1252
 * @param lines without their ends and without a byte order mark
 * @param whole whether that is all of the file
 */
public record FileSample(Charset charset, List<String> lines, boolean whole) {
  private static final Pattern OTHER_LETTERS =
      Pattern.compile(
          "[^\\x00-\\x7f]{3}|[²³¹ùìò]\\p{L}|œ(?![uei])|[èÈ][aeiouyáéíóú]|ã(?![oe])|õ(?!e)|ñ[^\\W"
              + "aeiouáéíóú]|[^\\x00-\\x7fäöüÄÖÜßéèêëàâçîïôûùœÉÈÀÇñÑáíóúÁÍÓÚãõÃÕ"
              + "åæøÅÆØìò°µ²³±·–’‘“”«»€£§‰×¼½¾¹\u00a0]");
  private static final int MAX_LINES = 1_000;
  private static final int MAX_BYTES = 4 << 20;

  /** Reads it; unpacked where it is gzip. */
  public static FileSample of(Path file) throws IOException {
    try (HeadedInput raw = new HeadedInput(Files.newInputStream(file));
        InputStream in = raw.unpacked()) {
      byte[] bytes = in.readNBytes(MAX_BYTES);
      boolean whole = bytes.length < MAX_BYTES;
      Charset charset = charset(bytes, whole);
      String text = new String(bytes, charset);
      String unmarked = text.startsWith("\ufeff") ? text.substring(1) : text;
      List<String> lines = lines(unmarked);
      boolean all = whole && lines.size() <= MAX_LINES;
      // What was cut off is no line.
      int kept = Math.min(MAX_LINES, lines.size() - (whole || lines.size() == 1 ? 0 : 1));
      return new FileSample(charset, lines.subList(0, kept), all);
    } catch (IOException e) {
      throw new TextInputException(file + ": " + InputFile.describe(e), e);
    }
  }

  /** Cut as a reader cuts them. */
  private static List<String> lines(String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    HeadedInput in = new HeadedInput(new ByteArrayInputStream(utf8));
    in.findLineEnd();
    LineScanner scanner = new LineScanner(in, MAX_BYTES);
    List<String> lines = new ArrayList<>();
    while (lines.size() <= MAX_LINES && scanner.next()) {
      lines.add(new String(scanner.copyOfLine(), StandardCharsets.UTF_8));
    }
    return lines;
  }

  /**
   * Whether another encoding may be meant: letters that Western European languages do not have, or
   * several of them in a row.
   */
  public boolean isOfUnknownEncoding() {
    return charset.equals(Charset.forName("windows-1252"))
        && lines.stream().anyMatch(line -> OTHER_LETTERS.matcher(line).find());
  }

  private static Charset charset(byte[] bytes, boolean whole) {
    boolean little = bytes.length > 1 && bytes[0] == (byte) 0xff && bytes[1] == (byte) 0xfe;
    boolean big = bytes.length > 1 && bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0xff;
    if (little || big) {
      return StandardCharsets.UTF_16;
    }
    int end = bytes.length;
    while (!whole && end > 0 && bytes[end - 1] < 0) {
      end--; // A character may be cut in two.
    }
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, end));
      return StandardCharsets.UTF_8;
    } catch (CharacterCodingException e) {
      return Charset.forName("windows-1252");
    }
  }
}
