"""What a family means: its semantic type, its loop scaffold, its class; a model's application."""
