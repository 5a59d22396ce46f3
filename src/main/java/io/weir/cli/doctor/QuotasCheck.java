package io.weir.cli.doctor;

import io.weir.topic.KafkaFutures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;

/** Quotas for everybody that throttle Weir itself. */
final class QuotasCheck implements Check {
  /** A processing thread reads tens of megabytes a second when it catches up. */
  private static final double LITTLE = 10e6;

  @Override
  public String name() {
    return "quotas";
  }

  @Override
  public List<Finding> look(Examination of) {
    List<Finding> findings = new ArrayList<>();
    Map<ClientQuotaEntity, Map<String, Double>> quotas =
        KafkaFutures.await(of.admin().describeClientQuotas(ClientQuotaFilter.all()).entities());
    quotas.forEach(
        (entity, limits) -> {
          boolean everybody = entity.entries().values().stream().allMatch(name -> name == null);
          for (String rate : List.of("producer_byte_rate", "consumer_byte_rate")) {
            if (everybody && limits.getOrDefault(rate, Double.MAX_VALUE) < LITTLE) {
              findings.add(
                  risk(
                      rate + " of everybody is " + Math.round(limits.get(rate)) + " bytes a second",
                      "it holds for weir run too, which then cannot catch up",
                      "give its user or client id a quota of its own, and gateways theirs:"
                          + " kafka-configs.sh --entity-type users"));
            }
          }
        });
    return findings;
  }
}
