"""The games as environments of other people's libraries: PettingZoo, Gymnasium, OpenSpiel.

Each adapter is a module that imports its library, so none is imported here: the engine needs none of them. What a
newcomer would get wrong: *action*, *observation* and *reward* are words of these libraries; everywhere else they are
moves, what a seat may know, and points.
"""
