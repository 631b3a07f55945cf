"""The functions of `import ordojo`; the command line is a shell over them.

What goes in: paths, models, objects of other libraries; names of benchmarks, and of models as
`ordojo eval` takes them; `kinds` states each kind of argument once. What comes out: the typed
records of the packages below. `reading` reads models, `models` says what can be done with one,
`structures` what index sets it has, `programs` runs one; `benchmarks`, `runs`, `reports` and
`reviews` go from instances to a page and a person; `data` and `trainers` have datasets and
training. `assistant` serves some of it to a language model's assistant.
"""
