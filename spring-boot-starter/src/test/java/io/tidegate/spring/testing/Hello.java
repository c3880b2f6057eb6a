package io.tidegate.spring.testing;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that answers every request with "hello", by MVC or by WebFlux. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(Hello.Controller.class)
public class Hello {

  /** Answers all paths. */
  @RestController
  public static class Controller {

    @RequestMapping("/**")
    String hello() {
      return "hello";
    }
  }
}
