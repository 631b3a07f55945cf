"""The contracts that every room shares: instances, environments, judges, policies, records."""
