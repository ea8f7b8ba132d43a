std = "lua54"
max_line_length = 100
-- Annotations for editors declare functions that do nothing.
files["scripts/*_types.lua"] = {
  unused_args = false, globals = { "print" }, max_line_length = 120,
}
files["scripts/learned/*.lua"] = { max_line_length = false } -- written by ensign learn
