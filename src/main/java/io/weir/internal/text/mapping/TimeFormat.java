package io.weir.internal.text.mapping;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How times are written, and what a local time means. Immutable.
 *
 * @param text as it is typed: iso, epoch-s, epoch-ms, epoch-us, epoch-ns, excel or a pattern of
 *     {@link java.time.format.DateTimeFormatter}
 * @param zone of times that name none
 * @param ambiguous which of two is meant where a local time was there twice; empty for neither
 */
public record TimeFormat(String text, ZoneId zone, Optional<Choice> ambiguous, Locale locale) {
  private static final Map<String, Integer> EPOCHS =
      Map.of("epoch-s", 0, "epoch-ms", 3, "epoch-us", 6, "epoch-ns", 9);

  /** Milliseconds since the epoch. */
  public static final TimeFormat EPOCH_MS =
      new TimeFormat("epoch-ms", ZoneId.of("UTC"), Optional.empty(), Locale.ENGLISH);

  public TimeFormat {
    if (!isEpoch(text) && !isExcel(text)) {
      new DateTimeText(
          text, locale, new LocalTimes(zone, ambiguous)); // Says what is wrong with it.
    }
  }

  /** One of two, or that which the order of the readings of a sensor tells. */
  public enum Choice {
    EARLIER,
    LATER,
    ORDER
  }

  private static boolean isEpoch(String text) {
    return EPOCHS.containsKey(text);
  }

  private static boolean isExcel(String text) {
    return "excel".equals(text);
  }

  /** Whether a zone matters: counts since the epoch have none. */
  public boolean isLocal() {
    return !isEpoch(text);
  }

  /**
   * The zone of that name.
   *
   * @throws IllegalArgumentException where there is none
   */
  public static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "no such time zone; expected: a name such as Europe/Berlin, UTC or an offset such as"
              + " +01:00");
    }
  }

  /** Another way to write times of the same zone. */
  public TimeFormat withFormat(String other) {
    return new TimeFormat(other, zone, ambiguous, locale);
  }

  /** A new reader of this format, where numbers have that decimal sign. */
  public TimeReader reader(char decimal) {
    if (isEpoch(text)) {
      return new EpochReader(EPOCHS.get(text), decimal);
    }
    LocalTimes local = new LocalTimes(zone, ambiguous);
    return isExcel(text) ? new ExcelReader(local, decimal) : new DateTimeText(text, locale, local);
  }
}
