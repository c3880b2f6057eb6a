package io.tidegate.benchmarks.application;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The endpoint that all applications have. Limiters that are filters limit it. */
@RestController
class HelloController {

  @GetMapping("/hello")
  String hello() {
    return "Hello";
  }
}
