package io.weir.internal.text.sniff;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The patterns in which a text may be a time: those of its date by those of its time of day. */
final class TimePatterns {
  private static final List<String> LANGUAGES =
      List.of("en", "de", "fr", "nl", "sv", "pt", "es", "it", "da", "nb", "pl", "fi");
  private static final Pattern TEXT =
      Pattern.compile(
          "(?<name>\\p{L}{2,}[.,]* +(?=\\p{L}|\\d))?(?:(?<a>\\d{1,4}|\\p{L}{3,}\\.?)(?<s>[-./"
              + " ,]+)(?<b>\\d{1,2}|\\p{L}{3,}\\.?)(?<t>[-./"
              + " ,]+)(?<c>\\d{4}|\\d{1,2})|(?<compact>\\d{8}(?!\\d)|\\d{8}(?=\\d{2}(?:\\d\\d)*(?!\\d))))"
              + "(?<rest>.*)");
  private static final Pattern REST =
      Pattern.compile(
          "(?<gap>[ ,T_-]*)(?:(?<h>\\d{1,2})(?:(?<u>[:.h])(?<m>\\d{2})"
              + "(?:[:.](?<s>\\d{2})(?:(?<p>[.,:])(?<f>\\d{1,9}))?)?)?|(?<hm>\\d{4})(?<hms>\\d\\d)?)(?<half>"
              + " ?[AaPp]\\.? ?(?:[Mm]\\.?)?(?![\\p{L}]))?(?<clock> ?Uhr)?(?:"
              + " ?(?<zone>Z|[+-]\\d\\d(?::?\\d\\d)?|\\p{Lu}{2,5}\\S*(?: \\(.*\\))?))?");

  private TimePatterns() {}

  /** English alone where the pattern has no names of months. */
  static List<String> languages(String pattern) {
    return pattern.contains("MMM") ? LANGUAGES : LANGUAGES.subList(0, 1);
  }

  static List<String> of(String text) {
    Matcher whole = TEXT.matcher(text.replaceAll("[\\p{Cf}]", "").replaceAll("[\\s\\p{Z}]+", " "));
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
      orders.add(day(a) + s + "MMM" + t + year(c));
    } else if (!Character.isDigit(a.charAt(0))) {
      orders.add("MMM" + s + day(b) + t + year(c));
    } else if (a.length() == 4) {
      orders.add(year(a) + s + month(b) + t + day(c));
    } else {
      orders.add(day(a) + s + month(b) + t + year(c));
      if (!s.strip().equals(".")) {
        orders.add(half ? 0 : 1, month(a) + s + day(b) + t + year(c));
      }
      if (c.length() <= 2) {
        orders.add("yy" + s + month(b) + t + day(c));
      }
    }
    return orders;
  }

  private static String day(String text) {
    return text.length() == 1 ? "d" : "dd";
  }

  private static String month(String text) {
    return text.length() == 1 ? "M" : "MM";
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
