"""What code that runs inside Airlock may import from it."""
