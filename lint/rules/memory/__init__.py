"""Does the launch fit its devices and nodes? Rules over the prediction of `lint.memory`."""
