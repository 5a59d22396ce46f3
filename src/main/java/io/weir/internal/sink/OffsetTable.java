package io.weir.internal.sink;

import io.weir.topic.TopicNames;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** The table weir_sink_offsets. Stateless; a connection is one thread's. */
final class OffsetTable {
  private static final long LOCK = 0x77656972_0002L;

  private static final String GENERATIONS =
      """
      select coalesce(max(o.generation), 0), max(o.generation) filter (where o.topic_id = ?),
             greatest(max(o.generation), max(g.generation), 0)
        from (select ?::text) as t(name)
        left join weir_sink_offsets o using (name) left join weir_sink_generations g using (name)""";
  private static final String NEWEST =
      """
      insert into weir_sink_generations as g (name, generation) values (?, ?)
      on conflict (name) do update set generation = greatest(g.generation, excluded.generation)""";
  private static final String TAKE_OVER =
      """
      insert into weir_sink_offsets as o (name, topic_id, generation, partition, epoch, next_offset)
      select ?, ?, ?, p, 1, n from unnest(?::int[], ?::bigint[]) as t(p, n)
      on conflict (name, topic_id, partition) do update set epoch = o.epoch + 1
      returning partition, epoch, next_offset, generation,
                case when epoch_offset = next_offset then leader_epoch end""";
  private static final String RESTART =
      """
      update weir_sink_offsets
         set next_offset = ?, generation = ?, epoch_offset = null, leader_epoch = null
       where name = ? and topic_id = ? and partition = ? and epoch = ?""";
  private static final String MOVE =
      """
      update weir_sink_offsets o set next_offset = t.n, epoch_offset = t.n, leader_epoch = t.l
        from unnest(?::int[], ?::bigint[], ?::bigint[], ?::int[]) as t(p, e, n, l)
       where o.name = ? and o.topic_id = ? and o.partition = t.p and o.epoch = t.e
      returning o.partition""";

  private OffsetTable() {}

  /**
   * Acquires partitions of a topic, in its own transaction: fences their previous owner.
   *
   * @param begins next offset of each partition that was never written
   * @throws SinkRefusedException if the table has a newer topic of that name, or one of another
   *     plant
   */
  static List<PartitionOwnership> takeOver(
      Connection connection, String topic, Uuid topicId, Map<Integer, Long> begins)
      throws SQLException {
    lock(connection);
    refuseOtherPlants(connection, topic);
    int generation = generation(connection, topic, topicId);
    List<Integer> partitions = begins.keySet().stream().sorted().toList();
    try (PreparedStatement statement = connection.prepareStatement(TAKE_OVER)) {
      statement.setString(1, topic);
      statement.setObject(2, sql(topicId));
      statement.setInt(3, generation);
      statement.setArray(4, ints(connection, partitions));
      statement.setArray(5, longs(connection, partitions.stream().map(begins::get).toList()));
      List<PartitionOwnership> owned = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          owned.add(
              new PartitionOwnership(
                  new TopicPartition(topic, result.getInt(1)),
                  topicId,
                  result.getInt(4),
                  result.getLong(2),
                  position(result.getLong(3), (Integer) result.getObject(5))));
        }
      }
      newest(connection, topic, generation);
      connection.commit();
      return owned;
    }
  }

  /**
   * Updates the offsets of one topic, in the transaction that writes the rows.
   *
   * @return the partitions that another process has acquired: the transaction must not be committed
   */
  static Set<TopicPartition> move(
      Connection connection,
      List<PartitionOwnership> owned,
      Map<TopicPartition, OffsetAndMetadata> positions)
      throws SQLException {
    String topic = owned.get(0).partition().topic();
    Set<TopicPartition> lost = new HashSet<>();
    owned.forEach(ownership -> lost.add(ownership.partition()));
    List<OffsetAndMetadata> next =
        owned.stream().map(ownership -> positions.get(ownership.partition())).toList();
    try (PreparedStatement statement = connection.prepareStatement(MOVE)) {
      statement.setArray(
          1,
          ints(
              connection,
              owned.stream().map(ownership -> ownership.partition().partition()).toList()));
      statement.setArray(
          2, longs(connection, owned.stream().map(PartitionOwnership::epoch).toList()));
      statement.setArray(
          3, longs(connection, next.stream().map(OffsetAndMetadata::offset).toList()));
      statement.setArray(
          4,
          connection.createArrayOf(
              "int4", next.stream().map(each -> each.leaderEpoch().orElse(null)).toArray()));
      statement.setString(5, topic);
      statement.setObject(6, sql(owned.get(0).topicId()));
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          lost.remove(new TopicPartition(topic, result.getInt(1)));
        }
      }
    }
    return lost;
  }

  /**
   * Changes the next offset of a partition, in its own transaction.
   *
   * @param again whether offsets restart, so that all later records are newer than the written ones
   */
  static PartitionOwnership continueAt(
      Connection connection, PartitionOwnership ownership, long offset, boolean again)
      throws SQLException {
    int generation = ownership.generation() + (again ? 1 : 0);
    try (PreparedStatement statement = connection.prepareStatement(RESTART)) {
      statement.setLong(1, offset);
      statement.setInt(2, generation);
      statement.setString(3, ownership.partition().topic());
      statement.setObject(4, sql(ownership.topicId()));
      statement.setInt(5, ownership.partition().partition());
      statement.setLong(6, ownership.epoch());
      statement.executeUpdate();
    }
    newest(connection, ownership.partition().topic(), generation);
    connection.commit();
    return new PartitionOwnership(
        ownership.partition(),
        ownership.topicId(),
        generation,
        ownership.epoch(),
        position(offset, null));
  }

  private static OffsetAndMetadata position(long offset, Integer leaderEpoch) {
    return new OffsetAndMetadata(offset, Optional.ofNullable(leaderEpoch), "");
  }

  /** Sensors of two plants may have equal ids: their rows must not meet. */
  private static void refuseOtherPlants(Connection connection, String topic) throws SQLException {
    Optional<String> plant = TopicNames.plantOf(topic);
    if (plant.isEmpty()) {
      return;
    }
    try (PreparedStatement statement =
            connection.prepareStatement("select distinct name from weir_sink_offsets");
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        String other = result.getString(1);
        if (!TopicNames.plantOf(other).orElse(plant.get()).equals(plant.get())) {
          throw new SinkRefusedException(
              "the tables have rows of "
                  + other
                  + ", and this sink reads "
                  + topic
                  + ": each plant needs an SQL schema of its own; set currentSchema in"
                  + " weir.sink.jdbc.url, and create the tables there with weir sink --init");
        }
      }
    }
  }

  private static void lock(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select pg_advisory_xact_lock(?)")) {
      statement.setLong(1, LOCK);
      statement.execute();
    }
  }

  private static int generation(Connection connection, String topic, Uuid topicId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(GENERATIONS)) {
      statement.setObject(1, sql(topicId));
      statement.setString(2, topic);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        int newest = result.getInt(1);
        Optional<Integer> generation = Optional.ofNullable((Integer) result.getObject(2));
        if (generation.isPresent() && generation.get() < newest) {
          throw new SinkRefusedException(
              "topic %s has the id %s, which is generation %d in weir_sink_offsets, and %d is newer: tables belong to one cluster; use a different schema for each cluster (currentSchema in weir.sink.jdbc.url)"
                  .formatted(topic, topicId, generation.get(), newest));
        }
        return generation.orElse(result.getInt(3) + 1);
      }
    }
  }

  private static void newest(Connection connection, String topic, int generation)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(NEWEST)) {
      statement.setString(1, topic);
      statement.setInt(2, generation);
      statement.executeUpdate();
    }
  }

  private static UUID sql(Uuid id) {
    return new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }

  private static Array ints(Connection connection, Collection<Integer> values) throws SQLException {
    return connection.createArrayOf("int4", values.toArray());
  }

  private static Array longs(Connection connection, Collection<Long> values) throws SQLException {
    return connection.createArrayOf("int8", values.toArray());
  }
}
