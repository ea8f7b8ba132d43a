-- Ukrainian: the page of ensign report.
-- luacheck: no max line length
return {
}
