"""What Hydra refuses, and what it takes without effect."""
