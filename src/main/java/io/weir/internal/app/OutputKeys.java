package io.weir.internal.app;

import static io.weir.internal.app.ValueType.choice;
import static io.weir.internal.app.ValueType.choices;
import static io.weir.internal.app.ValueType.oneOf;

import io.weir.topic.LatestForm;
import io.weir.topic.Topic;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The settings of outputs for the tools of others: a part of the catalogue {@link Keys}. */
public final class OutputKeys {
  private static final Key.Group KEYS = new Key.Group();

  public static final Key<LatestForm> LATEST =
      KEYS.of(
          "latest",
          oneOf(LatestForm.class),
          "off",
          "topics with a key for each window, whose last record is the window's summary: form of"
              + " their keys and values");
  public static final Key<List<String>> LATEST_OF =
      KEYS.of(
          "latest.of",
          choices(
              Stream.of(Topic.values())
                  .map(Topic::latestOf)
                  .flatMap(Optional::stream)
                  .toArray(String[]::new)),
          "windows",
          "the summaries that weir.latest writes: windows, rollups, hopping, separated by commas");

  public static final Key<String> COMPRESSION =
      KEYS.of(
          "output.compression",
          choice("none", "gzip", "snappy", "lz4", "zstd"),
          "lz4",
          "compression of what weir run and weir events write; gzip is the one that every client"
              + " reads");

  static final List<Key<?>> ALL = KEYS.all();

  private OutputKeys() {}
}
