"""Training on verifiable rewards: rollouts, teacher data, SFT, GRPO, process reward, curriculum."""
