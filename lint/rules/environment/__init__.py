"""Environment variables of trainer and rollout: values, devices, releases, and whether they reach the workers."""
