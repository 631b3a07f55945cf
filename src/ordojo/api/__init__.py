"""The functions of `import ordojo`: on `models`, on `programs`, on `benchmarks` and their runs.

What goes in: paths, models, objects of other libraries; names of benchmarks, and of models as
`ordojo eval` takes them. What comes out: the typed records of the packages below. The command line
is a shell over these functions.
"""
