/** What a sensor said, whether to accept it, and the reasons why not. Uses plain Java alone. */
package io.weir.reading;
