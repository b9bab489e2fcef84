"""Moving weights from the trainer to the rollout: bucket sizes and checkpoint engines."""
