"""Models to train: one made on the spot, the embedded one, any of Hugging Face."""
