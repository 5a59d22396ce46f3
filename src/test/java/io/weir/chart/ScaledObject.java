package io.weir.chart;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import java.util.List;
import java.util.Map;

/**
 * The part of KEDA's ScaledObject that the chart uses, in the types of its published schema: Maven
 * Central has no model of it.
 */
record ScaledObject(
    @JsonProperty(required = true) String apiVersion,
    @JsonProperty(required = true) String kind,
    @JsonProperty(required = true) ObjectMeta metadata,
    @JsonProperty(required = true) Spec spec) {
  static final String NAME = "keda.sh/v1alpha1 ScaledObject";

  record Spec(
      Target scaleTargetRef,
      Integer pollingInterval,
      Integer minReplicaCount,
      Integer maxReplicaCount,
      Advanced advanced,
      List<Trigger> triggers) {}

  record Target(String apiVersion, String kind, String name) {}

  record Advanced(AutoscalerConfig horizontalPodAutoscalerConfig) {}

  record AutoscalerConfig(HorizontalPodAutoscalerBehavior behavior) {}

  record Trigger(
      String type,
      String metricType,
      Map<String, String> metadata,
      AuthenticationRef authenticationRef) {}

  record AuthenticationRef(String name) {}
}
