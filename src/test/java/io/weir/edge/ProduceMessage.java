package io.weir.edge;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;
import org.apache.kafka.common.requests.ResponseHeader;

/** A produce request as it comes over the wire: which partitions it touches, and how to refuse. */
record ProduceMessage(RequestHeader header, ProduceRequest request) {
  /** A partition by its topic's id, or by the name in requests that know no ids. */
  record Partition(Uuid topicId, String topic, int index) {}

  /** Empty where the message is another request. */
  static Optional<ProduceMessage> parse(byte[] message) {
    ByteBuffer buffer = ByteBuffer.wrap(message);
    RequestHeader header = RequestHeader.parse(buffer);
    if (header.apiKey() != ApiKeys.PRODUCE) {
      return Optional.empty();
    }
    ProduceRequest request =
        ProduceRequest.parse(new ByteBufferAccessor(buffer), header.apiVersion());
    return Optional.of(new ProduceMessage(header, request));
  }

  Set<Partition> partitions() {
    Set<Partition> partitions = new HashSet<>();
    for (TopicProduceData topic : request.data().topicData()) {
      for (PartitionProduceData partition : topic.partitionData()) {
        partitions.add(new Partition(topic.topicId(), topic.name(), partition.index()));
      }
    }
    return partitions;
  }

  boolean touchesAnyOf(Set<Partition> others) {
    return !Collections.disjoint(partitions(), others);
  }

  /** The response NOT_LEADER_OR_FOLLOWER for every partition of the request. */
  byte[] notLeader() {
    ResponseHeader responseHeader = header.toResponseHeader();
    return RequestUtils.serialize(
            responseHeader.data(),
            responseHeader.headerVersion(),
            request.getErrorResponse(0, new NotLeaderOrFollowerException()).data(),
            header.apiVersion())
        .array();
  }

  /** Whether the broker's response to it says OUT_OF_ORDER_SEQUENCE_NUMBER of a partition. */
  boolean isOutOfOrder(byte[] response) {
    ByteBuffer buffer = ByteBuffer.wrap(response);
    ResponseHeader.parse(buffer, header.toResponseHeader().headerVersion());
    ProduceResponseData data =
        new ProduceResponseData(new ByteBufferAccessor(buffer), header.apiVersion());
    return data.responses().stream()
        .flatMap(topic -> topic.partitionResponses().stream())
        .anyMatch(partition -> partition.errorCode() == Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code());
  }
}
