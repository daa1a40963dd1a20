"""Why the meaning may have moved: reasons, found by one module for each family of detectors, each with its weights."""
