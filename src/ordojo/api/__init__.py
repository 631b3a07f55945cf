"""The functions of `import ordojo`: on models in `models`, on benchmarks and runs in `benchmarks`.

What goes in: paths, models, objects of other libraries; names of benchmarks, and of models as
`ordojo eval` takes them. What comes out: the typed records of the packages below. The command line
is a shell over these functions.
"""
