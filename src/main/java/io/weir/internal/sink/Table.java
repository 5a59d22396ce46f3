package io.weir.internal.sink;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A target table and the statements that write it.
 *
 * @param name of the table
 * @param columns their names, those of the primary key first; last {@link #ORIGIN}
 * @param keyColumns number of columns of the primary key
 * @param newerBy columns that determine, compared as a row, which of two rows is newer
 * @param byDay whether it has a partition for each day
 * @param goneColumn column that is null in a tombstone, which deletes the row of its key; empty
 *     without tombstones
 * @param afterwards statements that follow the rows, with {@code %s} for the staged ones
 */
record Table(
    String name,
    List<String> columns,
    int keyColumns,
    List<String> newerBy,
    boolean byDay,
    Optional<String> goneColumn,
    List<String> afterwards) {
  /** Later records of a partition have larger ones. */
  private static final List<String> ORDER = List.of("topic_generation", "kafka_offset");

  /** The record's partition, its topic's generation and its offset. */
  private static final List<String> ORIGIN =
      List.of("kafka_partition", "topic_generation", "kafka_offset");

  private static final String PIECE = "weir_row";

  Table {
    columns = Stream.concat(columns.stream(), ORIGIN.stream()).distinct().toList();
    newerBy = List.copyOf(newerBy);
    afterwards = List.copyOf(afterwards);
  }

  /** A table in which later records are newer. */
  static Table byOffset(String name, List<String> columns, int keyColumns, boolean byDay) {
    return new Table(name, columns, keyColumns, ORDER, byDay, Optional.empty(), List.of());
  }

  /** This table, with additional statements after its rows. */
  Table with(List<String> statements) {
    return new Table(name, columns, keyColumns, newerBy, byDay, goneColumn, statements);
  }

  /** A table with the newest row of each key, with tombstones. */
  static Table ofStates(String name, List<String> columns, String goneColumn) {
    return new Table(name, columns, 1, ORDER, false, Optional.of(goneColumn), List.of());
  }

  /** The temporary table of a transaction's rows; each connection has its own. */
  String staging() {
    return "weir_sink_" + name;
  }

  /** The same for bisection: each row has its number in {@value #PIECE}. */
  String pieces() {
    return staging() + "_pieces";
  }

  /** Only the written columns: staged rows lack columns that users added. */
  String createStaging() {
    return create(staging(), "");
  }

  List<String> createPieces() {
    return List.of(
        create(pieces(), "0 as " + PIECE + ", "),
        "create index if not exists %1$s_row on %1$s (%2$s)".formatted(pieces(), PIECE));
  }

  private String create(String staged, String first) {
    return "create temporary table if not exists %s on commit delete rows as select %s%s from %s with no data"
        .formatted(staged, first, String.join(", ", columns), name);
  }

  String copy() {
    return copy(staging(), "");
  }

  String copyPieces() {
    return copy(pieces(), PIECE + ", ");
  }

  private String copy(String staged, String first) {
    return "copy %s (%s%s) from stdin (format binary)"
        .formatted(staged, first, String.join(", ", columns));
  }

  /** The statements that merge the staged rows into the table, in order. */
  List<String> merge() {
    return merge(staging());
  }

  /** The same for the rows with these numbers. */
  List<String> merge(int from, int end) {
    String numbers = "%1$s >= %2$d and %1$s < %3$d".formatted(PIECE, from, end);
    return merge("(select * from %s w where %s)".formatted(pieces(), numbers));
  }

  private List<String> merge(String staged) {
    List<String> statements = new ArrayList<>();
    statements.add(upsert(staged));
    goneColumn.ifPresent(column -> statements.add(deleteGone(staged, column)));
    afterwards.forEach(statement -> statements.add(statement.formatted(staged)));
    return statements;
  }

  /** Newer rows replace older ones, never vice versa. */
  private String upsert(String staged) {
    String all = String.join(", ", columns);
    String key = String.join(", ", columns.subList(0, keyColumns));
    String set =
        columns.stream()
            .skip(keyColumns)
            .map(column -> column + " = excluded." + column)
            .collect(Collectors.joining(", "));
    return ("insert into %s as t (%s, updated_at) select %s, now() from %s s"
            + " on conflict (%s) do update set %s, updated_at = excluded.updated_at where %s < %s")
        .formatted(name, all, all, staged, key, set, row("t", newerBy), row("excluded", newerBy));
  }

  private String deleteGone(String staged, String column) {
    String sameKey =
        columns.stream()
            .limit(keyColumns)
            .map(key -> "t.%1$s = s.%1$s".formatted(key))
            .collect(Collectors.joining(" and "));
    return "delete from %s t using %s s where s.%s is null and t.%s is null and %s"
        .formatted(name, staged, column, column, sameKey);
  }

  private static String row(String alias, List<String> columns) {
    return columns.stream()
        .map(column -> alias + "." + column)
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
