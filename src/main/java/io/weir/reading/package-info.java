/** What a sensor said, whether to accept it, and the reasons why not. Plain Java. */
package io.weir.reading;
