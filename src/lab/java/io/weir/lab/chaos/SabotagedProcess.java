package io.weir.lab.chaos;

import io.weir.internal.app.WeirConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** What processes with a planted bug have in common: their arguments, settings and life. */
final class SabotagedProcess {
  private SabotagedProcess() {}

  /** From options as the commands take them; the first argument is the bug. */
  static WeirConfig config(String... arguments) {
    Map<String, String> options = new HashMap<>();
    for (int i = 1; i < arguments.length; i++) {
      String[] nameAndValue = arguments[i].substring(2).split("=", 2);
      options.put(nameAndValue[0].replace('-', '.'), nameAndValue[1]);
    }
    return WeirConfig.of(new Properties(), System.getenv(), options);
  }

  /** Settings of Streams, with or without its guarantee. */
  static Properties settings(WeirConfig config, String applicationId, boolean exactlyOnce) {
    Properties settings = new Properties();
    settings.putAll(config.kafka().passed());
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
    settings.putAll(config.kafka().forAdmin());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, config.threads());
    settings.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
    settings.put(
        StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
        exactlyOnce ? StreamsConfig.EXACTLY_ONCE_V2 : StreamsConfig.AT_LEAST_ONCE);
    config.instanceId().ifPresent(id -> settings.put(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, id));
    return settings;
  }

  /** Runs it until the process is ended. */
  static void run(KafkaStreams streams) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.setUncaughtExceptionHandler(death -> StreamThreadExceptionResponse.REPLACE_THREAD);
    streams.setStateListener((now, before) -> System.err.println(now + " (was " + before + ")"));
    streams.start();
    new CountDownLatch(1).await();
  }
}
