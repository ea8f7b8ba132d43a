---@meta
-- Bot types for editors; the host never loads this file. See bots/REFERENCE.md.

---@alias Side "red"|"blue"
---@alias Square integer                 1 … files * ranks: a1 is 1
---@alias Place Square|string            a square or its name
---@alias Piece integer
---@alias Move integer
---@alias Kind string

---@class Bot
---@field api 1
---@field title? string
---@field about? string                   how it plays, in one line
---@field level? "beginner"|"easy"|"medium"|"hard"|"expert"|"master"|"grandmaster"
---@field setup? fun(view: View): string # the text of a set-up, or the name of one
---@field start? fun(view: View)
---@field move fun(view: View): Move|string
---@field explain? fun(view: View): Reason[] # after `move` in the same turn, for a hint
---@field appraise? fun(view: View): number[]|number # chances to win, 0 … 1, for `ensign analyse`
---@field observe? fun(view: View, event: Event)
---@field finish? fun(view: View, result: "red"|"blue"|"draw", reason: string)

---@class Reason
---@field move Move
---@field score number
---@field chance? number                 0 … 1
---@field stake? number

---@class Event
---@field type "move"|"battle"|"ability"|"remove"|"reveal"|"learn"|"hold"|"count"|"conceal"|"swap"|"place"|"end"
---@field side? Side
---@field from? Square
---@field to? Square
---@field kind? Kind
---@field other? Kind                    of a battle: the defender's kind
---@field kinds? Kind[]                   of learn: what the piece may be
---@field turns? integer                of hold
---@field counter? string               of count
---@field now? integer                  of count: its value
---@field by? integer                   of count: what was added
---@field outcome? "attacker"|"defender"|"both"
---@field stays? true                  of a battle: the winning attacker has not moved
---@field ability? string
---@field result? string                 of the end
---@field reason? string

---@class Description
---@field worth table<Kind, number>
---@field their_worth? table<Kind, number>
---@field at? table<Kind, table<Square, number>>
---@field their_at? table<Kind, table<Square, number>>
---@field win? number                    default 1000

---@class Values

---@class PlayoutOptions
---@field plies? integer                 0 … 1000
---@field guided? number                 0 … 1
---@field values? Values|table<Kind, number>

---@class PlayoutsOptions
---@field count? integer                 1 … 4000, default 100
---@field plies? integer                 1 … 1000
---@field values? Values|table<Kind, number>

---@class LookOptions
---@field depth? integer                 0 … 64, default 3
---@field armies? integer                1 … 100000, default 12
---@field fuel? integer                  no limit unless given

---@class Learned: Style                 one style, or several in `styles`
---@field styles? Style[]

---@class Style                          weights in 1/4096 of a logit, -65536 … 65536
---@field share? integer                 1 … 1000000, of a style among several
---@field own table<Kind, table<string, integer>>
---@field enemy table<Kind, table<string, integer>>
---@field whole table<string, integer>
---@field habits table<Kind, Habits>
---@field games? integer
---@field setups? string[]              64 at most

---@class Habits                         in 1/256, 0 … 65535
---@field start? integer[]
---@field moves? integer[]
---@field dared? table<Kind|"none", integer>
---@field fled? table<Kind|"none", integer>
---@field stood? integer[]
---@field beside? integer[]

---@class ViewPiece
---@field side Side
---@field square? Square                 nil once it has fallen; also `name`
---@field name? string                   of the square
---@field start? Square
---@field moved boolean
---@field shown boolean
---@field may_be Kind[]
---@field kind? Kind                     if it is certain

---@class ViewTable
---@field variant string
---@field side Side
---@field to_move Side
---@field files integer
---@field ranks integer
---@field ply integer
---@field quiet integer
---@field result? string
---@field captured table<Side, table<Kind, integer>>
---@field fallen table<Side, integer>   also those of unknown kind
---@field moves string[]
---@field pieces table<Piece, ViewPiece>

-- To the log; costs no fuel.
---@param ... any
function print(...) end

---@class View                           tostring(view) draws its board
local view = {}

-- To the log, as `print`.
---@param ... any
function view:log(...) end
---@return ViewTable
function view:table() end

-- Moves

---@return Move[]
function view:moves() end
---@return Move[]
function view:attacks() end
---@return Move[]
function view:ability_moves() end
---@param piece Piece
---@return Move[]
function view:moves_of(piece) end
---@param move Move
---@return Square
function view:from(move) end
---@param move Move
---@return Square
function view:to(move) end
---@param move Move
---@return boolean
function view:is_attack(move) end
---@param move Move
---@return string?
function view:ability(move) end
---@param move Move
---@return Square?
function view:target(move) end
---@param move Move
---@return Kind?
function view:choice(move) end
---@param move Move
---@return number chance
function view:removes(move) end
---@param move Move
---@return number chance
function view:places(move) end
---@param move Move
---@return string
function view:text(move) end
---@param move Move|string
---@return boolean legal
---@return string rule
---@return string sentence
---@return integer[] plies               the earlier plies that a repetition rule counts
function view:why(move) end

-- Pieces

---@param square Place
---@return Piece?
function view:at(square) end
---@return Piece[]
function view:mine() end
---@return Piece[]
function view:enemies() end
---@param square Place
---@return boolean
function view:sees(square) end
---@param piece Piece
---@return Side
function view:owner(piece) end
---@param piece Piece
---@return boolean
function view:is_mine(piece) end
---@param piece Piece
---@return Square?
function view:where(piece) end
---@param piece Piece
---@return Square
function view:start_of(piece) end
---@param piece Piece
---@return Kind?
function view:kind(piece) end
---@param piece Piece
---@return Kind[]
function view:may_be(piece) end
---@param piece Piece
---@param kind Kind
---@return boolean
function view:can_be(piece, kind) end
---@param piece Piece
---@param kind Kind
---@return number
function view:chance(piece, kind) end
---@param piece Piece
---@return boolean
function view:moved(piece) end
---@param piece Piece
---@return boolean
function view:shown(piece) end
---@param attacker Piece|Kind
---@param defender Piece|Kind
---@return number win, number tie, number loss
function view:odds(attacker, defender) end
---@param side Side
---@param kind? Kind                    all, also those of unknown kind
---@return integer
function view:captured(side, kind) end
---@param name string                    of a counter
---@param side? Side                     where each side has its own
---@return integer
function view:counter(name, side) end
---@param side Side
---@param kind Kind
---@return integer
function view:left(side, kind) end

-- Board

---@return integer
function view:files() end
---@return integer
function view:ranks() end
---@param square Place
---@return Square
---@overload fun(self: View, file: integer, rank: integer): Square?
function view:square(square) end
---@param square Place
---@return string
function view:name(square) end
---@param square Place
---@return integer
function view:file(square) end
---@param square Place
---@return integer
function view:rank(square) end
---@param square Place
---@return integer
function view:depth(square) end
---@return 1|-1
function view:forward() end
---@param square Place
---@return boolean
function view:is_lake(square) end
---@param square Place
---@return Square[]
function view:neighbours(square) end
---@param a Place
---@param b Place
---@return integer?
function view:distance(a, b) end
---@param from Place|Place[]
---@return integer[]
function view:distances(from) end
---@param a Place
---@param b Place
---@return integer?
function view:way(a, b) end
---@param hunter Piece
---@param prey Piece
---@param plies? integer                 1 to 64; 12
---@param move? Move                     of one of the two, made before
---@return integer?                      plies until it is caught
function view:chase(hunter, prey, plies, move) end
---@param piece Piece
---@param square Place
---@return integer? own                  moves to the square
---@return integer? theirs               of the first of the other side's that may win or tie
---@return Piece? who
function view:race(piece, square) end
---@return integer
function view:zone_ranks() end
---@return boolean
function view:zone_filled() end
---@param square Place
---@return boolean
function view:in_zone(square) end
---@param kind Kind
---@param square Place
---@return boolean
function view:may_start(kind, square) end

-- Rules

---@return string
function view:variant() end
---@return Kind[]
function view:kinds() end
---@param kind Kind
---@param side? Side                     your own
---@return integer
function view:army(kind, side) end
---@param kind Kind
---@return integer
function view:strength(kind) end
---@param kind Kind
---@return string
function view:label(kind) end
---@param kind Kind
---@return string
function view:letter(kind) end
---@param kind Kind
---@return boolean
function view:mobile(kind) end
---@param kind Kind
---@return boolean
function view:is_flag(kind) end
---@param kind Kind
---@return string[]
function view:abilities(kind) end
---@param attacker Kind
---@param defender Kind
---@param from? Place
---@param to? Place
---@return "attacker"|"defender"|"both"|"ask"|"none"|nil
function view:outcome(attacker, defender, from, to) end

-- Samples

---@param into? Game
---@return Game
function view:sample(into) end
---@param weights? table<Piece, table<Kind, number>>
---@return "exact"|"chain"
function view:weigh(weights) end
---@param description Description
---@param into? Values
---@return Values
function view:values(description, into) end

-- The game

---@return Side
function view:side() end
---@return Side
function view:other_side() end
---@return integer
function view:ply() end
---@return integer
function view:quiet() end
---@return integer no_attack, integer plies
function view:limits() end
---@param last? integer
---@return string[]
function view:history(last) end
---@param bound integer
---@return integer
---@overload fun(self: View): number
function view:random(bound) end
---@return string
function view:random_setup() end
---@return integer
function view:fuel() end
---@return number? seconds left on this side's clock; nil: the game has none
---@return number? increment seconds after each move
function view:clock() end

---@param learned? Learned
---@return Mind
function view:mind(learned) end

---@class Mind
local mind = {}

---@param piece Piece
---@param kind Kind
---@return number                        0 … 1
function mind:belief(piece, kind) end
---@return number[]                      the chance to win after each of view:moves()
function mind:chances() end
---@return number                        0 … 1
function mind:chance() end
---@param what Move|Place
---@return number                        worth won minus worth lost
function mind:exchange(what) end
---@param moves Move[]                   at most 256
---@param sums number[]
---@param options? LookOptions
---@return integer                       armies drawn; 0 where sight is limited or calls cost much
function mind:look(moves, sums, options) end
---@return integer                       of a ply that mind:look plays
function mind:ply_fuel() end
---@return boolean[]?                    of each of view:moves(); nil if there is no need to press
function mind:presses() end

---@class Game
local game = {}

---@return Move[]
function game:moves() end
---@param move Move
function game:play(move) end
---@param times? integer
function game:undo(times) end
---@return integer
function game:depth() end
---@return Side
function game:to_move() end
---@param square Place
---@return Kind? kind, Side? side
function game:kind_at(square) end
---@param name string                    of a counter
---@param side? Side                     where each side has its own
---@return integer
function game:counter(name, side) end
---@return "red"|"blue"|"draw"|nil result, string? reason
function game:over() end
---@param other Game
function game:copy(other) end
---@param values Values|table<Kind, number>
---@return number
function game:evaluate(values) end
---@param moves Move[]
---@param sums number[]
---@param values Values|table<Kind, number>
---@param depth integer                  1 … 8
---@param nodes? integer                 for all moves together; default 100000
---@return integer                       the depth that could be finished
function game:score(moves, sums, values, depth, nodes) end
---@param options? PlayoutOptions
---@return number value, integer plies
function game:playout(options) end
---@param options? PlayoutsOptions
---@return number value, integer wins, integer draws, integer losses, integer plies
function game:playouts(options) end

return view, game, mind
