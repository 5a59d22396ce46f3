package io.weir.internal.text.sniff;

import io.weir.internal.text.mapping.TimeFormat;
import io.weir.internal.text.mapping.TimeReader;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Which format the times of a column have.
 *
 * @param format as it is typed
 * @param language of the names of months; en where there are none
 * @param others formats that read as many texts, as other times
 * @param zoned whether the times say which instant they are
 */
record TimeGuess(String format, String language, List<String> others, boolean zoned) {
  private static final double MOST = 0.5;
  private static final int SOME = 40;
  private static final ZoneId UTC = ZoneId.of("UTC");

  /** Counts that are times of 2000 to 2100, by their unit. */
  private static final List<String> EPOCHS = List.of("epoch-s", "epoch-ms", "epoch-us", "epoch-ns");

  private static final long FIRST_S = 946_684_800L;
  private static final double CENTURY = 4.333;
  private static final Pattern COUNT = Pattern.compile("\\d{9,19}([.,]\\d{1,9})?");

  /** Hours of a day, as digits: as a count they would be of 2030 and later. */
  private static final Pattern HOURS =
      Pattern.compile("(19|20)\\d\\d(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])([01]\\d|2[0-4])");

  private static final Pattern DATE =
      Pattern.compile(
          "(\\p{L}{2,}[.,]* +)?"
              + "(\\d{1,4}([-./] ?|年)\\d{1,2}(\\3|月)\\d{1,4}"
              + "|\\d{1,2}[-./ ]+\\p{L}{3,}\\.?[-./, ]+\\d{2,4}"
              + "|\\p{L}{3} +\\d{1,2} \\d\\d:\\d\\d:\\d\\d [A-Z]{0,5} ?\\d{4}"
              + "|\\p{L}{3,}\\.? +\\d{1,2},? +\\d{4}"
              + "|(19|20)\\d\\d(0\\d|1[0-2])[0-3]\\d)(?!\\d{7}).*");
  private static final Pattern ZONED =
      Pattern.compile(
          ".*(Z|z|\\d ?[+-]\\d\\d:?(\\d\\d)?|\\b[A-Z]{3,5}( \\d{4})?|(UTC|GMT)[+-]\\S+("
              + " \\(.*\\))?)(\\[.*)?$");

  /** Whether the text may be a time with its day. */
  static boolean maybe(String text) {
    return DATE.matcher(text).matches() || isCount(text, EPOCHS);
  }

  /** The format that reads most texts; with other formats that read as many. */
  static Optional<TimeGuess> of(List<String> texts, char decimal) {
    boolean hours = texts.stream().allMatch(text -> HOURS.matcher(text).matches());
    for (String epoch : hours ? List.<String>of() : EPOCHS) {
      long fitting = texts.stream().filter(text -> isCount(text, List.of(epoch))).count();
      if (fitting > 0 && fitting >= MOST * texts.size()) {
        return Optional.of(new TimeGuess(epoch, "en", List.of(), true));
      }
    }
    Map<TimeGuess, long[]> read = new LinkedHashMap<>();
    long most = (long) Math.max(1, Math.ceil(MOST * texts.size()));
    for (TimeGuess candidate : likely(candidates(texts), some(texts))) {
      long[] times = candidate.times(texts);
      long count = Arrays.stream(times).filter(time -> time != Long.MIN_VALUE).count();
      if (count > most) {
        read.clear();
        most = count;
      }
      if (count == most && read.values().stream().noneMatch(known -> Arrays.equals(known, times))) {
        read.put(candidate, times);
      }
    }
    if (read.isEmpty()) {
      return excel(texts, decimal);
    }
    List<TimeGuess> fitting = new ArrayList<>(read.keySet());
    fitting.sort((a, b) -> Double.compare(length(read.get(a)), length(read.get(b))));
    TimeGuess best = fitting.remove(0);
    List<String> others = fitting.stream().map(TimeGuess::format).toList();
    boolean zoned =
        !best.format().matches(".*[^zX]\\*") // The zone of an end is passed over.
            && texts.stream().allMatch(text -> ZONED.matcher(text).matches());
    return Optional.of(
        new TimeGuess(best.format(), best.language(), others, zoned && best.hasHours(texts)));
  }

  /** Some of the texts, from all over. */
  static List<String> some(List<String> texts) {
    int step = Math.max(1, texts.size() / SOME);
    return IntStream.iterate(0, i -> i < texts.size(), i -> i + step).mapToObj(texts::get).toList();
  }

  /** Those that read half as many of some texts as the best, or more. */
  private static List<TimeGuess> likely(Set<TimeGuess> candidates, List<String> some) {
    Map<TimeGuess, Long> counts = new LinkedHashMap<>();
    candidates.forEach(
        c ->
            counts.put(
                c, Arrays.stream(c.times(some)).filter(time -> time != Long.MIN_VALUE).count()));
    long best = counts.values().stream().max(Long::compare).orElse(0L);
    return candidates.stream().filter(c -> best > 0 && 2 * counts.get(c) >= best).toList();
  }

  private static Set<TimeGuess> candidates(List<String> texts) {
    Set<TimeGuess> candidates = new LinkedHashSet<>();
    candidates.add(new TimeGuess("iso", "en", List.of(), false));
    Map<String, String> samples = new LinkedHashMap<>();
    texts.forEach(t -> samples.putIfAbsent(t.replaceAll("\\d", "0").replaceAll("\\p{L}+", "x"), t));
    for (String sample : samples.values().stream().limit(12).toList()) {
      for (String pattern : TimePatterns.of(sample)) {
        boolean names = pattern.contains("MMM"); // Of months; English alone where there are none.
        for (String language :
            TimePatterns.LANGUAGES.subList(0, names ? TimePatterns.LANGUAGES.size() : 1)) {
          candidates.add(new TimeGuess(pattern, language, List.of(), false));
        }
      }
    }
    return candidates;
  }

  private long[] times(List<String> texts) {
    TimeReader reader =
        new TimeFormat(format, UTC, Optional.empty(), Locale.forLanguageTag(language)).reader('.');
    return texts.stream()
        .mapToLong(
            text ->
                reader.read(text, "") == TimeReader.Outcome.READ ? reader.millis() : Long.MIN_VALUE)
        .toArray();
  }

  /** How far the times go in all, forwards and backwards. */
  private static double length(long[] times) {
    double length = 0;
    long last = Long.MIN_VALUE;
    for (long time : times) {
      length +=
          time == Long.MIN_VALUE || last == Long.MIN_VALUE ? 0 : Math.abs((double) time - last);
      last = time == Long.MIN_VALUE ? last : time;
    }
    return length;
  }

  /** Whether the times are more than days. */
  boolean hasHours(List<String> texts) {
    if (format.equals("iso")) {
      return texts.stream().anyMatch(text -> text.matches(".*\\d[T ]\\d\\d:.*"));
    }
    return isCount() || format.replaceAll("'[^']*'", "").matches(".*[Hh].*");
  }

  /** Whether the times are numbers. */
  boolean isCount() {
    return format.startsWith("e");
  }

  private static boolean isCount(String text, List<String> epochs) {
    if (!COUNT.matcher(text).matches()) {
      return false;
    }
    double number = Double.parseDouble(text.replace(',', '.'));
    return epochs.stream()
        .mapToDouble(epoch -> FIRST_S * Math.pow(1_000, EPOCHS.indexOf(epoch)))
        .anyMatch(first -> number >= first && number < first * CENTURY);
  }

  /** Serial days of 1990 to 2063 with a fraction in some of them. */
  private static Optional<TimeGuess> excel(List<String> texts, char decimal) {
    String point = decimal == ',' ? "," : "\\.";
    long fitting =
        texts.stream().filter(text -> text.matches("[3-5]\\d{4}(" + point + "\\d+)?")).count();
    boolean fraction = texts.stream().anyMatch(text -> text.matches("\\d{5}" + point + "\\d{3,}"));
    return fraction && fitting >= MOST * texts.size()
        ? Optional.of(new TimeGuess("excel", "en", List.of(), false))
        : Optional.empty();
  }

  /** The patterns in which a text may be a time: those of its date by those of its time of day. */
  static final class TimePatterns {
    private static final List<String> LANGUAGES =
        List.of("en", "de", "fr", "nl", "sv", "pt", "es", "it", "da", "nb", "pl", "fi");
    private static final Pattern TEXT =
        Pattern.compile(
            "(?<name>\\p{L}{2,}[.,]* +(?=\\p{L}|\\d))?(?:(?<a>\\d{1,4}|\\p{L}{3,}\\.?)(?<s>[-./年"
                + " ,]+)(?<b>\\d{1,2}|\\p{L}{3,}\\.?)(?<t>[-./月"
                + " ,]+)(?<c>\\d{4}|\\d{1,2})|(?<compact>\\d{8}(?!\\d)|\\d{8}(?=\\d{2}(?:\\d\\d)*(?!\\d))))"
                + "(?<rest>.*)");
    private static final Pattern REST =
        Pattern.compile(
            "(?<gap>(?:[ ,T_.:@日-]|klo |kl |um |à )*)(?:(?<h>\\d{1,2})(?:(?<u>[:.h])(?<m>\\d{2})"
                + "(?:[:.](?<s>\\d{2})(?:(?<p>[.,:])(?<f>\\d{1,9}))?)?)?|(?<hm>\\d{4})(?<hms>\\d\\d)?)(?<half>"
                + " ?[AaPp]\\.? ?(?:[Mm]\\.?)?(?![\\p{L}]))?(?<clock> ?Uhr)?(?:"
                + " ?(?<zone>Z|[+-]\\d\\d(?::?\\d\\d)?|\\p{Lu}{2,5}\\S*(?: \\(.*\\))?))?");

    private static final Pattern RANGE =
        Pattern.compile("(.*\\d\\d:\\d\\d.*?) (?:-|–|to|bis) (?:.*\\d\\d:\\d\\d.*)");
    private static final Pattern YEAR_LAST =
        Pattern.compile("\\p{L}{3} \\p{L}{3} +\\d+ \\d\\d:\\d\\d:\\d\\d( [A-Z]{3,5})? \\d{4}");

    private TimePatterns() {}

    static List<String> of(String text) {
      Matcher range = RANGE.matcher(text);
      if (range.matches()) {
        return of(range.group(1)).stream().map(pattern -> pattern + "*").toList();
      }
      Matcher yearLast = YEAR_LAST.matcher(text);
      if (yearLast.matches()) {
        return List.of("EEE MMM d HH:mm:ss " + (yearLast.group(1) == null ? "yyyy" : "z yyyy"));
      }
      Matcher whole =
          TEXT.matcher(text.replaceAll("[\\p{Cf}]", "").replaceAll("[\\s\\p{Z}]+", " "));
      if (!whole.matches()) {
        return List.of();
      }
      List<String> patterns = new ArrayList<>();
      boolean half = whole.group("rest").matches("(?i).*\\d ?[ap]\\.? ?(m\\.?)?( .*)?");
      for (String date : dates(whole, half)) {
        for (String time : times(whole.group("rest"))) {
          String name = whole.group("name") == null ? "" : "EEE ";
          String pattern = name + date + time;
          String relaxed =
              name
                  + date.replaceAll("\\bdd\\b", "d").replaceAll("\\bMM\\b", "M")
                  + time.replaceAll("([Hh])\\1(?=\\W|$)", "$1");
          if (!half && !pattern.matches(".*\\b[dMH]\\b.*")) {
            patterns.add(pattern);
          }
          patterns.add(relaxed);
        }
      }
      return patterns;
    }

    /**
     * The dates.
     *
     * @param half whether the hours are those of half a day, as where the month comes first
     */
    private static List<String> dates(Matcher whole, boolean half) {
      if (whole.group("compact") != null) {
        boolean yearFirst = whole.group("compact").matches("(19|20)\\d{2}(0[1-9]|1[0-2]).*");
        return yearFirst ? List.of("yyyyMMdd") : List.of("ddMMyyyy", "MMddyyyy");
      }
      String a = whole.group("a");
      String b = whole.group("b");
      String c = whole.group("c");
      String s = literal(whole.group("s"));
      String t = literal(whole.group("t"));
      List<String> orders = new ArrayList<>();
      if (!Character.isDigit(b.charAt(0))) {
        orders.add(digits("d", a) + s + "MMM" + t + year(c));
      } else if (!Character.isDigit(a.charAt(0))) {
        orders.add("MMM" + s + digits("d", b) + t + year(c));
      } else if (a.length() == 4) {
        orders.add(year(a) + s + digits("M", b) + t + digits("d", c));
      } else {
        orders.add(digits("d", a) + s + digits("M", b) + t + year(c));
        if (!s.strip().equals(".")) {
          orders.add(half ? 0 : 1, digits("M", a) + s + digits("d", b) + t + year(c));
        }
        if (c.length() <= 2) {
          orders.add("yy" + s + digits("M", b) + t + digits("d", c));
        }
      }
      return orders;
    }

    private static String digits(String letter, String text) {
      return letter.repeat(Math.min(2, text.length()));
    }

    private static String year(String text) {
      return text.length() == 4 ? "yyyy" : "yy";
    }

    private static List<String> times(String rest) {
      if (rest.isBlank()) {
        return List.of("");
      }
      Matcher parts = REST.matcher(rest);
      if (!parts.matches()) {
        return List.of();
      }
      boolean half = parts.group("half") != null;
      StringBuilder time = new StringBuilder(literal(parts.group("gap")));
      if (parts.group("hm") != null) {
        time.append(parts.group("hms") == null ? "HHmm" : "HHmmss");
      } else {
        String hour = half ? "h" : "H";
        time.append(parts.group("h").length() == 1 ? hour : hour + hour);
        if (parts.group("m") != null) {
          time.append(literal(parts.group("u"))).append("mm");
        }
        if (parts.group("s") != null) {
          time.append(parts.group("u").equals(".") ? "." : ":").append("ss");
        }
        if (parts.group("f") != null) {
          time.append(parts.group("p")).append("S".repeat(parts.group("f").length()));
        }
      }
      time.append(half ? " a" : "").append(parts.group("clock") == null ? "" : " 'Uhr'");
      String zone = parts.group("zone");
      if (zone != null) {
        boolean word = zone.matches("\\p{Lu}{2}.*");
        String blank = rest.endsWith(" " + zone) || word ? " " : "";
        String letters = word ? "z" : zone.contains(":") || zone.equals("Z") ? "XXX" : "XX";
        time.append(blank).append(zone.length() == 3 && !word ? "X" : letters);
      }
      return List.of(time.toString());
    }

    private static String literal(String text) {
      return text.replaceAll("\\p{L}+", "'$0'");
    }
  }
}
