package io.weir.permission;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Ids by a pattern: {@code *} stands for any characters, slashes too, and none; {@code ?} for one;
 * {@code {gateway}} for the id of the gateway, as it is. Upper and lower case differ. Immutable;
 * works on the bytes of ids in UTF-8.
 */
final class IdPattern {
  static final String GATEWAY = "{gateway}";

  private static final int ANY = -1;
  private static final int ONE = -2;
  private static final int GATEWAY_ID = -3;

  private final String text;

  /** Bytes from 0 to 255, or one of the above. */
  private final int[] parts;

  private IdPattern(String text, int[] parts) {
    this.text = text;
    this.parts = parts;
  }

  /**
   * @throws IllegalArgumentException if the pattern is empty, or has other words in braces
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
        throw new IllegalArgumentException("allowed in braces is " + GATEWAY);
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
      throw new IllegalArgumentException("an empty pattern");
    }
    return new IdPattern(text, Arrays.copyOf(parts, size));
  }

  /** The same for one gateway, whose id stands for itself whatever is in it. */
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

  /** Whether it is the id of one. */
  boolean isExact() {
    return Arrays.stream(parts).allMatch(part -> part >= 0);
  }

  /** Whether it is a beginning of ids, with {@code *} behind it and nowhere else. */
  boolean isPrefix() {
    int last = parts.length - 1;
    return last >= 0
        && parts[last] == ANY
        && Arrays.stream(parts, 0, last).allMatch(part -> part >= 0);
  }

  /** What is in front of the first wildcard. */
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

  /** Whether an id fits; costs at most the product of both lengths. */
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
        // The last star takes one byte more.
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

  /** Whether a byte is not the first one of its character. */
  private static boolean continues(byte each) {
    return (each & 0xc0) == 0x80;
  }

  /** As it was written. */
  @Override
  public String toString() {
    return text;
  }
}
