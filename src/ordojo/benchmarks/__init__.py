"""One folder a benchmark: schema, prompts, environment, judge, builder, page.

None imports another. A benchmark of one question is a class of some 25 lines over
`core.single_turn` (docs/add-a-benchmark.md); `or_debug` shows one of many turns.
"""
