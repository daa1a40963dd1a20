"""Why the meaning may have moved: findings, found by one module for each family of detectors, each with its weights."""
