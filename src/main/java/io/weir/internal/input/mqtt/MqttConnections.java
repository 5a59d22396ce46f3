package io.weir.internal.input.mqtt;

import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.MqttClientSslConfig;
import com.hivemq.client.mqtt.MqttGlobalPublishFilter;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.exceptions.ConnectionFailedException;
import com.hivemq.client.mqtt.exceptions.MqttDecodeException;
import com.hivemq.client.mqtt.mqtt3.Mqtt3AsyncClient;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3ConnAckException;
import com.hivemq.client.mqtt.mqtt3.exceptions.Mqtt3SubAckException;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3Connect;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectBuilder;
import com.hivemq.client.mqtt.mqtt3.message.connect.Mqtt3ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt3.message.connect.connack.Mqtt3ConnAckReturnCode;
import com.hivemq.client.mqtt.mqtt3.message.publish.Mqtt3Publish;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscribe;
import com.hivemq.client.mqtt.mqtt3.message.subscribe.Mqtt3Subscription;
import com.hivemq.client.mqtt.mqtt3.message.unsubscribe.Mqtt3Unsubscribe;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectRestrictions;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscribe;
import com.hivemq.client.mqtt.mqtt5.message.subscribe.Mqtt5Subscription;
import com.hivemq.client.mqtt.mqtt5.message.unsubscribe.Mqtt5Unsubscribe;
import io.weir.internal.input.PemFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Connections of HiveMQ's client, kept to five rules without which it loses messages: a new client
 * for each connection, the receiver registered before connecting, no exception in the receiver, no
 * receive maximum, and each message acknowledged once.
 */
final class MqttConnections {
  private static final int ANSWER_SECONDS = 20;

  /** A broker of version 5 sends no larger message; one of 3.1.1 loses the connection with it. */
  private static final int MOST_MESSAGE_BYTES =
      (int) Math.min(32 << 20, Runtime.getRuntime().maxMemory() / 16);

  private static final List<Mqtt5ConnAckReasonCode> REFUSED_5 =
      List.of(
          Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD,
          Mqtt5ConnAckReasonCode.BAD_AUTHENTICATION_METHOD,
          Mqtt5ConnAckReasonCode.NOT_AUTHORIZED,
          Mqtt5ConnAckReasonCode.BANNED,
          Mqtt5ConnAckReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
  private static final List<Mqtt3ConnAckReturnCode> REFUSED_3 =
      List.of(
          Mqtt3ConnAckReturnCode.BAD_USER_NAME_OR_PASSWORD,
          Mqtt3ConnAckReturnCode.NOT_AUTHORIZED,
          Mqtt3ConnAckReturnCode.IDENTIFIER_REJECTED,
          Mqtt3ConnAckReturnCode.UNSUPPORTED_PROTOCOL_VERSION);

  /**
   * The builder of 3.1.1 has limits for what is sent only, and the client looks at all of them. Its
   * restrictions of both versions are one class.
   */
  private static final Mqtt3ConnectRestrictions RESTRICTIONS_3 =
      (Mqtt3ConnectRestrictions)
          Mqtt5ConnectRestrictions.builder().maximumPacketSize(MOST_MESSAGE_BYTES).build();

  private final MqttBroker settings;

  /** What a connection of version 3.1.1 has subscribed to last. */
  private List<String> filters = List.of();

  /** Whether the session has these filters, so that no subscription brings what cannot be read. */
  private boolean keepsFilters;

  MqttConnections(MqttBroker settings) {
    this.settings = settings;
  }

  /**
   * A connection that is not open.
   *
   * @param receiver takes the messages in their order, on the thread that reads the connection:
   *     nothing is read while it waits
   */
  MqttConnection to(
      URI server,
      boolean version5,
      Optional<MqttConnection.Will> will,
      Consumer<MqttMessage> receiver)
      throws IOException {
    CompletableFuture<MqttConnection.End> ended = new CompletableFuture<>();
    MqttClientBuilder builder =
        com.hivemq.client.mqtt.MqttClient.builder()
            .identifier(settings.clientId())
            .serverHost(server.getHost())
            .serverPort(MqttBroker.port(server))
            .addDisconnectedListener(context -> ended.complete(end(context.getCause())));
    if (MqttBroker.isSecure(server)) {
      builder = builder.sslConfig(tls());
    }
    return version5
        ? new Version5(builder.useMqttVersion5().buildAsync(), will, receiver, ended)
        : new Version3(builder.useMqttVersion3().buildAsync(), will, receiver, ended);
  }

  /** The next connection subscribes for itself. */
  void subscribeAgain() {
    keepsFilters = false;
  }

  /**
   * Acknowledges what the broker sends to each connection of version 3.1.1, if unreadable.
   *
   * @param subscribes whether it takes what a subscription brings, too, for the next connection
   */
  UnreadableMessages skipUnreadable(URI server, boolean subscribes) throws IOException {
    UnreadableMessages messages =
        new UnreadableMessages(settings, subscribes ? filters : List.of(), MOST_MESSAGE_BYTES);
    messages.skip(
        server,
        MqttBroker.isSecure(server)
            ? context(tls()).getSocketFactory()
            : SocketFactory.getDefault());
    keepsFilters |= messages.isSubscribed();
    return messages;
  }

  private static SSLContext context(MqttClientSslConfig tls) throws MqttRefusedException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          tls.getKeyManagerFactory().map(KeyManagerFactory::getKeyManagers).orElse(null),
          tls.getTrustManagerFactory().map(TrustManagerFactory::getTrustManagers).orElse(null),
          null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new MqttRefusedException("weir.mqtt.tls: " + e.getMessage());
    }
  }

  private static MqttConnection.End end(Throwable cause) {
    boolean takenOver =
        cause instanceof Mqtt5DisconnectException disconnect
            && disconnect.getMqttMessage().getReasonCode()
                == Mqtt5DisconnectReasonCode.SESSION_TAKEN_OVER;
    return new MqttConnection.End(
        takenOver ? "taken over" : reason(cause),
        takenOver,
        cause.getCause() instanceof MqttDecodeException);
  }

  private static String reason(Throwable cause) {
    String message = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    return cause.getCause() == null || cause.getCause().getMessage() == null
        ? message
        : message + ": " + cause.getCause().getMessage();
  }

  private MqttClientSslConfig tls() throws IOException {
    try {
      TrustManagerFactory trusted = null;
      if (settings.tls().authorities().isPresent()) {
        trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(PemFiles.trustStore(settings.tls().authorities().get()));
      }
      KeyManagerFactory own = null;
      if (settings.tls().certificate().isPresent()) {
        own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(
            PemFiles.keyStore(
                settings.tls().certificate().get(), settings.tls().key().orElseThrow()),
            new char[0]);
      }
      return MqttClientSslConfig.builder()
          .trustManagerFactory(trusted)
          .keyManagerFactory(own)
          .build();
    } catch (GeneralSecurityException e) {
      throw new MqttRefusedException("weir.mqtt.tls: " + e.getMessage());
    }
  }

  private MqttRefusedException refused(Object code) {
    return new MqttRefusedException(
        "the MQTT broker refuses client id "
            + settings.clientId()
            + ": "
            + code
            + "; check weir.mqtt.user, weir.mqtt.password and what the broker allows this client");
  }

  private static MqttRefusedException notSubscribed(List<String> filters, Object codes) {
    return new MqttRefusedException(
        "the MQTT broker refuses to subscribe to "
            + filters
            + ": "
            + codes
            + "; check weir.mqtt.topics, weir.sparkplug.groups and what the broker allows this"
            + " user");
  }

  private static <T> T await(CompletableFuture<T> answer) throws IOException, ExecutionException {
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** What connections of both versions have. */
  private abstract static class Connection implements MqttConnection {
    private final CompletableFuture<End> ended;

    Connection(CompletableFuture<End> ended) {
      this.ended = ended;
    }

    abstract CompletableFuture<?> unsubscribe(String filter);

    /** Waits for an answer; after the end of the connection none comes. */
    final <T> T answer(CompletableFuture<T> answer) throws IOException, ExecutionException {
      ended.thenAccept(end -> answer.completeExceptionally(new IOException(end.reason())));
      return await(answer);
    }

    @Override
    public void unsubscribe(List<String> filters) throws IOException {
      for (String filter : filters) {
        try {
          answer(unsubscribe(filter));
        } catch (ExecutionException e) {
          throw new IOException(reason(e.getCause()), e);
        }
      }
    }

    @Override
    public CompletableFuture<End> ended() {
      return ended;
    }
  }

  private final class Version5 extends Connection {
    private final Mqtt5AsyncClient client;
    private final Optional<Will> will;

    Version5(
        Mqtt5AsyncClient client,
        Optional<Will> will,
        Consumer<MqttMessage> receiver,
        CompletableFuture<End> ended) {
      super(ended);
      this.client = client;
      this.will = will;
      client.publishes(
          MqttGlobalPublishFilter.ALL,
          message ->
              receiver.accept(
                  new MqttMessage(
                      message.getTopic().toString(),
                      message.getPayloadAsBytes(),
                      message.getQos().getCode(),
                      message.isRetain(),
                      message::acknowledge)),
          true);
    }

    @Override
    public boolean open() throws IOException {
      Mqtt5ConnectBuilder connect =
          Mqtt5Connect.builder()
              .cleanStart(settings.sessionExpiry().isZero())
              .sessionExpiryInterval(settings.sessionExpiry().toSeconds())
              .restrictions()
              .maximumPacketSize(MOST_MESSAGE_BYTES)
              .applyRestrictions()
              .keepAlive((int) settings.keepAlive().toSeconds());
      if (settings.login().isPresent()) {
        connect =
            connect
                .simpleAuth()
                .username(settings.login().get().user())
                .password(settings.login().get().password().getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth();
      }
      if (will.isPresent()) {
        connect = connect.willPublish(message(will.get().topic(), will.get().payload(), 1, true));
      }
      try {
        return await(client.connect(connect.build())).isSessionPresent();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Mqtt5ConnAckException refusal) {
          Mqtt5ConnAckReasonCode code = refusal.getMqttMessage().getReasonCode();
          if (code == Mqtt5ConnAckReasonCode.UNSUPPORTED_PROTOCOL_VERSION) {
            throw new MqttVersionException(code.toString());
          }
          if (REFUSED_5.contains(code)) {
            throw refused(code);
          }
          throw new IOException(code.toString(), e);
        }
        if (!(e.getCause() instanceof ConnectionFailedException)) {
          // An answer in another version is none that can be read.
          throw new MqttVersionException(reason(e.getCause()));
        }
        throw new IOException(reason(e.getCause()), e);
      }
    }

    @Override
    public void subscribe(List<String> filters) throws IOException {
      List<Mqtt5Subscription> subscriptions =
          filters.stream()
              .map(
                  filter ->
                      Mqtt5Subscription.builder()
                          .topicFilter(filter)
                          .qos(MqttQos.AT_LEAST_ONCE)
                          .build())
              .toList();
      try {
        answer(client.subscribe(Mqtt5Subscribe.builder().addSubscriptions(subscriptions).build()));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Mqtt5SubAckException refusal) {
          throw notSubscribed(filters, refusal.getMqttMessage().getReasonCodes());
        }
        throw new IOException(reason(e.getCause()), e);
      }
    }

    @Override
    public CompletableFuture<?> publish(String topic, byte[] payload, int qos, boolean retained) {
      return client.publish(message(topic, payload, qos, retained));
    }

    private static Mqtt5Publish message(String topic, byte[] payload, int qos, boolean retained) {
      return Mqtt5Publish.builder()
          .topic(topic)
          .payload(payload)
          .qos(MqttQos.fromCode(qos))
          .retain(retained)
          .build();
    }

    @Override
    CompletableFuture<?> unsubscribe(String filter) {
      return client.unsubscribe(Mqtt5Unsubscribe.builder().topicFilter(filter).build());
    }

    @Override
    public void close() {
      client.disconnect();
    }
  }

  private final class Version3 extends Connection {
    private final Mqtt3AsyncClient client;
    private final Optional<Will> will;
    private boolean present;

    Version3(
        Mqtt3AsyncClient client,
        Optional<Will> will,
        Consumer<MqttMessage> receiver,
        CompletableFuture<End> ended) {
      super(ended);
      this.client = client;
      this.will = will;
      client.publishes(
          MqttGlobalPublishFilter.ALL,
          message ->
              receiver.accept(
                  new MqttMessage(
                      message.getTopic().toString(),
                      message.getPayloadAsBytes(),
                      message.getQos().getCode(),
                      message.isRetain(),
                      message::acknowledge)),
          true);
    }

    @Override
    public boolean open() throws IOException {
      Mqtt3ConnectBuilder connect =
          Mqtt3Connect.builder()
              .cleanSession(settings.sessionExpiry().isZero() && !keepsFilters)
              .restrictions(RESTRICTIONS_3)
              .keepAlive((int) settings.keepAlive().toSeconds());
      if (settings.login().isPresent()) {
        connect =
            connect
                .simpleAuth()
                .username(settings.login().get().user())
                .password(settings.login().get().password().getBytes(StandardCharsets.UTF_8))
                .applySimpleAuth();
      }
      if (will.isPresent()) {
        connect = connect.willPublish(message(will.get().topic(), will.get().payload(), 1, true));
      }
      try {
        present = await(client.connect(connect.build())).isSessionPresent();
        return present;
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Mqtt3ConnAckException refusal
            && REFUSED_3.contains(refusal.getMqttMessage().getReturnCode())) {
          throw refused(refusal.getMqttMessage().getReturnCode());
        }
        throw new IOException(reason(e.getCause()), e);
      }
    }

    @Override
    public void subscribe(List<String> wanted) throws IOException {
      if (present && keepsFilters && wanted.equals(filters)) {
        return;
      }
      filters = wanted;
      List<Mqtt3Subscription> subscriptions =
          wanted.stream()
              .map(
                  filter ->
                      Mqtt3Subscription.builder()
                          .topicFilter(filter)
                          .qos(MqttQos.AT_LEAST_ONCE)
                          .build())
              .toList();
      try {
        answer(client.subscribe(Mqtt3Subscribe.builder().addSubscriptions(subscriptions).build()));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Mqtt3SubAckException refusal) {
          throw notSubscribed(wanted, refusal.getMqttMessage().getReturnCodes());
        }
        throw new IOException(reason(e.getCause()), e);
      }
    }

    @Override
    public CompletableFuture<?> publish(String topic, byte[] payload, int qos, boolean retained) {
      return client.publish(message(topic, payload, qos, retained));
    }

    private static Mqtt3Publish message(String topic, byte[] payload, int qos, boolean retained) {
      return Mqtt3Publish.builder()
          .topic(topic)
          .payload(payload)
          .qos(MqttQos.fromCode(qos))
          .retain(retained)
          .build();
    }

    @Override
    CompletableFuture<?> unsubscribe(String filter) {
      return client.unsubscribe(Mqtt3Unsubscribe.builder().topicFilter(filter).build());
    }

    @Override
    public void close() {
      client.disconnect();
    }
  }
}
