"""The optimization model as arrays and names; expressions, files and source code around it."""
