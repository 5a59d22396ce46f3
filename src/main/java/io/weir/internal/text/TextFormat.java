package io.weir.internal.text;

/** How readings are written in a file. */
public enum TextFormat {
  /**
   * Detected from the first line that is not empty: JSON lines begin with a brace, a JSON array
   * with a bracket, NEM12 with {@code 100,NEM12}, CSV with its header; otherwise a whole line of
   * line protocol is that.
   */
  DETECT,
  /**
   * RFC 4180, one record a line, under the header {@code sensor_id,timestamp_ms,value[,quality]}.
   */
  CSV,
  /** One JSON object a line, its fields named as the header of {@link #CSV}. */
  JSON_LINES,
  /**
   * One JSON array of such objects, or objects one after the other, each over as many lines as it
   * likes.
   */
  JSON_ARRAY,
  /** InfluxDB's line protocol, as Telegraf writes it: a reading for each field that is a number. */
  LINE_PROTOCOL,
  /** Interval meters of the Australian market: a line a day, times at UTC+10. */
  NEM12
}
