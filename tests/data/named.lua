-- A variant with names in other languages, for tests.
return {
  api = 1, extends = "duel",
  title = "Named",
  names = { es = "Nombrado" },
  pieces = { flag = { names = { es = "Corona" } } },
}
