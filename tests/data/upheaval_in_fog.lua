-- The same where enemies are seen from near only.
return { api = 1, extends = "upheaval", title = "Upheaval in the fog", sight = 2 }
