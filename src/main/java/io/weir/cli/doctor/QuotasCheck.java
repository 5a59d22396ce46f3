package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;

/**
 * Finds quotas that throttle Weir: of its users, its client ids, or the default. Like the brokers,
 * it applies the most specific one.
 */
final class QuotasCheck implements Check {
  /** A processing thread reads tens of megabytes a second when it catches up. */
  private static final double LITTLE = 10e6;

  /** A user or client id without its own quota. */
  private static final String ANOTHER = "";

  private static final String PRODUCER = "producer_byte_rate";
  private static final String CONSUMER = "consumer_byte_rate";

  @Override
  public String name() {
    return "quotas";
  }

  @Override
  public List<Finding> look(Examination cluster) {
    Map<ClientQuotaEntity, Map<String, Double>> quotas =
        KafkaFutures.await(
            cluster.admin().describeClientQuotas(ClientQuotaFilter.all()).entities());
    if (quotas.isEmpty()) {
      return List.of();
    }
    Clients clients = Clients.of(cluster);
    Set<Finding> findings = new LinkedHashSet<>();
    for (String user : orAnother(clients.users())) {
      for (String id : orAnother(clients.ids())) {
        look(quotas, CONSUMER, user, id, findings);
        look(quotas, PRODUCER, user, Clients.producer(id), findings);
      }
    }
    return List.copyOf(findings);
  }

  private static Set<String> orAnother(Set<String> names) {
    return names.isEmpty() ? Set.of(ANOTHER) : names;
  }

  private void look(
      Map<ClientQuotaEntity, Map<String, Double>> quotas,
      String rate,
      String user,
      String id,
      Set<Finding> findings) {
    for (ClientQuotaEntity entity : mostSpecificFirst(user, id)) {
      Double limit = quotas.getOrDefault(entity, Map.of()).get(rate);
      if (limit != null) {
        if (limit < LITTLE) {
          findings.add(finding(entity, rate, limit));
        }
        return;
      }
    }
  }

  private static List<ClientQuotaEntity> mostSpecificFirst(String user, String id) {
    List<ClientQuotaEntity> entities = new ArrayList<>();
    for (String each : Arrays.asList(user, null)) {
      entities.add(entity(ClientQuotaEntity.USER, each, ClientQuotaEntity.CLIENT_ID, id));
      entities.add(entity(ClientQuotaEntity.USER, each, ClientQuotaEntity.CLIENT_ID, null));
      entities.add(entity(ClientQuotaEntity.USER, each));
    }
    entities.add(entity(ClientQuotaEntity.CLIENT_ID, id));
    entities.add(entity(ClientQuotaEntity.CLIENT_ID, null));
    return entities;
  }

  /** Pairs of kind and name; null is the default entity. */
  private static ClientQuotaEntity entity(String... kindsAndNames) {
    Map<String, String> entries = new HashMap<>();
    for (int i = 0; i < kindsAndNames.length; i += 2) {
      entries.put(kindsAndNames[i], kindsAndNames[i + 1]);
    }
    return new ClientQuotaEntity(entries);
  }

  private Finding finding(ClientQuotaEntity entity, String rate, double limit) {
    boolean everybody = entity.entries().values().stream().allMatch(Objects::isNull);
    return risk(
        rate + " of " + text(entity) + " is " + Math.round(limit) + " bytes a second",
        everybody
            ? "it applies to weir run too, which then cannot catch up"
            : "a program of Weir has that name: at this rate it cannot catch up",
        everybody
            ? "set a quota for its user or client id, and separate ones for gateways:"
                + " kafka-configs.sh --entity-type users"
            : "raise it, or remove it: kafka-configs.sh --alter --entity-type users (or clients)"
                + " --delete-config "
                + rate);
  }

  private static String text(ClientQuotaEntity entity) {
    String user = entity.entries().get(ClientQuotaEntity.USER);
    String id = entity.entries().get(ClientQuotaEntity.CLIENT_ID);
    if (user == null && id == null) {
      return "the default quota";
    }
    return (user == null ? "" : "user " + user)
        + (user == null || id == null ? "" : " with ")
        + (id == null ? "" : "client id " + id);
  }
}
