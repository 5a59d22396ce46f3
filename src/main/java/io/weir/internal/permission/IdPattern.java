package io.weir.internal.permission;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A pattern of ids: {@code *} matches any characters including slashes, or none; {@code ?} matches
 * one; {@code {gateway}} matches the id of the gateway. Case-sensitive. Immutable; works on the
 * UTF-8 bytes of ids.
 */
final class IdPattern {
  static final String GATEWAY = "{gateway}";

  private static final int ANY = -1;
  private static final int ONE = -2;
  private static final int GATEWAY_ID = -3;

  private final String text;

  /** Bytes from 0 to 255, or one of the constants above. */
  private final int[] parts;

  private IdPattern(String text, int[] parts) {
    this.text = text;
    this.parts = parts;
  }

  /**
   * @throws IllegalArgumentException if the pattern is empty, or has an unknown word in braces
   */
  static IdPattern of(String text) {
    int[] parts = new int[text.getBytes(StandardCharsets.UTF_8).length];
    int size = 0;
    String rest = text;
    while (!rest.isEmpty()) {
      int character = rest.codePointAt(0);
      int length = Character.charCount(character);
      if (rest.startsWith(GATEWAY)) {
        parts[size++] = GATEWAY_ID;
        length = GATEWAY.length();
      } else if (character == '{' || character == '}') {
        throw new IllegalArgumentException("unknown word in braces; expected: " + GATEWAY);
      } else if (character == '*' || character == '?') {
        parts[size++] = character == '*' ? ANY : ONE;
      } else {
        for (byte each : rest.substring(0, length).getBytes(StandardCharsets.UTF_8)) {
          parts[size++] = each & 0xff;
        }
      }
      rest = rest.substring(length);
    }
    if (size == 0) {
      throw new IllegalArgumentException("the pattern is empty");
    }
    return new IdPattern(text, Arrays.copyOf(parts, size));
  }

  /** This pattern for one gateway, whose id is matched literally. */
  IdPattern with(byte[] gatewayId) {
    if (!namesGateway()) {
      return this;
    }
    int[] filled = new int[parts.length * Math.max(1, gatewayId.length)];
    int size = 0;
    for (int part : parts) {
      if (part == GATEWAY_ID) {
        for (byte each : gatewayId) {
          filled[size++] = each & 0xff;
        }
      } else {
        filled[size++] = part;
      }
    }
    return new IdPattern(text, Arrays.copyOf(filled, size));
  }

  boolean namesGateway() {
    return Arrays.stream(parts).anyMatch(part -> part == GATEWAY_ID);
  }

  /** Whether it is an id without wildcards. */
  boolean isExact() {
    return Arrays.stream(parts).allMatch(part -> part >= 0);
  }

  /** Whether it is a prefix followed by a single {@code *}. */
  boolean isPrefix() {
    int last = parts.length - 1;
    return last >= 0
        && parts[last] == ANY
        && Arrays.stream(parts, 0, last).allMatch(part -> part >= 0);
  }

  /** The bytes before the first wildcard. */
  byte[] beginning() {
    int size = 0;
    while (size < parts.length && parts[size] >= 0) {
      size++;
    }
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) parts[i];
    }
    return bytes;
  }

  /** Whether an id matches; costs at most the product of both lengths. */
  boolean fits(byte[] bytes, int offset, int length) {
    int end = offset + length;
    int at = offset;
    int pattern = 0;
    int star = -1;
    int starAt = 0;
    while (at < end) {
      int part = pattern < parts.length ? parts[pattern] : GATEWAY_ID;
      if (part == ANY) {
        star = pattern++;
        starAt = at;
      } else if (part == ONE && !continues(bytes[at])) {
        pattern++;
        at++;
        while (at < end && continues(bytes[at])) {
          at++;
        }
      } else if (part == (bytes[at] & 0xff)) {
        pattern++;
        at++;
      } else if (star >= 0) {
        // The last star matches one more byte.
        pattern = star + 1;
        at = ++starAt;
      } else {
        return false;
      }
    }
    while (pattern < parts.length && parts[pattern] == ANY) {
      pattern++;
    }
    return pattern == parts.length;
  }

  /** Whether a byte is a UTF-8 continuation byte. */
  private static boolean continues(byte each) {
    return (each & 0xc0) == 0x80;
  }

  /** The original text. */
  @Override
  public String toString() {
    return text;
  }
}
