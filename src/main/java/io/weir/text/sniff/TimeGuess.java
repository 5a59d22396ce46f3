package io.weir.text.sniff;

import io.weir.text.mapping.TimeFormat;
import io.weir.text.mapping.TimeReader;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Which format the times of a column have.
 *
 * @param format as it is typed
 * @param others formats that fit as well
 * @param zoned whether the times say which instant they are
 */
record TimeGuess(String format, List<String> others, boolean zoned) {
  private static final double MOST = 0.5;
  private static final int ENOUGH = 40;
  private static final ZoneId UTC = ZoneId.of("UTC");

  /** Counts that are times of 2000 to 2100, by their unit. */
  private static final List<String> EPOCHS = List.of("epoch-s", "epoch-ms", "epoch-us", "epoch-ns");

  private static final long[] FIRST = {
    946_684_800L, 946_684_800_000L, 946_684_800_000_000L, 946_684_800_000_000_000L
  };
  private static final double CENTURY = 4.333;

  private static final List<String> DATES =
      List.of(
          "dd.MM.yyyy",
          "dd.MM.yy",
          "d.M.yyyy",
          "dd/MM/yyyy",
          "d/M/yyyy",
          "MM/dd/yyyy",
          "M/d/yyyy",
          "M/d/yy",
          "yyyy/MM/dd",
          "dd-MM-yyyy",
          "dd-MMM-yyyy",
          "d MMM yyyy",
          "d MMMM yyyy",
          "yyyyMMdd",
          "yyyy-MM-dd");
  private static final List<String> TIMES =
      List.of(
          " HH:mm:ss",
          " HH:mm",
          " HH:mm:ss.SSS",
          " HH:mm:ss,SSS",
          " H:mm:ss",
          " H:mm",
          " h:mm:ss a",
          " h:mm a",
          "HHmmss",
          "'T'HH:mm:ss",
          "");

  /** The format of most texts, if there is one. */
  static Optional<TimeGuess> of(List<String> all, char decimal) {
    List<String> texts = all.subList(0, Math.min(ENOUGH, all.size()));
    long mayBe = texts.stream().filter(text -> text.matches("(.*\\d){5}.*")).count();
    if (mayBe < MOST * texts.size() || texts.isEmpty()) {
      return Optional.empty();
    }
    Optional<TimeGuess> count = count(texts, decimal);
    if (count.isPresent()) {
      return count;
    }
    if (fitting("iso", texts) >= MOST * texts.size()) {
      boolean zoned =
          texts.stream().allMatch(text -> text.matches(".*(Z|z|[+-]\\d\\d:?\\d*)(\\[.*)?$"));
      return Optional.of(new TimeGuess("iso", List.of(), zoned));
    }
    List<String> fitting = fitting(texts);
    if (fitting.isEmpty()) {
      return excel(texts, decimal);
    }
    String first = fitting.get(0);
    List<String> others =
        fitting.stream().skip(1).filter(other -> meansAnother(first, other, texts)).toList();
    return Optional.of(new TimeGuess(first, others, false));
  }

  /** The patterns that read the most texts, if they read most of them. */
  private static List<String> fitting(List<String> texts) {
    List<String> fitting = new ArrayList<>();
    long most = (long) Math.ceil(MOST * texts.size());
    for (String time : TIMES) {
      for (String date : DATES) {
        long count = fitting(date + time, texts);
        if (count > most) {
          fitting.clear();
          most = count;
        }
        if (count == most) {
          fitting.add(date + time);
        }
      }
    }
    return fitting;
  }

  private static long fitting(String format, List<String> texts) {
    TimeReader reader = new TimeFormat(format, UTC, Optional.empty(), Locale.ENGLISH).reader('.');
    return texts.stream().filter(text -> reader.read(text) == TimeReader.Outcome.READ).count();
  }

  private static Optional<TimeGuess> count(List<String> texts, char decimal) {
    for (int i = 0; i < EPOCHS.size(); i++) {
      long first = FIRST[i];
      double last = first * CENTURY;
      long fitting =
          texts.stream()
              .filter(text -> text.matches("\\d{9,19}([.,]\\d{1,9})?"))
              .mapToDouble(text -> Double.parseDouble(text.replace(decimal, '.').replace(',', '.')))
              .filter(number -> number >= first && number < last)
              .count();
      if (fitting >= MOST * texts.size()) {
        return Optional.of(new TimeGuess(EPOCHS.get(i), List.of(), true));
      }
    }
    return Optional.empty();
  }

  /** Serial days of 1990 to 2063 with a fraction in some of them. */
  private static Optional<TimeGuess> excel(List<String> texts, char decimal) {
    String point = decimal == ',' ? "," : "\\.";
    long fitting =
        texts.stream().filter(text -> text.matches("[3-5]\\d{4}(" + point + "\\d+)?")).count();
    boolean fraction = texts.stream().anyMatch(text -> text.matches("\\d{5}" + point + "\\d{3,}"));
    return fraction && fitting >= MOST * texts.size()
        ? Optional.of(new TimeGuess("excel", List.of(), false))
        : Optional.empty();
  }

  /** Whether two formats that both fit disagree about some text. */
  private static boolean meansAnother(String one, String other, List<String> texts) {
    TimeReader a = new TimeFormat(one, UTC, Optional.empty(), Locale.ENGLISH).reader('.');
    TimeReader b = new TimeFormat(other, UTC, Optional.empty(), Locale.ENGLISH).reader('.');
    return texts.stream()
        .anyMatch(
            text ->
                a.read(text) == TimeReader.Outcome.READ
                    && b.read(text) == TimeReader.Outcome.READ
                    && a.millis() != b.millis());
  }
}
