package io.weir.topic;

/**
 * How many replicas a topic is to have, and why. By default as many as the cluster's own default
 * says, but at least {@value #WANTED} where the cluster has so many brokers: registered brokers,
 * alive or not, brokers that hold replicas, and the addresses in {@code bootstrap.servers} are all
 * evidence of that. What a broker's outage leaves alive does not decide.
 *
 * @param replicas of each partition
 * @param isSet whether a setting requires exactly these
 * @param reason where the number comes from
 */
public record Replication(short replicas, boolean isSet, String reason) {
  /** The setting, as operators know it. */
  public static final String SETTING = "weir.replication.factor";

  /** A single copy, for a broker on its own. */
  public static final Replication NONE = new Replication((short) 1, false, "a single broker");

  private static final int WANTED = 3;

  /**
   * What a cluster reports about its brokers.
   *
   * @param registered its brokers, whether they are alive or not
   * @param defaultReplicas its {@code default.replication.factor}; 0 where it may not be asked for
   */
  record Cluster(int registered, int defaultReplicas) {}

  /** The number of replicas for a cluster. */
  static Replication of(TopicOptions options, Cluster cluster) {
    if (options.replicationFactor().isPresent()) {
      int asked = options.replicationFactor().getAsInt();
      return new Replication((short) asked, true, SETTING + "=" + asked);
    }
    if (cluster.defaultReplicas() >= WANTED) {
      return byDefault(
          cluster.defaultReplicas(),
          "the cluster's default.replication.factor is " + cluster.defaultReplicas());
    }
    if (cluster.registered() >= WANTED) {
      return byDefault(WANTED, "the cluster has " + cluster.registered() + " brokers");
    }
    if (options.brokersNamed() >= WANTED) {
      return byDefault(
          WANTED, "weir.bootstrap.servers names " + options.brokersNamed() + " brokers");
    }
    return byDefault(Math.max(1, cluster.defaultReplicas()), "the cluster's default");
  }

  private static Replication byDefault(int replicas, String reason) {
    return new Replication((short) replicas, false, reason);
  }

  /** How many replicas must have a record before it counts as written. */
  public int minInSync() {
    return replicas >= WANTED ? 2 : 1;
  }

  /**
   * @throws TooFewBrokersException if the cluster cannot hold so many replicas
   */
  void require(String topic, Cluster cluster) {
    if (cluster.registered() < replicas) {
      throw new TooFewBrokersException(topic, this, cluster.registered());
    }
  }
}
