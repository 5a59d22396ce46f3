package io.weir.internal.topology;

import io.weir.internal.registry.ValueFormat;
import io.weir.internal.wire.EventBatchEncoder;
import io.weir.reading.OwnSequences;
import io.weir.reading.OwnSequences.Target;
import io.weir.signing.BatchSigner;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.v1.EventBatch;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The batches that a task of Weir writes to a topic of events: it is a gateway of its own ({@link
 * OwnSequences}), numbers each batch in its state, and signs it where there are master keys. The
 * number is in the transaction of the batch. For one thread.
 */
public final class OwnBatches {
  /** All masters derive the key of this generation. */
  private static final int GENERATION = 1;

  private final ProcessorContext<?, ?> context;
  private final String topic;
  private final String gatewayId;
  private final OwnSequences sequences;
  private final MasterKeys masters;
  private final ValueFormat.Writer writer;

  /** Null before the first batch that is signed. */
  private MasterKey signingMaster;

  private BatchSigner signer;

  /**
   * @param topic that they are written to
   * @param sequences kept in the state of the task
   * @param rules have the master keys; without any, nothing is signed
   */
  public OwnBatches(
      ProcessorContext<?, ?> context,
      String topic,
      OwnSequences sequences,
      SenderRules rules,
      ValueFormat values) {
    this.context = context;
    this.topic = topic;
    this.gatewayId = OwnSequences.gatewayId(context.applicationId(), context.taskId().partition());
    this.sequences = sequences;
    this.masters = rules.signing().masters();
    this.writer = values.writer(topic, EventBatch.getDefaultInstance());
  }

  /**
   * To be called with each record, before anything is written with it.
   *
   * @param recordMs timestamp of what is written with it
   */
  public void begin(long recordMs) {
    sequences.begin(recordMs, context.currentSystemTimeMs());
  }

  /**
   * The value of the next record for a partition; clears the batch.
   *
   * @param headers of the record
   */
  public byte[] next(EventBatchEncoder batch, int partition, Headers headers) {
    long sequence = sequences.next(new Target(topic, partition));
    byte[] value = writer.write(batch.encode(gatewayId, sequences.bootId(), sequence), headers);
    batch.clear();
    masters
        .current(context.currentSystemTimeMs())
        .ifPresent(master -> signer(master).sign(partition, value, headers));
    return value;
  }

  private BatchSigner signer(MasterKey master) {
    if (master != signingMaster) {
      signer = BatchSigner.of(topic, master.gatewayKey(gatewayId, GENERATION));
      signingMaster = master;
    }
    return signer;
  }
}
