-- Croatian: help pages, errors and output of the commands.
-- luacheck: no max line length
return {
}
