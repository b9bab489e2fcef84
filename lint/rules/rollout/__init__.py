"""The rollout engine (vLLM, vllm-ascend, SGLang): what it accepts, ignores, and cannot do together."""
