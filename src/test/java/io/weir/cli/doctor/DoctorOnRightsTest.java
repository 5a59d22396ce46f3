package io.weir.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.weir.Await;
import io.weir.internal.app.WeirConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.quota.ClientQuotaFilter;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Rights and quotas of a broker that are too wide, or that Weir lacks, are found. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(120)
class DoctorOnRightsTest extends DoctorRig {
  @Test
  @Order(1)
  void quotaOfWeirsOwnUser_isFound_andOneOfEverybodyIsNot_whereItsOwnIsLarge() throws Exception {
    Map<String, String> own = Map.of(ClientQuotaEntity.USER, "reader");
    Map<String, String> everybody = new HashMap<>();
    everybody.put(ClientQuotaEntity.USER, null);
    Properties properties = new Properties();
    properties.setProperty("weir.bootstrap.servers", kafka.bootstrapServers());
    String login = "a.Module required username=\"reader\" password=\"of-the-reader\";";
    WeirConfig config =
        WeirConfig.of(properties, Map.of("KAFKA_SASL_JAAS_CONFIG", login), Map.of());
    quota(own, 2_000_000.0);
    quota(everybody, 1_000_000.0);
    try {
      awaitQuota(own, 2_000_000.0);
      awaitQuota(everybody, 1_000_000.0);
      assertThat(only(new QuotasCheck().look(examine(config, Pages.NONE))).what())
          .isEqualTo("consumer_byte_rate of user reader is 2000000 bytes a second");

      quota(own, 50_000_000.0);
      awaitQuota(own, 50_000_000.0);
      assertThat(new QuotasCheck().look(examine(config, Pages.NONE))).isEmpty();
      assertThat(only(new QuotasCheck().look(examine("quotas"))).what())
          .isEqualTo("consumer_byte_rate of the default quota is 1000000 bytes a second");
    } finally {
      quota(own, null);
      quota(everybody, null);
      awaitQuota(own, null);
      awaitQuota(everybody, null);
    }
  }

  private static void awaitQuota(Map<String, String> entity, Double rate) throws Exception {
    while (!Objects.equals(
        admin
            .describeClientQuotas(ClientQuotaFilter.all())
            .entities()
            .get()
            .getOrDefault(new ClientQuotaEntity(entity), Map.of())
            .get("consumer_byte_rate"),
        rate)) {
      Await.pause();
    }
  }

  @Test
  @Order(2)
  void quotaOfEverybody_thatThrottlesWeir_isFound() throws Exception {
    Map<String, String> everybody = new HashMap<>();
    everybody.put(ClientQuotaEntity.CLIENT_ID, null);
    quota(everybody, 1_000_000.0);
    try {
      while (new QuotasCheck().look(examine("quotas")).isEmpty()) {
        Await.pause();
      }
      assertThat(only(new QuotasCheck().look(examine("quotas"))).what())
          .contains("consumer_byte_rate", "1000000");
    } finally {
      quota(everybody, null);
    }
  }

  private static void quota(Map<String, String> entity, Double rate) throws Exception {
    admin
        .alterClientQuotas(
            List.of(
                new ClientQuotaAlteration(
                    new ClientQuotaEntity(entity),
                    List.of(new ClientQuotaAlteration.Op("consumer_byte_rate", rate)))))
        .all()
        .get();
  }

  /** Last: it leaves rights by which the others could not look. */
  @Test
  @Order(3)
  void rightsThatAreTooWide_orMissing_areFound() throws Exception {
    allow("weir.late", "User:ANONYMOUS", AclOperation.WRITE, AclPermissionType.DENY);
    allow("weir.late", "User:*", AclOperation.READ, AclPermissionType.ALLOW);
    allow("weir.windows", "User:*", AclOperation.ALL, AclPermissionType.ALLOW);
    allow(ResourceType.GROUP, "rights", "User:*", AclOperation.READ, AclPermissionType.ALLOW);
    allow(
        ResourceType.TRANSACTIONAL_ID,
        "rights-x",
        "User:*",
        AclOperation.WRITE,
        AclPermissionType.ALLOW);
    List<Finding> findings = new RightsCheck().look(examine("rights"));
    while (findings.size() < 4) {
      Await.pause();
      findings = new RightsCheck().look(examine("rights"));
    }

    assertThat(findings).hasSize(4);
    assertThat(findings.get(0).what()).contains("WRITE on weir.late");
    assertThat(findings.get(1).severity()).isEqualTo(Severity.BROKEN);
    assertThat(findings)
        .extracting(Finding::what)
        .contains(
            "every user (User:*) may ALL on topics weir.windows",
            "every user (User:*) may READ on group rights",
            "every user (User:*) may WRITE on transactional ids rights-x");
  }

  private static void allow(
      String topic, String principal, AclOperation operation, AclPermissionType permission)
      throws Exception {
    allow(ResourceType.TOPIC, topic, principal, operation, permission);
  }

  private static void allow(
      ResourceType type,
      String name,
      String principal,
      AclOperation operation,
      AclPermissionType permission)
      throws Exception {
    admin
        .createAcls(
            List.of(
                new AclBinding(
                    new ResourcePattern(type, name, PatternType.LITERAL),
                    new AccessControlEntry(principal, "*", operation, permission))))
        .all()
        .get();
  }
}
