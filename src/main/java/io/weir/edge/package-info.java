/**
 * The publisher that gateways embed. Uses {@code deadletter}, {@code event}, {@code fetch}, {@code
 * reading}, {@code registry}, {@code signing}, {@code topic} and {@code wire}, and of libraries
 * kafka-clients, protobuf-java, micrometer-core and slf4j-api alone.
 */
package io.weir.edge;
