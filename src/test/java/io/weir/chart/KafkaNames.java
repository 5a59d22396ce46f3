package io.weir.chart;

import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** All settings that Kafka's clients and Kafka Streams know, and some of them with a prefix. */
final class KafkaNames {
  private KafkaNames() {}

  static Set<String> all() {
    Set<String> names = new TreeSet<>(ConsumerConfig.configNames());
    names.addAll(ProducerConfig.configNames());
    names.addAll(AdminClientConfig.configNames());
    names.addAll(StreamsConfig.configDef().names());
    for (String prefix : new String[] {"consumer.", "main.consumer.", "restore.consumer."}) {
      names.add(prefix + ConsumerConfig.ISOLATION_LEVEL_CONFIG);
      names.add(prefix + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
      names.add(prefix + ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG);
    }
    for (String prefix : new String[] {"producer.", "admin."}) {
      names.add(prefix + ProducerConfig.BOOTSTRAP_SERVERS_CONFIG);
      names.add(prefix + ProducerConfig.CLIENT_ID_CONFIG);
    }
    names.add("producer." + ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    return names;
  }
}
