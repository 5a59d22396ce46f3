package io.weir.internal.app;

import io.weir.topic.TooFewBrokersException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;

/** Distinguishes start failures worth a retry from those that an operator must fix. */
public final class StartFailures {
  private StartFailures() {}

  /**
   * Runs a start and returns its result.
   *
   * @param client settings of its client
   * @param rights the rights that it needs
   * @throws KafkaAwayException if the cluster does not answer, or lacks brokers: try again later
   * @throws StartRefusedException if a right is missing, or the start itself threw it
   */
  public static <T> T explain(Map<String, Object> client, List<Acl> rights, Supplier<T> start) {
    String servers = client.get(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG).toString();
    try {
      return start.get();
    } catch (TooFewBrokersException e) {
      throw new KafkaAwayException(e.getMessage());
    } catch (TimeoutException e) {
      throw new KafkaAwayException(
          "no answer from Kafka at "
              + servers
              + " (weir.bootstrap.servers): "
              + e.getMessage()
              + KafkaAwayException.REMEDY);
    } catch (KafkaException e) {
      if (isUnresolvable(e)) {
        throw new KafkaAwayException(
            "cannot resolve " + servers + " (weir.bootstrap.servers)" + KafkaAwayException.REMEDY);
      }
      throw AclAdvice.describe(e, rights)
          .<RuntimeException>map(StartRefusedException::new)
          .orElse(e);
    }
  }

  /** Names of brokers may be resolvable only while the brokers run. */
  private static boolean isUnresolvable(KafkaException failure) {
    return failure.getCause() instanceof ConfigException cause
        && cause.getMessage().startsWith("No resolvable bootstrap urls");
  }
}
