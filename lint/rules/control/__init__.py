"""Run control: logging, validation, checkpoints, profiling."""
