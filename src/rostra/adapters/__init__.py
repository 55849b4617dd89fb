"""The games as environments of other libraries: PettingZoo, Gymnasium, OpenSpiel.

Each adapter module imports its library, so nothing is imported here. *Action*, *observation* and *reward* are words of
these libraries; everywhere else we say move, view and points.
"""
