package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.List;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/** Finds a version of Kafka with known bugs. */
final class VersionsCheck implements Check {
  /** The metadata.version of Kafka 4.0; a lower one is 3.x, or an unfinished upgrade. */
  private static final short KAFKA_4_0 = 22;

  @Override
  public String name() {
    return "versions";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    FinalizedVersionRange version =
        KafkaFutures.await(cluster.admin().describeFeatures().featureMetadata())
            .finalizedFeatures()
            .get("metadata.version");
    if (version == null || version.maxVersionLevel() >= KAFKA_4_0) {
      return List.of();
    }
    return List.of(
        risk(
            "the cluster's metadata.version is " + version.maxVersionLevel() + ", below Kafka 4.0",
            "3.x has hanging transactions and advisories that later versions fix"
                + " (docs/reference/advisories.md)",
            "upgrade the brokers, then kafka-features.sh upgrade"));
  }
}
