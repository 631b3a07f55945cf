"""The project's own benches and studies, outside the wheel."""
