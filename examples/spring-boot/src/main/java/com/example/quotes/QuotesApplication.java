package com.example.quotes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application whose limits are in application.yaml. */
@SpringBootApplication
public class QuotesApplication {

  public static void main(String[] arguments) {
    SpringApplication.run(QuotesApplication.class, arguments);
  }
}
