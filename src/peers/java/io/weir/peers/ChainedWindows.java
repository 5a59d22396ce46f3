package io.weir.peers;

import io.weir.lab.bench.BatchScan;
import io.weir.topic.SensorPartition;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/** Decodes batches and adds them to the windows of their partition; state of the operator. */
public final class ChainedWindows extends ProcessFunction<RawBatch, SensorWindow>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1;

  private final long outOfOrderMs;

  /** Partitions that were kept, until the first record of one shows that it is read here. */
  private transient Map<Integer, byte[]> restored;

  private transient ChainedPartition[] partitions;
  private transient ListState<byte[]> state;
  private transient BatchScan<ChainedPartition.Sensor> decoder;
  private transient Tally tally;

  ChainedWindows(long outOfOrderMs) {
    this.outOfOrderMs = outOfOrderMs;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    partitions = new ChainedPartition[SensorPartition.COUNT];
    restored = new HashMap<>();
    decoder = new BatchScan<>();
    tally = Tally.open();
    state =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "partitions", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    // Every subtask sees all of them: of a partition the one that has come furthest holds.
    for (byte[] bytes : state.get()) {
      byte[] other = restored.get(ChainedPartition.numberIn(bytes));
      if (other == null || ChainedPartition.offsetIn(other) < ChainedPartition.offsetIn(bytes)) {
        restored.put(ChainedPartition.numberIn(bytes), bytes);
      }
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    state.clear();
    for (ChainedPartition partition : partitions) {
      if (partition != null) {
        state.add(partition.toBytes());
      }
    }
    for (byte[] bytes : restored.values()) {
      state.add(bytes);
    }
  }

  @Override
  public void processElement(RawBatch batch, Context context, Collector<SensorWindow> out)
      throws Exception {
    ChainedPartition partition = partitions[batch.partition];
    if (partition == null) {
      byte[] bytes = restored.remove(batch.partition);
      partition =
          bytes == null ? new ChainedPartition(batch.partition) : ChainedPartition.ofBytes(bytes);
      partitions[batch.partition] = partition;
    }
    decoder.addTo(partition, batch.value);
    partition.applied(batch.offset, outOfOrderMs, out::collect);
    tally.counted(decoder.counted());
    if (decoder.late() > 0) {
      tally.late(decoder.late());
    }
  }
}
