"""The model against published measurements and labelled launches: `python -m lint.memory.calibration`."""
