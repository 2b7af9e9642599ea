"""What the recorders of scripts (forewarp.triton, forewarp.numba) share: launches, their predictions, the run of a script."""
