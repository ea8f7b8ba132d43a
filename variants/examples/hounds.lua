-- A fox against four hounds, an old game without battles. Everything is seen, and the armies always
-- stand in the same way: nothing is placed.
local function slantwise(ahead)
  return function(board, side, from)
    local ways = {}
    for _, up in ipairs(ahead) do
      for _, right in ipairs { -1, 1 } do
        local to = board:step(from, right, side == "red" and up or -up)
        if to then ways[#ways + 1] = { to, only = "move" } end
      end
    end
    return ways
  end
end

return {
  api = 1,
  title = "Fox and hounds",
  board = { files = 8, ranks = 8 },
  zone = { ranks = 1 },
  army = { red = { fox = 1 }, blue = { hound = 4 } },
  -- Each side's own text, seen from its own side: files a to h for red.
  setup = { red = "....F...", blue = "H.H.H.H." },
  open = true,
  pieces = {
    fox = {
      letter = "F", flag = true, moves = slantwise { 1, -1 },
      names = { en = "Fox", bg = "Лисица", es = "Zorro", hr = "Lisica", ru = "Лиса",
                uk = "Лисиця" },
    },
    hound = {
      letter = "H", moves = slantwise { 1 },
      names = { en = "Hound", bg = "Хрътка", es = "Sabueso", hr = "Gonič", ru = "Гончая",
                uk = "Гончак" },
    },
  },
  goal = { { piece = "fox", at = "far_rank" } },
  limits = { no_attack = false, plies = 200 },
  tests = {
    {
      title = "Both sides know everything from the first move",
      red = "....F...", blue = "H.H.H.H.",
      move = "e1-d2", known = "d2 b8 d8 f8 h8",
    },
    {
      title = "The fox goes back, too",
      position = { d4 = "rF", b8 = "bH", d8 = "bH", f8 = "bH", h8 = "bH" },
      move = "d4-c3", after = { c3 = "rF" },
    },
    {
      title = "A hound does not",
      position = { d4 = "rF", b6 = "bH", d8 = "bH", f8 = "bH", h8 = "bH" }, first = "blue",
      move = "b6-a7", illegal = "movement",
    },
    {
      title = "Behind the hounds the fox has won",
      position = { d7 = "rF", b6 = "bH", d6 = "bH", f6 = "bH", h6 = "bH" },
      move = "d7-e8", result = "red", reason = "goal",
    },
    {
      title = "A fox that cannot move has lost",
      position = { a1 = "rF", c3 = "bH", d8 = "bH", f8 = "bH", h8 = "bH" }, first = "blue",
      move = "c3-b2", result = "blue", reason = "immobile",
    },
  },
}
