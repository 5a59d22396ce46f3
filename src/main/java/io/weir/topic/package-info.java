/** Topic names and settings, and the partition of a sensor. */
package io.weir.topic;
