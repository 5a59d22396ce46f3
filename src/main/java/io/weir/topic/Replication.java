package io.weir.topic;

/**
 * The replication factor of a topic and its reason. The default is the cluster's default, but at
 * least {@value #WANTED} if the cluster has that many brokers. Registered brokers, alive or not,
 * brokers that hold replicas, and the addresses in {@code bootstrap.servers} count, so that an
 * outage of a broker does not lower it.
 *
 * @param replicas of each partition
 * @param isSet whether a setting requires exactly these
 * @param reason the reason for the number
 */
public record Replication(short replicas, boolean isSet, String reason) {
  /** The setting, as operators know it. */
  public static final String SETTING = "weir.replication.factor";

  /** One replica, for a single broker. */
  public static final Replication NONE = new Replication((short) 1, false, "a single broker");

  private static final int WANTED = 3;

  /**
   * What a cluster reports about its brokers.
   *
   * @param registered its brokers, whether they are alive or not
   * @param defaultReplicas its {@code default.replication.factor}; 0 without permission to read it
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

  /** The value of {@code min.insync.replicas}. */
  public int minInSync() {
    return replicas >= WANTED ? 2 : 1;
  }

  /**
   * @throws TooFewBrokersException if the cluster has fewer brokers
   */
  void require(String topic, Cluster cluster) {
    if (cluster.registered() < replicas) {
      throw new TooFewBrokersException(topic, this, cluster.registered());
    }
  }
}
