package io.weir.signing;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A signature as the header {@value #HEADER} holds it: {@code v1,<key id>,<base64>}, one or more,
 * separated by spaces. Signatures of unknown versions are ignored, so that a later version can be
 * added.
 *
 * @param keyId of the key
 * @param code HMAC-SHA256, 32 bytes
 */
record BatchSignature(KeyId keyId, byte[] code) {
  /** The header's name. */
  static final String HEADER = "weir.signature";

  /** Each costs a pass over the value. */
  static final int MOST = 4;

  /** Longest header that is parsed, in bytes. */
  static final int MOST_BYTES = 1024;

  private static final String VERSION = "v1,";

  /** The value of a header with one signature. */
  static byte[] header(KeyId keyId, byte[] code) {
    String text = VERSION + keyId + "," + Base64.getEncoder().encodeToString(code);
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The signatures of a header; empty if none can be parsed or there are too many. */
  static List<BatchSignature> parse(byte[] header) {
    if (header.length > MOST_BYTES) {
      return List.of();
    }
    List<BatchSignature> signatures = new ArrayList<>(1);
    for (String text : new String(header, StandardCharsets.ISO_8859_1).split(" ")) {
      BatchSignature signature = text.startsWith(VERSION) ? parse(text) : null;
      if (signature != null) {
        signatures.add(signature);
      }
    }
    return signatures.size() > MOST ? List.of() : signatures;
  }

  private static BatchSignature parse(String text) {
    int comma = text.indexOf(',', VERSION.length());
    KeyId keyId = comma < 0 ? null : KeyId.parse(text.substring(VERSION.length(), comma));
    if (keyId == null) {
      return null;
    }
    try {
      byte[] code = Base64.getDecoder().decode(text.substring(comma + 1));
      return code.length == Hmac.BYTES ? new BatchSignature(keyId, code) : null;
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }
}
