package io.weir.chart;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import io.strimzi.api.kafka.model.topic.KafkaTopic;
import io.strimzi.api.kafka.model.user.KafkaUser;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads manifests into the types that their publishers generate from their schemas, and refuses
 * every field, at any depth, that a type does not have.
 */
final class TypedManifest {
  private static final Map<String, Class<? extends HasMetadata>> TYPES =
      Stream.of(
              ConfigMap.class,
              Deployment.class,
              HorizontalPodAutoscaler.class,
              Ingress.class,
              Job.class,
              KafkaTopic.class,
              KafkaUser.class,
              NetworkPolicy.class,
              Pod.class,
              PodDisruptionBudget.class,
              PodMonitor.class,
              PrometheusRule.class,
              Service.class,
              ServiceAccount.class,
              ServiceMonitor.class,
              StatefulSet.class)
          .collect(Collectors.toMap(TypedManifest::typeOf, Function.identity()));

  private static final ObjectMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(new NothingUnknown())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  /** The generated types put what they do not know into a map beside it. Here that map is gone. */
  private static final class NothingUnknown extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(Annotated member) {
      return false;
    }
  }

  private TypedManifest() {}

  /**
   * The manifest as its type.
   *
   * @throws AssertionError if it has a field that the type has not, or a value of another type
   */
  static Object read(Manifest manifest) {
    String name = manifest.apiVersion() + " " + manifest.kind();
    Class<?> type = name.equals(ScaledObject.NAME) ? ScaledObject.class : TYPES.get(name);
    if (type == null) {
      throw new AssertionError(name + " is none of " + List.copyOf(TYPES.keySet()));
    }
    try {
      return STRICT.convertValue(manifest.tree(), type);
    } catch (IllegalArgumentException e) {
      throw new AssertionError(manifest + ": " + e.getMessage(), e);
    }
  }

  private static String typeOf(Class<? extends HasMetadata> type) {
    return HasMetadata.getApiVersion(type) + " " + HasMetadata.getKind(type);
  }
}
