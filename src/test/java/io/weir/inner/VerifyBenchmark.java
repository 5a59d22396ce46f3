package io.weir.inner;

import io.weir.lab.bench.LoadForm;
import io.weir.lab.bench.LoadSample;
import io.weir.lab.bench.LoadShape;
import io.weir.signing.BatchSigner;
import io.weir.signing.BatchVerifier;
import io.weir.signing.MasterKey;
import io.weir.signing.MasterKeys;
import io.weir.signing.SignatureCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The check of a dense batch's signature, for each of its readings. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VerifyBenchmark {
  private static final int BATCHES = 64;
  private static final String TOPIC = "weir.readings";

  @Param public LoadForm form;

  private final List<Headers> headers = new ArrayList<>();
  private List<byte[]> batches;
  private BatchVerifier verifier;
  private int next;

  @Setup
  public void sign() {
    MasterKey master = new MasterKey("2026", new byte[32], Long.MIN_VALUE, Long.MAX_VALUE);
    BatchSigner signer = BatchSigner.of(TOPIC, master.gatewayKey("bench-gateway", 1));
    verifier = new BatchVerifier(TOPIC, MasterKeys.of(List.of(master)));
    batches = LoadSample.batches(LoadShape.DENSE, form, BATCHES, 1_700_000_000_000L);
    headers.clear();
    for (byte[] batch : batches) {
      Headers of = new RecordHeaders();
      signer.sign(0, batch, of);
      headers.add(of);
    }
  }

  @Benchmark
  @OperationsPerInvocation(LoadSample.READINGS)
  public SignatureCheck.Outcome perReading() {
    next = (next + 1) % BATCHES;
    SignatureCheck check = verifier.check(0, batches.get(next), headers.get(next), 0);
    if (check.outcome() != SignatureCheck.Outcome.GATEWAY) {
      throw new IllegalStateException("not verified: " + check);
    }
    return check.outcome();
  }
}
