"""One folder a benchmark: schema, prompts, environment, judge, builder, page."""
