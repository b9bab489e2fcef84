"""Keys by which Megatron computes activations again."""

from lint.subject.derived import ACTOR

NODE = f"{ACTOR}.megatron.override_transformer_config"
GRANULARITY, METHOD = f"{NODE}.recompute_granularity", f"{NODE}.recompute_method"
LAYERS = f"{NODE}.recompute_num_layers"
