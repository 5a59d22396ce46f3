package io.weir.internal.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The headers of records on the dead-letter and late topics: texts in UTF-8, numbers as decimal
 * text. They are those of Kafka Streams' dead letters (KIP-1034), which tools know, and Weir's.
 */
public final class DeadLetterHeaders {
  public static final String TOPIC = "__streams.errors.topic";
  public static final String PARTITION = "__streams.errors.partition";
  public static final String OFFSET = "__streams.errors.offset";
  public static final String EXCEPTION = "__streams.errors.exception";
  public static final String MESSAGE = "__streams.errors.message";

  /** On dead letters of events: the application that refused them. */
  public static final String APPLICATION = "weir.application";

  /** A {@link io.weir.reading.RejectReason}. */
  public static final String REASON = "weir.reason";

  public static final String GATEWAY = "weir.gateway";

  /** That of the original batch, unsigned; absent if it had none. */
  public static final String BOOT_ID = "weir.boot_id";

  /** That of the original batch, unsigned; absent if it had none. */
  public static final String SEQUENCE = "weir.sequence";

  /** Number of bytes of key and value before they were truncated; absent if they were not. */
  public static final String SIZE = "weir.size";

  /** On withheld readings: the newest {@link Gap} of their partition. */
  public static final String GAP = "weir.gap";

  /** On late readings and dead letters of readings: the id of {@link #TOPIC}. */
  public static final String TOPIC_ID = "weir.topic_id";

  /**
   * On windows, rollups, hopping windows, late readings and dead letters of readings: the {@link
   * Life} of the state that wrote them.
   */
  public static final String LIFE = "weir.life";

  /**
   * On dead letters of an import, whose values have the form of another program: the positions of
   * the readings that were refused, such as 0,3-5, or all.
   */
  public static final String IMPORT_REFUSED = "weir.import.refused";

  /** On dead letters of an import: how many readings the record had, the refused ones too. */
  public static final String IMPORT_READINGS = "weir.import.readings";

  /**
   * On dead letters of an import: the record's time in milliseconds, behind {@code append} if its
   * broker set it.
   */
  public static final String IMPORT_TIME = "weir.import.time";

  /**
   * On dead letters of an import: how many bytes of key, headers and positions were left out;
   * absent if none were.
   */
  public static final String IMPORT_LEFT_OUT = "weir.import.left_out";

  /**
   * On records that a redrive sent, and on their dead letters: the topic of the dead letter that
   * was sent.
   */
  public static final String REDRIVE_TOPIC = "weir.redrive.topic";

  /**
   * On records that a redrive sent, if relevant: the {@link #REASON} of the dead letter. With
   * WITHHELD, withheld readings are accepted.
   */
  public static final String REDRIVE_REASON = "weir.redrive.reason";

  /**
   * On events that a redrive sent: the {@link #APPLICATION} of the dead letter, which alone handles
   * them; every other application that reads the topic has handled them, or has a dead letter of
   * its own. Absent if the dead letter had none.
   */
  public static final String REDRIVE_APPLICATION = "weir.redrive.application";

  public static final String REDRIVE_PARTITION = "weir.redrive.partition";
  public static final String REDRIVE_OFFSET = "weir.redrive.offset";

  /** Longer texts are truncated, because headers count towards the size of a record. */
  static final int MAX_TEXT = 512;

  private static final int MAX_PARTITION_DIGITS = 9;

  private DeadLetterHeaders() {}

  /** Headers with the origin of a record. */
  public static Headers of(Origin origin) {
    Headers headers = new RecordHeaders();
    add(headers, TOPIC, origin.topic());
    add(headers, PARTITION, String.valueOf(origin.partition()));
    add(headers, OFFSET, String.valueOf(origin.offset()));
    return headers;
  }

  /** Headers of a record from a redrive, with the origin of the dead letter. */
  public static Headers ofRedrive(Origin letter) {
    Headers headers = new RecordHeaders();
    add(headers, REDRIVE_TOPIC, letter.topic());
    add(headers, REDRIVE_PARTITION, String.valueOf(letter.partition()));
    add(headers, REDRIVE_OFFSET, String.valueOf(letter.offset()));
    return headers;
  }

  /**
   * The same.
   *
   * @param withheld whether it must be accepted although its windows may lack other readings
   */
  public static Headers ofRedrive(Origin letter, boolean withheld) {
    Headers headers = ofRedrive(letter);
    if (withheld) {
      add(headers, REDRIVE_REASON, "WITHHELD");
    }
    return headers;
  }

  /**
   * The same for events.
   *
   * @param application that is to handle them; empty for all that read the topic
   */
  public static Headers ofRedrive(Origin letter, String application) {
    Headers headers = ofRedrive(letter);
    if (!application.isEmpty()) {
      add(headers, REDRIVE_APPLICATION, application);
    }
    return headers;
  }

  /** Whether a record names an application that is to handle it, and it is another one. */
  public static boolean isForAnother(Headers headers, String application) {
    Header header = headers.lastHeader(REDRIVE_APPLICATION);
    return header != null
        && header.value() != null
        && !application.equals(new String(header.value(), StandardCharsets.UTF_8));
  }

  /** Whether a header name is reserved for Weir: such a header of a producer is not copied. */
  public static boolean isOurs(String name) {
    return name.startsWith("weir.") || name.startsWith("__streams.errors.");
  }

  /** Copies the origin of a record from a redrive, so that repeated redrives are detected. */
  public static void addRedrive(Headers headers, Headers received) {
    for (String name : List.of(REDRIVE_TOPIC, REDRIVE_PARTITION, REDRIVE_OFFSET)) {
      Header header = received.lastHeader(name);
      if (header != null && header.value() != null && isPlausible(name, header.value())) {
        headers.add(header);
      }
    }
  }

  /** The origin of the dead letter or late record that was sent again; empty without headers. */
  public static Optional<Origin> redriveOf(Headers headers) {
    List<String> texts = new ArrayList<>();
    for (String name : List.of(REDRIVE_TOPIC, REDRIVE_PARTITION, REDRIVE_OFFSET)) {
      Header header = headers.lastHeader(name);
      if (header == null || header.value() == null || !isPlausible(name, header.value())) {
        return Optional.empty();
      }
      texts.add(new String(header.value(), StandardCharsets.UTF_8));
    }
    return texts.get(1).length() > MAX_PARTITION_DIGITS
        ? Optional.empty()
        : Optional.of(
            new Origin(texts.get(0), Integer.parseInt(texts.get(1)), Long.parseLong(texts.get(2))));
  }

  private static boolean isPlausible(String name, byte[] value) {
    String text = new String(value, StandardCharsets.UTF_8);
    return name.equals(REDRIVE_TOPIC)
        ? text.matches("[A-Za-z0-9._-]{1,249}")
        : text.matches("[0-9]{1,18}");
  }

  /** Adds the gateway, boot id and sequence of the batch. */
  public static void addBatch(Headers headers, String gatewayId, long bootId, long sequence) {
    add(headers, GATEWAY, gatewayId);
    if (bootId != 0) {
      add(headers, BOOT_ID, Long.toUnsignedString(bootId));
    }
    if (sequence != 0) {
      add(headers, SEQUENCE, Long.toUnsignedString(sequence));
    }
  }

  /** Adds a header; truncates its text. */
  public static void add(Headers headers, String name, String text) {
    headers.add(name, bounded(text).getBytes(StandardCharsets.UTF_8));
  }

  private static String bounded(String text) {
    if (text.length() <= MAX_TEXT) {
      return text;
    }
    boolean halvesAPair = Character.isHighSurrogate(text.charAt(MAX_TEXT - 1));
    return text.substring(0, halvesAPair ? MAX_TEXT - 1 : MAX_TEXT);
  }
}
