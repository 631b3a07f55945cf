"""Language models that ordojo brings itself: the embedded model and its weights."""
