from hypothesis import settings

# The same examples on every machine, and no test that depends on its speed.
settings.register_profile("repeatable", deadline=None, derandomize=True)
settings.load_profile("repeatable")
