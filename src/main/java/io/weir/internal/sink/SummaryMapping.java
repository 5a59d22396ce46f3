package io.weir.internal.sink;

import io.weir.summary.Derived;
import io.weir.topic.Topic;
import io.weir.v1.ExponentialHistogram;
import io.weir.v1.ExponentialHistogram.Buckets;
import io.weir.v1.WindowSummary;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Maps summaries of windows or rollups, one row each. */
final class SummaryMapping implements TableMapping {
  private static final List<String> COLUMNS =
      List.of(
          "sensor_id",
          "window_start",
          "window_end",
          "count",
          "sum",
          "min",
          "max",
          "bad_count",
          "revision",
          "close_reason",
          "is_final",
          "first_timestamp",
          "first",
          "last_timestamp",
          "last",
          "m2",
          "histogram",
          "integral",
          "increase",
          "resets",
          "uncertain_count",
          "sum_rest",
          "mean",
          "standard_deviation",
          "time_weighted_average",
          "p50",
          "p95",
          "p99");
  private static final int KEY_COLUMNS = 3;

  /** Of the columns p50, p95 and p99. */
  private static final double[] QUANTILES = {0.5, 0.95, 0.99};

  /** Updates the row of a sensor once a day. */
  private static final String NEWEST_DAYS =
      """
      insert into weir_sensors as t (sensor_id, newest_day)
      select n.sensor_id, n.day
        from (select s.sensor_id,
                     max(date_trunc('day', s.window_start at time zone 'UTC') at time zone 'UTC') as day
                from %s s
               where s.window_start < now() + interval '1 day'
               group by s.sensor_id) n
        left join weir_sensors k on k.sensor_id = n.sensor_id
       where k.newest_day is null or k.newest_day < n.day
       order by n.sensor_id
      on conflict (sensor_id) do update set newest_day = excluded.newest_day
       where t.newest_day < excluded.newest_day""";

  private final Topic topic;
  private final Table table;

  SummaryMapping(String table, Topic topic) {
    this.topic = topic;
    Table rows = Table.byOffset(table, COLUMNS, KEY_COLUMNS, true);
    this.table = topic == Topic.WINDOWS ? rows.with(List.of(NEWEST_DAYS)) : rows;
  }

  @Override
  public Topic topic() {
    return topic;
  }

  @Override
  public Table table() {
    return table;
  }

  @Override
  public void map(ConsumerRecord<byte[], byte[]> record, RecordRows rows) throws RejectedException {
    WindowSummary window = Messages.decode(record, WindowSummary.getDefaultInstance());
    RowEncoder row = rows.row();
    row.text(Checks.key("sensor_id", window.getSensorId()));
    row.timestamp(Checks.time("window_start_ms", window.getWindowStartMs()));
    row.timestamp(Checks.time("window_end_ms", window.getWindowEndMs()));
    row.int8(Checks.count("count", window.getCount()));
    if (window.getCount() == 0) {
      row.nothing(3);
    } else {
      row.float8(window.getSum());
      row.float8(window.getMin());
      row.float8(window.getMax());
    }
    row.int8(Checks.count("bad_count", window.getBadCount()));
    row.int8(Integer.toUnsignedLong(window.getRevision()));
    row.text(Messages.name(window.getCloseReason(), window.getCloseReasonValue(), "CLOSE_REASON_"));
    row.bool(window.getIsFinal());
    statistics(window, row);
    derived(window, row);
    rows.end(window.getWindowStartMs(), 0);
  }

  private static void statistics(WindowSummary window, RowEncoder row) throws RejectedException {
    time(window.hasFirstTimestampMs(), "first_timestamp_ms", window.getFirstTimestampMs(), row);
    number(window.hasFirst(), window.getFirst(), row);
    time(window.hasLastTimestampMs(), "last_timestamp_ms", window.getLastTimestampMs(), row);
    number(window.hasLast(), window.getLast(), row);
    number(window.hasM2(), window.getM2(), row);
    if (window.hasHistogram()) {
      row.jsonb(json(window.getHistogram()));
    } else {
      row.nothing();
    }
    number(window.hasIntegral(), window.getIntegral(), row);
    number(window.hasIncrease(), window.getIncrease(), row);
    count(window.hasResets(), "resets", window.getResets(), row);
    count(window.hasUncertainCount(), "uncertain_count", window.getUncertainCount(), row);
  }

  /** By the class that all others use, so that no query has to. */
  private static void derived(WindowSummary window, RowEncoder row) {
    if (window.getSumRestCount() > 0) {
      row.float8s(window.getSumRestList());
    } else {
      row.nothing();
    }
    number(Derived.mean(window), row);
    number(Derived.standardDeviation(window), row);
    number(Derived.timeWeightedAverage(window), row);
    for (double q : QUANTILES) {
      number(Derived.quantile(window, q), row);
    }
  }

  private static void number(OptionalDouble value, RowEncoder row) {
    number(value.isPresent(), value.orElse(0), row);
  }

  private static void time(boolean present, String what, long ms, RowEncoder row)
      throws RejectedException {
    if (present) {
      row.timestamp(Checks.time(what, ms));
    } else {
      row.nothing();
    }
  }

  private static void number(boolean present, double value, RowEncoder row) {
    if (present) {
      row.float8(value);
    } else {
      row.nothing();
    }
  }

  private static void count(boolean present, String what, long value, RowEncoder row)
      throws RejectedException {
    if (present) {
      row.int8(Checks.count(what, value));
    } else {
      row.nothing();
    }
  }

  private static String json(ExponentialHistogram histogram) {
    return "{\"scale\":%d,\"zero_count\":%s,\"positive\":%s,\"negative\":%s}"
        .formatted(
            histogram.getScale(),
            Long.toUnsignedString(histogram.getZeroCount()),
            json(histogram.getPositive()),
            json(histogram.getNegative()));
  }

  private static String json(Buckets buckets) {
    StringBuilder json = new StringBuilder("{\"offset\":");
    json.append(buckets.getOffset()).append(",\"counts\":[");
    for (int i = 0; i < buckets.getCountsCount(); i++) {
      json.append(i == 0 ? "" : ",").append(Long.toUnsignedString(buckets.getCounts(i)));
    }
    return json.append("]}").toString();
  }
}
