package io.weir.internal.text.mapping;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Abbreviations of time zones. Each is one fixed offset, whatever the season: EST is -05:00 in July
 * too. Words that stand for several offsets are known only as names of the zone at hand: CST is
 * -06:00 in America/Chicago.
 */
public final class ZoneWords {
  private static final Map<String, String> OFFSETS = new HashMap<>();

  static {
    String offsets =
        "UTC=Z GMT=Z WET=Z WEST=+01 CET=+01 MEZ=+01 CEST=+02 MESZ=+02 EET=+02 EEST=+03 MSK=+03"
            + " EST=-05 EDT=-04 CDT=-05 MST=-07 MDT=-06 PST=-08 PDT=-07 AKST=-09 AKDT=-08 HST=-10"
            + " ADT=-03 NDT=-02:30 JST=+09 KST=+09 HKT=+08 AWST=+08 ACST=+09:30 ACDT=+10:30 AEST=+10"
            + " AEDT=+11 NZST=+12 NZDT=+13 SAST=+02";
    for (String pair : offsets.split(" ")) {
      String[] sides = pair.split("=");
      OFFSETS.put(sides[0], ZoneOffset.of(sides[1]).getId().replace("Z", "+00:00"));
    }
  }

  private static final Set<String> SEVERAL =
      Set.of("IST", "BST", "CST", "AST", "NST", "GST", "SST", "ECT", "WST", "AMT", "PYT");

  private static final Pattern WORD =
      Pattern.compile(
          "(?<![\\p{L}/_'])(?:(?:UTC|GMT)([+-])(\\d{1,2}):?(\\d\\d)?|[A-Z]{2,5})(?![\\p{L}/_\\d])");
  private static final Pattern REMARK = Pattern.compile("\\s*\\([^()]*\\)\\s*$");

  private ZoneWords() {}

  /** Whether it is an abbreviation, of one offset or of several. */
  public static boolean isKnown(String text) {
    return OFFSETS.containsKey(text) || SEVERAL.contains(text);
  }

  /** Whether the abbreviation stands for several offsets. */
  static boolean meansSeveral(String text) {
    return SEVERAL.contains(text);
  }

  /** The text with the abbreviation replaced by its offset, and without a remark in brackets. */
  static String toOffset(String text, ZoneId zone) {
    String time = REMARK.matcher(text).replaceFirst("");
    Matcher words = WORD.matcher(time);
    while (words.find()) {
      String offset = words.group(1) == null ? offset(words.group(), zone) : typed(words);
      if (offset != null) {
        String before = time.substring(0, words.start());
        return before + (before.endsWith(" ") ? "" : " ") + offset + time.substring(words.end());
      }
    }
    return time;
  }

  private static String typed(Matcher word) {
    String minutes = word.group(3) == null ? "00" : word.group(3);
    String hours = word.group(2).length() == 1 ? "0" + word.group(2) : word.group(2);
    return word.group(1) + hours + ":" + minutes;
  }

  private static String offset(String word, ZoneId zone) {
    if (!SEVERAL.contains(word)) {
      return OFFSETS.get(word);
    }
    TimeZone names = TimeZone.getTimeZone(zone);
    int standard = names.getRawOffset();
    if (word.equals(names.getDisplayName(true, TimeZone.SHORT, Locale.ENGLISH))) {
      standard += names.getDSTSavings();
    } else if (!word.equals(names.getDisplayName(false, TimeZone.SHORT, Locale.ENGLISH))) {
      return null;
    }
    return ZoneOffset.ofTotalSeconds(standard / 1000).getId().replace("Z", "+00:00");
  }
}
