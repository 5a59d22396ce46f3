package io.weir.internal.topology;

import io.weir.internal.alarm.GroupTemplate;
import io.weir.internal.group.GroupSpec;
import io.weir.topic.Topic;

/**
 * Which windows are put together to those of groups, and how.
 *
 * @param source where the sensors' windows are: {@link Topic#WINDOWS} or {@link Topic#ROLLUPS}
 * @param sizeMs their length; others are not looked at
 * @param template of groups
 * @param spec when windows of groups are emitted, and how much is kept
 * @param applicationId whose parts are its own: other applications may write to the same topic
 */
public record GroupSettings(
    Topic source, long sizeMs, GroupTemplate template, GroupSpec spec, String applicationId) {}
