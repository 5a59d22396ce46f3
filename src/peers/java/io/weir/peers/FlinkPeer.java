package io.weir.peers;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.weir.lab.bench.Peer;
import io.weir.lab.bench.Subject;
import io.weir.lab.bench.Task;
import io.weir.lab.bench.Work;
import org.slf4j.LoggerFactory;

/** Flink, in the forms of {@link FlinkJob}. */
public final class FlinkPeer implements Peer {
  @Override
  public boolean does(Subject subject) {
    return FlinkJob.of(subject).isPresent();
  }

  @Override
  public Work work(Task task) {
    ((Logger) LoggerFactory.getLogger("org.apache.flink")).setLevel(Level.ERROR);
    return new FlinkWork(task, FlinkJob.of(task.subject()).orElseThrow());
  }
}
