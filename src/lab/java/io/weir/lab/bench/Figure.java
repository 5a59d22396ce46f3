package io.weir.lab.bench;

import java.util.Locale;

/** The catalogue of what is measured, with its unit. Absent where it means nothing. */
public enum Figure {
  /** From the end of the warm-up to the last reading's end, commits included. */
  READINGS_PER_SECOND,
  /** Of the measured process: all its threads, compiler and garbage collector included. */
  CPU_SECONDS_PER_MILLION,
  /** Of the broker, meanwhile. */
  BROKER_CPU_SECONDS_PER_MILLION,
  /** The most memory the process ever had resident. */
  PEAK_MEMORY_BYTES,
  /** The memory that the process has resident at the end, before a collection is asked for. */
  RESIDENT_BYTES,
  /** Buffers outside the heap that java knows of. */
  DIRECT_BYTES,
  /** Classes and compiled code. */
  NOT_HEAP_BYTES,
  /** What is left on the heap after a collection, at the end and before anything is closed. */
  LIVE_HEAP_BYTES,
  /** Compressed, as the producers sent them, over all readings. */
  CHANGELOG_BYTES_PER_READING,
  /** The same from the end of the warm-up on, over the readings since. */
  CHANGELOG_WARM_BYTES_PER_READING,
  /** Records that the producers sent to changelogs. */
  CHANGELOG_RECORDS,
  /** That, and the markers of transactions: what one replica appends, whatever compaction does. */
  CHANGELOG_WRITTEN_BYTES_PER_READING,
  /** What one replica appends to all topics, from the end of the warm-up on. */
  WRITTEN_BYTES_PER_READING,
  /** Key and value bytes of the changelog's entries that are not replaced or deleted. */
  CHANGELOG_LIVE_BYTES,
  /** What the broker keeps of the changelog at the end, compressed, compacted so far or not. */
  CHANGELOG_KEPT_BYTES,
  /** Readings, compressed, as the broker keeps them. */
  TOPIC_BYTES_PER_READING,
  /** What was added to the windows' topic, compressed. */
  WINDOWS_BYTES,
  /** Summaries that a reader of committed records got. */
  WINDOWS,
  /** Folds that were emitted until the last event was taken. */
  FOLDS,
  /** Keys that had a handler. */
  KEYS,
  /** Timers that waited at once, at the most; looked at every tenth of a second. */
  MOST_WAITING,
  /** Events that were on their topic before they were due. */
  EARLY,
  /** What was added to Kafka's own topics, of offsets and transactions, over all readings. */
  INTERNAL_BYTES_PER_READING,
  /** The most records that were not committed yet, after the warm-up. */
  MOST_LAG_RECORDS,
  /** Processors that the broker kept busy. */
  BROKER_PROCESSORS,
  /** From the start of an application to where all partitions are restored and aggregated. */
  RESTORE_SECONDS,
  /** How many readings a recording has. */
  RECORDED_READINGS,
  /** Readings that a pipeline dropped instead of counting them, in percent. */
  DROPPED_PERCENT,
  /** Windows that are as a plain pass over the readings has them. */
  SAME_WINDOWS,
  /** Windows that lack readings. */
  LACKING_WINDOWS,
  /** Windows that should have been closed and were not committed. */
  MISSING_WINDOWS,
  /** Readings that no committed window has, of windows that should have been closed. */
  LOST_READINGS,
  /** Windows that were committed again. */
  DOUBLED_WINDOWS,
  /** Windows with more or other readings than a plain pass has. */
  WRONG_WINDOWS,
  /** Readings that a process had taken when it was killed. */
  KILLED_AFTER_READINGS,
  /** Readings that the process after it took again. */
  REPEATED_READINGS,
  /** From the start of the process after it to its first committed window. */
  RESTART_SECONDS,
  /** Length of what was measured. */
  MEASURED_SECONDS,
  /** Length of what came before and was not measured. */
  WARM_UP_SECONDS,
  /** Of the machine over a minute, when the process ended: how far it had other things to do. */
  LOAD_AVERAGE,
  /** Of a time that has a distribution, in milliseconds. */
  P50_MS,
  P99_MS,
  P999_MS;

  /** Its name in JSON and between the processes. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Figure ofKey(String key) {
    return valueOf(key.toUpperCase(Locale.ROOT));
  }
}
