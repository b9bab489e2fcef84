"""From commands to launches: which commands start a trainer, their Hydra overrides, and the config these compose to."""
