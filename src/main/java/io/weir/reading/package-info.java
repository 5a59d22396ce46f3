/** What a sensor said, whether to believe it, and the reasons why not. Plain Java. */
package io.weir.reading;
