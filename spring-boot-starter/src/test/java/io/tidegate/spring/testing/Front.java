package io.tidegate.spring.testing;

import org.springframework.boot.WebApplicationType;

/** A kind of web application. */
public enum Front {
  MVC(WebApplicationType.SERVLET),
  WEBFLUX(WebApplicationType.REACTIVE);

  final WebApplicationType type;

  Front(WebApplicationType type) {
    this.type = type;
  }
}
